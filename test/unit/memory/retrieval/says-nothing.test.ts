import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { saysNothing } from "../../../../src/memory/retrieval/says-nothing.ts";
import { contentWords } from "../../../../src/memory/retrieval/words.ts";
import { openStore } from "../store-support.ts";
import { cleanUp, never, valueOf } from "../support.ts";
import { alone, ask, embedder, found, without } from "./ask-support.ts";

const QUESTION = "Where did we moor the boat?";

const says = (answer: string, question = QUESTION): boolean =>
  saysNothing({ question, answer }, contentWords(QUESTION));

describe("An earlier answer to the same question", () => {
  it("says nothing when it only says that nothing is known, in several languages", () => {
    for (const answer of [
      "I don't know where you moored the boat.",
      "Memory holds nothing about the boat.",
      "I'm sorry, I couldn't find any information about that in my memory.",
      "No relevant memories found.",
      "Das weiß ich leider nicht.",
      "Je ne sais pas.",
      "No lo sé.",
      "Non lo so.",
      "不知道。",
      "Where did we moor the boat?",
    ]) {
      assert.equal(says(answer), true, answer);
    }
  });

  it("says something as soon as it holds a name, a place or a number of its own", () => {
    for (const answer of [
      "In Oban, by the north pier.",
      "At berth 12.",
      "I don't know for sure, but the harbour master said Oban.",
      "Nothing is known but berth 12.",
      "Ich weiß nicht genau, vermutlich im Hafen von Oban.",
      "In the memory stick's folder.",
    ]) {
      assert.equal(says(answer), false, answer);
    }
  });

  it("says something when it picks one of the question's own words, or says yes or no", () => {
    for (const [question, answer] of [
      ["Is the boat at the pier or at the berth?", "At the pier."],
      ["Did we moor the boat?", "No, not yet."],
      ["Did we moor the boat?", "Yes."],
      ["What is the boat?", "So it is the boat."],
      ["Is the boat in memory?", "In memory."],
    ] as const) {
      assert.equal(saysNothing({ question, answer }, contentWords(question)), false, answer);
    }
  });

  it("counts as such in the plural and without its question mark, and not beside something that was told", () => {
    assert.equal(says("I don't know.", "where did we moor our boats"), true);
    assert.equal(says("I don't know.", "We moored it in Oban on Monday. Is that near Mull?"), false);
    assert.equal(says("", "We moored the boat in Oban."), false);
  });
});

describe("A question that was asked before, when nothing was known", () => {
  afterEach(cleanUp);

  for (const [how, vector] of [
    ["with embeddings", { embedder }],
    ["by full text alone", without],
  ] as const) {
    it(`does not stand before the turn that answers it, ${how}`, async () => {
      const store = await openStore();
      const told = alone("We moored the boat in Oban, by the north pier.", "Noted.");
      const echoes = [
        alone(QUESTION, "I don't know where you moored the boat."),
        alone(QUESTION, "Memory holds nothing about where the boat was moored."),
        alone(QUESTION, "Leider weiß ich das nicht."),
      ];
      await store.add([...echoes, told], embedder);
      const hits = await ask(store, QUESTION, vector);
      assert.equal(found(hits)[0], told.id);
    });
  }

  it("stays first when its answer said it", async () => {
    const store = await openStore();
    const answered = alone(QUESTION, "In Oban, by the north pier.");
    await store.add([alone("We painted the boat.", "Nice."), answered], embedder);
    assert.equal(found(await ask(store, QUESTION))[0], answered.id);
  });

  it("counts again once the user has written the answer into it", async () => {
    const store = await openStore();
    const echo = alone(QUESTION, "I don't know.");
    await store.add([alone("We painted the boat.", "A nice boat."), echo], embedder);
    const edit = { id: randomUUID(), episodeId: echo.id, by: "user", time: 1, kind: "edit" } as const;
    valueOf(await store.annotations.append([{ ...edit, value: { answer: "In Oban." } }], never));
    const [first] = (await ask(store, QUESTION)).hits;
    assert.ok(first);
    assert.equal(first.episode.id, echo.id);
    assert.notEqual(first.parts.asking, 1);
  });
});
