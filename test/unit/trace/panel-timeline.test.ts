import assert from "node:assert/strict";
import * as fc from "fast-check";
import { failure } from "../../../src/agent/failure.ts";
import type { TurnEvent } from "../../../src/agent/events.ts";
import { foldEvent } from "../../../src/trace/fold.ts";
import { emptyTurn, type TurnModel } from "../../../src/trace/model.ts";
import { costByAgent, costByTool, lanesOf } from "../../../src/webview/timeline.ts";
import { TurnScript } from "./support/turn-script.ts";

/** A turn with a step for each of some tools; those at every third place fail. */
function turnOf(tools: readonly string[]): TurnModel {
  const events: TurnEvent[] = [];
  const script = new TurnScript((event) => events.push(event));
  for (const [at, tool] of tools.entries()) {
    script.wait(10).ask().wait(500).reply({ calls: [] });
    const ended = script.call(tool, {});
    script.wait(50);
    ended(at % 3 === 2 ? { error: failure("timeout", "It gave no answer.") } : { result: "ok" });
    script.stepEnd();
  }
  const lost = failure("server_unreachable", "The server went away.");
  script.ask().wait(900).reply({ error: lost }).stepEnd().stopped("failed", lost);
  const turn = emptyTurn(script.sessionId, script.turnId, 0);
  for (const event of events) foldEvent(turn, event);
  return turn;
}

describe("the timeline of a turn", () => {
  it("leaves out no call, however many tools there are: further ones share a lane, what is not drawn is counted", () => {
    const tools = fc.array(
      fc.integer({ min: 0, max: 40 }).map((name) => `tool_${name}`),
      { maxLength: 80, size: "max" },
    );
    fc.assert(
      fc.property(tools, (used) => {
        const lanes = lanesOf(turnOf(used), 0);
        const calls = lanes.reduce((sum, { bars, left }) => sum + bars.length + left, 0);
        assert.equal(calls, used.length * 2 + 1);
        assert.ok(lanes.length <= 17);
        assert.equal(new Set(lanes.map(({ name }) => name)).size, lanes.length);
        assert.equal(lanes.at(-1)?.name === "others", new Set(used).size > 15);
      }),
      { numRuns: 40 },
    );
  });

  it("tells apart what failed, and says so in words", () => {
    const bars = lanesOf(turnOf(["read_file", "read_file", "web_fetch"]), 0).flatMap((lane) => lane.bars);
    const failed = bars.filter((bar) => bar.failed === true).map(({ title }) => title);
    assert.equal(failed.length, 2);
    for (const title of failed) assert.match(title, /^(web_fetch|Step 4, qwen3:8b): .*failed$/);
    assert.ok(!bars.some((bar) => bar.failed !== true && bar.title.includes("failed")));
  });

  it("counts calls and failures of each tool", () => {
    const costs = costByTool(turnOf(["a", "b", "a", "a"]), 0, () => 7);
    assert.deepEqual(
      costs.map(({ name, calls, failed, ms, given }) => [name, calls, failed, ms, given]),
      [
        ["a", 3, 1, 150, 21],
        ["b", 1, 0, 50, 7],
      ],
    );
  });

  it("draws what a model was asked by one word, and counts it as the agent's", () => {
    const events: TurnEvent[] = [];
    const script = new TurnScript((event) => events.push(event));
    script.wait(2_000);
    script.emitter.emit(
      "model.check",
      { parentId: script.turnId },
      {
        ...{ question: "Does the note answer it?", likelihood: 0.9, from: 0.65 },
        ...{
          "gen_ai.usage.input_tokens": 80,
          "gen_ai.usage.output_tokens": 1,
          "conclave.duration_ms": 1_500,
        },
      },
    );
    const turn = emptyTurn(script.sessionId, script.turnId, 0);
    for (const event of events) foldEvent(turn, event);
    const [bar] = lanesOf(turn, 0).flatMap(({ bars }) => bars);
    assert.equal(bar?.title, "Does the note answer it? yes (90 %): 1.5 s");
    assert.equal(bar.parts[0]!.to - bar.parts[0]!.from, 1_500);
    assert.deepEqual(costByAgent(turn, 0), [{ name: "conclave", input: 80, output: 1, calls: 1, ms: 1_500 }]);
  });
});
