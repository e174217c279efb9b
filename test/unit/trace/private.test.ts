import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "../../../src/agent/engine-port.ts";
import type { TurnEvent } from "../../../src/agent/events.ts";
import { TraceLog } from "../../../src/trace/log.ts";
import { isSessionId } from "../../../src/trace/event-schema.ts";
import type { LogItem } from "../../../src/trace/log-reader.ts";
import { beginPrivate, withPrivateSessions } from "../../../src/vscode/memory/private.ts";
import { isPrivateId } from "../../../src/trace/private-id.ts";
import { cacheTurn } from "./support/cache-turn.ts";
import { SteadyIdentity } from "./support/steady-identity.ts";
import { TurnScript } from "./support/turn-script.ts";

async function eventsOf(log: TraceLog, sessionId: string): Promise<TurnEvent[]> {
  const items: LogItem[] = [];
  for await (const item of log.read(sessionId)) items.push(item);
  return items.flatMap((item) => (item.type === "event" ? [item.event] : []));
}

describe("a private session", () => {
  const sessionId = "00000000-0000-4000-8000-0000000000aa";
  let folder: string;
  let log: TraceLog;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "conclave-private-"));
    log = new TraceLog({ folder });
  });

  afterEach(async () => {
    await log.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  function turn(question = "zanzibar-sentinel?"): { script: TurnScript; emitted: TurnEvent[] } {
    const emitted: TurnEvent[] = [];
    const script = cacheTurn(
      (event) => {
        emitted.push(event);
        log.append(event);
      },
      { sessionId, question, identity: new SteadyIdentity(Date.UTC(2026, 2, 20), 100) },
    );
    return { script, emitted };
  }

  it("leaves nothing on the disk, and is there like any other in its window", async () => {
    log.beginPrivate(sessionId, 1);
    const { emitted } = turn();
    await log.flush();
    assert.deepEqual(await readdir(folder), []);
    assert.deepEqual(
      await eventsOf(log, sessionId),
      emitted.filter(({ type }) => type !== "model.delta"),
    );
    const rows = await log.rows(sessionId);
    assert.deepEqual(rows.ok && rows.value.map((row) => [row.question, row.private]), [
      ["zanzibar-sentinel?", true],
    ]);
    const page = await log.sessions({ offset: 0, limit: 10 });
    assert.deepEqual(page.ok && page.value.sessions.map(({ title }) => title), ["zanzibar-sentinel?"]);
    const turns = await log.turns(sessionId);
    assert.equal(turns.ok && turns.value.length, 1, "its conversation goes on");
  });

  it("begins with a turn that says so itself", async () => {
    const start: TurnEvent = {
      type: "turn.start",
      ...{ id: "t", parentId: null, time: 1, sessionId, turnId: "t", agent: "a", respondent: "A" },
      data: {
        "gen_ai.conversation.id": sessionId,
        "conclave.parent_turn_id": null,
        "conclave.door": "chat",
        "conclave.private": true,
      },
    };
    log.append(start);
    await log.flush();
    assert.equal(log.isPrivate(sessionId), true);
    assert.deepEqual(await readdir(folder), []);
  });

  it("is gone with its window", async () => {
    log.beginPrivate(sessionId, 1);
    turn();
    await log.dispose();
    const next = new TraceLog({ folder });
    assert.deepEqual(await next.rows(sessionId), { ok: true, value: [] });
    assert.equal(next.isPrivate(sessionId), false);
    await next.dispose();
  });

  it("is one like all others once it is saved, with what it held and what follows", async () => {
    log.beginPrivate(sessionId, 1);
    const { emitted } = turn();
    assert.deepEqual(await log.savePrivate(sessionId), { ok: true, value: true });
    const next = new TurnScript((event) => log.append(event), {
      sessionId,
      identity: new SteadyIdentity(Date.UTC(2026, 2, 21), 900),
    });
    next.ask().reply({ content: "Yes." }).answered("Yes.");
    await log.flush();
    const events = await eventsOf(log, sessionId);
    const held = emitted.filter(({ type }) => type !== "model.delta");
    assert.deepEqual(events.slice(0, held.length), held);
    assert.equal(events.at(-1)?.turnId, next.turnId);
    const rows = await log.rows(sessionId);
    assert.deepEqual(rows.ok && rows.value.map((row) => row.private), [undefined, undefined]);
    const text = await readFile(join(folder, `${sessionId}.jsonl`), "utf8");
    assert.equal(text.match(/"type":"session"/g)?.length, 1);
    assert.equal(text.includes("conclave.private"), false);
    assert.deepEqual(await log.savePrivate(sessionId), { ok: true, value: false }, "once");
  });

  it("loses nothing of what comes while it is saved", async () => {
    log.beginPrivate(sessionId, 1);
    const script = new TurnScript((event) => log.append(event), { sessionId });
    script.ask();
    const saving = log.savePrivate(sessionId);
    for (let count = 0; count < 20; count += 1) {
      script.reply({ content: `part ${count}` }).ask();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await saving;
    script.reply({ content: "whole" }).answered("whole");
    await log.flush();
    const events = await eventsOf(log, sessionId);
    assert.equal(events.filter(({ type }) => type === "model.end").length, 21);
    assert.equal(events.at(-1)?.type, "turn.end");
  });

  it("forgets like any other", async () => {
    log.beginPrivate(sessionId, 1);
    const { script } = turn();
    const found = await log.mentions("Zanzibar-Sentinel", new AbortController().signal);
    assert.deepEqual(found.ok && found.value.map(({ turnId }) => turnId), [script.turnId]);
    const before = await log.version(sessionId);
    await log.bury({ turns: [script], time: Date.UTC(2026, 10, 28, 12) });
    assert.equal(JSON.stringify(await eventsOf(log, sessionId)).includes("zanzibar"), false);
    assert.notEqual(await log.version(sessionId), before);
    const rows = await log.rows(sessionId);
    assert.match((rows.ok && rows.value[0]?.question) || "", /^Forgotten on /);
  });

  it("stays private, whichever door asks in it and forgets to say so", async () => {
    log.beginPrivate(sessionId, 1);
    const asked: (boolean | undefined)[] = [];
    const engine: Partial<Engine> = {
      ask: (request) => {
        asked.push(request.private);
        return Promise.resolve({ ok: false, failure: { code: "internal", message: "not run" } });
      },
    };
    const guarded = withPrivateSessions(engine as Engine, log);
    await guarded.ask({ question: "q", door: "panel", sessionId });
    await guarded.ask({ question: "q", door: "panel", sessionId: "other" });
    await guarded.ask({ question: "q", door: "panel" });
    assert.deepEqual(asked, [true, undefined, undefined]);
  });

  it("does not go on as one that is kept when it is gone: its id tells, and the question is refused", async () => {
    const asked: string[] = [];
    const engine: Partial<Engine> = {
      ask: (request) => {
        asked.push(request.question);
        return Promise.resolve({ ok: false, failure: { code: "internal", message: "not run" } });
      },
    };
    const id = beginPrivate(log, new SteadyIdentity());
    assert.ok(isPrivateId(id) && isSessionId(id) && !isPrivateId(sessionId));
    new TurnScript((event) => log.append(event), { sessionId: id }).ask();
    const next = new TraceLog({ folder });
    const guarded = withPrivateSessions(engine as Engine, next);
    const refused = await guarded.ask({ question: "of before", door: "panel", sessionId: id });
    assert.match(refused.ok ? "" : refused.failure.message, /ended with its window/);
    await log.savePrivate(id);
    await guarded.ask({ question: "of one that was saved", door: "panel", sessionId: id });
    assert.deepEqual(asked, ["of one that was saved"]);
    await next.dispose();
  });
});
