import assert from "node:assert/strict";
import { DEFAULT_RETRIEVAL } from "../../../../src/agent/memory/port.ts";
import { valueOf, cleanUp, never } from "../support.ts";
import * as ollama from "../../../support/ollama/index.ts";
import { answers, fact, hasResult, messageIn, openBed, type Bed } from "./bed.ts";

const THINGS =
  "sailing chess pottery archery jazz sushi knitting astronomy origami falconry cycling opera judo gardening surfing baking poetry fencing painting climbing".split(
    " ",
  );
const TALK = [
  "What a long day that was at the desk.",
  "The rain has not stopped since noon over here.",
  "Tell me something nice before the meeting.",
  "Hm, the coffee machine is broken again.",
  "Nearly weekend, only two more calls to go.",
];

/** Twenty things that the user told once, by hand. */
async function remember(bed: Bed): Promise<void> {
  const learned = valueOf(
    await bed.memory.learn(
      {
        source: { sessionId: "before", turnId: "before", time: Date.UTC(2026, 9, 1) },
        ...{ agent: "conclave", scope: "", by: "user", said: "", recalled: [], entities: [], edges: [] },
        facts: THINGS.map((thing) => ({
          ...{ kind: "preference" as const, text: `User likes ${thing}`, subject: "user", confidence: 0.7 },
          ...{ owner: "user", quote: "" },
        })),
      },
      never,
    ),
  );
  assert.equal(learned.added.length, THINGS.length);
}

describe("What was recalled", () => {
  afterEach(cleanUp);

  it("is not learnt again: twenty memories stay twenty over fifty turns that recall and restate them", async function () {
    this.timeout(180_000);
    let count = 0;
    const thing = (): string => THINGS[(count * 5) % THINGS.length]!;
    const bed = await openBed({
      // Half of the turns look for themselves, half are given a card.
      chat: (body) =>
        count % 2 === 0 && !hasResult(body)
          ? [ollama.toolCall("search_memory", { query: `likes ${thing()}` })]
          : answers(`Well, you are ever so fond of ${thing()}, so enjoy some of it.`),
      // A careless reader takes the restatement for news, with or without words of the user's to show for it.
      read: (shown) => ({
        facts: [
          fact(
            count % 3 === 0 ? `fond of ${thing()}` : messageIn(shown),
            `The user is very fond of ${thing()} these days`,
            { kind: "preference" },
          ),
        ],
      }),
      memory: { card: "always", retrieval: { ...DEFAULT_RETRIEVAL, given: 5 } },
    });
    await remember(bed);
    let repeated = 0;
    let retrieved = 0;
    for (count = 0; count < 50; count += 1) {
      const { learned, events } = await bed.turn(TALK[count % TALK.length]!);
      assert.equal(learned?.data["conclave.extracted"], 0);
      repeated += learned.data["conclave.learned"]?.repeated.length ?? 0;
      for (const event of events) if (event.type === "memory.card") retrieved += event.data.parts.length;
    }
    const facts = await bed.facts();
    assert.equal(facts.length, THINGS.length);
    assert.ok(retrieved >= 50 * 5, `${retrieved} were recalled`);
    const mentions = facts.reduce((sum, one) => sum + one.mentions, 0);
    assert.equal(mentions, THINGS.length + repeated);
    assert.ok(repeated >= 25, `${repeated} restatements counted`);
    assert.ok(facts.every(({ confidence }) => confidence === 0.7));
    assert.deepEqual([await bed.people(), await bed.relationships()], [[], []]);
  });

  it("does not hide what the user says that is new", async () => {
    const bed = await openBed({
      chat: () => answers("You like sailing, and now rowing too."),
      read: () => ({
        facts: [
          fact("I have taken up rowing", "The user has taken up rowing"),
          fact("I have taken up rowing", "The user likes sailing"),
        ],
      }),
      memory: { card: "always" },
    });
    await remember(bed);
    const { learned } = await bed.turn("I have taken up rowing, twice a week.");
    assert.deepEqual(
      learned?.data["conclave.learned"]?.added.map(({ text }) => text),
      ["The user has taken up rowing"],
    );
    assert.equal((await bed.facts()).length, THINGS.length + 1);
  });
});
