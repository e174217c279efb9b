import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import type { EventOf, TurnEvent } from "../../../../src/agent/events.ts";
import { readLogFile } from "../../../../src/trace/log-reader.ts";
import type { ByteSource } from "../../../../src/trace/files/source.ts";
import { bufferSource } from "../../../../src/trace/files/source.ts";
import { TraceFile } from "../../../../src/trace/files/trace-file.ts";
import { TraceLog } from "../../../../src/trace/log.ts";
import { Bed, eventsOf, head, opened, questions, SESSION, textOf, turnEvents } from "./support.ts";

/** A source that counts what is read of it. */
function counting(source: ByteSource): { readonly source: ByteSource; read: number } {
  const counted = {
    read: 0,
    source: {
      size: () => source.size(),
      open: async () => {
        const bytes = await source.open();
        return {
          read: async (buffer: Buffer, position: number) => {
            const read = await bytes.read(buffer, position);
            counted.read += read;
            return read;
          },
          close: () => bytes.close(),
        };
      },
    },
  };
  return counted;
}

describe("a trace file", () => {
  let bed: Bed;

  beforeEach(async () => {
    bed = await Bed.create();
  });

  afterEach(async () => {
    await bed.close();
  });

  it("gives the same rows and events as the log that it is a copy of", async () => {
    const log = new TraceLog({ folder: bed.folder });
    for (const event of turnEvents(3)) log.append(event);
    await log.dispose();
    const file = bed.file(`${SESSION}.jsonl`);
    await file.load();
    assert.deepEqual(await file.rows(SESSION), await log.rows(SESSION));
    const kept: TurnEvent[] = [];
    for await (const { item } of readLogFile(bed.path(`${SESSION}.jsonl`)))
      if (item.type === "event") kept.push(item.event);
    const given: TurnEvent[] = [];
    for (const turnId of new Set(kept.map((event) => event.turnId)))
      given.push(...(await eventsOf(file, SESSION, turnId)));
    assert.deepEqual(given, kept);
    assert.deepEqual(file.status().notes, []);
  });

  it("reads a turn deep inside from where it stands, not from the beginning", async () => {
    const text = textOf([head(), ...turnEvents(300)]);
    const counted = counting(bufferSource(Buffer.from(text)));
    const file = new TraceFile(counted.source);
    await file.load();
    const rows = await file.rows(SESSION);
    assert.ok(rows.ok);
    const last = rows.value.at(-1)!;
    counted.read = 0;
    const events = await eventsOf(file, SESSION, last.turnId);
    assert.equal(events.at(-1)?.type, "turn.end");
    assert.ok(counted.read < text.length / 10, `${counted.read} of ${text.length} bytes`);
  });

  it("puts the requests of a turn together again", async () => {
    const log = new TraceLog({ folder: bed.folder });
    const first = [{ role: "user" as const, content: "Question 0" }];
    const second = [...first, { role: "assistant" as const, content: "Half" }];
    for (const event of turnEvents(1)) {
      const messages =
        event.type === "model.start" ? [first, second][event.stepId === "5" ? 0 : 1] : undefined;
      log.append(
        messages === undefined
          ? event
          : ({ ...event, data: { ...event.data, "conclave.messages": messages } } as TurnEvent),
      );
    }
    await log.dispose();
    const file = bed.file(`${SESSION}.jsonl`);
    await file.load();
    const rows = await file.rows(SESSION);
    assert.ok(rows.ok);
    const events = await eventsOf(file, SESSION, rows.value[0]!.turnId);
    const requests = events.filter((event): event is EventOf<"model.start"> => event.type === "model.start");
    assert.deepEqual(requests.at(-1)?.data["conclave.messages"], second);
  });

  it("has the first turn at once, while the rest is still read", async () => {
    const file = new TraceFile(bufferSource(Buffer.from(textOf([head(), ...turnEvents(600)]))));
    const loading = file.load();
    const first = await file.firstTurn();
    assert.equal(first?.question === "" ? "Question 0" : first?.question, "Question 0");
    assert.equal(file.status().state, "reading");
    await loading;
    assert.equal(file.status().state, "read");
    assert.equal((await questions(file)).length, 600);
  });

  it("never keeps the window waiting for long, however large the file is", async () => {
    const file = new TraceFile(bufferSource(Buffer.from(textOf([head(), ...turnEvents(600)]))));
    let turns = 0;
    const reading = { isDone: false };
    // Each turn of the loop is a moment at which the window is served.
    const watched = (async () => {
      while (!reading.isDone) {
        await new Promise((resolve) => setImmediate(resolve));
        turns += 1;
      }
    })();
    await file.load();
    reading.isDone = true;
    await watched;
    assert.ok(turns > 10, `the window was served ${turns} times`);
  });

  it("stays listed when the file is deleted, and says that it is gone", async () => {
    await bed.write("a.conclave", textOf([head(), ...turnEvents(2)]));
    const file = bed.file("a.conclave");
    await file.load();
    await rm(bed.path("a.conclave"));
    await file.load();
    assert.equal(file.status().state, "gone");
    assert.match(file.status().notes[0] ?? "", /can't be read/);
    assert.deepEqual(await questions(file), ["Question 0", "Question 1"]);
    const rows = await file.rows(SESSION);
    const items: string[] = [];
    for await (const item of file.readTurn(SESSION, rows.ok ? rows.value[0]!.turnId : ""))
      items.push(item.type);
    assert.deepEqual(items, ["problem"]);
  });

  it("is shown anew when it changes", async () => {
    await bed.write("a.conclave", textOf([head(), ...turnEvents(1)]));
    const file = bed.file("a.conclave");
    await file.load();
    const first = file.status().reading;
    await bed.write("a.conclave", textOf([head(), ...turnEvents(3)]));
    await file.load();
    assert.equal(file.status().reading, first + 1);
    assert.equal((await questions(file)).length, 3);
  });

  it("shows several sessions side by side", async () => {
    const other = "00000000-0000-4000-8000-0000000000bb";
    const file = await opened(textOf([head(), ...turnEvents(1), ...turnEvents(2, other, 500)]));
    const page = await file.sessions({ offset: 0, limit: 10 });
    assert.deepEqual(page.ok && page.value.sessions.map(({ sessionId, turns }) => [sessionId, turns]), [
      [SESSION, 1],
      [other, 2],
    ]);
  });

  it("lets go of what waits for it when it is closed", async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const inner = bufferSource(Buffer.from(textOf([head(), ...turnEvents(1)])));
    const file = new TraceFile({ size: () => held.then(() => inner.size()), open: () => inner.open() });
    void file.load();
    const waiting = file.firstTurn();
    file.dispose();
    release();
    assert.equal(await waiting, undefined);
  });
});
