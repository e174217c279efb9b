import assert from "node:assert/strict";
import { requestTokens } from "../../../../src/agent/budget/gauge.ts";
import type { ChatRequest } from "../../../../src/agent/models/types.ts";
import {
  all,
  answers,
  ask,
  broken,
  call,
  callTools,
  end,
  engineOver,
  long,
  only,
  playModel,
  say,
} from "../support.ts";

const lookUp = (query: string) => [callTools(call("look_up", { query })), end()];

describe("what is known of the context's use", () => {
  it("is told before each model call, part by part, and its parts make up the estimate", async () => {
    const model = playModel([lookUp("a"), answers("x")], { contextLength: 8_192 });
    const references = [{ label: "a.md", uri: "file:///a.md", text: long("m", 100) }];
    const { events } = await ask(engineOver(model), "What is it?", { references });
    const budgets = all(events, "context.budget");
    assert.equal(budgets.length, 2);
    budgets.forEach(({ data: { parts, calibration, ...rest } }, at) => {
      const { answer, ...used } = parts;
      const sum = Object.values<number>(used).reduce((total, part) => total + part, 0);
      assert.equal(sum, requestTokens(model.requests[at]!));
      assert.deepEqual([answer, calibration, rest["conclave.context_length"]], [1_024, 1, 8_192]);
      assert.ok(parts.system > 0 && parts.tools > 0 && parts.references >= 100 && parts.question < 30);
    });
    assert.equal(budgets[0]!.data.parts.steps, 0);
    assert.ok(budgets[1]!.data.parts.steps > 0);
  });

  it("follows the server's count from one turn to the next, not within one", async () => {
    const counting = (request: ChatRequest) => [
      say("x"),
      {
        type: "end" as const,
        finishReason: "stop" as const,
        model: "tiny",
        usage: { inputTokens: Math.round(requestTokens(request) * 1.5) },
      },
    ];
    const model = playModel([
      async function* (request) {
        yield* await Promise.resolve(counting(request));
      },
    ]);
    const engine = engineOver(model);
    const first = await ask(engine);
    const second = await ask(engine, "And?", { sessionId: first.sessionId });
    assert.equal(only(first.events, "context.budget").data.calibration, 1);
    const { calibration } = only(second.events, "context.budget").data;
    assert.ok(Math.abs(calibration - 1.5) < 0.01);
  });

  it("is said with numbers when the server cut the prompt all the same", async () => {
    const cut = [
      say("x"),
      { type: "end" as const, finishReason: "stop" as const, model: "tiny", usage: { inputTokens: 4_096 } },
    ];
    const model = playModel([cut], { contextLength: 4_096 });
    const { events } = await ask(engineOver(model), long("q", 3_000));
    const { code, detail, message } = only(events, "warning").data;
    assert.equal(code, "prompt_truncated");
    assert.equal(detail?.["counted"], 4_096);
    assert.equal(detail["num_ctx"], 4_096);
    assert.match(message, /counted 4096 tokens where about 3\d\d\d were sent/);
  });

  it("makes the next turn's prompt smaller after the server refused one", async () => {
    const model = playModel([answers(long("a", 2_000)), [broken("context_overflow")], answers("x")], {
      contextLength: 4_096,
    });
    const engine = engineOver(model);
    const { sessionId } = await ask(engine, "Q1");
    await ask(engine, "Q2", { sessionId });
    const { events } = await ask(engine, "Q3", { sessionId });
    assert.ok(only(events, "context.budget").data.calibration > 1.3);
  });
});
