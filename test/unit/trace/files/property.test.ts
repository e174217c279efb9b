import assert from "node:assert/strict";
import fc from "fast-check";
import type { TurnEvent } from "../../../../src/agent/events.ts";
import { foreignEvents } from "../../../../src/trace/files/foreign-events.ts";
import { NewIds } from "../../../../src/trace/files/new-ids.ts";
import { bufferSource } from "../../../../src/trace/files/source.ts";
import { foldEvent } from "../../../../src/trace/fold.ts";
import { emptyTurn } from "../../../../src/trace/model.ts";
import { lighten } from "../../../../src/trace/posted.ts";
import { eventsOf, head, opened, SESSION, textOf, turnEvents } from "./support.ts";

const RUNS = { numRuns: 150 };
const EVENTS = turnEvents(1);

/** Some bytes of a file put in the place of others. */
function damaged(whole: Buffer, patches: readonly (readonly [number, Uint8Array])[]): Buffer {
  const copy = Buffer.from(whole);
  for (const [at, bytes] of patches)
    copy.set(bytes.subarray(0, Math.max(0, copy.length - (at % copy.length))), at % copy.length);
  return copy;
}

const patches = fc.array(fc.tuple(fc.nat(), fc.uint8Array({ maxLength: 40 })), { maxLength: 12 });
/** A value of one field of an event, sensible or not. */
const anything = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom("__proto__", "constructor", -1, 1e308, -0, "", null, [], {}, "x".repeat(300), "\ud83d"),
);

/** Everything that a view does with a file, on the host's side. */
async function useAll(bytes: Uint8Array): Promise<void> {
  const file = await opened(bytes);
  const page = await file.sessions({ offset: 0, limit: 1_000 });
  assert.ok(page.ok);
  for (const { sessionId, createdAt, updatedAt } of page.value.sessions) {
    new Date(createdAt).getTime();
    assert.ok(Number.isFinite(updatedAt));
    const rows = await file.rows(sessionId);
    assert.ok(rows.ok);
    for (const row of rows.value) {
      new Date(row.time).toISOString();
      const events = await eventsOf(file, row.sessionId, row.turnId);
      foldAll(events);
    }
  }
}

function foldAll(events: readonly TurnEvent[]): void {
  const [first] = events;
  if (first === undefined) return;
  const turn = emptyTurn(first.sessionId, first.turnId, first.time);
  for (const event of events) {
    const posted = lighten(event);
    JSON.stringify(posted);
    foldEvent(turn, posted.event);
  }
}

describe("any file", () => {
  it("of any bytes opens without a throw, and is done", async () => {
    await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 4_000 }), useAll), RUNS);
  });

  it("of a trace with any bytes in it put anywhere opens, and all that is left of it can be drawn", async () => {
    const whole = Buffer.from(textOf([head(), ...EVENTS]));
    await fc.assert(
      fc.asyncProperty(patches, (list) => useAll(damaged(whole, list))),
      RUNS,
    );
  });

  it("of events with any value in any place opens, and all that is left of it can be drawn", async () => {
    const event = fc.constantFrom(...EVENTS);
    const change = fc.tuple(event, fc.nat(), anything, fc.boolean());
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
        const lines = changes.map(([one, place, value, isInData]) => {
          const target = (isInData ? one.data : one) as Record<string, unknown>;
          const keys = Object.keys(target);
          const key = keys[place % Math.max(1, keys.length)] ?? "x";
          const changed = Object.fromEntries([...Object.entries(target), [key, value]]);
          return JSON.stringify(isInData ? { ...one, data: changed } : changed);
        });
        await useAll(Buffer.from(textOf([head(), ...EVENTS.slice(0, 3), ...lines])));
      }),
      RUNS,
    );
  });

  it("of any bytes is imported, or refused in words", async () => {
    const whole = Buffer.from(textOf([head(), ...EVENTS]));
    const spans = Buffer.from(
      JSON.stringify({
        resourceSpans: [
          {
            scopeSpans: [
              {
                spans: [
                  {
                    traceId: "0af7651916cd43dd8448eb211c80319c",
                    spanId: "00f067aa0ba902b7",
                    name: "chat m",
                    startTimeUnixNano: "1700000000000000000",
                    attributes: [
                      { key: "gen_ai.output.messages", value: { stringValue: '[{"role":"assistant"}]' } },
                    ],
                    events: [{ name: "gen_ai.evaluation.result", attributes: [] }],
                  },
                ],
              },
            ],
          },
        ],
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(whole, spans), patches, async (file, list) => {
        const from = await foreignEvents(bufferSource(damaged(file, list)));
        const ids = new NewIds();
        const events: TurnEvent[] = [];
        for await (const event of from.events(new AbortController().signal)) events.push(ids.event(event));
        foldAll(events);
        for (const note of from.notes()) assert.ok(note.length < 1_000);
      }),
      RUNS,
    );
  });

  it("of lines of any length is read in time, and never held whole", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 300_000 }), { maxLength: 12 }), async (lengths) => {
        const lines = lengths.map((length) => "x".repeat(length));
        const file = await opened(textOf([head(), ...lines, ...EVENTS]));
        const rows = await file.rows(SESSION);
        assert.equal(rows.ok && rows.value.length, 1);
        assert.equal(file.status().leftOut, lengths.filter((length) => length > 0).length);
      }),
      { numRuns: 30 },
    );
  });
});
