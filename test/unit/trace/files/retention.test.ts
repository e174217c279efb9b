import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readdir, stat, utimes, writeFile } from "node:fs/promises";
import { logPath, lockPath } from "../../../../src/trace/log-writer.ts";
import { whatGoes, type StoredLog } from "../../../../src/trace/files/retention.ts";
import { sweep } from "../../../../src/trace/files/sweep.ts";
import { TraceLog } from "../../../../src/trace/log.ts";
import { failed, success } from "../../../../src/agent/failure.ts";
import { FIRST_SWEEP_MS, NEXT_SWEEP_MS, Sweeping } from "../../../../src/vscode/files/sweeping.ts";
import { Bed, turnEvents } from "./support.ts";

const DAY = 24 * 60 * 60 * 1000;
const NOW = Date.UTC(2026, 5, 1);
const MB = 1024 * 1024;

function id(at: number): string {
  return `00000000-0000-4000-8000-${String(at).padStart(12, "0")}`;
}

function log(at: number, days: number, megabytes = 1): StoredLog {
  return { sessionId: id(at), updatedAt: NOW - days * DAY, size: megabytes * MB };
}

const none = (): boolean => false;
const ids = (going: readonly StoredLog[]): readonly string[] => going.map(({ sessionId }) => sessionId);

describe("how long traces are kept", () => {
  it("is for ever where nothing says otherwise", () => {
    assert.deepEqual(whatGoes([log(1, 9_999, 9_999)], { keepDays: 0, maxSizeMb: 0 }, NOW, none), []);
  });

  it("goes by when a session was last written to", () => {
    const logs = [log(1, 29), log(2, 31), log(3, 400)];
    assert.deepEqual(ids(whatGoes(logs, { keepDays: 30, maxSizeMb: 0 }, NOW, none)), [id(3), id(2)]);
  });

  it("lets the oldest go until the rest has room, and no more", () => {
    const logs = [log(1, 1, 40), log(2, 3, 40), log(3, 2, 40)];
    const going = whatGoes(logs, { keepDays: 0, maxSizeMb: 100 }, NOW, none);
    assert.deepEqual(
      going.map(({ sessionId, why }) => [sessionId, why]),
      [[id(2), "size"]],
    );
  });

  it("spares what is open or runs, and takes the next one for it", () => {
    const logs = [log(1, 5, 40), log(2, 3, 40), log(3, 2, 40)];
    const isKept = (sessionId: string): boolean => sessionId === id(1);
    assert.deepEqual(ids(whatGoes(logs, { keepDays: 1, maxSizeMb: 0 }, NOW, isKept)), [id(2), id(3)]);
    assert.deepEqual(ids(whatGoes(logs, { keepDays: 0, maxSizeMb: 100 }, NOW, isKept)), [id(2)]);
  });

  it("spares what was written to in the last hour, whatever it takes: another window may be at it", () => {
    const fresh = { sessionId: id(1), updatedAt: NOW - 59 * 60_000, size: 900 * MB };
    const other = { ...fresh, sessionId: id(2), updatedAt: NOW - 61 * 60_000 };
    assert.deepEqual(ids(whatGoes([fresh, other], { keepDays: 0, maxSizeMb: 1 }, NOW, none)), [id(2)]);
  });
});

describe("sweeping old traces away", () => {
  let bed: Bed;
  let traces: TraceLog;

  beforeEach(async () => {
    bed = await Bed.create();
    traces = new TraceLog({ folder: bed.folder });
  });

  afterEach(async () => {
    await traces.dispose();
    await bed.close();
  });

  /** A session whose log was last written to so many days ago. */
  async function aged(at: number, days: number): Promise<string> {
    const sessionId = id(at);
    for (const event of turnEvents(1, sessionId, at * 1_000)) traces.append(event);
    await traces.flush();
    await traces.rows(sessionId);
    const time = new Date(NOW - days * DAY);
    await utimes(logPath(bed.folder, sessionId), time, time);
    return sessionId;
  }

  const run = (more: Partial<Parameters<typeof sweep>[0]> = {}) =>
    sweep({
      folder: bed.folder,
      retention: { keepDays: 30, maxSizeMb: 0 },
      now: NOW,
      isKept: none,
      remove: (sessionId) => traces.delete(sessionId),
      signal: new AbortController().signal,
      ...more,
    });

  it("deletes what is too old with all that belongs to it, and leaves the rest", async () => {
    const [old, young] = [await aged(1, 40), await aged(2, 10)];
    const swept = await run();
    assert.ok(swept.ok);
    assert.deepEqual(ids(swept.value.gone), [old]);
    const left = await readdir(bed.folder, { recursive: true });
    assert.equal(
      left.some((name) => name.includes(old)),
      false,
      left.join(),
    );
    assert.ok(existsSync(logPath(bed.folder, young)));
  });

  it("never takes a log that somebody holds the lock of, and says that it stays", async () => {
    const old = await aged(1, 40);
    await mkdir(lockPath(bed.folder, old));
    await utimes(lockPath(bed.folder, old), new Date(NOW), new Date(NOW));
    const swept = await run();
    assert.deepEqual(swept.ok && [swept.value.gone.length, swept.value.spared], [0, 1]);
    assert.ok(existsSync(logPath(bed.folder, old)));
  });

  it("takes a log whose lock was left by a window that is long gone", async () => {
    const old = await aged(1, 40);
    await mkdir(lockPath(bed.folder, old));
    const long = new Date(NOW - 2 * DAY);
    await utimes(lockPath(bed.folder, old), long, long);
    const swept = await run();
    assert.deepEqual(swept.ok && ids(swept.value.gone), [old]);
    assert.equal(existsSync(logPath(bed.folder, old)), false);
    assert.equal(existsSync(lockPath(bed.folder, old)), false);
  });

  it("clears away what was half written long ago: an import, a log and an index; what is under way stays", async () => {
    await mkdir(bed.path("index"));
    const names = [`${id(8)}.jsonl.importing`, `${id(7)}.jsonl.tmp`, `index/${id(6)}.json.tmp`];
    const long = new Date(NOW - 2 * DAY);
    for (const name of names) {
      await writeFile(bed.path(name), "x");
      await utimes(bed.path(name), long, long);
    }
    await writeFile(bed.path(`${id(5)}.jsonl.tmp`), "x");
    await utimes(bed.path(`${id(5)}.jsonl.tmp`), new Date(NOW), new Date(NOW));
    await run();
    assert.deepEqual((await readdir(bed.folder, { recursive: true })).sort(), [
      `${id(5)}.jsonl.tmp`,
      "index",
    ]);
  });

  it("never takes a log that is written to while it sweeps", async () => {
    const [first, second] = [await aged(1, 50), await aged(2, 40)];
    const swept = await run({
      remove: async (sessionId) => {
        await writeFile(logPath(bed.folder, second), "more\n", { flag: "a" });
        return await traces.delete(sessionId);
      },
    });
    assert.deepEqual(swept.ok && ids(swept.value.gone), [first]);
    assert.ok(existsSync(logPath(bed.folder, second)));
  });

  it("never takes one that was opened meanwhile", async () => {
    const [first, second] = [await aged(1, 50), await aged(2, 40)];
    let open = "";
    const swept = await run({
      isKept: (sessionId) => sessionId === open,
      remove: (sessionId) => {
        open = second;
        return traces.delete(sessionId);
      },
    });
    assert.deepEqual(swept.ok && [ids(swept.value.gone), swept.value.spared], [[first], 1]);
  });

  it("counts indexes with their logs, and clears those whose log is gone", async () => {
    await mkdir(bed.path("index"));
    await writeFile(bed.path(`index/${id(9)}.json`), "{}");
    await writeFile(bed.path("index/other.json"), "{}");
    await writeFile(bed.path(`${id(8)}.jsonl.importing`), "x");
    const long = new Date(NOW - 2 * DAY);
    await utimes(bed.path(`${id(8)}.jsonl.importing`), long, long);
    await run();
    assert.deepEqual((await readdir(bed.folder, { recursive: true })).sort(), ["index", "index/other.json"]);
  });

  it("leaves an import alone that goes on", async () => {
    const path = bed.path(`${id(8)}.jsonl.importing`);
    await writeFile(path, "x");
    const now = new Date(NOW);
    await utimes(path, now, now);
    await run();
    assert.ok((await stat(path)).isFile());
  });

  it("does nothing where the folder is not there yet", async () => {
    const swept = await run({ folder: bed.path("nowhere") });
    assert.deepEqual(swept, success({ gone: [], spared: 0 }));
  });
});

describe("the sweep of a window", () => {
  interface Waiting {
    readonly ms: number;
    readonly fire: () => void;
    cancelled: boolean;
  }

  function timers() {
    const set: Waiting[] = [];
    return {
      set,
      timer: (ms: number, fire: () => void) => {
        const waiting: Waiting = { ms, fire, cancelled: false };
        set.push(waiting);
        return () => {
          waiting.cancelled = true;
        };
      },
    };
  }

  it("comes some time after the window, then daily, and says what went", async () => {
    const { set, timer } = timers();
    const lines: string[] = [];
    const gone = [{ ...log(1, 40, 2), why: "age" as const }];
    const sweeping = new Sweeping({
      timer,
      sweep: () => Promise.resolve(success({ gone, spared: 2 })),
      onLine: (line) => lines.push(line),
    });
    assert.deepEqual(
      set.map(({ ms }) => ms),
      [FIRST_SWEEP_MS],
    );
    await sweeping.run();
    assert.deepEqual(
      set.map(({ ms }) => ms),
      [FIRST_SWEEP_MS, NEXT_SWEEP_MS],
    );
    assert.match(
      lines[0] ?? "",
      new RegExp(`^Deleted the trace of session ${id(1)}: older than trace.keepDays .*2\\.0 MB`),
    );
    assert.equal(lines[1], "2 old traces stay for now: they are in use.");
    sweeping.dispose();
    assert.ok(set.every(({ cancelled }) => cancelled));
  });

  it("that fails says so, and comes again", async () => {
    const { set, timer } = timers();
    const lines: string[] = [];
    const sweeping = new Sweeping({
      timer,
      sweep: () => Promise.resolve(failed("internal", "Old traces could not be swept.")),
      onLine: (line) => lines.push(line),
    });
    await sweeping.run();
    assert.deepEqual(lines, ["Old traces could not be swept."]);
    assert.equal(set.length, 2);
    sweeping.dispose();
  });

  it("ends with the window", async () => {
    const { set, timer } = timers();
    let stopped = false;
    const sweeping = new Sweeping({
      timer,
      sweep: (signal) => {
        sweeping.dispose();
        stopped = signal.aborted;
        return Promise.resolve({ ok: false, failure: { code: "cancelled", message: "" } });
      },
      onLine: () => assert.fail("nothing is said"),
    });
    await sweeping.run();
    assert.equal(stopped, true);
    assert.equal(set.length, 1);
  });
});
