import assert from "node:assert/strict";
import { MemoryClient } from "../../../../src/memory/process/client.ts";
import { handClock, LineLog, scriptedHost } from "./host-support.ts";
import { cleanUp, client, episode, never, temporaryFolder, valueOf } from "../support.ts";

const query = { query: "boat", limit: 5 };
const FOUND = `reply({ hits: [], searched: 7 });`;

describe("Memory's own process, as the window sees it", () => {
  afterEach(cleanUp);

  it("is not started by asking how memory is", async () => {
    const log = new LineLog();
    const memory = await client({ hostPath: await scriptedHost(FOUND), onLog: log.add });
    const status = await memory.status(never);
    assert.equal(status.state, "idle");
    assert.equal(status.pid, undefined);
  });

  it("is started by the first request and used for the next ones", async () => {
    const memory = await client({
      hostPath: await scriptedHost(`reply({ hits: [], searched: process.pid });`),
    });
    const [one, two] = [
      valueOf(await memory.search(query, never)),
      valueOf(await memory.search(query, never)),
    ];
    assert.equal(one.searched, two.searched);
    assert.notEqual(one.searched, process.pid);
  });

  it("runs as plain Node without a debugger or hooks of the window", async () => {
    const before = process.env.NODE_OPTIONS;
    process.env.NODE_OPTIONS = "--require=/nowhere/hook.js";
    process.execArgv.push("--inspect=0");
    try {
      const script = `reply({ hits: [], searched: Number(process.env.ELECTRON_RUN_AS_NODE) + process.execArgv.length });`;
      const memory = await client({ hostPath: await scriptedHost(script) });
      assert.equal(valueOf(await memory.search(query, never)).searched, 1);
    } finally {
      process.execArgv.pop();
      if (before === undefined) {
        delete process.env.NODE_OPTIONS;
      } else {
        process.env.NODE_OPTIONS = before;
      }
    }
  });

  it("is told of the proxy that leads out as it is when it starts", async () => {
    const hostPath = await scriptedHost(
      `reply({ hits: [], searched: Number(init.config.proxy.split(":").pop()) });`,
    );
    let proxy = "http://proxy.example:1";
    const memory = await client({ hostPath, proxy: () => proxy });
    proxy = "http://proxy.example:2";
    assert.equal(valueOf(await memory.search(query, never)).searched, 2);
  });

  it("ends when nothing was asked for five minutes, and begins again at the next request", async () => {
    const clock = handClock();
    const memory = await client({
      hostPath: await scriptedHost(`reply({ hits: [], searched: process.pid });`),
      clock,
    });
    const first = valueOf(await memory.search(query, never)).searched;
    clock.tick(4 * 60_000);
    assert.equal(valueOf(await memory.search(query, never)).searched, first);
    clock.tick(4 * 60_000);
    assert.equal(valueOf(await memory.search(query, never)).searched, first);
    clock.tick(5 * 60_000);
    assert.equal((await memory.status(never)).state, "idle");
    assert.notEqual(valueOf(await memory.search(query, never)).searched, first);
  });

  it("does not end while it reports progress", async () => {
    const clock = handClock();
    let reported = (): void => undefined;
    const report = new Promise<void>((resolve) => (reported = resolve));
    const script = `if (message.method === "search") { reply({ hits: [], searched: process.pid }); }
      if (message.type === "cancel") {
        process.send({ type: "progress", progress: { task: "download", message: "half", percent: 50 } });
      }`;
    const memory = await client({
      hostPath: await scriptedHost(script),
      clock,
      idleMs: 1_000,
      onProgress: ({ message }) => message === "half" && reported(),
    });
    const pid = valueOf(await memory.search(query, never)).searched;
    const stop = new AbortController();
    const listing = memory.list({ table: "episodes", offset: 0, limit: 5 }, stop.signal);
    stop.abort();
    clock.tick(900);
    await Promise.all([listing, report]);
    clock.tick(900);
    assert.equal(valueOf(await memory.search(query, never)).searched, pid);
  });

  it("does not end while a request runs", async () => {
    const clock = handClock();
    const script = `if (message.method === "search") { reply({ hits: [], searched: process.pid }); }`;
    const memory = await client({ hostPath: await scriptedHost(script), clock, idleMs: 1_000 });
    const pid = valueOf(await memory.search(query, never)).searched;
    const listing = memory.list({ table: "episodes", offset: 0, limit: 5 }, never);
    clock.tick(30_000);
    assert.equal(valueOf(await memory.search(query, never)).searched, pid);
    await memory.dispose();
    assert.equal((await listing).ok, false);
  });

  it("dying in the middle of a request is made good: the request is sent again", async () => {
    const folder = await temporaryFolder();
    const script = `const fs = require("node:fs"); const mark = ${JSON.stringify(`${folder}/mark`)};
      if (!fs.existsSync(mark)) { fs.writeFileSync(mark, ""); process.kill(process.pid, "SIGKILL"); } else { ${FOUND} }`;
    const memory = await client({ hostPath: await scriptedHost(script) });
    assert.equal(valueOf(await memory.search(query, never)).searched, 7);
  });

  it("dying each time is the failure memory_unavailable with its reason, not an endless loop", async () => {
    const clock = handClock();
    const log = new LineLog();
    const memory = await client({
      hostPath: await scriptedHost(`process.kill(process.pid, "SIGKILL");`),
      clock,
      onLog: log.add,
    });
    const first = await memory.search(query, never);
    assert.ok(!first.ok);
    assert.equal(first.failure.code, "memory_unavailable");
    assert.match(first.failure.message, /stopped \(signal SIGKILL\). Answers go on without memory/);
    for (let request = 0; request < 4; request += 1) {
      assert.equal((await memory.search(query, never)).ok, false);
    }
    assert.equal(log.lines.filter((line) => line.includes("stopped")).length, 5);
    const refused = await memory.search(query, never);
    assert.match(
      refused.ok ? "" : refused.failure.message,
      /keeps stopping \(signal SIGKILL\).*tried again in 60 s/,
    );
    assert.equal((await memory.status(never)).state, "failed");
    clock.tick(60_000);
    await memory.search(query, never);
    assert.equal(log.lines.filter((line) => line.includes("stopped")).length, 7);
  });

  it("that works is started again at once, however often it is killed", async () => {
    const hostPath = await scriptedHost(`reply({ hits: [], searched: process.pid });`);
    const memory = await client({ hostPath, clock: handClock() });
    const pids = new Set<number>();
    for (let kills = 0; kills < 12; kills += 1) {
      const pid = valueOf(await memory.search(query, never)).searched;
      pids.add(pid);
      process.kill(pid, "SIGKILL");
    }
    assert.equal(pids.size, 12);
  });

  it("that can't even be started is the failure memory_unavailable", async () => {
    const memory = await client({ hostPath: "/nowhere/memory-host.cjs" });
    const result = await memory.search(query, never);
    assert.ok(!result.ok);
    assert.equal(result.failure.code, "memory_unavailable");
    assert.match((await memory.status(never)).message ?? "", /stopped/);
  });

  it("is told of a cancel, and the caller does not wait for it", async () => {
    const log = new LineLog();
    const script = `if (message.type === "cancel") { note("cancelled " + message.id); } else { note("got it"); }`;
    const memory = await client({ hostPath: await scriptedHost(script), onLog: log.add });
    const stop = new AbortController();
    const search = memory.search(query, stop.signal);
    await log.until(/got it/);
    stop.abort();
    const result = await search;
    assert.ok(!result.ok);
    assert.equal(result.failure.code, "cancelled");
    await log.until(/cancelled 1/);
  });

  it("that hangs is ended with the time-out, and the next request gets a new one", async () => {
    const clock = handClock();
    const log = new LineLog();
    const folder = await temporaryFolder();
    const script = `const fs = require("node:fs"); const mark = ${JSON.stringify(`${folder}/mark`)};
      if (fs.existsSync(mark)) { ${FOUND} } else if (message.type === "request") { fs.writeFileSync(mark, ""); note("hangs"); for (;;); }`;
    const memory = await client({
      hostPath: await scriptedHost(script),
      clock,
      timeoutMs: 30_000,
      onLog: log.add,
    });
    const search = memory.search(query, never);
    await log.until(/hangs/);
    clock.tick(30_000);
    const result = await search;
    assert.ok(!result.ok);
    assert.equal(result.failure.code, "timeout");
    assert.match(result.failure.message, /30 s/);
    await log.until(/stopped: signal SIGKILL/);
    assert.equal(valueOf(await memory.search(query, never)).searched, 7);
  });

  it("can't bring in what is no answer", async () => {
    const memory = await client({ hostPath: await scriptedHost(`reply({ hits: "many" });`) });
    const result = await memory.search(query, never);
    assert.ok(!result.ok);
    assert.equal(result.failure.code, "internal");
  });

  it("is not asked what makes no sense: the failure names the field", async () => {
    const log = new LineLog();
    const memory = await client({ hostPath: await scriptedHost(`note("asked");`), onLog: log.add });
    const results = [
      await memory.search({ query: "x", limit: 0 }, never),
      await memory.list({ table: "episodes", offset: -1, limit: 5 }, never),
      await memory.add([episode({ id: "no uuid" })], never),
    ];
    for (const result of results) {
      assert.ok(!result.ok);
      assert.equal(result.failure.code, "bad_input");
    }
    assert.match(results[2]?.ok === false ? results[2].failure.message : "", /id/);
    assert.equal((await memory.status(never)).state, "idle");
  });

  it("leaves its log in single short lines", async () => {
    const log = new LineLog();
    const script = `note("x".repeat(300000)); note("end"); ${FOUND}`;
    const memory = await client({ hostPath: await scriptedHost(script), onLog: log.add });
    valueOf(await memory.search(query, never));
    await log.until(/end/);
    assert.ok(log.lines.every((line) => line.length < 600));
  });

  it("is gone after dispose, and later requests are refused with a sentence", async () => {
    const memory = await client({
      hostPath: await scriptedHost(
        `if (message.method === "search") reply({ hits: [], searched: process.pid });`,
      ),
    });
    const pid = valueOf(await memory.search(query, never)).searched;
    const open = memory.list({ table: "episodes", offset: 0, limit: 5 }, never);
    await memory.dispose();
    assert.throws(() => process.kill(pid, 0), /ESRCH/);
    assert.equal((await open).ok, false);
    const late = await memory.search(query, never);
    assert.equal(late.ok ? "" : late.failure.code, "memory_unavailable");
    assert.equal((await memory.status(never)).state, "off");
  });

  it("is not started for a request that is already cancelled", async () => {
    const memory = new MemoryClient({
      uri: await temporaryFolder(),
      hostPath: "/nowhere",
      modelCacheDir: "/nowhere",
      allowDownload: false,
    });
    const result = await memory.search(query, AbortSignal.abort());
    assert.equal(result.ok ? "" : result.failure.code, "cancelled");
    assert.equal((await memory.status(never)).state, "idle");
  });
});
