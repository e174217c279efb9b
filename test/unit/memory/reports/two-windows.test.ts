import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Learnt } from "../../../../src/agent/memory/types.ts";
import { cleanUp, client, never, temporaryFolder, valueOf } from "../support.ts";

const SAID = "My sister Ana lives in Oslo and I like tea.";

/** The same told once more, in a turn of its own. */
function told(): Learnt {
  const quoted = { strength: 0.5, holds: true, text: "", quote: SAID };
  const known = { confidence: 0.7, owner: "user", quote: "I like tea" };
  return {
    source: { sessionId: randomUUID(), turnId: randomUUID(), time: Date.UTC(2026, 10, 2, 12) },
    ...{ agent: "conclave", scope: "", by: "model", said: SAID, recalled: [] },
    facts: [{ kind: "preference", text: "User likes tea", subject: "user", ...known }],
    entities: [{ name: "Ana", type: "person" }],
    edges: [
      { from: "Ana", type: "sister_of", to: "user", ...quoted },
      { from: "Ana", type: "lives_in", to: "Oslo", ...quoted },
    ],
  };
}

describe("Two windows that learn the same at once, each with a process of its own", () => {
  afterEach(cleanUp);

  it("make one row of each fact, person and relation, and count every mention", async function () {
    this.timeout(120_000);
    const uri = await temporaryFolder();
    const windows = [await client({ uri }), await client({ uri })];
    const rounds = 5;
    for (let round = 0; round < rounds; round += 1) {
      const learned = await Promise.all(windows.map((window) => window.learn(told(), never)));
      learned.forEach(valueOf);
    }
    for (const window of windows) {
      const page = { offset: 0, limit: 50 };
      const facts = valueOf(await window.list({ table: "facts", ...page }, never)).rows;
      const people = valueOf(await window.list({ table: "people", ...page }, never)).rows;
      const edges = valueOf(await window.list({ table: "relationships", ...page }, never)).rows;
      assert.deepEqual(
        facts.map(({ text, mentions }) => [text, mentions]),
        [["User likes tea", 2 * rounds]],
      );
      assert.equal(new Set(people.map(({ name }) => name)).size, people.length);
      assert.deepEqual(people.filter(({ name }) => name === "Ana").length, 1);
      assert.deepEqual(edges.map(({ from, type, mentions }) => [from, type, mentions]).sort(), [
        ["Ana", "lives_in", 2 * rounds],
        ["Ana", "sister_of", 2 * rounds],
      ]);
    }
  });
});
