import assert from "node:assert/strict";
import fc from "fast-check";
import type { TurnEvent } from "../../../../src/agent/events.ts";
import { OtlpBuilder, otlpJson } from "../../../../src/trace/export/otlp/build.ts";
import { ATTRIBUTES } from "../../../../src/trace/export/otlp/names.ts";
import type { OtlpAttribute, OtlpSpan } from "../../../../src/trace/export/otlp/types.ts";
import { SteadyIdentity } from "../support/steady-identity.ts";
import { isGolden } from "./support/golden.ts";
import { councilTurn, judgedTurn, sayingEverywhere, turnOf } from "./support/turns.ts";

interface Request {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

function spansOf(json: string): readonly OtlpSpan[] {
  return (JSON.parse(json) as Request).resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) => spans),
  );
}

/** What an importer that knows strings, whole numbers, booleans and lists of strings keeps of a value. */
function keptOf({ value }: OtlpAttribute): string | number | boolean | readonly string[] {
  if ("stringValue" in value) return value.stringValue;
  if ("intValue" in value) return Number(value.intValue);
  if ("boolValue" in value) return value.boolValue;
  return value.arrayValue.values.map(({ stringValue }) => stringValue);
}

function attributes(of: { readonly attributes: readonly OtlpAttribute[] }): Record<string, unknown> {
  return Object.fromEntries(of.attributes.map((attribute) => [attribute.key, keptOf(attribute)]));
}

const VALUE_KINDS = new Set(["stringValue", "intValue", "boolValue", "arrayValue"]);

/** Every rule of OTLP's JSON form that a collector refuses a request for. */
function assertValid(spans: readonly OtlpSpan[]): void {
  const ids = new Map<string, Set<string>>();
  for (const { traceId, spanId } of spans) {
    assert.match(traceId, /^(?!0+$)[0-9a-f]{32}$/);
    assert.match(spanId, /^(?!0+$)[0-9a-f]{16}$/);
    const known = ids.get(traceId) ?? new Set();
    assert.ok(!known.has(spanId), `span ${spanId} is there twice`);
    ids.set(traceId, known.add(spanId));
  }
  for (const span of spans) {
    if (span.parentSpanId !== undefined) assert.ok(ids.get(span.traceId)?.has(span.parentSpanId), span.name);
    assert.match(span.startTimeUnixNano, /^\d{1,20}$/);
    assert.match(span.endTimeUnixNano, /^\d{1,20}$/);
    assert.ok(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano), span.name);
    assert.ok([1, 3].includes(span.kind));
    assert.ok([0, 1, 2].includes(span.status.code));
    for (const part of [span, ...span.events]) {
      const keys = part.attributes.map(({ key }) => key);
      assert.deepEqual(keys, [...new Set(keys)], `${part.name} names an attribute twice`);
      for (const { value } of part.attributes) {
        const kinds = Object.keys(value);
        assert.equal(kinds.length, 1);
        assert.ok(VALUE_KINDS.has(kinds[0] ?? ""));
        if ("intValue" in value) assert.match(value.intValue, /^-?\d{1,19}$/);
      }
    }
  }
}

describe("OTLP export", () => {
  it("tells one agent's turn, its memory, grades and feedback", () => {
    const json = otlpJson(judgedTurn());
    isGolden("judged.otlp", JSON.stringify(JSON.parse(json), null, 1));
    assertValid(spansOf(json));
  });

  it("tells a committee's turn with its rounds and members", () => {
    const json = otlpJson(councilTurn());
    isGolden("council.otlp", JSON.stringify(JSON.parse(json), null, 1));
    assertValid(spansOf(json));
  });

  it("names spans as the GenAI conventions do, each under what asked for it", () => {
    const spans = spansOf(otlpJson(councilTurn()));
    const byId = new Map(spans.map((span) => [span.spanId, span]));
    const path = (span: OtlpSpan): string => {
      const above = byId.get(span.parentSpanId ?? "");
      return above === undefined ? span.name : `${path(above)} > ${span.name}`;
    };
    const paths = new Set(spans.map(path));
    const round = "invoke_workflow committee > invoke_workflow committee > invoke_workflow round 1";
    for (const expected of [
      `${round} > invoke_agent Skeptic > chat qwen3:8b`,
      `${round} > invoke_agent Skeptic > execute_tool search_memory > search_memory`,
      "invoke_workflow committee > invoke_workflow committee > invoke_agent The Self > chat qwen3:8b",
    ])
      assert.ok(paths.has(expected), expected);
  });

  it("keeps every figure and text for importers that drop doubles and nested values", () => {
    const spans = spansOf(otlpJson(judgedTurn()));
    const chat = attributes(spans.find(({ name }) => name === "chat qwen3:8b")!);
    assert.equal(chat["gen_ai.operation.name"], "chat");
    assert.equal(chat["gen_ai.usage.input_tokens"], 1610);
    assert.equal(chat["gen_ai.response.time_to_first_chunk"], "0.9");
    assert.deepEqual(chat["gen_ai.response.finish_reasons"], ["stop"]);
    const [input] = JSON.parse(String(chat["gen_ai.input.messages"])) as {
      role: string;
      parts: { type: string; content: string }[];
    }[];
    assert.deepEqual(input, {
      role: "user",
      parts: [{ type: "text", content: "What did we decide about the cache?" }],
    });
    const tool = attributes(spans.find(({ name }) => name === "execute_tool search_memory")!);
    assert.equal(tool["gen_ai.tool.call.arguments"], '{"query":"cache decision"}');
    assert.match(String(tool["gen_ai.tool.call.result"]), /no Redis/);
    const memory = attributes(spans.find(({ name }) => name === "search_memory")!);
    assert.equal(memory["gen_ai.memory.query.text"], "cache decision");
    assert.equal(memory["gen_ai.memory.record.count"], 2);
  });

  it("puts each judgement as an evaluation onto what was judged, with scores as strings", () => {
    const [root] = spansOf(otlpJson(judgedTurn()));
    const told = root?.events.filter(({ name }) => name === "gen_ai.evaluation.result").map(attributes);
    assert.deepEqual(
      told?.map((one) => [
        one["gen_ai.evaluation.name"],
        one["gen_ai.evaluation.score.value"],
        one["gen_ai.evaluation.score.label"],
        one["gen_ai.evaluation.explanation"],
      ]),
      [
        ["grade", "4", "4 of 5", "Misses the date."],
        ["grade corrected", "5", "5 of 5", "The date is there."],
        ["pairwise", undefined, "tie", "Both hold."],
        ["feedback", undefined, "up", "Just what I needed."],
        ["reward", "0.35", "good", "thumbs up"],
      ],
    );
  });

  it("gives a trace its title, session and question where VS Code's log looks for them", () => {
    const [root] = spansOf(otlpJson(judgedTurn()));
    assert.equal(root?.parentSpanId, undefined);
    assert.equal(attributes(root!)["gen_ai.conversation.id"], "00000000-0000-4000-8000-000000000001");
    const asked = root?.events.find(({ name }) => name === "user_message");
    assert.equal(attributes(asked!)["content"], "What did we decide about the cache?");
  });

  it("says of what failed, was cancelled or has no end how it stands", () => {
    const failed = turnOf((script) => {
      script.ask().reply({ error: { code: "stream_broken", message: "The model stopped." } });
      script.stopped("failed", { code: "stream_broken", message: "The model stopped." });
    });
    const [root] = spansOf(otlpJson(failed));
    assert.deepEqual(root?.status, { code: 2, message: "The model stopped." });
    assert.equal(attributes(root)["error.type"], "stream_broken");
    const broken = spansOf(otlpJson(failed.filter(({ type }) => !type.endsWith(".end"))));
    for (const span of broken) {
      assert.equal(span.status.code, 2);
      assert.equal(attributes(span)[ATTRIBUTES.outcome], "interrupted");
    }
  });

  it("is a pure projection: the same events give the same text, and each event is found in it by its id", () => {
    const events = councilTurn();
    assert.equal(otlpJson(events), otlpJson(structuredClone(events)));
    const text = otlpJson(events);
    const folded = new Set([
      "agent.transition",
      "step.end",
      "tool.schema",
      "response.generation",
      "answer.dialog",
    ]);
    for (const { id, type, turnId } of events)
      if (id !== turnId && !folded.has(type)) assert.ok(text.includes(id), `${type} ${id}`);
  });

  it("stays valid for any order, repetition and gap of events", () => {
    const events = [...councilTurn(), ...judgedTurn(new SteadyIdentity(0, 5_000))];
    fc.assert(
      fc.property(fc.array(fc.nat(events.length - 1), { maxLength: 80 }), (places) => {
        assertValid(spansOf(otlpJson(places.map((at) => events[at]!))));
      }),
      { numRuns: 60, seed: 1 },
    );
  });

  it("stays valid for foreign ids, hostile times and half signs", () => {
    const strange = fc.oneof(
      fc.constantFrom("", "0".repeat(16), "0".repeat(32), "__proto__", "\ud83d", "é"),
      fc.string(),
    );
    const time = fc.oneof(fc.constantFrom(NaN, Infinity, -1, 1e300, 0), fc.double());
    fc.assert(
      fc.property(strange, strange, strange, time, (id, turnId, text, at) => {
        const events = sayingEverywhere(text).map((event, index) => ({
          ...event,
          turnId,
          time: at,
          id: `${id}${index}`,
          parentId: index === 0 ? null : id,
        }));
        const json = otlpJson(events);
        assert.ok(json.isWellFormed());
        assertValid(spansOf(json));
      }),
      { numRuns: 100, seed: 2 },
    );
  });

  it("keeps kinds of events that it does not know, with their data", () => {
    const [first] = judgedTurn();
    const unknown = { ...first, id: "abcdefabcdefabcd", type: "planet.seen", data: { name: "Vesta" } };
    const [root] = spansOf(otlpJson([first!, unknown as unknown as TurnEvent]));
    const told = attributes(root!.events.find(({ name }) => name === "conclave.planet.seen")!);
    assert.equal(told[ATTRIBUTES.data], '{"name":"Vesta"}');
  });

  it("stays within its limits, and says how much it left out", () => {
    const limits = { bytes: 200_000, spans: 50 };
    const builder = new OtlpBuilder({ limits });
    const identity = new SteadyIdentity();
    for (let turn = 0; turn < 40; turn += 1)
      for (const event of sayingEverywhere('"\\\u0001'.repeat(400), identity)) builder.take(event);
    const json = [...builder.json()].join("");
    assert.ok(json.length < limits.bytes * 1.25, String(json.length));
    const spans = spansOf(json);
    assertValid(spans);
    assert.ok(spans.length <= limits.spans);
    assert.match(builder.leftOut, /^\d+ spans, \d+ events, \d+ texts left out/);
    const [resource] = (JSON.parse(json) as Request).resourceSpans;
    assert.equal(attributes(resource!.resource)[ATTRIBUTES.leftOut], builder.leftOut);
    assert.ok(spans.some(({ droppedAttributesCount = 0 }) => droppedAttributesCount > 0));
  });

  it("tells what comes after a turn was sent as spans under its root, without the root", () => {
    const events = judgedTurn();
    const [root] = spansOf(otlpJson(events));
    const builder = new OtlpBuilder({ isLate: true });
    const end = events.findIndex(({ type }) => type === "turn.end");
    for (const event of events.slice(end + 1)) builder.take(event);
    const late = spansOf([...builder.json()].join(""));
    assert.deepEqual(
      late.map(({ name }) => name),
      ["create_memory", ...Array.from({ length: 5 }, () => "gen_ai.evaluation.result")],
    );
    assert.deepEqual([...new Set(late.map(({ parentSpanId }) => parentSpanId))], [root?.spanId]);
  });
});
