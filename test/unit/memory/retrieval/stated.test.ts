import assert from "node:assert/strict";
import type { Embedder } from "../../../../src/memory/embed/embedder.ts";
import type { Turn } from "../../../../src/memory/retrieval/candidates.ts";
import { bareSimilarities, withoutSpeaker } from "../../../../src/memory/retrieval/bare-question.ts";
import { fuse, withCloser } from "../../../../src/memory/retrieval/fuse.ts";
import { relevanceOf } from "../../../../src/memory/retrieval/relevance.ts";
import { statedIn } from "../../../../src/memory/retrieval/stated.ts";
import { StoreCandidates } from "../../../../src/memory/retrieval/store-candidates.ts";
import { openStore } from "../store-support.ts";
import { cleanUp, episode, never } from "../support.ts";
import { ask, embedder, found } from "./ask-support.ts";

describe("How much a turn states", () => {
  it("is what it says beyond its questions, and nothing when it only asks", () => {
    assert.deepEqual(statedIn({ question: "Where is it? And when?", answer: "" }), { stated: 0, asking: 1 });
    const half = statedIn({ question: "It is in Oban. And yours?", answer: "" });
    assert.ok(half.stated > 0 && half.stated < 0.2);
    assert.equal(half.asking, 0.5);
    assert.deepEqual(statedIn({ question: "It sails. ".repeat(30), answer: "" }), { stated: 1, asking: 0 });
  });

  it("is that of the answer where there is one: every question asks", () => {
    const { asking } = statedIn({ question: "Where is the boat?", answer: "In Oban, at the pier." });
    assert.equal(asking, 0);
  });

  it("does not count the speaker's name, nor an empty turn", () => {
    assert.equal(statedIn({ question: "Ana: Where is it?", answer: "" }).stated, 0);
    assert.deepEqual(statedIn({ question: " ", answer: "" }), { stated: 0, asking: 0 });
  });

  it("reads questions of other scripts", () => {
    assert.equal(statedIn({ question: "船在哪里？", answer: "" }).asking, 1);
  });
});

describe("What speaks for a turn beyond what was found", () => {
  const turns = new Map(
    [1, 2, 3].map((time) => {
      const turn: Turn = {
        ...{ id: `t${time}`, sessionId: "s", turnId: `turn${time}`, time },
        ...{ agent: "conclave", head: "", asks: false, length: 100 },
      };
      return [turn.id, turn];
    }),
  );
  const weigh = (score: number, texts: Record<string, string>): Map<string, number> =>
    new Map(
      relevanceOf(
        [...turns.values()].map((place) => ({ place, score, parts: {} })),
        turns,
        { timeZone: "UTC" },
        new Map(Object.entries(texts).map(([id, question]) => [id, { time: 0, question, answer: "" }])),
      ).map(({ place, relevance }) => [place.id, relevance]),
    );

  it("puts what states something before what only asks, and a session's opening before what follows", () => {
    const relevance = weigh(0.5, { t2: "It is in Oban, at the pier.", t3: "Is it in Oban, at the pier?" });
    assert.ok(relevance.get("t2")! > relevance.get("t3")!);
    const same = weigh(0.5, {});
    assert.ok(same.get("t1")! > same.get("t2")!);
    assert.equal(same.get("t2"), same.get("t3"));
  });

  it("lifts nothing of which next to nothing was found above the threshold", () => {
    for (const relevance of weigh(0.02, { t1: "It states a lot. ".repeat(30) }).values()) {
      assert.ok(relevance < 0.2 && relevance >= 0);
    }
  });
});

describe("A question about what someone said", () => {
  afterEach(cleanUp);

  it("is compared without the name, in each of its forms", () => {
    assert.equal(withoutSpeaker("What does Ana's boat cost?", "Ana"), "What does boat cost?");
    assert.equal(withoutSpeaker("What did ANA say of boats?", "Ana"), "What did say of boats?");
    assert.equal(withoutSpeaker("Did Ana Berg buy a boat?", "Ana Berg"), "Did buy a boat?");
    assert.equal(withoutSpeaker("Which banana did Ana buy?", "Ana"), "Which banana did buy?");
    assert.equal(withoutSpeaker("What of C++ (x)?", "(x"), "What of C++ )?", "no sign has a meaning");
  });

  it("stays whole when it holds no more than the name, or not the name", () => {
    assert.equal(withoutSpeaker("What did Ana do?", "Ana"), undefined);
    assert.equal(withoutSpeaker("Who has a boat?", "Ana"), undefined);
  });

  it("looks at nothing but the turns it is told", async () => {
    const store = await openStore();
    const boats = [1, 2, 3].map((time) => episode({ question: `boat ${time}`, answer: "", time }));
    await store.add(boats, embedder);
    const look = { source: new StoreCandidates(store), embedder, filter: {}, signal: never };
    const two = boats.slice(0, 2).map(({ id }) => id);
    assert.deepEqual([...(await bareSimilarities(look, "boat", two)).keys()].sort(), [...two].sort());
    assert.equal((await bareSimilarities(look, "boat", ["x' OR '1'='1"])).size, 0);
    assert.equal((await bareSimilarities(look, "boat", [])).size, 0);
  });

  it("takes what is alike without the name before what only calls that person", () => {
    const places = ["calls", "says"].map((id) => ({ id, sessionId: id, turnId: id, time: 0 }));
    const vector = new Map([
      ["calls", 0.8],
      ["says", 0.5],
    ]);
    const fused = fuse(places, { vector });
    const closer = new Map([
      ["calls", 0.1],
      ["says", 0.6],
    ]);
    const scores = new Map(
      withCloser(fused, { vector }, closer).map(({ place, score }) => [place.id, score]),
    );
    assert.ok(scores.get("says")! > scores.get("calls")!);
    assert.ok([...scores.values()].every((score) => score >= 0 && score <= 1));
    assert.deepEqual(withCloser(fused, { vector }, new Map()), fused);
    const [calls] = withCloser(fused, { vector }, new Map([["says", 0.6]]));
    assert.deepEqual(calls, fused[0], "one that was not compared stays as it is");
  });

  it("finds what the one who is named said of it", async () => {
    const store = await openStore();
    const said = (question: string, time: number): ReturnType<typeof episode> =>
      episode({ question, answer: "", sessionId: "talk", time });
    const own = said("Ana: My vessel is red and lies in Oban.", 2);
    const others = [said("Bo: Thanks Ana, Ana you are great Ana!", 1), said("Bo: Good night Ana.", 3)];
    await store.add([own, ...others], embedder);
    const search = await ask(store, "Which boat does Ana have?");
    assert.equal(found(search)[0], own.id);
    assert.equal(search.hits[0]?.parts.speaker, 1);
  });

  it("is embedded with and without the name in one call, and a question without a name alone", async () => {
    const store = await openStore();
    const own = episode({ question: "Ana: My vessel is red.", answer: "", sessionId: "talk" });
    await store.add([own], embedder);
    const calls: (readonly string[])[] = [];
    const counting: Embedder = {
      ...embedder,
      embed: (texts, kind, signal) => {
        calls.push(texts);
        return embedder.embed(texts, kind, signal);
      },
    };
    await ask(store, "Which boat does Ana have?", { embedder: counting });
    await ask(store, "which boat is red?", { embedder: counting });
    assert.deepEqual(calls, [["Which boat does Ana have?", "Which boat does have?"], ["which boat is red?"]]);
  });
});
