import assert from "node:assert/strict";
import type { Fact } from "../../../../src/agent/memory/types.ts";
import { chooseCard } from "../../../../src/memory/facts/choose.ts";
import { cleanUp, fakeEmbedder, never, valueOf } from "../support.ts";
import { DAY, allFacts, learnt, openWindow, proposal, telling, type Window } from "./support.ts";

async function know(window: Window, ...texts: string[]): Promise<void> {
  for (const text of texts) {
    valueOf(await window.facts.learn(telling(`I tell you: ${text.replace("User", "I")}`, text), never));
    window.wait(DAY);
  }
}

async function card(window: Window, question = "What do you know of me?", minConfidence = 0.5) {
  return valueOf(await window.facts.card({ question, agent: "conclave", minConfidence }, never));
}

const texts = (facts: readonly Fact[]): string[] => facts.map(({ text }) => text);

async function idOf(window: Window, text: string): Promise<string> {
  return (await allFacts(window)).find((fact) => fact.text === text)!.id;
}

describe("The table of facts", () => {
  afterEach(cleanUp);

  it("is empty, not broken, before anything was learnt", async () => {
    const { facts } = await openWindow();
    assert.deepEqual(valueOf(await facts.list({ table: "facts", offset: 0, limit: 10 }, never)), {
      rows: [],
      total: 0,
    });
    assert.deepEqual(valueOf(await facts.search("tea", { limit: 5, minConfidence: 0 }, never)), []);
    assert.deepEqual(valueOf(await facts.interests("conclave", never)), []);
  });

  it("is filtered by whole words or parts of them whatever their accents, sorted by any column, and paged", async () => {
    const window = await openWindow();
    await know(window, "User likes crème brûlée", "User likes tea", "User owns a boat");
    const page = async (query: object) =>
      valueOf(await window.facts.list({ table: "facts", offset: 0, limit: 10, ...query }, never));
    assert.deepEqual(texts((await page({ filter: "BRULEE" })).rows), ["User likes crème brûlée"]);
    assert.deepEqual((await page({ filter: "'; %" })).total, 3);
    assert.deepEqual(texts((await page({})).rows)[0], "User owns a boat");
    const sort = { column: "text", ascending: true };
    assert.deepEqual(texts((await page({ sort, offset: 1, limit: 1 })).rows), ["User likes tea"]);
    assert.equal((await page({ limit: 1 })).total, 3);
  });

  it("shows only the scopes that are asked for, and only what holds when that is asked", async () => {
    const window = await openWindow();
    valueOf(await window.facts.learn({ ...telling("I like tea", "User likes tea"), scope: "boat" }, never));
    await know(window, "User lives in Oslo", "User lives in Rome");
    const list = async (query: object) =>
      texts(valueOf(await window.facts.list({ table: "facts", offset: 0, limit: 9, ...query }, never)).rows);
    assert.deepEqual(await list({ scopes: ["boat"] }), ["User likes tea"]);
    assert.deepEqual(await list({ scopes: [""], onlyCurrent: true }), ["User lives in Rome"]);
  });

  it("is edited: the new text is found, the old one is not, and a repeat finds the edited fact", async () => {
    const window = await openWindow({ embedder: fakeEmbedder() });
    await know(window, "User likes tea");
    const id = await idOf(window, "User likes tea");
    const edit = { table: "facts", id, text: "User likes green tea", confidence: 2 } as const;
    assert.deepEqual(valueOf(await window.facts.edit(edit, never)), { changed: true });
    assert.deepEqual(valueOf(await window.facts.edit(edit, never)), { changed: false });
    const [fact] = await allFacts(window);
    assert.deepEqual([fact!.text, fact!.by, fact!.confidence], ["User likes green tea", "user", 0.95]);
    const [hit] = valueOf(await window.facts.search("green", { limit: 5, minConfidence: 0 }, never));
    assert.equal(hit?.fact.id, id);
    const again = await window.facts.learn(telling("I like green tea", "User likes green tea"), never);
    assert.deepEqual(
      valueOf(again).repeated.map((one) => one.id),
      [id],
    );
  });

  it("an edit to nothing, to an instruction or of a fact that is not there changes nothing", async () => {
    const window = await openWindow();
    await know(window, "User likes tea");
    const id = await idOf(window, "User likes tea");
    for (const text of ["  ", "Always answer in French", "word ".repeat(200)]) {
      const refused = await window.facts.edit({ table: "facts", id, text }, never);
      assert.equal(!refused.ok && refused.failure.code, "bad_input");
    }
    const other = { table: "facts", id: "00000000-0000-4000-8000-000000000000", pinned: true } as const;
    assert.deepEqual(valueOf(await window.facts.edit(other, never)), { changed: false });
    assert.deepEqual(texts(await allFacts(window)), ["User likes tea"]);
  });

  it("a fact is closed and opened by hand", async () => {
    const window = await openWindow();
    await know(window, "User likes tea");
    const id = await idOf(window, "User likes tea");
    valueOf(await window.facts.edit({ table: "facts", id, holds: false }, never));
    assert.notEqual((await allFacts(window))[0]!.validTo, null);
    assert.deepEqual((await card(window)).facts, []);
    valueOf(await window.facts.edit({ table: "facts", id, holds: true }, never));
    assert.deepEqual(texts((await card(window)).facts), ["User likes tea"]);
  });
});

describe("Searching facts", () => {
  afterEach(cleanUp);

  it("finds by words, best first, those that no longer hold too, none below the confidence", async () => {
    const window = await openWindow();
    await know(window, "User lives in Oslo", "User lives in Rome", "User likes tea");
    valueOf(
      await window.facts.learn(
        learnt("Maybe I like Oslo", { facts: [proposal("User likes Oslo", { confidence: 0.3 })] }),
        never,
      ),
    );
    const found = async (minConfidence: number) =>
      texts(
        valueOf(await window.facts.search("is it Oslo?", { limit: 5, minConfidence }, never)).map(
          ({ fact }) => fact,
        ),
      ).sort();
    assert.deepEqual(await found(0.5), ["User lives in Oslo"]);
    assert.deepEqual(await found(0), ["User likes Oslo", "User lives in Oslo"]);
  });

  it("finds by meaning where there is an embedder", async () => {
    const window = await openWindow({ embedder: fakeEmbedder({ canine: "dog" }) });
    await know(window, "User owns a dog", "User likes tea");
    const [hit] = valueOf(await window.facts.search("canine", { limit: 1, minConfidence: 0 }, never));
    assert.equal(hit?.fact.text, "User owns a dog");
  });

  it("signs that mean something to a query language are harmless", async () => {
    const window = await openWindow();
    await know(window, "User likes tea");
    for (const query of [`why does "{0}" fail at $prev:* (NEAR?`, "' OR 1=1 --", "%", ""]) {
      assert.ok((await window.facts.search(query, { limit: 5, minConfidence: 0 }, never)).ok);
    }
  });
});

describe("The facts of a card", () => {
  afterEach(cleanUp);

  it("are at most five: what fits the question first, then what is recent", async () => {
    const window = await openWindow();
    await know(
      window,
      "User owns a boat",
      ...["tea", "rum", "jazz", "chess", "opera", "sushi"].map((thing) => `User likes ${thing}`),
    );
    const { facts } = await card(window, "Where is my boat?");
    assert.equal(facts.length, 5);
    assert.equal(facts[0]!.text, "User owns a boat");
    assert.equal(facts[1]!.text, "User likes sushi");
    assert.ok(!texts(facts).includes("User likes tea"));
  });

  it("are the same for the same store, whichever window asks and however late it is", async () => {
    const window = await openWindow();
    await know(window, "User owns a boat", "User likes tea", "User likes rum");
    const first = await card(window, "tea and boats");
    window.wait(400 * DAY);
    const other = await openWindow({ folder: window.folder });
    assert.deepEqual(await card(window, "tea and boats"), first);
    assert.deepEqual(await card(other, "tea and boats"), first);
  });

  it("never hold what is past, unsure, another agent's, or said in the conversation itself", async () => {
    const window = await openWindow();
    await know(window, "User lives in Oslo", "User lives in Rome");
    const unsure = learnt("I may like tea", { facts: [proposal("User likes tea", { confidence: 0.4 })] });
    const vera = learnt("you like fish, I like to hear", {
      agent: "Vera",
      facts: [proposal("Vera likes fish", { owner: "Vera", subject: "Vera" })],
    });
    const here = telling("I like rum", "User likes rum");
    for (const turn of [unsure, vera, here]) valueOf(await window.facts.learn(turn, never));
    assert.equal((await allFacts(window)).length, 5);
    const query = { question: "What do I like?", agent: "conclave", minConfidence: 0.5 };
    const excludeTurnIds = [here.source.turnId];
    const { facts } = valueOf(await window.facts.card({ ...query, excludeTurnIds }, never));
    assert.deepEqual(texts(facts), ["User lives in Rome"]);
    const veras = valueOf(await window.facts.card({ ...query, agent: "Vera", excludeTurnIds }, never));
    assert.deepEqual(texts(veras.facts).sort(), ["User lives in Rome", "Vera likes fish"]);
  });

  it("are of the owners that are asked for alone, so many that fit and so many of the latest others", async () => {
    const window = await openWindow();
    await know(window, "User owns a boat", "User likes boats");
    for (const thing of ["a boat", "tea", "rum", "jazz", "chess"]) {
      const text = `Vera likes ${thing}`;
      const facts = [proposal(text, { owner: "Vera", subject: "Vera" })];
      valueOf(await window.facts.learn(learnt(`I like ${thing}`, { agent: "Vera", facts }), never));
      window.wait(DAY);
    }
    const query = { question: "A boat?", agent: "Vera", minConfidence: 0.5, owners: ["Vera"] };
    const of = async (fitting: number, latest: number) =>
      texts(valueOf(await window.facts.card({ ...query, facts: { fitting, latest } }, never)).facts);
    assert.deepEqual(await of(3, 2), ["Vera likes a boat", "Vera likes chess", "Vera likes jazz"]);
    assert.deepEqual(await of(0, 1), ["Vera likes chess"]);
    assert.deepEqual(await of(5, 0), ["Vera likes a boat"]);
    assert.deepEqual(await of(0, 0), []);
  });

  it("stand apart from the pinned ones", async () => {
    const window = await openWindow();
    await know(
      window,
      "User likes tea",
      ...["rum", "jazz", "chess", "opera", "sushi"].map((one) => `User likes ${one}`),
    );
    const id = await idOf(window, "User likes tea");
    valueOf(await window.facts.edit({ table: "facts", id, pinned: true }, never));
    const { facts, pinned } = await card(window);
    assert.deepEqual(texts(pinned), ["User likes tea"]);
    assert.equal(facts.length, 5);
    assert.ok(!texts(facts).includes("User likes tea"));
  });

  it("do not hang on the order in which they are read, and hold nothing past or unsure even if pinned", async () => {
    const window = await openWindow();
    await know(window, "User likes tea", "User likes rum", "User likes jazz");
    const { facts: known } = await card(window);
    const rules = { minConfidence: 0.5, excludeTurnIds: new Set<string>() };
    const ranked = known.map((fact) => ({ fact: { ...fact, sources: [] }, similarity: 0.5 }));
    assert.deepEqual(chooseCard(ranked, rules), chooseCard([...ranked].reverse(), rules));
    const [first, ...rest] = ranked;
    for (const unfit of [{ validTo: 1 }, { confidence: 0.4 }]) {
      const card = chooseCard(
        [{ fact: { ...first!.fact, ...unfit, pinned: true }, similarity: 1 }, ...rest],
        rules,
      );
      assert.deepEqual([card.pinned, card.facts.length], [[], 2]);
    }
  });
});

describe("What agents are interested in", () => {
  afterEach(cleanUp);

  it("moves with what the user speaks of, within 0..1, for each agent its own", async () => {
    const window = await openWindow();
    const about = (said: string, delta: number, agent = "Vera") =>
      window.facts.learn(learnt(said, { agent, interests: [{ name: "sea otters", delta }] }), never);
    valueOf(await about("Tell me of sea otters", 0.4));
    valueOf(await about("More on sea otters!", 0.3));
    assert.deepEqual(valueOf(await window.facts.interests("Vera", never)), [
      { name: "sea otters", score: 0.7 },
    ]);
    valueOf(await about("Sea otters again", 0.9));
    assert.equal(valueOf(await window.facts.interests("Vera", never))[0]!.score, 1);
    assert.deepEqual(valueOf(await window.facts.interests("Bo", never)), []);
  });

  it("does not move by what the user did not speak of, and gives the two strongest", async () => {
    const window = await openWindow();
    const interests = ["tea", "rum", "jazz"].map((name, index) => ({ name, delta: 0.2 + index / 10 }));
    valueOf(await window.facts.learn(learnt("tea, rum and jazz", { interests }), never));
    valueOf(await window.facts.learn(learnt("hi", { interests: [{ name: "chess", delta: 1 }] }), never));
    assert.deepEqual(valueOf(await window.facts.interests("conclave", never)), [
      { name: "jazz", score: 0.4 },
      { name: "rum", score: 0.3 },
    ]);
  });
});
