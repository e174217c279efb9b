import assert from "node:assert/strict";
import { success } from "../../../../src/agent/failure.ts";
import type { Fact, Learned, Learnt, MemoryCardQuery } from "../../../../src/agent/memory/types.ts";
import { emptyMemory, NOTHING_LEARNED } from "../memory.ts";
import { persona } from "../committee/bed.ts";
import { all, playModel, seededIdentity, warnings } from "../support.ts";
import { lastText, talk, talkEngine, talkModel } from "./bed.ts";

function fact(text: string, owner: string, id = "1"): Fact {
  return {
    id: `00000000-0000-4000-8000-${id.padStart(12, "0")}`,
    kind: "fact",
    ...{ text, subject: owner, owner, quote: text, scope: "" },
    ...{ confidence: 0.8, mentions: 1, pinned: false, by: "model" },
    ...{ validFrom: 0, validTo: null, eventFrom: null, eventTo: null, createdAt: 0, updatedAt: 0 },
    source: { sessionId: "s", turnId: "t", time: 0 },
  };
}

/** A memory with these facts on every card, whoever asks; it keeps what it is asked and told. */
function memoryOf(facts: readonly Fact[], learned: Learned = NOTHING_LEARNED) {
  const cards: MemoryCardQuery[] = [];
  const told: Learnt[] = [];
  const memory = emptyMemory({
    card: (query) => {
      cards.push(query);
      return Promise.resolve(success({ relationships: [], facts, pinned: [], interests: [] }));
    },
    learn: (learnt) => {
      told.push(learnt);
      return Promise.resolve(success(learned));
    },
  });
  return { memory, cards, told };
}

const EXTRACTED = JSON.stringify({
  intent: "other",
  sentiment: "neutral",
  entities: [],
  facts: [
    {
      quote: "I live in Oslo",
      text: "The user lives in Oslo.",
      kind: "fact",
      about: "user",
      certain: true,
    },
  ],
  relations: [],
  interests: [],
});

/** An identity whose clock stands still until it is moved. */
function movedIdentity() {
  const clock = { now: Date.UTC(2026, 0, 1) };
  return { clock, identity: { ...seededIdentity(), now: () => clock.now } };
}

describe("What a persona of a talk recalls", () => {
  it("stands before what it answers, is its own alone, and is counted", async () => {
    const { memory, cards } = memoryOf([
      fact("Mira sails.", "Mira", "1"),
      fact("Tom builds walls.", "Tom", "2"),
    ]);
    const model = talkModel({ Mira: ["One."], Tom: ["Two."] });
    const { outcome, events } = await talk(talkEngine({ models: [model], memory }), {
      settings: { rounds: 1, memories: 4, recents: 2 },
    });
    assert.deepEqual(
      cards.map(({ agent, owners, facts, question }) => ({ agent, owners, facts, question })),
      [
        {
          agent: "Mira",
          owners: ["Mira"],
          facts: { fitting: 4, latest: 2 },
          question: "What is worth keeping?",
        },
        { agent: "Tom", owners: ["Tom"], facts: { fitting: 4, latest: 2 }, question: "One." },
      ],
    );
    const [mira, tom] = model.requests.map(lastText);
    assert.ok(mira?.includes("Mira sails") && !mira.includes("walls"));
    assert.ok(tom?.includes("Tom builds walls") && !tom.includes("sails"));
    assert.ok((mira?.indexOf("Mira sails") ?? 0) < (mira?.indexOf("What is worth keeping?") ?? 0));
    assert.equal(outcome.rounds[0]?.retrieved, 2);
    assert.equal(all(events, "memory.card").length, 2);
  });

  it("is nothing where the settings want none, but who it is stays", async () => {
    const { memory, cards } = memoryOf([fact("Mira sails.", "Mira")]);
    const model = talkModel({ Mira: ["One."], Tom: ["Two."] });
    const Mira = persona("Mira", {
      persona: {
        name: "Mira",
        kind: "persona",
        job: "sailor",
        family: [],
        traits: [],
        interests: [],
        relationships: [],
      },
    });
    const { outcome } = await talk(
      talkEngine({ models: [model], memory, personas: [Mira, persona("Tom")] }),
      { settings: { rounds: 1, memories: 0, recents: 0 } },
    );
    assert.equal(cards.length, 0);
    assert.ok(lastText(model.requests[0]!).includes("You are Mira, sailor."));
    assert.equal(outcome.rounds[0]?.retrieved, 0);
  });

  it("is done without where memory fails, and that is told once", async () => {
    const memory = emptyMemory({ card: () => Promise.reject(new Error("it is gone")) });
    const model = talkModel({ Mira: ["One.", "Three."], Tom: ["Two.", "Four."] });
    const { outcome, events } = await talk(talkEngine({ models: [model], memory }), {
      settings: { rounds: 2 },
    });
    assert.equal(outcome.stopped, "rounds");
    assert.deepEqual(warnings(events), ["memory_unavailable"]);
  });
});

describe("What a persona of a talk learns", () => {
  const reader = () =>
    playModel(
      [
        [
          { type: "content", text: EXTRACTED },
          { type: "end", finishReason: "stop", usage: {}, model: "reader" },
        ],
      ],
      { name: "reader" },
    );
  const settings = { helperModel: "reader", memory: { learning: "model" as const } };

  it("is read from its own words, belongs to it, and is counted", async () => {
    const added = { ...NOTHING_LEARNED, added: [{ id: "1", text: "Mira lives in Oslo." }] };
    const { memory, told } = memoryOf([], added);
    const models = [
      talkModel({ Mira: ["I live in Oslo, by the water."], Tom: ["Stones last long."] }),
      reader(),
    ];
    const { outcome, events } = await talk(talkEngine({ models, memory, settings }), {
      settings: { rounds: 1 },
    });
    const [first] = told;
    assert.equal(first?.agent, "Mira");
    assert.deepEqual(
      first.facts.map(({ text, subject, owner }) => ({ text, subject, owner })),
      [{ text: "Mira lives in Oslo.", subject: "Mira", owner: "Mira" }],
    );
    assert.equal(first.said, "I live in Oslo, by the water.");
    assert.equal(outcome.rounds[0]?.extracted, 1);
    const learned = all(events, "memory.learned");
    assert.deepEqual(
      learned.map(({ agent }) => agent),
      ["Mira", "Tom"],
    );
  });

  it("is read by a model at most once in ten seconds; what was said meanwhile is read along", async () => {
    const { memory, told } = memoryOf([]);
    const { clock, identity } = movedIdentity();
    const seconds = 1_000;
    const read = reader();
    const lines = ["I live in Oslo since May.", "I live in Oslo still.", "I live in Oslo for good."];
    const model = talkModel({
      Mira: lines,
      Tom: ["Stones last long.", "Walls are thick.", "Roofs are steep."].map(
        (text) =>
          // Each message of Tom's takes six seconds.
          async function* () {
            clock.now += 6 * seconds;
            yield { type: "content", text } as const;
            yield { type: "end", finishReason: "stop", usage: {}, model: "tiny" } as const;
            await Promise.resolve();
          },
      ),
    });
    const models = [model, read];
    await talk(talkEngine({ models, memory, settings, identity }), { settings: { rounds: 3 } });
    const miras = told.filter(({ agent }) => agent === "Mira").map(({ said }) => said);
    assert.deepEqual(miras, [lines[0], `${lines[1]!}\n${lines[2]!}`]);
    // Mira's first and third message; Tom's first and third.
    assert.equal(read.requests.length, 4);
  });

  it("is read by rules at the end where a model may not read again yet, so that nothing is lost", async () => {
    const { memory, told } = memoryOf([]);
    const read = reader();
    const model = talkModel({
      Mira: ["I live in Oslo now.", "I like tea."],
      Tom: ["Stones last.", "Walls too."],
    });
    const { outcome } = await talk(talkEngine({ models: [model, read], memory, settings }), {
      settings: { rounds: 2 },
    });
    assert.equal(outcome.stopped, "rounds");
    const last = told.findLast(({ agent }) => agent === "Mira");
    assert.equal(last?.by, "rules");
    assert.deepEqual(
      last.facts.map(({ text, owner }) => ({ text, owner })),
      [{ text: "Mira likes tea.", owner: "Mira" }],
    );
    assert.equal(read.requests.length, 2);
  });

  it("is nothing of others: relations that are not its own stay out of the user's memory", async () => {
    const { memory, told } = memoryOf([]);
    const extracted = {
      ...(JSON.parse(EXTRACTED) as object),
      relations: [
        { quote: "Ana is married to Bo", from: "Ana", type: "married_to", to: "Bo", current: true },
        { quote: "I work at Acme", from: "user", type: "works_at", to: "Acme", current: true },
      ],
      entities: [
        { name: "Ana", type: "person" },
        { name: "Acme", type: "thing" },
      ],
    };
    const read = playModel(
      [
        [
          { type: "content", text: JSON.stringify(extracted) },
          { type: "end", finishReason: "stop", usage: {}, model: "reader" },
        ],
      ],
      { name: "reader" },
    );
    const said = "Ana is married to Bo, and I work at Acme. I live in Oslo.";
    const model = talkModel({ Mira: [said], Tom: ["Stones last long."] });
    await talk(talkEngine({ models: [model, read], memory, settings }), { settings: { rounds: 1 } });
    assert.deepEqual(
      told[0]?.edges.map(({ from, type, to }) => [from, type, to]),
      [["Mira", "works_at", "Acme"]],
    );
    assert.deepEqual(
      told[0].entities.map(({ name }) => name),
      ["Acme"],
    );
  });

  it("is nothing where the talk is not kept, and its events say that it is private", async () => {
    const { memory, told } = memoryOf([]);
    const model = talkModel({ Mira: ["I live in Oslo."], Tom: ["I like tea."] });
    const { events } = await talk(talkEngine({ models: [model], memory }), {
      settings: { rounds: 1, persist: false },
    });
    assert.deepEqual(told, []);
    assert.equal(all(events, "turn.start")[0]?.data["conclave.private"], true);
  });

  it("is not also remembered as if the user had said it", async () => {
    let added = 0;
    const memory = emptyMemory({
      add: (episodes) => {
        added += episodes.length;
        return Promise.resolve(success({ added: episodes.length }));
      },
    });
    const engine = talkEngine({
      models: [talkModel({ Mira: ["I live in Oslo."], Tom: ["I like tea."] })],
      memory,
    });
    await talk(engine, { settings: { rounds: 1 } });
    await engine.dispose();
    assert.equal(added, 0);
  });
});
