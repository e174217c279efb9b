import assert from "node:assert/strict";
import type { TurnEvent } from "../../../../src/agent/events.ts";
import { otlpEvents } from "../../../../src/trace/files/otlp/events.ts";
import { readSpan } from "../../../../src/trace/files/otlp/span.ts";
import { tellTurn } from "../../../../src/trace/files/otlp/tell-turn.ts";
import { foldAll, of, told } from "./told.ts";

const attribute = (key: string, value: string | number | boolean | readonly string[]) => ({
  key,
  value:
    typeof value === "string"
      ? { stringValue: value }
      : typeof value === "number"
        ? { intValue: String(value) }
        : typeof value === "boolean"
          ? { boolValue: value }
          : { arrayValue: { values: value.map((one) => ({ stringValue: one })) } },
});

let spans = 0;
function span(name: string, attributes: Readonly<Record<string, string | number>>, more: object = {}) {
  spans += 1;
  return {
    traceId: "0af7651916cd43dd8448eb211c80319c",
    spanId: spans.toString(16).padStart(16, "0"),
    name,
    startTimeUnixNano: `17000000000${String(spans).padStart(2, "0")}000000`,
    endTimeUnixNano: "1700000009900000000",
    attributes: Object.entries(attributes).map(([key, value]) => attribute(key, value)),
    ...more,
  };
}

function fileOf(list: readonly object[]): string {
  return JSON.stringify({ resourceSpans: [{ resource: {}, scopeSpans: [{ scope: {}, spans: list }] }] });
}

const messages = (role: string, content: string) =>
  JSON.stringify([{ role, parts: [{ type: "text", content }] }]);

describe("OTLP JSON of others", () => {
  it("of an agent with a model call and a tool is a turn with question, steps and answer", async () => {
    const root = span("invoke_agent Helper", {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "Helper",
      "gen_ai.request.model": "m1",
    });
    const under = { parentSpanId: root.spanId };
    const first = span(
      "chat m1",
      {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "m1",
        "gen_ai.input.messages": messages("user", "How high is the tide?"),
        "gen_ai.output.messages": JSON.stringify([
          { role: "assistant", parts: [{ type: "tool_call", id: "c1", name: "tide", arguments: { at: 6 } }] },
        ]),
        "gen_ai.usage.input_tokens": 12,
      },
      under,
    );
    const tool = span(
      "execute_tool tide",
      {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "tide",
        "gen_ai.tool.call.arguments": '{"at":6}',
        "gen_ai.tool.call.result": "3 m",
      },
      under,
    );
    const last = span(
      "chat m1",
      {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "m1",
        "gen_ai.output.messages": messages("assistant", "Three metres."),
      },
      under,
    );
    const { events, notes } = await told(fileOf([last, tool, first, root]));
    assert.deepEqual(notes, []);
    const turn = foldAll(events);
    assert.deepEqual(
      [turn.question, turn.answer, turn.status],
      ["How high is the tide?", "Three metres.", "answered"],
    );
    assert.deepEqual(of(events, "step.start").length, 2);
    assert.deepEqual(of(events, "tool.request")[0]?.data.arguments, { at: 6 });
    assert.equal(of(events, "tool.result")[0]?.data.result, "3 m");
    assert.equal(of(events, "model.end")[0]?.data["gen_ai.usage.input_tokens"], 12);
  });

  it("of a lone model call, as older instruments write it, is a turn all the same", async () => {
    const { events } = await told(
      fileOf([
        span("openai.chat", {
          "gen_ai.operation.name": "chat",
          "gen_ai.system": "openai",
          "gen_ai.request.model": "m2",
          "gen_ai.prompt.0.role": "user",
          "gen_ai.prompt.0.content": "Hello?",
          "gen_ai.completion.0.role": "assistant",
          "gen_ai.completion.0.content": "Hi.",
        }),
      ]),
    );
    const turn = foldAll(events);
    assert.deepEqual([turn.question, turn.answer], ["Hello?", "Hi."]);
    assert.equal(of(events, "agent.start").length, 1);
  });

  it("takes grades of evaluations that are on our scale, and tells the others in words", async () => {
    const judged = (score: string) => ({
      events: [
        {
          name: "gen_ai.evaluation.result",
          timeUnixNano: "1700000000100000000",
          attributes: [
            attribute("gen_ai.evaluation.name", "Relevance"),
            attribute("gen_ai.evaluation.score.value", score),
            attribute("gen_ai.evaluation.explanation", "To the point."),
          ],
        },
      ],
    });
    for (const [score, grade] of [
      ["4", 4],
      ["0.75", null],
    ] as const) {
      const { events } = await told(
        fileOf([span("chat m", { "gen_ai.operation.name": "chat" }, judged(score))]),
      );
      const [result] = of(events, "critique.result");
      assert.equal(result?.data.score, grade);
      assert.match(result.data.feedback, new RegExp(`Relevance: ${score}\\nTo the point`));
    }
  });

  it("says what it could not take, by name and number", async () => {
    const { notes } = await told(
      fileOf([
        span("chat m", { "gen_ai.operation.name": "chat" }),
        span("GET /health", {}),
        span("GET /health", {}),
        span("SELECT", { "db.system": "x" }),
        { traceId: "no", spanId: 3 },
      ]),
    );
    assert.deepEqual(notes, [
      "1 spans are not sound and were left out.",
      "3 spans or events are nothing of a conversation and were left out: GET /health (2), SELECT (1).",
    ]);
  });

  it("keeps what stands under a span that it can't take", async () => {
    const outer = span("POST /chat", {});
    const inner = span(
      "chat m",
      { "gen_ai.operation.name": "chat", "gen_ai.output.messages": messages("assistant", "Inside.") },
      { parentSpanId: outer.spanId },
    );
    const { events } = await told(fileOf([outer, inner]));
    assert.equal(foldAll(events).answer, "Inside.");
  });

  it("groups turns by conversation, each after the one before it", async () => {
    const chat = (traceId: string, conversation: string) =>
      span(
        "chat m",
        { "gen_ai.operation.name": "chat", "gen_ai.conversation.id": conversation },
        { traceId },
      );
    const { events } = await told(
      fileOf([chat("a".repeat(32), "one"), chat("b".repeat(32), "two"), chat("c".repeat(32), "one")]),
    );
    const starts = of(events, "turn.start");
    assert.equal(starts[0]?.sessionId, starts[2]?.sessionId);
    assert.notEqual(starts[0]?.sessionId, starts[1]?.sessionId);
    assert.deepEqual(
      starts.map(({ data }) => data["conclave.parent_turn_id"]),
      [null, null, "a".repeat(32)],
    );
  });

  it("is read in any of its spellings: ids in base64, snake case, several requests after each other", async () => {
    const one = span("chat m", {
      "gen_ai.operation.name": "chat",
      "gen_ai.output.messages": messages("assistant", "One."),
    });
    const base64 = {
      ...one,
      traceId: Buffer.from(one.traceId, "hex").toString("base64"),
      spanId: Buffer.from("00000000000000f1", "hex").toString("base64"),
    };
    const { traceId, spanId, startTimeUnixNano, endTimeUnixNano, ...rest } = one;
    const snake = {
      ...rest,
      ...{ trace_id: "d".repeat(32), span_id: spanId },
      ...{ start_time_unix_nano: startTimeUnixNano, end_time_unix_nano: endTimeUnixNano },
    };
    const { events } = await told(
      `${fileOf([base64])}\n${JSON.stringify({ resource_spans: [{ scope_spans: [{ spans: [snake] }] }] })}\n`,
    );
    assert.deepEqual(
      of(events, "turn.start").map(({ turnId }) => turnId),
      [traceId, "d".repeat(32)],
    );
  });

  it("whose spans name each other as parents comes to an end", async () => {
    const one = span("chat m", { "gen_ai.operation.name": "chat" });
    const other = span("chat m", { "gen_ai.operation.name": "chat" }, { parentSpanId: one.spanId });
    const { events } = await told(
      fileOf([
        { ...one, parentSpanId: other.spanId },
        other,
        { ...span("chat m", {}), parentSpanId: "f".repeat(16) },
      ]),
    );
    assert.equal(of(events, "turn.end").length, 1);
    assert.equal(of(events, "model.start").length, 3);
  });

  it("is found in pieces of any size, whatever stands in its texts", async () => {
    const tricky = 'a "spans":[{ \\" ] } \\\\ 🚀 "spans"';
    const list = Array.from({ length: 40 }, (_, at) =>
      span(`chat ${tricky}`, {
        "gen_ai.operation.name": "chat",
        "gen_ai.output.messages": messages("assistant", `${tricky} ${at}`),
      }),
    );
    const whole = Buffer.from(fileOf(list));
    const small = {
      size: () => Promise.resolve(whole.length),
      open: () =>
        Promise.resolve({
          read: (buffer: Buffer, position: number) =>
            Promise.resolve(whole.copy(buffer, 0, Math.min(position, whole.length), position + 7)),
          close: () => Promise.resolve(),
        }),
    };
    const events: TurnEvent[] = [];
    for await (const event of otlpEvents(small).events(new AbortController().signal)) events.push(event);
    assert.equal(of(events, "model.end").length, 40);
    assert.equal(of(events, "model.end")[39]?.data.content, `${tricky} 39`);
  });

  it("lets others work while all of a trace is looked through for what was asked and answered", async () => {
    const given = messages("system", "Be brief.");
    const list = Array.from({ length: 40 }, () =>
      span("chat m", { "gen_ai.operation.name": "chat", "gen_ai.input.messages": given }),
    );
    const read = list.map((one) => readSpan(JSON.stringify(one))).filter((one) => one !== undefined);
    assert.equal(read.length, 40);
    // Each look at the clock finds that enough was done in one go.
    const clock = performance.now.bind(performance);
    let time = 0;
    performance.now = () => (time += 1_000);
    let [turns, told] = [0, false];
    const count = (): void => {
      turns += 1;
      if (!told) setImmediate(count);
    };
    setImmediate(count);
    try {
      await tellTurn("turn", read, { sessionId: "session", before: null });
    } finally {
      told = true;
      performance.now = clock;
    }
    // Each span is gone through three times: for the question, for what it tells, and for the answer.
    assert.ok(turns >= 3 * list.length, `${turns} turns of the event loop`);
  });
});
