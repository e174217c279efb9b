import assert from "node:assert/strict";
import type { TurnEvent } from "../../../../src/agent/events.ts";
import { foldAll, of, told } from "./told.ts";

type Value = Readonly<Record<string, unknown>>;

const text = (stringValue: string): Value => ({ stringValue });
const attribute = (key: string, value: unknown): object => ({ key, value });

/** A span of one request to a model. */
function chat(more: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return {
    traceId: "0af7651916cd43dd8448eb211c80319c",
    spanId: "b7ad6b7169203331",
    name: "chat m",
    startTimeUnixNano: "1700000000000000000",
    endTimeUnixNano: "1700000001000000000",
    attributes: [attribute("gen_ai.operation.name", text("chat"))],
    ...more,
  };
}

const file = (...spans: readonly unknown[]): string =>
  JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });

const eventsOf = async (...spans: readonly unknown[]): Promise<readonly TurnEvent[]> =>
  (await told(file(...spans))).events;

/** A span by the attributes that an instrument of its own gives it. */
const by = (attributes: Readonly<Record<string, string>>, more: object = {}) =>
  chat({
    name: "ChatCompletion",
    attributes: Object.entries(attributes).map(([key, value]) => attribute(key, text(value))),
    ...more,
  });

const asked = (content: string) => JSON.stringify([{ role: "user", parts: [{ type: "text", content }] }]);

describe("OTLP JSON as other tools write it", () => {
  for (const [what, more] of [
    [
      "null for empty lists",
      { attributes: null, events: null, links: null, status: null, parentSpanId: null },
    ],
    ["a status without words", { status: { code: 2, message: null } }],
    ["a status by its name", { status: { code: "STATUS_CODE_ERROR" } }],
    [
      "attributes and events that are none",
      { attributes: [null, 3, { key: 4 }, { value: {} }], events: [null, "x"] },
    ],
    ["no times", { startTimeUnixNano: null, endTimeUnixNano: undefined }],
    ["times below zero", { startTimeUnixNano: -5, endTimeUnixNano: "-5" }],
    ["times beyond all dates", { startTimeUnixNano: "9".repeat(30), endTimeUnixNano: 1e308 }],
    ["times with an exponent", { startTimeUnixNano: "1.7e18", endTimeUnixNano: 1.7e18 }],
    ["times as dates", { startTimeUnixNano: "2026-01-01T00:00:00Z", endTimeUnixNano: {} }],
    [
      "ids with signs in them",
      { traceId: "0AF76519-16CD-43DD-8448-EB211C80319C", spanId: "0xb7ad6b7169203331" },
    ],
    ["a name that is none", { name: 7 }],
  ] as const) {
    it(`is taken with ${what}`, async () => {
      const { events, notes } = await told(file({ ...chat(), ...more }));
      assert.equal(of(events, "turn.end").length, 1);
      assert.equal(of(events, "model.end").length, 1, JSON.stringify(notes));
      for (const { time } of events) assert.ok(time >= 0 && time <= 8.64e15, String(time));
      const [end] = of(events, "model.end");
      assert.ok((end?.data["conclave.duration_ms"] ?? -1) <= 1_000);
    });
  }

  it("is read with values of every kind, under either of their names", async () => {
    const kinds: Readonly<Record<string, readonly [value: Value, read: unknown]>> = {
      text: [{ stringValue: "a" }, "a"],
      flag: [{ boolValue: true }, true],
      whole: [{ intValue: "12" }, 12],
      number: [{ intValue: 12 }, 12],
      long: [{ intValue: "9007199254740993" }, "9007199254740993"],
      part: [{ doubleValue: 1.5 }, 1.5],
      none: [{ doubleValue: "NaN" }, "NaN"],
      bytes: [{ bytesValue: "aGVsbG8=" }, "aGVsbG8="],
      list: [{ arrayValue: { values: [{ stringValue: "a" }, { intValue: 1 }] } }, ["a", 1]],
      empty: [{ arrayValue: {} }, []],
      record: [{ kvlistValue: { values: [{ key: "k", value: { stringValue: "v" } }] } }, { k: "v" }],
      nothing: [{}, null],
    };
    const snake = (value: unknown): unknown =>
      JSON.parse(
        JSON.stringify(value).replace(/(string|bool|int|double|bytes|array|kvlist)Value/g, "$1_value"),
      );
    const values = Object.entries(kinds).map(([key, [value]]) => ({ key, value }));
    for (const all of [values, snake(values)]) {
      const call = chat({
        attributes: [
          attribute("gen_ai.operation.name", text("execute_tool")),
          attribute("gen_ai.tool.name", text("t")),
          attribute("gen_ai.tool.call.arguments", { kvlistValue: { values: all } }),
        ],
      });
      const [request] = of(await eventsOf(call), "tool.request");
      const read = Object.fromEntries(Object.entries(kinds).map(([key, [, value]]) => [key, value]));
      assert.deepEqual(request?.data.arguments, read);
    }
  });

  it("is a conversation where messages stand in events of the span, of any age of the conventions", async () => {
    const message = (name: string, attributes: readonly object[]) => ({ name, attributes });
    const old = chat({
      events: [
        message("gen_ai.system.message", [attribute("content", text("Be brief."))]),
        message("gen_ai.user.message", [attribute("content", text("How high?"))]),
        message("gen_ai.choice", [
          attribute("message", text('{"role":"assistant","content":"Two metres."}')),
        ]),
      ],
    });
    const details = chat({
      events: [
        message("gen_ai.client.inference.operation.details", [
          attribute("gen_ai.input.messages", text(asked("How high?"))),
          attribute("gen_ai.output.messages", text(asked("Two metres.").replace("user", "assistant"))),
        ]),
      ],
    });
    const content = chat({
      events: [
        message("gen_ai.content.prompt", [
          attribute("gen_ai.prompt", text('[{"role":"user","content":"How high?"}]')),
        ]),
        message("gen_ai.content.completion", [
          attribute("gen_ai.completion", text('[{"role":"assistant","content":"Two metres."}]')),
        ]),
      ],
    });
    for (const span of [old, details, content]) {
      const { events, notes } = await told(file(span));
      const { question, answer } = foldAll(events);
      assert.deepEqual([question, answer, notes], ["How high?", "Two metres.", []]);
    }
  });

  it("is a conversation where an instrument has names of its own for model, tool and texts", async () => {
    const models = [
      by({
        "openinference.span.kind": "LLM",
        "llm.model_name": "m1",
        "llm.input_messages.0.message.role": "user",
        "llm.input_messages.0.message.content": "How high?",
        "llm.output_messages.0.message.content": "Two metres.",
        "llm.token_count.prompt": "12",
      }),
      by({
        "openinference.span.kind": "LLM",
        "llm.model_name": "m1",
        "input.value": "How high?",
        "output.value": "Two metres.",
        "llm.token_count.prompt": "12",
      }),
      by({
        "llm.request.type": "chat",
        "llm.request.model": "m1",
        "gen_ai.prompt.0.role": "user",
        "gen_ai.prompt.0.content": "How high?",
        "gen_ai.completion.0.content": "Two metres.",
        "gen_ai.usage.prompt_tokens": "12",
      }),
    ];
    for (const span of models) {
      const events = await eventsOf(span);
      const { question, answer } = foldAll(events);
      assert.deepEqual([question, answer], ["How high?", "Two metres."]);
      const [request, reply] = [of(events, "model.start")[0], of(events, "model.end")[0]];
      assert.equal(request?.data["gen_ai.request.model"], "m1");
      assert.equal(reply?.data["gen_ai.usage.input_tokens"], 12);
    }
    const tools = [
      by({
        "openinference.span.kind": "TOOL",
        "tool.name": "tide",
        "input.value": '{"at":6}',
        "output.value": "2 m",
      }),
      by({
        "traceloop.span.kind": "tool",
        "traceloop.entity.name": "tide",
        "traceloop.entity.input": '{"at":6}',
        "traceloop.entity.output": "2 m",
      }),
    ];
    for (const span of tools) {
      const events = await eventsOf(span);
      const [request, result] = [of(events, "tool.request")[0], of(events, "tool.result")[0]];
      assert.deepEqual([request?.data.name, request?.data.arguments], ["tide", { at: 6 }]);
      assert.equal(result?.data.result, "2 m");
    }
  });

  it("says what the conventions say where both are told", async () => {
    const both = by({
      "gen_ai.operation.name": "chat",
      "openinference.span.kind": "TOOL",
      "gen_ai.request.model": "m2",
      "llm.model_name": "m1",
      "gen_ai.input.messages": asked("Ours?"),
      "input.value": "Theirs?",
    });
    const events = await eventsOf(both);
    assert.equal(foldAll(events).question, "Ours?");
    assert.equal(of(events, "model.start")[0]?.data["gen_ai.request.model"], "m2");
  });
});
