import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import type { EventOf, TurnEvent } from "../../../../src/agent/events.ts";
import type { Result } from "../../../../src/agent/failure.ts";
import { foreignEvents } from "../../../../src/trace/files/foreign-events.ts";
import type { ImportedTrace } from "../../../../src/trace/files/import.ts";
import { bufferSource } from "../../../../src/trace/files/source.ts";
import { TraceLog } from "../../../../src/trace/log.ts";
import { recentTurns } from "../../../../src/vscode/sandbox/recent-turns.ts";
import { Bed, head, SESSION, textOf, turnEvents } from "./support.ts";

const NOW = Date.UTC(2026, 3, 1);

describe("an imported trace", () => {
  let bed: Bed;
  let log: TraceLog;

  beforeEach(async () => {
    bed = await Bed.create();
    log = new TraceLog({ folder: bed.folder });
  });

  afterEach(async () => {
    await log.dispose();
    await bed.close();
  });

  async function take(
    text: string,
    { name = "a.conclave", signal = new AbortController().signal } = {},
  ): Promise<Result<ImportedTrace>> {
    const from = await foreignEvents(bufferSource(Buffer.from(text)));
    return await log.adopt({ from, name, now: NOW, signal });
  }

  async function taken(text: string): Promise<ImportedTrace> {
    const imported = await take(text);
    assert.ok(imported.ok, JSON.stringify(imported));
    return imported.value;
  }

  async function eventsOf(sessionId = ""): Promise<readonly TurnEvent[]> {
    const events: TurnEvent[] = [];
    for await (const item of log.read(sessionId)) {
      assert.notEqual(item.type, "problem");
      if (item.type === "event") events.push(item.event);
    }
    return events;
  }

  it("reads as it did where it came from, under ids that nothing there had", async () => {
    const events = turnEvents(3);
    const { sessionIds, turns, notes } = await taken(textOf([head(), ...events]));
    assert.deepEqual([sessionIds.length, turns, notes], [1, 3, []]);
    const read = await eventsOf(sessionIds[0]);
    assert.deepEqual(
      read.map(({ type, time, agent }) => [type, time, agent]),
      events.map(({ type, time, agent }) => [type, time, agent]),
    );
    const before = new Set(events.flatMap((event) => [event.id, event.turnId, event.sessionId]));
    const text = JSON.stringify(read);
    for (const { id, turnId, sessionId, parentId } of read)
      for (const one of [id, turnId, sessionId, parentId])
        assert.equal(before.has(one ?? ""), false, one ?? "");
    assert.equal(text.includes(SESSION), false);
    assert.match(text, /Answer 2/);
  });

  it("keeps who belongs to whom: what shared an id shares one, parents stay parents", async () => {
    const events = turnEvents(2);
    const { sessionIds } = await taken(textOf([head(), ...events]));
    const read = await eventsOf(sessionIds[0]);
    const names = (list: readonly TurnEvent[]) => {
      const seen = new Map<string, number>();
      const of = (id: string | null | undefined) => {
        if (id === null || id === undefined) return id;
        if (!seen.has(id)) seen.set(id, seen.size);
        return seen.get(id);
      };
      return list.map(({ id, parentId, stepId, turnId }) => [of(id), of(parentId), of(stepId), of(turnId)]);
    };
    assert.deepEqual(names(read), names(events));
  });

  it("says of each turn where it came from, in the list and in the turn", async () => {
    const { sessionIds } = await taken(textOf([head(), ...turnEvents(2)]));
    const rows = await log.rows(sessionIds[0]!);
    assert.deepEqual(rows.ok && rows.value.map(({ imported }) => imported), ["a.conclave", "a.conclave"]);
    const starts = (await eventsOf(sessionIds[0])).filter(
      (event): event is EventOf<"turn.start"> => event.type === "turn.start",
    );
    for (const { data } of starts)
      assert.deepEqual(data["conclave.imported"], { from: "a.conclave", at: NOW });
  });

  it("says so also of a turn whose beginning the file lacks", async () => {
    const [, ...rest] = turnEvents(1);
    const { sessionIds } = await taken(textOf([head(), ...rest]));
    const [first] = await eventsOf(sessionIds[0]);
    assert.equal(first?.type, "turn.start");
    assert.deepEqual(first.data["conclave.imported"], { from: "a.conclave", at: NOW });
  });

  it("can be imported twice, and is two sessions then", async () => {
    const text = textOf([head(), ...turnEvents(1)]);
    const [one, other] = [await taken(text), await taken(text)];
    assert.notEqual(one.sessionIds[0], other.sessionIds[0]);
    const page = await log.sessions({ offset: 0, limit: 10 });
    assert.equal(page.ok && page.value.total, 2);
  });

  it("can be gone on with: its turns are a conversation", async () => {
    const { sessionIds } = await taken(textOf([head(), ...turnEvents(2)]));
    const turns = await log.turns(sessionIds[0]!);
    assert.ok(turns.ok);
    assert.deepEqual(
      turns.value.map(({ messages }) => messages.map(({ content }) => content)),
      [
        ["Question 0", "Answer 0"],
        ["Question 1", "Answer 1"],
      ],
    );
  });

  it("is never dreamt of, while one's own turns of the same day are", async () => {
    await taken(textOf([head(), ...turnEvents(2)]));
    const own = turnEvents(1, "00000000-0000-4000-8000-0000000000cc", 900);
    for (const event of own) log.append(event);
    const recent = await recentTurns(log, 0, new AbortController().signal);
    assert.deepEqual(recent.ok && recent.value.map(({ turnId }) => turnId), [own[0]?.turnId]);
  });

  it("brings no buttons along, no mark of privacy, and no mark of an earlier import", async () => {
    const events = turnEvents(1).map((event): TurnEvent => {
      if (event.type === "turn.start")
        return {
          ...event,
          data: { ...event.data, "conclave.private": true, "conclave.imported": { from: "x", at: 1 } },
        };
      if (event.type !== "turn.end") return event;
      const error = { code: "no_model", message: "m", action: "pull_model", target: "evil/model" } as const;
      return { ...event, data: { ...event.data, outcome: "failed", error } };
    });
    const { sessionIds } = await taken(textOf([head(), ...events]));
    const read = await eventsOf(sessionIds[0]);
    const end = read.find((event): event is EventOf<"turn.end"> => event.type === "turn.end");
    assert.deepEqual(end?.data.error, { code: "no_model", message: "m" });
    const start = read.find((event): event is EventOf<"turn.start"> => event.type === "turn.start");
    assert.equal(start?.data["conclave.private"], undefined);
    assert.deepEqual(start?.data["conclave.imported"], { from: "a.conclave", at: NOW });
    assert.equal(log.isPrivate(sessionIds[0]!), false);
  });

  it("names memories under ids that none of one's own can have, and leaves what was said as it was", async () => {
    const episode = "11111111-2222-4333-8444-555555555555";
    const events: TurnEvent[] = [];
    for (const event of turnEvents(1)) {
      if (event.type === "tool.result")
        events.push({
          ...event,
          data: {
            ...event.data,
            result: episode,
            details: { summary: "1", data: { hits: [{ id: episode, text: episode }] } },
          },
        });
      else events.push(event);
    }
    const { sessionIds } = await taken(textOf([head(), ...events]));
    const result = (await eventsOf(sessionIds[0])).find(
      (event): event is EventOf<"tool.result"> => event.type === "tool.result",
    );
    const [hit] = (result?.data.details?.data?.["hits"] ?? []) as unknown as { id: string; text: string }[];
    assert.equal(result?.data.result, episode);
    assert.equal(hit?.text, episode);
    assert.notEqual(hit.id, episode);
    assert.match(hit.id, /^[0-9a-f-]{36}$/);
  });

  it("keeps the requests of a turn whole, though the file tells them in parts", async () => {
    const other = new TraceLog({ folder: bed.path("other") });
    const base = [{ role: "user" as const, content: "Question 0" }];
    let requests = 0;
    for (const event of turnEvents(1)) {
      if (event.type !== "model.start") {
        other.append(event);
        continue;
      }
      requests += 1;
      const messages = requests === 1 ? base : [...base, { role: "assistant" as const, content: "Half" }];
      other.append({ ...event, data: { ...event.data, "conclave.messages": messages } });
    }
    await other.dispose();
    const kept = await readFile(bed.path(`other/${SESSION}.jsonl`), "utf8");
    assert.match(kept, /messages_after/);
    // Whatever ids somebody else's writer gives.
    const { sessionIds } = await taken(kept.replace(/"id":"([0-9a-f]{16})"/g, '"id":"span $1"'));
    const read = (await eventsOf(sessionIds[0])).filter(
      (event): event is EventOf<"model.start"> => event.type === "model.start",
    );
    assert.deepEqual(
      read.map(({ data }) => data["conclave.messages"].length),
      [1, 2],
    );
  });

  it("of a damaged file is what is sound of it, and what could not be taken is said", async () => {
    const { turns, notes } = await taken(textOf([head(), "nonsense", ...turnEvents(1)]));
    assert.equal(turns, 1);
    assert.match(notes[0] ?? "", /^Line 2 is not JSON/);
  });

  it("of a file that is no trace is none: it is said, and nothing is left behind", async () => {
    for (const text of ["", "hello\n", "[1,2]", '{"resourceSpans":[]}', `${head()}\n`]) {
      const refused = await take(text, { name: "notes\nand.txt" });
      assert.ok(!refused.ok);
      assert.match(refused.failure.message, /^notes and\.txt holds no event of a trace\./);
    }
    assert.deepEqual(await readdir(bed.folder), []);
  });

  it("leaves nothing behind when it is cancelled", async () => {
    const stopping = new AbortController();
    // So much that some of it is on the disk by then.
    const events = turnEvents(40).map((event): TurnEvent =>
      event.type === "tool.result"
        ? { ...event, data: { ...event.data, result: "x".repeat(50_000) } }
        : event,
    );
    const from = await foreignEvents(bufferSource(Buffer.from(textOf([head(), ...events]))));
    const onProgress = (share: number): void => {
      if (share > 0.5) stopping.abort();
    };
    const cancelled = await log.adopt({ from, name: "a", now: NOW, signal: stopping.signal, onProgress });
    assert.ok(!cancelled.ok && cancelled.failure.code === "cancelled");
    assert.deepEqual(await readdir(bed.folder), []);
  });

  it("is not seen in the list before all of it is there", async () => {
    const from = await foreignEvents(bufferSource(Buffer.from(textOf([head(), ...turnEvents(40)]))));
    const seen: number[] = [];
    const onProgress = (): void => {
      void log.sessions({ offset: 0, limit: 1 }).then((page) => seen.push(page.ok ? page.value.total : -1));
    };
    const done = await log.adopt({
      from,
      name: "a",
      now: NOW,
      signal: new AbortController().signal,
      onProgress,
    });
    assert.ok(done.ok && seen.length > 0);
    assert.deepEqual([...new Set(seen.slice(0, -1))], [0]);
  });
});
