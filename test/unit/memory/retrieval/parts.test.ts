import assert from "node:assert/strict";
import fc from "fast-check";
import { failed, success } from "../../../../src/agent/failure.ts";
import { DEFAULT_RETRIEVAL } from "../../../../src/agent/memory/port.ts";
import { diverse } from "../../../../src/memory/retrieval/diversity.ts";
import { rerank, type Reranker } from "../../../../src/memory/retrieval/reranker.ts";
import { namedSpeaker, speakerOf } from "../../../../src/memory/retrieval/speakers.ts";
import { embeddedText, windowText } from "../../../../src/memory/retrieval/texts.ts";
import { additions, valueOf } from "../../../../src/memory/retrieval/value.ts";
import { never } from "../support.ts";

const DAY_MS = 86_400_000;

describe("The value of a memory", () => {
  it("adds what the settings say for grade, duel, reward and age", () => {
    const notes = { score: 5, verdict: "winner", reward: -1 } as const;
    const added = additions(notes, 0, 90 * DAY_MS, DEFAULT_RETRIEVAL);
    assert.deepEqual(added, { score: 0.1, verdict: 0.05, reward: -0.1, recency: 0.01 });
    assert.ok(Math.abs(valueOf(0.5, added) - 0.56) < 1e-9);
  });

  it("leaves out what is not known, and age when its half-life is 0", () => {
    assert.deepEqual(additions(undefined, 0, DAY_MS, { ...DEFAULT_RETRIEVAL, halfLifeDays: 0 }), {});
  });

  it("takes a clock that went back for no age at all", () => {
    assert.equal(additions(undefined, DAY_MS, 0, DEFAULT_RETRIEVAL).recency, DEFAULT_RETRIEVAL.recencyWeight);
  });
});

describe("Diversity of memories", () => {
  it("has what repeats a better one give way to what says something new", () => {
    const items = [
      { id: 1, value: 0.9, text: "the boat lies in Oban" },
      { id: 2, value: 0.89, text: "The boat lies in Oban." },
      { id: 3, value: 0.7, text: "Dara feeds the cat" },
    ];
    assert.deepEqual(
      diverse(items, 3).map(({ id }) => id),
      [1, 3, 2],
    );
  });

  it("gives each once, no more than wanted, and the best first", () => {
    const item = fc.record({ value: fc.double({ min: 0, max: 1, noNaN: true }), text: fc.string() });
    fc.assert(
      fc.property(fc.array(item, { maxLength: 12 }), fc.nat(15), (items, limit) => {
        const sorted = [...items].sort((a, b) => b.value - a.value);
        const chosen = diverse(sorted, limit);
        assert.equal(chosen.length, Math.min(limit, items.length));
        assert.equal(new Set(chosen).size, chosen.length);
        assert.ok(limit === 0 || chosen[0] === sorted[0]);
      }),
    );
  });
});

describe("Who said a turn", () => {
  const turn = (head: string, agent = "conclave") => ({
    ...{ id: head, sessionId: "s", turnId: head, time: 0, asks: false, length: 10 },
    ...{ head, agent },
  });

  it("is the name that it begins with, else the agent that answered", () => {
    assert.equal(speakerOf(turn("Ana Lind: hello")), "Ana Lind");
    assert.equal(speakerOf(turn("hello: https://there")), "hello");
    assert.equal(speakerOf(turn("What is it?", "vera")), "vera");
  });

  it("is named by a question in full or by the beginning of the name, and only when it is one", () => {
    const turns = [turn("Melanie: hi"), turn("Bo: hi"), turn("Anything?", "vera")];
    assert.equal(namedSpeaker(["What", "Mel"], turns), "Melanie");
    assert.equal(namedSpeaker(["Bo"], turns), "Bo");
    assert.equal(namedSpeaker(["Vera"], turns), "vera");
    assert.equal(namedSpeaker(["Melanie", "Bo"], turns), undefined);
    assert.equal(namedSpeaker(["When"], turns), undefined);
  });
});

describe("The text that stands for a turn", () => {
  it("is its words, in a window with those around it, in order", () => {
    const said = (question: string) => ({ question, answer: "" });
    assert.equal(embeddedText({ question: "Where?", answer: "In Oban." }), "Where?\nIn Oban.");
    const previous = ["one", "two", "three"].map(said);
    assert.equal(windowText(previous, said("four"), [said("five")]), "two\nthree\nfour\nfive");
  });

  it("always holds the turn itself, however long the others are", () => {
    const long = { question: "x".repeat(50_000), answer: "" };
    const text = windowText([long, long], { question: "Where is the boat?", answer: "" }, [long]);
    assert.ok(text.includes("Where is the boat?"));
    assert.ok(text.length < 2_500);
  });
});

describe("Reranking", () => {
  const items = ["a", "b"].map((text, index) => ({ text, relevance: 0.6 - index * 0.1, parts: {} }));
  const context = { query: { query: "q" }, settings: { ...DEFAULT_RETRIEVAL, rerank: true }, signal: never };
  const judge = (scores: readonly number[]): { readonly reranker: Reranker } => ({
    reranker: { model: "judge", score: () => Promise.resolve(success(scores)) },
  });

  it("counts half, and is shown", async () => {
    const { items: judged, note } = await rerank({ ...context, reranking: judge([0, 1]) }, items);
    assert.deepEqual(
      judged.map(({ relevance, parts }) => [relevance, parts]),
      [
        [0.3, { rerank: 0 }],
        [0.75, { rerank: 1 }],
      ],
    );
    assert.equal(note, undefined);
  });

  it("changes nothing when it is off, has no model or fails, and says why", async () => {
    const off = { ...context, settings: DEFAULT_RETRIEVAL, reranking: judge([0, 1]) };
    assert.deepEqual(await rerank(off, items), { items });
    assert.deepEqual((await rerank(context, items)).items, items);
    assert.match((await rerank(context, items)).note ?? "", /its model is not there/);
    const loading = { note: "Its model is being loaded." };
    assert.deepEqual(await rerank({ ...context, reranking: loading }, items), { items, note: loading.note });
    const broken: Reranker = {
      model: "judge",
      score: () => Promise.resolve(failed("memory_unavailable", "it broke.")),
    };
    assert.deepEqual(await rerank({ ...context, reranking: { reranker: broken } }, items), {
      items,
      note: "Without the reranker: it broke.",
    });
  });
});
