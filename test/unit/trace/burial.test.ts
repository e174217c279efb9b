import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TurnEvent } from "../../../src/agent/events.ts";
import type { ChatMessage } from "../../../src/agent/models/types.ts";
import type { BurialOf } from "../../../src/trace/burial.ts";
import { foldEvent } from "../../../src/trace/fold.ts";
import { TraceLog } from "../../../src/trace/log.ts";
import type { LogItem } from "../../../src/trace/log-reader.ts";
import { emptyTurn } from "../../../src/trace/model.ts";
import { SECRET, tellSecret } from "./support/secret-turn.ts";
import { SteadyIdentity } from "./support/steady-identity.ts";
import { TurnScript } from "./support/turn-script.ts";

const TIME = new Date(2026, 10, 28, 12).getTime();

async function itemsOf(log: TraceLog, sessionId: string): Promise<LogItem[]> {
  const items: LogItem[] = [];
  for await (const item of log.read(sessionId)) items.push(item);
  return items;
}

async function eventsOf(log: TraceLog, sessionId: string): Promise<TurnEvent[]> {
  const items = await itemsOf(log, sessionId);
  assert.deepEqual(
    items.filter(({ type }) => type === "problem"),
    [],
  );
  return items.flatMap((item) => (item.type === "event" ? [item.event] : []));
}

describe("a log from which turns are forgotten", () => {
  let folder: string;
  let log: TraceLog;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "conclave-bury-"));
    log = new TraceLog({ folder });
  });

  afterEach(async () => {
    await log.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  /** All files of the folder that hold a text, in any case. */
  async function holding(text: string): Promise<string[]> {
    const files = await readdir(folder, { recursive: true, withFileTypes: true });
    const found: string[] = [];
    for (const file of files.filter((one) => one.isFile())) {
      const whole = await readFile(join(file.parentPath, file.name), "utf8");
      if (whole.toLowerCase().includes(text.toLowerCase())) found.push(file.name);
    }
    return found;
  }

  async function bury(what: Partial<BurialOf>, by: TraceLog = log): Promise<void> {
    const buried = await by.bury({ turns: [], time: TIME, ...what });
    assert.ok(buried.ok, JSON.stringify(buried));
  }

  let seed = 0;
  const identity = (): SteadyIdentity => new SteadyIdentity(Date.UTC(2026, 2, 20), (seed += 10_000));

  const secretTurn = (by: TraceLog = log, sessionId?: string): TurnScript =>
    tellSecret((event) => by.append(event), identity(), sessionId);

  function laterTurn(
    sessionId: string,
    messages: readonly ChatMessage[],
    question = "And then?",
  ): TurnScript {
    const script = new TurnScript((event) => log.append(event), {
      sessionId,
      identity: identity(),
      question,
    });
    return script.ask([...messages, { role: "user", content: question }]);
  }

  function sumUp({ emitter, turnId }: TurnScript, turns: readonly string[], summary: string): void {
    const data = { how: "summary" as const, before: 900, after: 300, turns, summary };
    emitter.emit("context.compacted", { parentId: turnId }, { ...data, "conclave.context_length": 4_096 });
  }

  it("holds no word of them, and says in their place when they were forgotten", async () => {
    const turn = secretTurn();
    await log.dispose();
    assert.equal((await holding(SECRET)).length, 1);
    const before = await eventsOf(log, turn.sessionId);
    await bury({ turns: [turn] });
    assert.deepEqual(await holding(SECRET), []);
    const after = await eventsOf(log, turn.sessionId);
    assert.deepEqual(
      after.map(({ type, id, parentId, time, turnId }) => [type, id, parentId, time, turnId]),
      before.map(({ type, id, parentId, time, turnId }) => [type, id, parentId, time, turnId]),
    );
    const rows = await log.rows(turn.sessionId);
    const [row] = rows.ok ? rows.value : [];
    assert.equal(row?.question, "Forgotten on 2026-11-28.");
    assert.deepEqual([row.status, row.forgotten, row.toolCalls > 0], ["answered", TIME, true]);
    const model = emptyTurn(turn.sessionId, turn.turnId, 0);
    for (const event of after) foldEvent(model, event);
    assert.deepEqual([model.forgotten, model.answer], [TIME, "Forgotten on 2026-11-28."]);
  });

  it("leaves the other turns of the session as they were", async () => {
    const turn = secretTurn();
    const other = laterTurn(turn.sessionId, [], "Something else?")
      .reply({ content: "Yes." })
      .answered("Yes.");
    await log.dispose();
    const of = async () =>
      (await eventsOf(log, turn.sessionId)).filter(({ turnId }) => turnId === other.turnId);
    const before = await of();
    await bury({ turns: [turn] });
    assert.deepEqual(await of(), before);
  });

  it("holds nothing of them in the prompts of later turns either, cut or whole, native or told as text", async () => {
    const turn = secretTurn();
    const call = { id: "call_9", name: "web_fetch", arguments: { url: `https://${SECRET}.test` } };
    const next = laterTurn(turn.sessionId, [
      { role: "user", content: turn.question },
      { role: "assistant", content: "", toolCalls: [call] },
      { role: "tool", toolName: "web_fetch", toolCallId: "call_9", content: `all of ${SECRET}` },
      { role: "user", content: `Observation: all of ${SECRET}` },
      { role: "assistant", content: `The answer is ${SECRET}.` },
    ]);
    next.reply({ content: "Then nothing." }).answered("Then nothing.");
    await log.dispose();
    await bury({ turns: [turn] });
    const events = await eventsOf(log, turn.sessionId);
    const start = events.find((event) => event.type === "model.start" && event.turnId === next.turnId);
    const messages = start?.type === "model.start" ? start.data["conclave.messages"] : [];
    assert.equal(messages.length, 6);
    assert.equal(messages.at(-1)?.content, "And then?");
    const [question] = messages;
    assert.equal(question?.content, "Forgotten on 2026-11-28.");
    assert.deepEqual(await holding(SECRET), []);
  });

  it("holds no summary that stood for them, nor the prompts that carried it, however it words them", async () => {
    const turn = secretTurn();
    const summary = "The user told which bird sits on the gate, and was thanked for it at some length.";
    const next = laterTurn(turn.sessionId, [{ role: "user", content: `Earlier, summed up:\n${summary}` }]);
    sumUp(next, [turn.turnId], summary);
    next.reply({ content: "Yes." }).answered("Yes.");
    const later = laterTurn(turn.sessionId, [{ role: "user", content: `Earlier, summed up:\n${summary}` }]);
    later.reply({ content: "No." }).answered("No.");
    await log.dispose();
    assert.equal((await holding("which bird sits")).length, 1);
    await bury({ turns: [turn] });
    assert.deepEqual(await holding("which bird sits"), []);
    const turns = await log.turns(turn.sessionId);
    assert.deepEqual(turns.ok && turns.value.flatMap(({ summaries = [] }) => summaries), []);
  });

  it("holds no summary that has lost count of the turns it stood for", async () => {
    const turn = secretTurn();
    const next = laterTurn(turn.sessionId, []);
    const turns = Array.from({ length: 200 }, (_, at) => `${at}`.padStart(32, "0"));
    sumUp(next, turns, "A bird sits on the gate.");
    next.reply({ content: "Yes." }).answered("Yes.");
    await log.dispose();
    await bury({ turns: [turn] });
    assert.deepEqual(await holding("bird sits"), []);
  });

  it("does not go on with them: they are no part of the conversation any more", async () => {
    const turn = secretTurn();
    const next = laterTurn(turn.sessionId, []).reply({ content: "Yes." }).answered("Yes.");
    await bury({ turns: [turn] });
    const turns = await log.turns(turn.sessionId);
    assert.deepEqual(turns.ok && turns.value.map(({ turnId }) => turnId), [next.turnId]);
  });

  it("takes them out of other sessions that recalled them", async () => {
    const turn = secretTurn();
    const other = new TurnScript((event) => log.append(event), { identity: identity(), question: "Recall?" });
    const done = other.ask().reply({}).call("search_memory", { query: "it" });
    done({
      result: `[2026-03-20] Asked: ${turn.question}`,
      details: {
        summary: "1 of 2 memories given",
        sources: [{ uri: `memory:episode-of-${turn.turnId}`, title: SECRET }],
        data: { hits: [{ id: `episode-of-${turn.turnId}`, answer: SECRET }] },
      },
    });
    other.ask([{ role: "user", content: `Found in memory:\nQ: ${turn.question}\nA: ${SECRET}` }]);
    other.reply({ content: "Nothing much." }).answered("Nothing much.");
    await log.dispose();
    await bury({ turns: [turn] });
    assert.deepEqual(await holding(SECRET), []);
    const rows = await log.rows(other.sessionId);
    assert.equal(rows.ok && rows.value[0]?.question, "Recall?");
  });

  it("loses a fact that is forgotten by its id wherever it was learnt or recalled, and no turn", async () => {
    const turn = new TurnScript((event) => log.append(event), { identity: identity(), question: "Tea?" });
    turn.ask().reply({ content: "Yes." }).answered("Yes.");
    turn.emitter.emit(
      "memory.learned",
      { parentId: turn.turnId },
      {
        "conclave.episode_ids": [],
        "conclave.extracted": 2,
        "conclave.updated": 0,
        "conclave.duration_ms": 1,
        "conclave.learned": {
          added: [
            { id: "00000000-0000-4000-8000-00000000000a", text: `likes ${SECRET}` },
            { id: "00000000-0000-4000-8000-00000000000b", text: "likes tea" },
          ],
          ...{ repeated: [], closed: [], rejected: [], entities: 0, edges: 0 },
        },
      },
    );
    await log.dispose();
    await bury({ memoryIds: ["00000000-0000-4000-8000-00000000000a"] });
    assert.deepEqual(await holding(SECRET), []);
    assert.equal((await holding("likes tea")).length, 1);
    const rows = await log.rows(turn.sessionId);
    assert.equal(rows.ok && rows.value[0]?.question, "Tea?");
  });

  it("takes what another window appends meanwhile, and loses none of it", async () => {
    const turn = secretTurn();
    await log.dispose();
    const other = new TraceLog({ folder });
    const appended: string[] = [];
    const append = async (): Promise<void> => {
      for (let count = 0; count < 60; count += 1) {
        const script = new TurnScript((event) => other.append(event), {
          ...{ sessionId: turn.sessionId, identity: identity(), question: `Number ${count}?` },
        });
        appended.push(script.turnId);
        script.ask().reply({ content: "Yes." }).answered("Yes.");
        await other.flush();
      }
    };
    const forget = async (): Promise<void> => {
      for (let count = 0; count < 15; count += 1) {
        const more = secretTurn(log, turn.sessionId);
        await log.dispose();
        await bury({ turns: [turn, more] });
      }
    };
    await Promise.all([append(), forget()]);
    await other.dispose();
    const ends = (await eventsOf(log, turn.sessionId)).filter(({ type }) => type === "turn.end");
    for (const turnId of appended)
      assert.equal(ends.filter((event) => event.turnId === turnId).length, 1, turnId);
    assert.deepEqual(await holding(SECRET), []);
    const left = await readdir(folder);
    assert.deepEqual(
      left.filter((name) => name !== "index" && !name.endsWith(".jsonl")),
      [],
      "no lock and no temporary file is left behind",
    );
  });

  it("is read anew by another window that had read it before, and by a conversation", async () => {
    const turn = secretTurn();
    await log.dispose();
    const other = new TraceLog({ folder });
    const before = await other.rows(turn.sessionId);
    assert.ok(before.ok && before.value[0]?.question.includes(SECRET));
    const version = await other.version(turn.sessionId);
    await bury({ turns: [turn] });
    const after = await other.rows(turn.sessionId);
    assert.equal(after.ok && after.value[0]?.question, "Forgotten on 2026-11-28.");
    assert.notEqual(await other.version(turn.sessionId), version);
    await bury({ turns: [turn] });
    await other.dispose();
  });

  it("holds nothing of them in its index, however long it was", async () => {
    const turn = secretTurn();
    for (let count = 0; count < 40; count += 1)
      laterTurn(turn.sessionId, [], `Long ${"x".repeat(3_000)}?`)
        .reply({})
        .answered("Yes.");
    await log.dispose();
    await log.rows(turn.sessionId);
    assert.equal((await holding(SECRET)).length, 2, "the log and its index");
    await bury({ turns: [turn] });
    assert.deepEqual(await holding(SECRET), []);
    await log.rows(turn.sessionId);
    assert.deepEqual(await holding(SECRET), []);
  });

  it("stays so when a turn that was forgotten while it ran goes on to its end", async () => {
    const script = new TurnScript((event) => log.append(event), { identity: identity(), question: SECRET });
    script.ask();
    await bury({ turns: [script] });
    script.reply({ content: SECRET }).answered(SECRET);
    await log.dispose();
    assert.deepEqual(await holding(SECRET), []);
  });

  it("keeps the day on which it was forgotten first", async () => {
    const turn = secretTurn();
    await bury({ turns: [turn] });
    const first = await eventsOf(log, turn.sessionId);
    await bury({ turns: [turn], time: TIME + 86_400_000 });
    assert.deepEqual(await eventsOf(log, turn.sessionId), first);
  });

  it("is as it was when the disk fails, and the failure says so", async () => {
    const turn = secretTurn();
    await log.dispose();
    const before = await readFile(join(folder, `${turn.sessionId}.jsonl`), "utf8");
    await mkdir(join(folder, `${turn.sessionId}.jsonl.tmp`));
    const buried = await log.bury({ turns: [turn], time: TIME });
    assert.equal(buried.ok, false);
    assert.equal(await readFile(join(folder, `${turn.sessionId}.jsonl`), "utf8"), before);
  });
});
