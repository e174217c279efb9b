import assert from "node:assert/strict";
import fc from "fast-check";
import { validHistory } from "../../../../src/agent/sessions/conversation.ts";
import type { ChatChunk, ChatMessage, Json } from "../../../../src/agent/models/types.ts";
import type { Timer } from "../../../../src/agent/timer.ts";
import {
  all,
  answers,
  ask,
  broken,
  call,
  callTools,
  end,
  engineOver,
  gives,
  makeTool,
  muse,
  only,
  playModel,
  say,
  toolSet,
  warnings,
} from "../support.ts";

/** Every tool message answers a call of the assistant message before it, each call once and in order. */
function assertValid(messages: readonly ChatMessage[]): void {
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === "tool") {
      assert.equal(message.toolCallId, open.shift(), "a result without its call");
      continue;
    }
    assert.deepEqual(open, [], "a call without its result");
    if (message.role !== "assistant") continue;
    for (const { arguments: args } of message.toolCalls ?? []) {
      assert.ok(typeof args === "object" && args !== null && !Array.isArray(args), "arguments are no object");
    }
    open = (message.toolCalls ?? []).map(({ id }) => id);
  }
  assert.deepEqual(open, [], "a call without its result");
}

/** A text in pieces, as a stream may bring it. */
function chunked(text: string): fc.Arbitrary<readonly string[]> {
  return fc.uniqueArray(fc.nat(text.length), { maxLength: 8 }).map((cuts) => {
    const edges = [0, ...cuts.sort((one, other) => one - other), text.length];
    return edges
      .slice(1)
      .map((edge, at) => text.slice(edges[at], edge))
      .filter((piece) => piece !== "");
  });
}

const oddCall = fc.record({
  id: fc.constantFrom("", "1", "2", "call_0"),
  name: fc.constantFrom("look_up", "save", "fails", "throws", "nobody", ""),
  arguments: fc.oneof(fc.record({ query: fc.string() }), fc.jsonValue()) as fc.Arbitrary<Json>,
});

/** Waits between attempts are over at once, time limits never. */
const hasty: Timer = (ms, fire) => {
  const handle = ms < 1_000 ? setImmediate(fire) : undefined;
  return () => clearImmediate(handle);
};

const tools = toolSet(
  makeTool({ name: "look_up" }),
  makeTool({ name: "save", readOnly: false }),
  makeTool({
    name: "fails",
    run: () =>
      Promise.resolve({ ok: false, failure: { code: "tool_failed", message: "no" }, retryable: false }),
  }),
  makeTool({ name: "throws", run: () => Promise.reject(new Error("boom")) }),
);

describe("whatever a model streams", () => {
  it("the same text in any chunks comes to the same outcome", async () => {
    const thought = "It is 40, or 42; 👩‍🚀 knows.";
    const text = 'Forty-two, said {"name": "x"} and 👩‍🚀.';
    const outcome = async (replies: readonly (readonly ChatChunk[])[]): Promise<unknown> => {
      const { events, end: last } = await ask(engineOver(playModel(replies)));
      const { content, thinking } = all(events, "model.end").at(-1)!.data;
      const shown = all(events, "model.delta").reduce((sum, { data }) => sum + data.text, "");
      return { content, thinking, shown, messages: last.data["conclave.messages"] };
    };
    const whole = await outcome([[muse(thought), say(text), end()]]);
    await fc.assert(
      fc.asyncProperty(chunked(thought), chunked(text), async (thoughts, texts) => {
        assert.deepEqual(await outcome([[...thoughts.map(muse), ...texts.map(say), end()]]), whole);
      }),
      { numRuns: 60 },
    );
  });

  it("calls of any kind never part a call from its result, in this turn or in later ones", async () => {
    const message = fc.record({
      calls: fc.array(oddCall, { maxLength: 5 }),
      text: fc.constantFrom("", "Let me see."),
      last: fc.constantFrom(end(), end("length"), broken("stream_broken"), broken("tool_call_unparsable")),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 5 }), async (messages) => {
        const replies = messages.map(({ calls, text, last }) => [
          ...(text === "" ? [] : [say(text)]),
          ...(calls.length === 0 ? [] : [callTools(...calls)]),
          last,
        ]);
        const model = playModel([...replies, answers("Done.")]);
        const engine = engineOver(model, { tools, timer: hasty });
        const { sessionId, events, end: last } = await ask(engine, "One?");
        await ask(engine, "Two?", { sessionId });
        for (const request of model.requests) assertValid(request.messages);
        assertValid(last.data["conclave.messages"]);
        assert.equal(only(events, "turn.end"), last);
        assert.equal(all(events, "tool.request").length, all(events, "tool.result").length);
      }),
      { numRuns: 150 },
    );
  });

  it("a message with very many calls runs the first few of them, once each, and says that it was ended", async () => {
    let ran = 0;
    const counted = makeTool({ name: "look_up", run: () => (ran++, Promise.resolve(gives("x"))) });
    const calls = Array.from({ length: 300 }, (_, index) =>
      call("look_up", { query: `${index}` }, `${index}`),
    );
    const model = playModel([[callTools(...calls, ...calls), end()], answers("Done.")]);
    const { events } = await ask(engineOver(model, { tools: toolSet(counted) }));
    assert.equal(ran, 8);
    assert.deepEqual(warnings(events), ["runaway"]);
    assert.ok(model.requests[1]!.messages.length < 20, "what was not even answered is not kept");
    assertValid(model.requests[1]!.messages);
  });
});

describe("a conversation from elsewhere", () => {
  const odd: fc.Arbitrary<ChatMessage> = fc.oneof(
    fc.record({ role: fc.constant("user" as const), content: fc.string() }),
    fc.record({ role: fc.constant("system" as const), content: fc.string() }),
    fc.record({
      role: fc.constant("assistant" as const),
      content: fc.string({ unit: "binary" }),
      thinking: fc.string(),
      toolCalls: fc.array(oddCall, { maxLength: 3 }),
    }),
    fc.record({
      role: fc.constant("tool" as const),
      toolName: fc.constant("look_up"),
      toolCallId: fc.constantFrom("", "1", "2", "call_0"),
      content: fc.string(),
    }),
  );

  it("becomes one that every server takes: calls with results, no thinking, no system message", () => {
    fc.assert(
      fc.property(fc.array(odd, { maxLength: 12 }), (messages) => {
        const valid = validHistory(messages);
        assertValid(valid);
        for (const message of valid) {
          assert.notEqual(message.role, "system");
          assert.ok(!("thinking" in message));
          assert.ok(message.content.isWellFormed());
        }
        assert.deepEqual(validHistory(valid), valid);
      }),
    );
  });

  it("is not changed when it is right already", () => {
    const right: ChatMessage[] = [
      { role: "user", content: "One?" },
      { role: "assistant", content: "", toolCalls: [call("a", {}, "1"), call("b", { x: 1 }, "2")] },
      { role: "tool", toolName: "a", toolCallId: "1", content: "r" },
      { role: "tool", toolName: "b", toolCallId: "2", content: "s" },
      { role: "assistant", content: "Two." },
    ];
    assert.deepEqual(validHistory(right), right);
  });

  it("keeps the very messages that are as they should be, so that nothing is counted or written twice", () => {
    const right: ChatMessage[] = [
      { role: "user", content: "One?" },
      { role: "assistant", content: "Two." },
    ];
    const parts = [{ source: "question" as const, length: 6 }];
    const sourced: ChatMessage = { role: "user", content: "Three?", parts };
    const [one, two, three] = validHistory([...right, sourced]);
    assert.equal(one, right[0]);
    assert.equal(two, right[1]);
    assert.deepEqual(three, { role: "user", content: "Three?" });
  });
});
