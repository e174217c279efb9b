import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TurnEvent } from "../../../src/agent/events.ts";
import type { JsonObject } from "../../../src/agent/models/types.ts";
import type { SandboxSettings } from "../../../src/agent/sandbox/settings.ts";
import { parseEvent } from "../../../src/trace/event-schema.ts";
import { foldEvent } from "../../../src/trace/fold.ts";
import { TraceLog } from "../../../src/trace/log.ts";
import { MentionFinder } from "../../../src/trace/mentions.ts";
import type { Cell } from "../../../src/trace/cells.ts";
import { cellsInOrder, emptyTurn, type TurnModel } from "../../../src/trace/model.ts";
import { lighten } from "../../../src/trace/posted.ts";
import { applySummary, type SummaryRows } from "../../../src/trace/summary.ts";
import { buriedEvent } from "../../../src/trace/tombstone.ts";
import { recentTurns } from "../../../src/vscode/sandbox/recent-turns.ts";
import { broken } from "../agent/support.ts";
import { talk, talkEngine, talkModel } from "../agent/sandbox/bed.ts";
import { cacheTurn } from "./support/cache-turn.ts";
import { SteadyIdentity } from "./support/steady-identity.ts";

const SCRIPT = {
  Mira: ["Ships of zanzibar. And much more than that.", "Sails."],
  Tom: ["Stones.", [broken("server_error", "it was full")]],
};

async function talkEvents(
  settings: Partial<SandboxSettings> = {},
  script = SCRIPT,
): Promise<readonly TurnEvent[]> {
  const engine = talkEngine({ models: [talkModel(script)] });
  const { events } = await talk(engine, {
    scenario: "On a ferry to pemba.",
    settings: { rounds: 2, wordLimit: 4, ...settings },
  });
  return events;
}

function fold(events: readonly TurnEvent[]): TurnModel {
  const [first] = events;
  assert.ok(first);
  const turn = emptyTurn(first.sessionId, first.turnId, first.time);
  for (const event of events) foldEvent(turn, event);
  return turn;
}

function cells<Kind extends Cell["kind"]>(turn: TurnModel, kind: Kind): Extract<Cell, { kind: Kind }>[] {
  return cellsInOrder(turn).filter((cell): cell is Extract<Cell, { kind: Kind }> => cell.kind === kind);
}

describe("a talk's turn", () => {
  it("is a tree: the talk, its rounds, and who spoke in each", async () => {
    const turn = fold(await talkEvents());
    const [sandbox, ...others] = cells(turn, "sandbox");
    assert.deepEqual(others, []);
    const rounds = sandbox?.children.map((id) => turn.cells.get(id)) ?? [];
    assert.deepEqual(
      rounds.map((round) => [round?.kind, round?.children.map((id) => turn.cells.get(id)?.agent)]),
      [
        ["round", ["Mira", "Tom"]],
        ["round", ["Mira", "Tom"]],
      ],
    );
    assert.equal(sandbox?.scenario, "On a ferry to pemba.");
  });

  it("says of each persona what the others heard of it", async () => {
    const [mira, tom] = cells(fold(await talkEvents()), "agent");
    assert.equal(mira?.answer, "Ships of zanzibar.");
    assert.equal(tom?.answer, "Stones.");
  });

  it("says why it ended, who failed, and the figures of its messages and rounds", async () => {
    const turn = fold(await talkEvents());
    const [sandbox] = cells(turn, "sandbox");
    assert.equal(sandbox?.stopped, "failed");
    assert.equal(sandbox.failed, "Tom");
    assert.equal(sandbox.status, "failed");
    assert.equal(turn.status, "failed");
    assert.deepEqual(
      sandbox.lines.map(({ round, speaker }) => `${round} ${speaker}`),
      ["1 Mira", "1 Tom", "2 Mira"],
    );
    assert.equal(sandbox.counters?.length, 2);
  });

  it("survives its events twice, and in any half", async () => {
    const events = await talkEvents();
    const twice = fold(events.flatMap((event) => [event, event]));
    assert.equal(cells(twice, "sandbox")[0]?.lines.length, 3);
    for (let from = 0; from < events.length; from += 1) fold(events.slice(from));
  });

  it("is one row whose answer is what was said last", async () => {
    const rows: SummaryRows = new Map();
    for (const event of await talkEvents()) applySummary(rows, event);
    const [row] = rows.values();
    assert.equal(row?.question, "What is worth keeping?");
    assert.equal(row.answer, "Sails.");
    assert.equal(row.status, "failed");
  });

  it("reads back from a log as it was written", async () => {
    for (const event of await talkEvents()) {
      const parsed = parseEvent(JSON.parse(JSON.stringify(event)));
      assert.ok("event" in parsed, JSON.stringify(parsed));
      assert.ok(lighten(event).cuts.length === 0);
    }
  });

  it("is found by the words of its personas and its scene, and keeps none of them when it is forgotten", async () => {
    const events = await talkEvents();
    for (const words of ["zanzibar", "pemba"]) {
      const finder = new MentionFinder(words);
      for (const event of events) finder.take(event as unknown as JsonObject);
      assert.equal(finder.turns().length, 1, words);
    }
    const logged = events.filter(({ type }) => type !== "model.delta");
    const buried = logged.map((event) => buriedEvent(event as unknown as JsonObject, 0));
    const left = JSON.stringify(buried);
    for (const word of ["zanzibar", "pemba", "Stones", "worth keeping"])
      assert.ok(!left.includes(word), word);
    for (const event of buried) assert.ok("event" in parseEvent(event), JSON.stringify(event));
  });
});

describe("a talk in the log", () => {
  let folder: string;
  let log: TraceLog;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "conclave-talk-"));
    log = new TraceLog({ folder });
  });

  afterEach(async () => {
    await log.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  it("holds scene, opening line and start, and of each message round, speaker, model, role and words", async () => {
    for (const event of await talkEvents()) log.append(event);
    await log.flush();
    const [file = ""] = (await readdir(folder)).filter((name) => name.endsWith(".jsonl"));
    const lines = (await readFile(join(folder, file), "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { readonly type: string; readonly data: Record<string, unknown> });
    const start = lines.find(({ type }) => type === "sandbox.start")?.data;
    assert.equal(start?.["opening"], "What is worth keeping?");
    assert.equal(start["scenario"], "On a ferry to pemba.");
    assert.equal(typeof start["start"], "number");
    assert.deepEqual(
      lines
        .filter(({ type }) => type === "sandbox.message")
        .map(({ data: { round, speaker, model, role, content } }) => [round, speaker, model, role, content]),
      [
        [0, "opening", "", "user", "What is worth keeping?"],
        [1, "Mira", "tiny", "assistant", "Ships of zanzibar."],
        [1, "Tom", "tiny", "assistant", "Stones."],
        [2, "Mira", "tiny", "assistant", "Sails."],
      ],
    );
  });

  it("leaves nothing on the disk when it is not to be kept", async () => {
    const events = await talkEvents({ persist: false });
    for (const event of events) log.append(event);
    await log.flush();
    assert.deepEqual(
      (await readdir(folder, { recursive: true }).catch(() => [])).filter((name) => name.endsWith(".jsonl")),
      [],
    );
    assert.equal(log.isPrivate(events[0]?.sessionId ?? ""), true);
  });

  it("is not among the sessions that are dreamt of, nor is what is private, forgotten or dreamt itself", async () => {
    const id = (last: string): string => `00000000-0000-4000-8000-0000000000${last}`;
    const ask = (
      last: string,
      question: string,
      change: (event: TurnEvent) => TurnEvent = (event) => event,
    ) =>
      cacheTurn((event) => log.append(change(event)), {
        sessionId: id(last),
        question,
        identity: new SteadyIdentity(Date.UTC(2026, 2, 20), 100),
      });
    const marked = (mark: "conclave.private" | "conclave.background") => (event: TurnEvent) =>
      event.type === "turn.start" ? { ...event, data: { ...event.data, [mark]: true as const } } : event;
    ask("a1", "Which cache?");
    ask("a2", "A secret?", marked("conclave.private"));
    ask("a3", "A dream?", marked("conclave.background"));
    ask("a4", "Gone?", (event) => ({ ...event, forgotten: 1 }));
    for (const event of await talkEvents()) log.append(event);
    const { signal } = new AbortController();
    const recent = await recentTurns(log, 0, signal);
    assert.ok(recent.ok);
    assert.deepEqual(
      recent.value.map(({ question }) => question),
      ["Which cache?"],
    );
    assert.notEqual(recent.value[0]?.answer, "");
    const later = await recentTurns(log, recent.value[0]?.time ?? 0, signal);
    assert.deepEqual(later, { ok: true, value: [] });
  });
});
