import assert from "node:assert/strict";
import { Mention } from "../../../../src/memory/facts/about.ts";
import { cleanUp, never, valueOf } from "../support.ts";
import { NONE, everyLine, forget, forgetting, note, ofSister, remember } from "./forget-support.ts";
import { learnt, openWindow, proposal, telling } from "./support.ts";

describe("Forgetting all about a name", () => {
  afterEach(cleanUp);

  it("asks first: the preview names what goes, one line each, at most twenty, of every table", async () => {
    const window = await openWindow();
    for (let turn = 0; turn < 30; turn += 1) await remember(window, telling(`Anna likes tea ${turn}`));
    await remember(window, ofSister("Anna", "Bergen"));
    const before = await everyLine(window);
    const preview = valueOf(await forgetting(window).preview({ by: "about", about: "anna" }, never));
    assert.deepEqual(preview.counts, { episodes: 31, facts: 1, people: 2, relationships: 1, resources: 0 });
    assert.equal(preview.samples.length, 20);
    assert.deepEqual([...new Set(preview.samples.map(({ table }) => table))].sort(), [
      "episodes",
      "facts",
      "people",
      "relationships",
    ]);
    assert.ok(preview.samples.some(({ text }) => text.includes("User's sister Anna lives in Bergen")));
    assert.deepEqual(await everyLine(window), before);
  });

  it("about a name: every row that mentions it as a word, whatever its case and accents, and by its other names", async () => {
    const window = await openWindow();
    const named = ofSister("Zoë", "Bergen");
    const saidOf = `${named.said}. We call her Zozo.`;
    await remember(window, {
      ...named,
      said: saidOf,
      entities: [{ name: "Zoë", type: "person", aliases: ["Zozo"] }],
    });
    await remember(window, telling("I met ZOE'S friend"));
    await remember(window, telling("Zozo called"));
    await remember(window, telling("zoes and zoetropes are other words"));
    const { counts, turns } = await forget(window, { by: "about", about: "zoe" });
    assert.deepEqual([counts.episodes, counts.facts, turns.length], [3, 1, 3]);
    const left = (await everyLine(window)).join("\n");
    assert.match(left, /zoetropes/);
    assert.doesNotMatch(left, /zoë|zozo|zoe's/i);
  });

  it("about a name: the turn that means it by a word such as she goes too", async () => {
    const window = await openWindow();
    const turn = learnt("She moved to Hull", {
      facts: [proposal("Anna moved to Hull", { subject: "Anna" })],
    });
    await remember(window, turn);
    const { counts, turns } = await forget(window, { by: "about", about: "Anna" });
    assert.deepEqual([counts.episodes, counts.facts], [1, 1]);
    assert.deepEqual(turns, [{ sessionId: turn.source.sessionId, turnId: turn.source.turnId }]);
  });

  it("about a name: what the user wrote over an answer counts, and only the scopes that are asked for", async () => {
    const window = await openWindow();
    const told = await remember(window, telling("Who is it?"), { scope: "boat" });
    await note(window, told.id, "It is Anna.");
    await remember(window, telling("Anna is here"), { scope: "house" });
    const about = { by: "about", about: "Anna" } as const;
    assert.deepEqual((await forget(window, { ...about, scopes: ["boat"] })).counts, { ...NONE, episodes: 1 });
    assert.deepEqual((await forget(window, about)).counts, { ...NONE, episodes: 1 });
  });

  it("signs in names and ids are harmless", async () => {
    const window = await openWindow();
    const motto = `it's "fine" -- 100 %`;
    await remember(window, telling(`My motto is ${motto}`));
    await remember(window, telling("I like tea", "User likes tea"));
    for (const id of [`x' OR '1'='1`, "%", "", "true"]) {
      for (const table of ["episodes", "facts", "people", "relationships", "resources"] as const) {
        assert.equal((await forget(window, { by: "ids", table, ids: [id] })).removed, 0);
      }
      assert.equal((await forget(window, { by: "turns", turnIds: [id] })).removed, 0);
      assert.equal((await forget(window, { by: "session", sessionId: id })).removed, 0);
    }
    for (const about of ["%", "'", "--", `" OR 1=1`, "x' OR '1'='1"]) {
      assert.equal((await forget(window, { by: "about", about })).removed, 0);
    }
    assert.equal((await forget(window, { by: "about", about: motto })).removed, 1);
  });
});

describe("Whether a text mentions a name", () => {
  const mentions = (text: string, ...names: string[]): boolean => new Mention(names).inAny(text);

  it("by whole words, whatever their case, accents, possessives and signs around them", () => {
    assert.ok(mentions("met DÅRA's friend", "dara"));
    assert.ok(mentions("Dara O’Neil.", "dara o'neil"));
    assert.ok(mentions("(#anna)", "Anna"));
    assert.ok(mentions("私は東京に住んでいます", "東京"));
    assert.ok(!mentions("Annabel and Joanna", "Anna"));
    assert.ok(!mentions("O'Neil and Dara", "Dara O'Neil"));
    assert.ok(!mentions("C is a letter", "C++"));
    assert.ok(!mentions("anything", "%", "''", ""));
  });
});
