import assert from "node:assert/strict";
import fc from "fast-check";
import type { TurnEvent } from "../../../../src/agent/events.ts";
import { TURN_OUTPUT_LIMIT, turnOutput } from "../../../../src/trace/notebook/make-output.ts";
import { turnMarkdown } from "../../../../src/trace/notebook/turn-markdown.ts";
import { readOutput } from "../../../../src/trace/notebook/turn-output.ts";
import { cacheTurn } from "../support/cache-turn.ts";
import { answered } from "./read.ts";

function drawn(events: readonly TurnEvent[], more: object = {}) {
  const [first] = events;
  assert.ok(first);
  const { sessionId, turnId } = first;
  const read = readOutput(JSON.parse(JSON.stringify(turnOutput({ sessionId, turnId, events, ...more }))));
  assert.ok(read);
  return read;
}

function cache(): TurnEvent[] {
  const events: TurnEvent[] = [];
  cacheTurn((event) => events.push(event));
  return events.filter(({ type }) => type !== "model.delta");
}

describe("a turn as an output", () => {
  it("holds all that is drawn of it: answer, tools, thinking, what it cost", () => {
    const { turn } = drawn(cache());
    const kinds = [...turn.cells.values()].map(({ kind }) => kind);
    for (const kind of ["thinking", "tool", "model", "answer"] as const)
      assert.ok(kinds.includes(kind), kind);
    assert.ok(turn.answer.length > 0 && turn.inputTokens > 0);
    assert.equal(turn.status, "answered");
  });

  it("has no messages of requests and no schemas of tools: they are large, and not drawn", () => {
    const json = JSON.stringify(drawn(cache()).events);
    assert.doesNotMatch(json, /"content":"What did we decide/);
    assert.match(json, /"name":"search_memory","description":"","parameters":\{\}/);
  });

  it("is the same text for the same turn, so that a comparison shows only what differs", () => {
    const [one, other] = [cache(), cache()];
    const { sessionId = "", turnId = "" } = one[0] ?? {};
    const make = (events: readonly TurnEvent[]) => JSON.stringify(turnOutput({ sessionId, turnId, events }));
    assert.equal(make(one), make(other));
  });

  it("stays within its bound however much the turn holds, and says how much it left out", () => {
    const events = answered("How many?", "Two.", 1);
    const warning = { ...events[0], type: "warning", data: { code: "retried", message: "x".repeat(3000) } };
    const many = Array.from({ length: 20_000 }, (_, at) => ({ ...warning, id: `w${at}` }) as never);
    const whole = [...events.slice(0, 2), ...many, ...events.slice(2)];
    const read = drawn(whole);
    assert.ok(JSON.stringify(read.events).length <= TURN_OUTPUT_LIMIT);
    assert.ok(read.output.omitted > 10_000);
    assert.deepEqual(
      [read.turn.question, read.turn.answer, read.turn.status],
      ["How many?", "Two.", "answered"],
    );
    const long = answered("How many?", "long ".repeat(200_000), 2);
    assert.ok(JSON.stringify(drawn(long).events).length <= TURN_OUTPUT_LIMIT);
  });

  it("says that it was interrupted when its log has no end, and not while it runs", () => {
    const half = cache().slice(0, 8);
    assert.equal(drawn(half).turn.status, "interrupted");
    assert.equal(drawn(half, { running: true }).turn.status, "running");
  });

  it("is read as far as it is sound, whatever stands in it: any notebook may hold such outputs", () => {
    const sound = JSON.parse(
      JSON.stringify(turnOutput({ sessionId: "s", turnId: "t", events: cache() })),
    ) as {
      events: { event: Record<string, unknown> }[];
    };
    fc.assert(
      fc.property(
        fc.nat(100),
        fc.constantFrom("id", "type", "time", "data", "parentId"),
        fc.jsonValue(),
        (at, key, value) => {
          const events = sound.events.map(({ event }, place) => ({
            event: place === at % sound.events.length ? { ...event, [key]: value } : event,
            cuts: [],
          }));
          assert.doesNotThrow(() => readOutput({ ...sound, events }));
        },
      ),
      { numRuns: 300 },
    );
    for (const value of [null, 1, "x", [], {}, { version: 2 }, { version: 1, events: 3 }])
      assert.equal(readOutput(value), undefined);
    assert.equal(
      readOutput({ version: 1, sessionId: "s", turnId: "t", events: [null, 3, { event: {} }] })?.events
        .length,
      0,
    );
  });
});

describe("a turn as markdown", () => {
  it("is the answer as it stands, then what was done for it, with no markup of others", () => {
    const events = cache();
    const text = turnMarkdown(drawn(events).turn);
    assert.match(text, /^On 12 March|^\S/);
    assert.match(text, /- search\\_memory: 2 of 41 memories given/);
    assert.match(text, /answered · [\d.]+ s · [\d]+ tokens in/);
  });

  it("is bounded", () => {
    const turn = { ...drawn(cache()).turn, answer: "word ".repeat(100_000) };
    const text = turnMarkdown(turn);
    assert.ok(text.length < 30_000);
    assert.match(text, /\*\(cut\)\*/);
  });
});
