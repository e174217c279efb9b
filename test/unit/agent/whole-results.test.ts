import assert from "node:assert/strict";
import { failure } from "../../../src/agent/failure.ts";
import type { ToolOutcome } from "../../../src/agent/tool.ts";
import {
  answers,
  ask,
  call,
  callTools,
  end,
  engineOver,
  gives,
  makeTool,
  only,
  playModel,
  toolSet,
} from "./support.ts";

describe("a result that says all, such as a saved note", () => {
  const saved = {
    ok: true,
    content: "Saved as a fact: x",
    details: { summary: "saved", answer: "Saved: x" },
  } as const;
  const failing = { ok: false, failure: failure("tool_failed", "no"), retryable: false } as const;

  /** A turn in which a tool is called that gives an outcome. */
  async function callWith(parameters: number, outcomes: readonly ToolOutcome[]) {
    const names = outcomes.map((_, index) => `save_${index}`);
    const made = names.map((name) => call(name, { query: "x" }));
    const model = playModel([[callTools(...made), end()], answers("Done, I wrote it down.")], { parameters });
    const tools = toolSet(
      ...outcomes.map((outcome, index) =>
        makeTool({ name: names[index]!, run: () => Promise.resolve(outcome) }),
      ),
    );
    const turn = await ask(engineOver(model, { tools }), "Remember x.");
    return { answer: only(turn.events, "answer.dialog").data.answer, requests: model.requests.length };
  }

  it("is the answer where the model is not known to call well: it is not asked again", async () => {
    assert.deepEqual(await callWith(4e9, [saved]), { answer: "Saved: x", requests: 1 });
  });

  it("is told in the model's own words where it calls well", async () => {
    assert.deepEqual(await callWith(8e9, [saved]), { answer: "Done, I wrote it down.", requests: 2 });
  });

  it("is not the answer beside a result that is to be told of", async () => {
    for (const other of [gives("It rains."), failing])
      assert.equal((await callWith(4e9, [saved, other])).requests, 2);
  });
});
