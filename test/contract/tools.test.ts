import assert from "node:assert/strict";
import { z } from "zod";
import { contract } from "./targets.ts";
import { CALL_FORMAT, post, readStream, readWhole, SEARCH_TOOL, SHORT, user } from "./wire.ts";

const QUESTION = user("What did we decide about the cache?");
const ROOM = { ...SHORT, num_predict: 200 };
const Step = z.union([
  z.strictObject({
    thought: z.string().max(20),
    tool: z.literal("search_memory"),
    arguments: z.strictObject({ query: z.string().max(20) }),
  }),
  z.strictObject({
    thought: z.string().max(20),
    tool: z.literal("read_clock"),
    arguments: z.strictObject({}),
  }),
  z.strictObject({ thought: z.string().max(20), answer: z.string().max(40) }),
]);

contract("tool calls", (target) => {
  it("come natively: one chunk with id, name and an object of arguments, then done", async () => {
    const request = { model: target.full, messages: [QUESTION], think: false, options: ROOM };
    const answer = await post(target, "/api/chat", { ...request, tools: [SEARCH_TOOL], format: CALL_FORMAT });
    const { calls, content, last } = readStream(answer);
    assert.deepEqual(
      calls.map((call) => [call.function.name, Object.keys(call.function.arguments)]),
      [["search_memory", ["query"]]],
    );
    assert.equal(content, "");
    assert.equal(last.done_reason, "stop");
  });

  it("come whole without streaming too", async () => {
    const request = { model: target.full, messages: [QUESTION], think: false, options: ROOM, stream: false };
    const answer = await post(target, "/api/chat", { ...request, tools: [SEARCH_TOOL], format: CALL_FORMAT });
    const { message } = readWhole(answer);
    assert.deepEqual(
      message.tool_calls?.map((call) => call.function.name),
      ["search_memory"],
    );
    assert.equal(message.content, "");
  });

  it("stay text when no tools were offered", async () => {
    const request = { model: target.full, messages: [QUESTION], think: false, options: ROOM };
    const { calls, content } = readStream(
      await post(target, "/api/chat", { ...request, format: CALL_FORMAT }),
    );
    assert.deepEqual(calls, []);
    assert.equal(z.looseObject({ name: z.string() }).parse(JSON.parse(content)).name, "search_memory");
  });

  for (const kind of ["full", "plain"] as const) {
    it(`can be constrained on a model that is ${kind}: valid JSON of one alternative`, async () => {
      const request = { model: target[kind], messages: [QUESTION], options: ROOM };
      const format = z.toJSONSchema(Step);
      const thinkOff = kind === "full" ? { think: false } : {};
      const { content, calls } = readStream(
        await post(target, "/api/chat", { ...request, ...thinkOff, format }),
      );
      assert.deepEqual(calls, []);
      assert.ok(Step.parse(JSON.parse(content)));
    });
  }
});
