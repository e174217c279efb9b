import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Graph } from "../../../../src/memory/graph/graph.ts";
import { Maintenance } from "../../../../src/memory/store/maintenance.ts";
import { cleanUp, fakeEmbedder, never, valueOf } from "../support.ts";
import { ofSister } from "./forget-support.ts";
import { allFacts, openWindow } from "./support.ts";

/** As often is the same told: each time its count changes, in rows that are written anew. */
const TIMES = 40;

async function versionsOf(folder: string, table: string): Promise<number> {
  const names = await readdir(join(folder, `${table}.lance`, "_versions"));
  return names.filter((name) => name.endsWith(".manifest")).length;
}

describe("Facts and relations that are told again and again", function () {
  this.timeout(120_000);
  afterEach(cleanUp);

  it("stay one row each, whose old versions go with the next tidying up", async () => {
    const window = await openWindow({ embedder: fakeEmbedder() });
    const graph = new Graph(window.deps);
    for (let time = 0; time < TIMES; time += 1) {
      const turn = ofSister("Anna", "Bergen");
      valueOf(await window.facts.learn(turn, never));
      valueOf(await graph.learn(turn, never));
    }
    assert.ok((await versionsOf(window.folder, "facts")) > TIMES);
    const maintenance = new Maintenance(window.deps.database, { now: () => Date.now() + 24 * 3_600_000 });
    valueOf(await maintenance.run(never));
    const tables = (await readdir(window.folder)).filter((name) => name.endsWith(".lance"));
    for (const name of tables) {
      const table = name.replace(/\.lance$/, "");
      assert.ok((await versionsOf(window.folder, table)) < 25, table);
    }
    const [fact, ...others] = await allFacts(window);
    assert.deepEqual([fact!.mentions, others.length], [TIMES, 0]);
  });
});
