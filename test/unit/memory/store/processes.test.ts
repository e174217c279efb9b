import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { z } from "zod";
import { Maintenance } from "../../../../src/memory/store/maintenance.ts";
import { openStore } from "../store-support.ts";
import { cleanUp, later, never, temporaryFolder, valueOf } from "../support.ts";
import { COUNTERS, Told } from "./told.ts";

const LONG = process.env.CONCLAVE_LONG_TESTS === "1";
/** What each of three windows does at once: some rounds, or a minute's worth. */
const AMOUNT = LONG ? "60s" : "60";
const KILLS = LONG ? 50 : 8;

describe("Several windows on one store, each with its own process", function () {
  this.timeout(LONG ? 900_000 : 180_000);
  const folder = resolve(
    import.meta.dirname,
    "../../../../node_modules/.cache",
    `conclave-worker-${process.pid}`,
  );
  const worker = join(folder, "worker.mjs");

  before(async () => {
    await mkdir(folder, { recursive: true });
    await build({
      entryPoints: [join(import.meta.dirname, "worker.ts")],
      outfile: worker,
      bundle: true,
      platform: "node",
      format: "esm",
      target: "node20",
      banner: {
        js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
      },
      external: ["@lancedb/lancedb", "apache-arrow"],
      logLevel: "error",
    });
  });
  after(() => rm(folder, { recursive: true, force: true }));
  afterEach(cleanUp);

  function start(uri: string, seed: number, amount: string): ChildProcess {
    const child = spawn(process.execPath, [worker, uri, String(seed), amount], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, NODE_OPTIONS: "" },
    });
    later(async () => {
      child.kill("SIGKILL");
      await Promise.resolve();
    });
    return child;
  }

  async function listen(child: ChildProcess, onLine: (line: string) => void): Promise<void> {
    assert.ok(child.stdout !== null);
    const lines = createInterface({ input: child.stdout });
    lines.on("line", onLine);
    await once(child, "close");
  }

  async function check(uri: string, told: Told, exact: boolean): Promise<void> {
    const { episodes, annotations, database, vectors } = await openStore({ uri });
    const wanted = [...told.added].filter((id) => !told.forgotten.has(id));
    const there = valueOf(await episodes.present([...told.added], never));
    assert.deepEqual(
      wanted.filter((id) => !there.has(id)),
      [],
    );
    const rows = valueOf(await episodes.where("true", { limit: 100_000 }, never));
    assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length);
    const counter = valueOf(
      await database.table(COUNTERS).read<unknown[]>([], (table) => table.query().toArray(), never),
    );
    const counts = z.array(z.object({ count: z.number() })).parse(counter);
    assert.ok(counts.length <= 1);
    const notes = valueOf(await annotations.fold([...told.graded], never));
    assert.equal(notes.size, told.graded.size);
    if (exact) {
      assert.equal(rows.length, wanted.length);
      assert.equal(counts[0]?.count ?? 0, told.counted);
      const models = valueOf(await vectors.models(never));
      assert.equal(models[0]?.rows ?? 0, wanted.length);
      assert.equal(
        valueOf(await episodes.matching(["boat"], { limit: 100_000 }, never)).length,
        wanted.length,
      );
    } else {
      assert.ok((counts[0]?.count ?? 0) >= told.counted);
    }
    assert.equal(valueOf(await new Maintenance(database).run(never)), true);
  }

  it("lose no row, double none and miss no change, while all write, change, search, forget and tidy up", async () => {
    const uri = await temporaryFolder();
    const told = new Told();
    await Promise.all([1, 2, 3].map((seed) => listen(start(uri, seed, AMOUNT), (line) => told.take(line))));
    assert.equal(told.ended, 3);
    await check(uri, told, true);
  });

  it("killed at any moment, again and again: what was acknowledged is there and the store opens", async () => {
    const uri = await temporaryFolder();
    const told = new Told();
    for (let round = 0; round < KILLS; round += 1) {
      const child = start(uri, 100 + round, "100000");
      // Always another moment: after so many things done, in the middle of the next.
      let left = 1 + ((round * 7) % 13);
      await listen(child, (line) => {
        told.take(line);
        left -= 1;
        if (left === 0) child.kill("SIGKILL");
      });
    }
    assert.equal(told.ended, 0);
    assert.ok(told.added.size >= KILLS);
    await check(uri, told, false);
  });
});
