import assert from "node:assert/strict";
import { saveMemory } from "../../../src/tools/save-memory.ts";
import { contextOf, textOf } from "../../support/web/tools.ts";
import { FakeMemory, NOTHING_LEARNED } from "./fake-memory.ts";

/** Thursday, 19 November 2026. */
const NOW = new Date(2026, 10, 19, 23, 50).getTime();

describe("save_memory", () => {
  let memory: FakeMemory;

  async function run(
    args: unknown,
    question: string,
    settings: Partial<Parameters<typeof saveMemory>[0]> = {},
  ) {
    const tool = saveMemory({ memory, timeoutMs: () => 1_000, now: () => NOW, ...settings });
    return tool.run(tool.parameters.parse(args), { ...contextOf(), question });
  }

  beforeEach(() => {
    memory = new FakeMemory();
  });

  it("proposes a fact with its turn as the source and the user's words as its ground", async () => {
    const question = "Remember that I prefer tabs.";
    await run({ text: " Prefers tabs. ", kind: "preference" }, question, { scope: () => "w1" });
    assert.deepEqual(memory.learnt, [
      {
        source: { sessionId: "session-1", turnId: "turn-1", time: NOW },
        agent: "conclave",
        scope: "w1",
        by: "tool",
        said: question,
        recalled: [],
        facts: [
          {
            kind: "preference",
            text: "Prefers tabs.",
            subject: "user",
            quote: "",
            confidence: 0.85,
            owner: "user",
          },
        ],
        entities: [],
        edges: [],
      },
    ]);
  });

  it("is less sure of a statement that the model worded than of one in the user's words", async () => {
    await run({ text: "The user favours indentation with tabulators" }, "Remember that I prefer tabs.");
    assert.equal(memory.learnt[0]?.facts[0]?.confidence, 0.65);
  });

  it("does not take what the user quoted or pasted for what the user said", async () => {
    await run({ text: "Prefers tabs" }, "What does this mean?\n> I prefer tabs\n```\nI live in Rome\n```");
    assert.equal(memory.learnt[0]?.said, "What does this mean?");
  });

  it("keeps words such as tomorrow as they were said, and beside them the time that they mean", async () => {
    await run(
      { text: "The dentist is tomorrow at 3pm", kind: "event" },
      "Remember: the dentist is tomorrow at 3pm",
    );
    const fact = memory.learnt[0]?.facts[0];
    assert.ok(fact !== undefined);
    assert.equal(fact.text, "The dentist is tomorrow at 3pm");
    assert.equal(fact.eventFrom, new Date(2026, 10, 20, 15).getTime());
  });

  it("gives what is about the agent to the agent, and the rest to the user", async () => {
    await run({ text: "Conclave is called Connie", about: "Conclave" }, "x");
    await run({ text: "Anna lives in Oslo", about: "Anna" }, "x");
    assert.deepEqual(
      memory.learnt.map(({ facts: [fact] }) => [fact?.subject, fact?.owner]),
      [
        ["Conclave", "conclave"],
        ["Anna", "user"],
      ],
    );
  });

  it("says what became of it: saved, known already, what no longer holds, or refused and why", async () => {
    memory.learned = {
      ...NOTHING_LEARNED,
      added: [{ id: "f1", text: "Prefers tabs" }],
      closed: [{ id: "f0", text: "Prefers spaces" }],
    };
    const saved = await run({ text: "Prefers tabs", kind: "preference" }, "x");
    assert.equal(textOf(saved), "Saved as a preference: Prefers tabs\nNo longer holds: Prefers spaces");
    assert.ok(saved.ok);
    assert.deepEqual(saved.details.sources, [{ uri: "memory:f1", title: "Prefers tabs" }]);
    memory.learned = { ...NOTHING_LEARNED, repeated: [{ id: "f1", text: "Prefers tabs" }] };
    assert.equal(textOf(await run({ text: "Likes tabs" }, "x")), "Known already: Prefers tabs");
    memory.learned = {
      ...NOTHING_LEARNED,
      rejected: [{ text: "Is a biologist", reason: "not in what the user said" }],
    };
    const refused = await run({ text: "Is a biologist" }, "ok thanks");
    assert.equal(textOf(refused), "Not saved: not in what the user said.");
    assert.equal(refused.ok && refused.details.summary, "not saved");
  });

  it("writes nothing in a private session, and says so", async () => {
    const outcome = await run({ text: "Prefers tabs" }, "x", { isPrivate: (id) => id === "session-1" });
    assert.match(textOf(outcome), /private/);
    assert.equal(memory.learnt.length, 0);
  });
});
