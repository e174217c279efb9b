import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { failure } from "../../../../src/agent/failure.ts";
import { runTool, type ToolRun } from "../../../../src/agent/calls/run-tool.ts";
import type { Tool, ToolContext, ToolOutcome } from "../../../../src/agent/tool.ts";
import { fakeTimer, gives, makeTool } from "../support.ts";

function bed(): {
  readonly run: (tool: Tool) => Promise<ToolRun>;
  readonly turn: AbortController;
  readonly tick: (ms: number) => Promise<number>;
  readonly timers: () => number;
} {
  const { clock, timer } = fakeTimer();
  const turn = new AbortController();
  const context: ToolContext = {
    signal: turn.signal,
    sessionId: "s",
    turnId: "t",
    agent: "a",
    question: "q",
  };
  return {
    run: (tool) => runTool(tool, { query: "x" }, context, timer),
    turn,
    tick: (ms) => clock.tickAsync(ms),
    timers: () => clock.countTimers(),
  };
}

const never = (): Promise<ToolOutcome> => new Promise(() => undefined);

function fails(retryable: boolean): ToolOutcome {
  return { ok: false, failure: failure("tool_failed", "the service is away"), retryable };
}

describe("running a tool", () => {
  it("gives its content and details and leaves no timer or listener behind", async () => {
    const { run, turn, timers } = bed();
    const result = await run(makeTool({ name: "t", run: () => Promise.resolve(gives("yes")) }));
    assert.deepEqual(result, { content: "yes", details: { summary: "yes" }, attempts: 1, timedOut: false });
    assert.equal(timers(), 0);
    assert.equal(getEventListeners(turn.signal, "abort").length, 0);
  });

  it("tries a read-only tool twice more when its failure may pass", async () => {
    const { run, tick } = bed();
    const outcomes = [fails(true), fails(true), gives("at last")];
    const running = run(makeTool({ name: "t", run: () => Promise.resolve(outcomes.shift() ?? fails(true)) }));
    await tick(2_000);
    const { content, attempts } = await running;
    assert.deepEqual({ content, attempts }, { content: "at last", attempts: 3 });
  });

  it("gives up after the third failure and says how often it tried", async () => {
    const { run, tick } = bed();
    let calls = 0;
    const running = run(makeTool({ name: "t", run: () => (calls++, Promise.resolve(fails(true))) }));
    await tick(2_000);
    const result = await running;
    assert.equal(calls, 3);
    assert.equal(result.content, "[error] t: the service is away (tried 3 times)");
    assert.equal(result.failure?.code, "tool_failed");
  });

  it("never tries a tool that writes again, nor a failure that stays", async () => {
    for (const tool of [
      { readOnly: false, outcome: fails(true) },
      { readOnly: true, outcome: fails(false) },
    ]) {
      let calls = 0;
      const { readOnly, outcome } = tool;
      const once = makeTool({ name: "t", readOnly, run: () => (calls++, Promise.resolve(outcome)) });
      assert.equal((await bed().run(once)).attempts, 1);
      assert.equal(calls, 1);
    }
  });

  it("survives a tool that throws, at once or later, and tries it as often as one that fails", async () => {
    const throwing = [
      () => {
        throw new Error("boom");
      },
      () => Promise.reject(new Error("boom")),
    ];
    for (const run of throwing) {
      const { run: runIn, tick } = bed();
      const ran = runIn(makeTool({ name: "t", run }));
      await tick(750);
      const result = await ran;
      assert.equal(result.attempts, 3);
      assert.match(result.content, /^\[tool unavailable\]/);
      assert.equal(result.failure?.cause, "boom");
    }
  });

  it("survives a tool whose result has no proper shape", async () => {
    for (const nonsense of [undefined, null, 7, {}, { ok: true }, { ok: false }]) {
      const run = () => Promise.resolve(nonsense as unknown as ToolOutcome);
      assert.match((await bed().run(makeTool({ name: "t", run }))).content, /^\[tool unavailable\]/);
    }
  });

  it("stops waiting when its time is up, also for a tool that ignores its signal", async () => {
    const { run, tick } = bed();
    const running = run(makeTool({ name: "slow", timeoutMs: 15_000, run: never }));
    await tick(15_000);
    const result = await running;
    assert.equal(result.timedOut, true);
    assert.match(result.content, /\[tool unavailable\] The tool slow gave no result within 15 s/);
  });

  it("holds the time-out over all attempts together", async () => {
    const { run, tick } = bed();
    let calls = 0;
    const running = run(
      makeTool({
        name: "t",
        timeoutMs: 100,
        run: () => (calls++, Promise.resolve(fails(true))),
      }),
    );
    await tick(100);
    assert.equal((await running).timedOut, true);
    assert.equal(calls, 1);
  });

  it("stops at once on cancel, and aborts the tool's own signal", async () => {
    const { run, turn } = bed();
    let own: AbortSignal | undefined;
    const running = run(makeTool({ name: "t", run: (_args, { signal }) => ((own = signal), never()) }));
    turn.abort();
    assert.equal((await running).failure?.code, "cancelled");
    assert.equal(own?.aborted, true);
    assert.notEqual(own, turn.signal);
  });

  it("stops at once on cancel while it waits for another attempt", async () => {
    const { run, turn, tick, timers } = bed();
    const running = run(makeTool({ name: "t", run: () => Promise.resolve(fails(true)) }));
    await tick(10);
    turn.abort();
    assert.equal((await running).failure?.code, "cancelled");
    assert.equal(timers(), 0);
  });

  it("drops what a tool gives or throws after its time", async () => {
    const { run, tick } = bed();
    let late: ((error: Error) => void) | undefined;
    const running = run(makeTool({ name: "t", run: () => new Promise((_, reject) => (late = reject)) }));
    await tick(1_000);
    assert.equal((await running).timedOut, true);
    late?.(new Error("too late"));
    await new Promise((resolve) => setImmediate(resolve));
  });

  it("shows the call's end to a tool that looks at its signal only afterwards", async () => {
    const { run, tick } = bed();
    let told: ToolContext | undefined;
    const keeps = (_: unknown, context: ToolContext): Promise<ToolOutcome> => {
      told = context;
      return never();
    };
    const running = run(makeTool({ name: "t", run: keeps }));
    await tick(1_000);
    await running;
    const reason: unknown = told?.signal.reason;
    assert.equal(reason instanceof DOMException && reason.name, "TimeoutError");
  });

  it("ends what a tool left open once it has given its result", async () => {
    const { run } = bed();
    let told: ToolContext | undefined;
    const tool = makeTool({
      name: "t",
      run: (_, context) => {
        told = context;
        return Promise.resolve(gives("yes"));
      },
    });
    await run(tool);
    assert.equal(told?.signal.aborted, true);
  });
});
