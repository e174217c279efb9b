import assert from "node:assert/strict";
import { stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TraceLog } from "../../../src/trace/log.ts";
import { LogBed, readAll } from "./support/log-bed.ts";
import { SteadyIdentity } from "./support/steady-identity.ts";
import { TurnScript } from "./support/turn-script.ts";

describe("trace log: lists and conversations", () => {
  let bed: LogBed;
  let folder: string;
  let log: TraceLog;
  const path = (sessionId: string): string => bed.path(sessionId);

  beforeEach(async () => {
    bed = await LogBed.create();
    ({ folder, log } = bed);
  });

  afterEach(() => bed.close());

  it("lists sessions newest first, page by page, with their first question", async () => {
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      const identity = new SteadyIdentity(Date.UTC(2026, 2, index + 1), index * 1000);
      const script = new TurnScript((event) => log.append(event), {
        identity,
        question: `Question ${index}`,
      });
      script.ask().reply({ content: "Yes." }).answered("Yes.");
      ids.push(script.sessionId);
    }
    await log.flush();
    for (const [index, id] of ids.entries())
      await utimes(path(id), new Date(index * 1000), new Date(index * 1000));
    const page = await log.sessions({ offset: 1, limit: 2 });
    assert.ok(page.ok);
    assert.equal(page.value.total, 5);
    assert.deepEqual(
      page.value.sessions.map(({ title, turns }) => [title, turns]),
      [
        ["Question 3", 1],
        ["Question 2", 1],
      ],
    );
  });

  it("keeps rows up to date as the log grows, also in a file that another window appends to", async () => {
    const { script } = await bed.written();
    const first = await log.rows(script.sessionId);
    assert.equal(first.ok && first.value.length, 1);
    const other = new TraceLog({ folder });
    const identity = new SteadyIdentity(Date.UTC(2026, 2, 21), 700);
    const next = new TurnScript((event) => other.append(event), { sessionId: script.sessionId, identity });
    await other.flush();
    const running = await log.rows(script.sessionId);
    assert.deepEqual(running.ok && running.value.map(({ status }) => status), ["answered", "running"]);
    next.ask().reply({ content: "Still." }).answered("Still.");
    await other.dispose();
    const rows = await log.rows(script.sessionId);
    assert.equal(rows.ok && rows.value[1]?.answer, "Still.");
  });

  it("says in a row what the list shows: time, agent, the answer's first 80 characters, thinking, tools, tokens", async () => {
    const { script } = await bed.written();
    const rows = await log.rows(script.sessionId);
    assert.ok(rows.ok);
    const [row] = rows.value;
    assert.ok(row);
    assert.equal(row.time, Date.UTC(2026, 2, 20, 14, 9, 0));
    assert.equal(row.agent, "conclave");
    assert.equal(row.answer.length, 80);
    assert.match(row.answer, /^On 12 March you chose/);
    assert.equal(row.thinking, true);
    assert.equal(row.toolCalls, 2);
    assert.equal(row.inputTokens, 3728);
    assert.equal(row.outputTokens, 530);
  });

  it("makes a broken index anew from the log", async () => {
    const script = new TurnScript((event) => log.append(event));
    script
      .ask()
      .reply({ content: "z".repeat(100_000) })
      .answered("z".repeat(100_000));
    await log.flush();
    await log.rows(script.sessionId);
    const index = join(folder, "index", `${script.sessionId}.json`);
    assert.ok((await stat(index)).size < 4096);
    await writeFile(index, '{"version":1,"end":"far"}');
    const rows = await new TraceLog({ folder }).rows(script.sessionId);
    assert.equal(rows.ok && rows.value[0]?.status, "answered");
  });

  it("gives a conversation back for the next turn: messages in order, parents, no thinking", async () => {
    const first = new TurnScript((event) => log.append(event));
    first.ask().reply({ content: "Yes." });
    first.emitter.emit(
      "turn.end",
      { id: first.turnId, parentId: null },
      {
        outcome: "answered",
        "conclave.duration_ms": 1,
        "conclave.steps": 1,
        "conclave.messages": [
          { role: "user", content: "Q" },
          { role: "assistant", content: "Yes.", thinking: "secret" },
        ],
      },
    );
    const identity = new SteadyIdentity(Date.UTC(2026, 2, 21), 900);
    const script = { sessionId: first.sessionId, identity, parent: first.turnId };
    const second = new TurnScript((event) => log.append(event), script);
    second.ask().reply({ content: "No." }).answered("No.");
    new TurnScript((event) => log.append(event), { ...script, parent: second.turnId }).ask();
    const turns = await log.turns(first.sessionId);
    assert.ok(turns.ok);
    assert.deepEqual(
      turns.value.map(({ turnId, parentTurnId }) => [turnId, parentTurnId]),
      [
        [first.turnId, null],
        [second.turnId, first.turnId],
      ],
    );
    assert.deepEqual(turns.value[0]?.messages, [
      { role: "user", content: "Q" },
      { role: "assistant", content: "Yes." },
    ]);
    assert.deepEqual(await log.turns("00000000-0000-4000-8000-00000000dead"), { ok: true, value: [] });
  });

  it("deletes a session and what was indexed of it", async () => {
    const { script } = await bed.written();
    await log.rows(script.sessionId);
    assert.deepEqual(await log.delete(script.sessionId), { ok: true, value: { deleted: true } });
    assert.deepEqual(await readAll(log, script.sessionId), []);
    assert.deepEqual(await log.delete(script.sessionId), { ok: true, value: { deleted: false } });
  });
});
