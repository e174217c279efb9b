import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { join } from "node:path";
import type { MemoryClient } from "../../../src/memory/process/client.ts";
import { LineLog } from "./process/host-support.ts";
import {
  bundledHost,
  cleanUp,
  client,
  episode,
  later,
  never,
  removeBundledHost,
  temporaryFolder,
  valueOf,
} from "./support.ts";

const LONG = process.env.CONCLAVE_LONG_TESTS === "1";
/** How often it is killed. */
const KILLS = LONG ? 50 : 4;

/** The process as it is shipped, with the real store: what a user relies on when things go wrong. */
describe("Memory with its real process", function () {
  this.timeout(LONG ? 600_000 : 60_000);
  before(bundledHost);
  afterEach(cleanUp);
  after(removeBundledHost);

  async function pidOf(memory: MemoryClient): Promise<number> {
    const { pid } = await memory.status(never);
    assert.ok(pid !== undefined);
    return pid;
  }

  it("remembers, finds, lists, forgets and says how it is", async () => {
    const memory = await client();
    const boat = episode({ question: "Where is the boat?", answer: "In Oban." });
    assert.equal(valueOf(await memory.add([boat, episode()], never)).added, 2);
    const found = valueOf(await memory.search({ query: "Do you remember the boat?", limit: 5 }, never));
    assert.deepEqual(found.hits[0]?.episode, boat);
    assert.match(found.note ?? "", /Full-text search only: there is no embedding model/);
    assert.equal(
      valueOf(await memory.list({ table: "episodes", offset: 0, limit: 5, filter: "oban" }, never)).total,
      1,
    );
    assert.equal(
      valueOf(await memory.forget({ by: "ids", table: "episodes", ids: [boat.id, "x' OR '1'='1"] }, never))
        .removed,
      1,
    );
    const status = await memory.status(never);
    assert.equal(status.state, "ready");
    assert.equal(status.episodes, 1);
    assert.match(status.message ?? "", /no embedding model/);
  });

  it("killed in the middle of requests, answers them all the same, and the next ones", async () => {
    const memory = await client();
    valueOf(await memory.add([episode()], never));
    const pid = await pidOf(memory);
    const running = [
      memory.search({ query: "cache", limit: 5 }, never),
      memory.list({ table: "episodes", offset: 0, limit: 5 }, never),
      memory.add([episode({ question: "Where is the boat?" })], never),
    ] as const;
    process.kill(pid, "SIGKILL");
    const [search, list, add] = await Promise.all(running);
    assert.equal(valueOf(search).hits.length > 0, true);
    assert.ok(valueOf(list).total >= 1);
    assert.ok(valueOf(add).added <= 1);
    assert.equal(valueOf(await memory.list({ table: "episodes", offset: 0, limit: 5 }, never)).total, 2);
    assert.notEqual(await pidOf(memory), pid);
  });

  it("loses no row it has acknowledged, and doubles none, however often it is killed", async () => {
    const memory = await client();
    const acknowledged: string[] = [];
    for (let round = 0; round < KILLS; round += 1) {
      const batch = Array.from({ length: 6 }, (_, index) =>
        episode({ question: `Round ${round}, ${index}` }),
      );
      const adding = batch.map(async (one) => {
        const added = await memory.add([one], never);
        if (added.ok) acknowledged.push(one.id);
      });
      // Always another moment: after so many of them were acknowledged, in the middle of the next.
      await Promise.all(adding.slice(0, 1 + ((round * 7) % batch.length)));
      process.kill(await pidOf(memory), "SIGKILL");
      await Promise.all(adding);
    }
    const ids: string[] = [];
    for (let offset = 0, total = 1; offset < total; offset += 200) {
      const page = valueOf(await memory.list({ table: "episodes", offset, limit: 200 }, never));
      ids.push(...page.rows.map(({ id }) => id));
      ({ total } = page);
    }
    assert.equal(new Set(ids).size, ids.length);
    assert.deepEqual(
      acknowledged.filter((id) => !ids.includes(id)),
      [],
    );
    assert.ok(acknowledged.length >= KILLS);
  });

  it("of two windows on one store sees at once what the other wrote", async () => {
    const uri = await temporaryFolder();
    const [one, two] = [await client({ uri }), await client({ uri })];
    const [mine, yours] = [episode(), episode({ question: "Where is the boat?" })];
    const added = await Promise.all([one.add([mine], never), two.add([yours], never)]);
    assert.deepEqual(
      added.map((result) => valueOf(result).added),
      [1, 1],
    );
    assert.equal(valueOf(await one.search({ query: "boat", limit: 1 }, never)).hits[0]?.episode.id, yours.id);
    assert.equal(valueOf(await two.search({ query: "cache", limit: 1 }, never)).hits[0]?.episode.id, mine.id);
    assert.equal(
      valueOf(await two.forget({ by: "ids", table: "episodes", ids: [mine.id] }, never)).removed,
      1,
    );
    assert.equal(valueOf(await one.list({ table: "episodes", offset: 0, limit: 5 }, never)).total, 1);
  });

  it("is found again by the next window", async () => {
    const uri = await temporaryFolder();
    const kept = episode();
    const before = await client({ uri });
    valueOf(await before.add([kept], never));
    await before.dispose();
    const after = await client({ uri });
    assert.deepEqual(valueOf(await after.search({ query: "cache", limit: 5 }, never)).hits[0]?.episode, kept);
  });

  it("writes what was begun even when the window closes in that moment", async () => {
    const uri = await temporaryFolder();
    const closing = await client({ uri });
    valueOf(await closing.search({ query: "cache", limit: 5 }, never));
    void closing.add([episode()], never);
    await closing.dispose();
    const next = await client({ uri });
    assert.equal(valueOf(await next.list({ table: "episodes", offset: 0, limit: 5 }, never)).total, 1);
  });

  it("leaves no lock behind when the window closes, whatever it was at", async () => {
    const uri = await temporaryFolder();
    for (let round = 0; round < 3; round += 1) {
      const closing = await client({ uri });
      valueOf(await closing.add([episode()], never));
      await closing.dispose();
      assert.ok(!(await readdir(uri)).includes("store.lock"));
    }
  });

  it("stops within moments of a cancel", async () => {
    const memory = await client();
    const stop = new AbortController();
    const search = memory.search({ query: "cache", limit: 5 }, stop.signal);
    stop.abort();
    const result = await search;
    assert.equal(result.ok ? "" : result.failure.code, "cancelled");
    valueOf(await memory.search({ query: "cache", limit: 5 }, never));
  });

  it("ends when its window is killed", async () => {
    const host = await bundledHost();
    const folder = await temporaryFolder();
    const config = {
      uri: folder,
      embedder: { kind: "none" },
      modelCacheDir: join(folder, "models"),
      allowDownload: false,
    };
    // The host inherits stderr, so that this pipe closes when the last of both processes is gone.
    const window = spawn(
      process.execPath,
      [
        "-e",
        `const host = require("node:child_process").fork(${JSON.stringify(host)}, [], { execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"] });
         host.send({ type: "init", config: ${JSON.stringify(config)} });
         host.send({ type: "request", id: 1, method: "status", params: {} });
         host.on("message", () => console.log(host.pid));`,
      ],
      { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, NODE_OPTIONS: "" } },
    );
    later(async () => {
      window.kill("SIGKILL");
      await Promise.resolve();
    });
    window.stderr.resume();
    const [line] = (await once(createInterface({ input: window.stdout }), "line")) as [string];
    process.kill(Number(line), 0);
    window.kill("SIGKILL");
    await once(window.stderr, "close");
  });

  it("refuses to be started by hand", async () => {
    const child = spawn(process.execPath, [await bundledHost()], {
      env: { ...process.env, NODE_OPTIONS: "" },
    });
    child.stdout.resume();
    child.stderr.resume();
    assert.deepEqual(await once(child, "exit"), [1, null]);
  });

  it("goes on by words when the model's files are garbage, and prints none of the library's pages", async () => {
    const modelDir = await temporaryFolder();
    const files = join(modelDir, "Xenova", "all-MiniLM-L6-v2");
    await mkdir(join(files, "onnx"), { recursive: true });
    for (const name of [
      "config.json",
      "tokenizer.json",
      "tokenizer_config.json",
      "onnx/model_quantized.onnx",
    ]) {
      await writeFile(join(files, name), name.endsWith(".json") ? "{}" : "garbage");
    }
    const log = new LineLog();
    const memory = await client({ modelDir, onLog: log.add });
    valueOf(await memory.add([episode()], never));
    const found = valueOf(await memory.search({ query: "cache", limit: 5 }, never));
    assert.equal(found.hits.length, 1);
    assert.equal(found.note, "Full-text search only: the embedding model can't be loaded.");
    assert.ok(log.lines.length < 10);
    assert.ok(log.lines.every((line) => line.length < 600));
  });
});
