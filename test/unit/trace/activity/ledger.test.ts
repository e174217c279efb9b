import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TurnEvent } from "../../../../src/agent/events.ts";
import { ActivityLedger, type ActivityLog } from "../../../../src/trace/activity/ledger.ts";
import type { ActivityRecord, CallRecord } from "../../../../src/trace/activity/records.ts";
import { TraceLog } from "../../../../src/trace/log.ts";
import { SteadyIdentity } from "../support/steady-identity.ts";
import { TurnScript } from "../support/turn-script.ts";

const NEVER = new AbortController().signal;
const nothing = (): void => undefined;

describe("the activity of all sessions", () => {
  let folder: string;
  let log: TraceLog;
  let ledger: ActivityLedger;
  let running = "";
  let seed = 0;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "conclave-activity-"));
    log = new TraceLog({ folder });
    running = "";
    ledger = make(log);
  });

  afterEach(async () => {
    await log.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  function make(of: ActivityLog, maxRecords = 1_000): ActivityLedger {
    return new ActivityLedger({ log: of, isRunning: (_session, turnId) => turnId === running, maxRecords });
  }

  function begin(
    question: string,
    sink: (event: TurnEvent) => void = (event) => log.append(event),
  ): TurnScript {
    seed += 1_000;
    const script = new TurnScript(sink, {
      question,
      identity: new SteadyIdentity(1_700_000_000_000 + seed, seed),
    });
    return script.wait(10).ask().reply({});
  }

  async function load(): Promise<readonly ActivityRecord[]> {
    await ledger.load(NEVER, nothing);
    return ledger.all();
  }

  const calls = (records: readonly ActivityRecord[]): readonly CallRecord[] =>
    records.filter((record): record is CallRecord => record.kind === "call");

  it("has no older sessions that it does not count where there are none at all", async () => {
    assert.deepEqual(await load(), []);
    assert.equal(ledger.older, false);
  });

  it("tells of each call when, for which question, by whom, with what, how it ended, how long and how often tried", async () => {
    const script = begin("Where is the cache?");
    const done = script.call("search_memory", { query: "the\ncache", limit: 3, where: { here: true } });
    script.wait(250);
    done({ result: "In process.", details: { summary: "3 of 41 given" } });
    script.stepEnd().answered("In process.");
    const [call] = calls(await load());
    assert.ok(call);
    assert.deepEqual(call, {
      ...{ id: call.id, time: call.time },
      ...{ kind: "call", sessionId: script.sessionId, turnId: script.turnId },
      ...{ question: "Where is the cache?", tool: "search_memory", agent: "conclave" },
      arguments: 'query: the cache, limit: 3, where: {"here":true}',
      ...{ outcome: "done", said: "3 of 41 given", durationMs: 250, attempts: 1 },
    });
  });

  it("tells a failure from what the user stopped, what still runs and what a crash cut off", async () => {
    const failed = begin("one");
    failed.call("web_fetch", {})({ error: { code: "timeout", message: "It took too long." } });
    failed.call("web_fetch", {})({ error: { code: "cancelled", message: "Stopped." } });
    failed.call("web_fetch", {});
    failed.stepEnd().answered("so");
    const live = begin("two");
    live.call("web_fetch", {});
    running = live.turnId;
    begin("three").call("web_fetch", {});
    const outcomes = calls(await load()).map(({ question, outcome }) => `${question} ${outcome}`);
    assert.deepEqual(outcomes.sort(), [
      "one cancelled",
      "one failed",
      "one interrupted",
      "three interrupted",
      "two running",
    ]);
  });

  it("counts nothing twice that a branch repeats, and nothing that somebody else's trace did", async () => {
    const { sessionId, turnId, emitter } = begin("mine");
    const request = { name: "web_fetch", arguments: {}, "gen_ai.tool.call.id": "c" };
    emitter.emit("tool.request", { parentId: turnId, replays: "a".repeat(16) }, request);
    const foreign: TurnEvent[] = [];
    const other = begin("theirs", (event) => foreign.push(event));
    other.call("web_fetch", {});
    for (const event of foreign)
      log.append(
        event.type === "turn.start"
          ? { ...event, data: { ...event.data, "conclave.imported": { from: "their.conclave", at: 1 } } }
          : event,
      );
    assert.notEqual(sessionId, other.sessionId);
    assert.deepEqual(calls(await load()), []);
  });

  it("goes with what happens in this window, also while the log is read", async () => {
    const script = begin("before");
    script.call("read_file", { path: "a" })({ result: "a" });
    const late: TurnEvent[] = [];
    const other = begin("meanwhile", (event) => late.push(event));
    other.call("read_file", { path: "b" })({ result: "b" });
    const held = make({
      flush: () => log.flush(),
      sessions: (page) => log.sessions(page),
      async *lines(sessionId) {
        yield* log.lines(sessionId);
        // The end of the file was seen: what comes now is only heard.
        for (const event of late.splice(0)) held.take(event);
      },
    });
    await held.load(NEVER, nothing);
    assert.deepEqual(
      calls(held.all())
        .map((call) => call.arguments)
        .sort(),
      ["path: a", "path: b"],
    );
  });

  it("reads a session again only when its log has changed", async () => {
    const first = begin("first");
    first.call("read_file", {})({ result: "" });
    const second = begin("second");
    second.call("read_file", {})({ result: "" });
    const read: string[] = [];
    ledger = make({
      flush: () => log.flush(),
      sessions: (page) => log.sessions(page),
      lines: (sessionId) => {
        read.push(sessionId);
        return log.lines(sessionId);
      },
    });
    await load();
    assert.equal(read.length, 2);
    second.call("read_file", {})({ result: "" });
    assert.equal(calls(await load()).length, 3);
    assert.deepEqual(read.slice(2), [second.sessionId]);
  });

  it("keeps no text of a turn that was forgotten: a tombstone stands in its place", async () => {
    const script = begin("The secret is 4711?");
    script.call("search_memory", { query: "4711" })({ result: "4711", details: { summary: "4711 found" } });
    script.stepEnd().answered("4711");
    await load();
    const { sessionId, turnId } = script;
    await log.bury({ turns: [{ sessionId, turnId }], time: Date.UTC(2026, 2, 12, 12) });
    ledger.clear();
    const [call] = calls(await load());
    assert.ok(call);
    assert.doesNotMatch(JSON.stringify(call), /4711/);
    assert.match(call.question, /^Forgotten on 2026-03-12/);
    assert.equal(call.arguments, call.question);
    assert.equal(call.outcome, "done");
  });

  it("counts private sessions in this window, and no other window reads of them", async () => {
    const events: TurnEvent[] = [];
    const script = begin("hush", (event) => events.push(event));
    script.call("read_file", {})({ result: "" });
    for (const event of events)
      log.append(
        event.type === "turn.start" ? { ...event, data: { ...event.data, "conclave.private": true } } : event,
      );
    assert.deepEqual(
      calls(await load()).map((call) => call.private),
      [true],
    );
    const other = new TraceLog({ folder });
    const theirs = make(other);
    await theirs.load(NEVER, nothing);
    assert.deepEqual(theirs.all(), []);
    await other.dispose();
  });

  it("holds so many records and says that there are older ones; the newest stay", async () => {
    for (let index = 0; index < 6; index += 1)
      for (const script of [begin(`question ${index}`)])
        for (let call = 0; call < 3; call += 1) script.call("read_file", { call })({ result: "" });
    ledger = make(log, 7);
    await load();
    assert.ok(ledger.older);
    assert.ok(ledger.all().length <= 9, String(ledger.all().length));
    const script = begin("the latest", (event) => {
      log.append(event);
      ledger.take(event);
    });
    for (let call = 0; call < 3; call += 1) script.call("read_file", { call })({ result: "" });
    assert.equal(calls(ledger.all()).filter(({ question }) => question === "the latest").length, 3);
    assert.ok(ledger.all().length <= 7);
  });

  it("stops within a moment when nobody waits for it any more, and lets others have their turn", async () => {
    const script = begin("long");
    const done = script.call("read_file", {});
    done({ result: "" });
    let lines = 0;
    let turns = 0;
    let began = nothing;
    const reading = new Promise<void>((resolve) => (began = resolve));
    const stop = new AbortController();
    ledger = make({
      flush: () => log.flush(),
      sessions: (page) => log.sessions(page),
      async *lines(sessionId) {
        const all: string[] = [];
        for await (const line of log.lines(sessionId)) all.push(line);
        const line = all.at(-1) ?? "";
        for (;;) {
          lines += 1;
          began();
          if (lines > 5_000_000) throw new Error("it never stopped");
          yield line;
        }
      },
    });
    const loaded = ledger.load(stop.signal, nothing);
    await reading;
    const timer = setInterval(() => {
      turns += 1;
      if (turns === 3) stop.abort();
    }, 1);
    await loaded;
    clearInterval(timer);
    assert.equal(turns, 3);
  });

  it("passes over lines that are broken, cut, or of no known kind", async () => {
    const script = begin("sound");
    script.call("read_file", {})({ result: "" });
    await log.flush();
    ledger = make({
      flush: () => log.flush(),
      sessions: (page) => log.sessions(page),
      async *lines(sessionId) {
        yield '{"type":"tool.request","id":1}';
        yield '{"type":"tool.result","id":"x","turnId":"t","data":{"name":"a"}}';
        yield 'not even JSON, although it says "tool.result"';
        yield '{"type":"tool.rejoice","data":null}';
        yield* log.lines(sessionId);
        yield '{"type":"tool.request","id":"half';
      },
    });
    assert.equal(calls(await load()).length, 1);
  });
});
