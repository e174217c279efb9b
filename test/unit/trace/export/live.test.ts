import assert from "node:assert/strict";
import FakeTimers from "@sinonjs/fake-timers";
import type { TurnEvent } from "../../../../src/agent/events.ts";
import { systemTimer, type Timer } from "../../../../src/agent/timer.ts";
import { tracesAddress } from "../../../../src/trace/export/live/endpoint.ts";
import { LiveExport, type LiveSettings } from "../../../../src/trace/export/live/live-export.ts";
import { retryAfter } from "../../../../src/trace/export/live/retry-after.ts";
import { SpanSender } from "../../../../src/trace/export/live/sender.ts";
import { DEFAULT_CLEANING } from "../../../../src/trace/export/redact/options.ts";
import { SteadyIdentity } from "../support/steady-identity.ts";
import { Collector, status, type Answer } from "./support/collector.ts";
import { comparedTurn, judgedTurn, sayingEverywhere } from "./support/turns.ts";

describe("live export", () => {
  let collector: Collector;
  let endpoint: string;
  let warnings: string[];
  let waits: number[];
  let live: LiveExport | undefined;

  beforeEach(async () => {
    collector = new Collector();
    endpoint = await collector.listen();
    warnings = [];
    waits = [];
  });

  afterEach(async () => {
    await live?.dispose();
    live = undefined;
    await collector.close();
  });

  /** Waits only as far as the queue goes: the wait itself is noted, and over at once. */
  const noWait: Timer = (ms, fire) => {
    waits.push(ms);
    return systemTimer(0, fire);
  };

  function start(settings: Partial<LiveSettings> = {}, isPrivate = false): LiveExport {
    const all: LiveSettings = { endpoint, cleaning: DEFAULT_CLEANING, ...settings };
    live = new LiveExport({
      timer: noWait,
      now: () => Date.UTC(2026, 2, 20),
      warn: (message) => void warnings.push(message),
      settings: () => all,
      isPrivate: () => isPrivate,
      context: () => ({}),
    });
    return live;
  }

  const tell = (events: readonly TurnEvent[]): void => events.forEach((event) => live?.take(event));
  const turnOnly = (): TurnEvent[] => {
    const events = judgedTurn();
    return events.slice(0, events.findIndex(({ type }) => type === "turn.end") + 1);
  };

  it("sends the spans of a turn once it has ended, to /v1/traces as JSON", async () => {
    start();
    const events = turnOnly();
    tell(events.slice(0, -1));
    await live?.idle();
    assert.deepEqual(collector.received, []);
    tell(events.slice(-1));
    await live?.idle();
    assert.deepEqual(
      collector.received.map(({ path, type }) => [path, type]),
      [["/v1/traces", "application/json"]],
    );
    assert.ok(collector.spanNames().includes("chat qwen3:8b"));
    assert.deepEqual(warnings, []);
  });

  it("sends what memory, critics and people add later behind it, each event once", async () => {
    start();
    tell(judgedTurn());
    await live?.idle();
    const names = collector.spanNames();
    assert.equal(names.filter((name) => name === "invoke_workflow conclave").length, 1);
    assert.equal(names.filter((name) => name === "create_memory").length, 1);
    assert.equal(names.filter((name) => name === "gen_ai.evaluation.result").length, 5);
  });

  it("sends the work of a second respondent as a whole, with its answer", async () => {
    start();
    const events = comparedTurn();
    const answer = events.findIndex(({ type }) => type === "shadow.answer");
    tell(events.slice(0, answer));
    await live?.idle();
    const before = collector.received.length;
    assert.ok(!collector.received.some(({ body }) => body.includes('"conclave.respondent"')));
    tell(events.slice(answer, answer + 1));
    await live?.idle();
    assert.equal(collector.received.length, before + 1);
    assert.ok(collector.received.at(-1)?.body.includes('"conclave.respondent"'));
  });

  it("takes secrets out", async () => {
    start();
    tell(sayingEverywhere("DB_PASSWORD=hunter2"));
    await live?.idle();
    assert.ok(collector.received.length > 0);
    for (const { body } of collector.received) assert.ok(!body.includes("hunter2"));
  });

  it("sends nothing of private sessions, whether the log or the turn itself says so", async () => {
    start({}, true);
    tell(judgedTurn());
    await live?.idle();
    await live?.dispose();
    start();
    const [first, ...rest] = judgedTurn();
    tell([{ ...first, data: { ...first?.data, "conclave.private": true } } as TurnEvent, ...rest]);
    await live?.idle();
    assert.deepEqual(collector.received, []);
  });

  it("sends nothing without an address, and says of one that is none what is wrong, once", async () => {
    start({ endpoint: "" });
    tell(judgedTurn());
    await live?.idle();
    await live?.dispose();
    start({ endpoint: "ftp://127.0.0.1/x" });
    tell(judgedTurn());
    tell(judgedTurn(new SteadyIdentity(0, 500)));
    await live?.idle();
    assert.deepEqual(collector.received, []);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? "", /no http or https address/);
  });

  it("tries again what may do better later, waits as long as it is asked to, and no longer than it must", async () => {
    collector.answers.push(status(503), status(429, { "retry-after": "7" }), status(502));
    start();
    tell(turnOnly());
    await live?.idle();
    assert.equal(collector.received.length, 4);
    assert.deepEqual(waits, [1_000, 7_000, 4_000]);
    assert.equal(new Set(collector.received.map(({ body }) => body)).size, 1);
    assert.deepEqual(warnings, []);
  });

  it("gives up in words: after six tries, when it is refused, or asked to wait for too long", async () => {
    collector.answers.push(...Array.from({ length: 6 }, () => status(503, {}, "busy")));
    start();
    tell(turnOnly());
    await live?.idle();
    assert.equal(collector.received.length, 6);
    assert.match(
      warnings.pop() ?? "",
      /could not be sent to 127\.0\.0\.1:\d+ after 6 tries and is given up: it answered 503: busy\./,
    );
    collector.answers.push(status(400, {}, "bad spans"));
    live?.take(judgedTurn().at(-1)!);
    await live?.idle();
    assert.match(warnings.pop() ?? "", /is given up: it answered 400: bad spans\./);
    collector.answers.push(status(429, { "retry-after": "86400" }));
    live?.take(judgedTurn().at(-1)!);
    await live?.idle();
    assert.match(warnings.pop() ?? "", /it answered 429/);
    assert.equal(collector.received.length, 8);
  });

  it("follows no redirect", async () => {
    const other = new Collector();
    const elsewhere = await other.listen();
    collector.answers.push(status(307, { location: `${elsewhere}/v1/traces` }));
    start();
    tell(turnOnly());
    await live?.idle();
    assert.deepEqual(other.received, []);
    assert.match(warnings[0] ?? "", /redirect \(307\), which is not followed/);
    await other.close();
  });

  it("says when a collector took a part only, and reads no endless answer", async () => {
    const partial = JSON.stringify({ partialSuccess: { rejectedSpans: "2", errorMessage: "too old" } });
    collector.answers.push(status(200, {}, partial));
    start();
    tell(turnOnly());
    await live?.idle();
    assert.match(warnings[0] ?? "", /took a trace in part: 2 spans refused: too old/);
    collector.answers.push((response) => {
      const more = (): void => {
        while (!response.destroyed && response.write("x".repeat(16_384)));
      };
      response.on("drain", more).on("error", () => undefined);
      more();
    });
    live?.take(judgedTurn().at(-1)!);
    await live?.idle();
    assert.equal(collector.received.length, 2);
  });

  it("never holds more than it may: the oldest go, in words", async () => {
    const held: Answer[] = [];
    collector.answers.push((response) => void held.push(() => response.end("{}")));
    const sender = new SpanSender({
      timer: noWait,
      now: Date.now,
      warn: (message) => void warnings.push(message),
    });
    const address = tracesAddress(endpoint);
    assert.ok(address.ok);
    for (let at = 0; at < 60; at += 1) sender.send({ url: address.value, body: JSON.stringify({ at }) });
    assert.equal(warnings.length, 9);
    assert.match(warnings[0] ?? "", /wait no longer to be sent/);
    await sender.dispose();
  });

  it("stops at once when it is disposed of, also in the middle of a request or a wait", async () => {
    collector.answers.push(() => undefined);
    start();
    tell(turnOnly());
    while (collector.received.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await live?.dispose();
    assert.deepEqual(warnings, []);
  });

  it("does nothing while it is told of a turn, however long the turn is", () => {
    start();
    tell(sayingEverywhere("x ".repeat(50_000)));
    // All has been told, and nothing was made of it yet: that happens when whoever tells is done.
    assert.deepEqual(collector.received, []);
    assert.deepEqual(warnings, []);
  });

  it("reads the address and the wait as they are written", () => {
    const address = (text: string): string => {
      const read = tracesAddress(text);
      return read.ok ? read.value.href : "refused";
    };
    assert.equal(address("http://127.0.0.1:4318"), "http://127.0.0.1:4318/v1/traces");
    assert.equal(address(" https://a.example/otlp/ "), "https://a.example/otlp/v1/traces");
    assert.equal(address("https://a.example/v1/traces"), "https://a.example/v1/traces");
    for (const bad of ["", "file:///x", "javascript:1", "http://u:p@a.example", "a b"])
      assert.equal(address(bad), "refused");
    const now = Date.UTC(2026, 2, 20);
    assert.equal(retryAfter("7", now), 7_000);
    assert.equal(retryAfter(new Date(now + 9_000).toUTCString(), now), 9_000);
    assert.equal(retryAfter("soon", now), undefined);
    assert.equal(retryAfter(undefined, now), undefined);
  });

  it("waits on the real clock's terms", async () => {
    const clock = FakeTimers.createClock();
    collector.answers.push(status(503));
    const timer: Timer = (ms, fire) => {
      const handle = clock.setTimeout(fire, ms);
      return () => clock.clearTimeout(handle);
    };
    const sender = new SpanSender({
      timer,
      now: () => clock.now,
      warn: (message) => void warnings.push(message),
    });
    const address = tracesAddress(endpoint);
    assert.ok(address.ok);
    sender.send({ url: address.value, body: "{}" });
    while (clock.countTimers() === 0) await new Promise((resolve) => setImmediate(resolve));
    clock.tick(999);
    assert.equal(clock.countTimers(), 1);
    clock.tick(1);
    await sender.idle();
    assert.equal(collector.received.length, 2);
    await sender.dispose();
  });
});
