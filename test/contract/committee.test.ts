import assert from "node:assert/strict";
import { z } from "zod";
import type { ChatMessage } from "../../src/agent/models/types.ts";
import type { Tool } from "../../src/agent/tool.ts";
import { agent, commonStart, of, rendered, toolSet, turnOn, warned, type Ended } from "./product.ts";
import { contract, type Target } from "./targets.ts";

const QUESTION = "Shall we keep the cache?";
const LOOK_UP: Tool = {
  name: "look_up",
  description: "Looks a word up.",
  parameters: z.strictObject({ word: z.string() }),
  readOnly: true,
  timeoutMs: 5_000,
  run: () => Promise.resolve({ ok: true, content: "Nothing.", details: { summary: "nothing" } }),
};
const TEAM = [
  agent("Ana", { kind: "persona", tools: [{ name: "look_up" }] }),
  agent("Bo", { kind: "persona" }),
  agent("Sum", { kind: "synthesizer" }),
];
const HISTORY: readonly ChatMessage[] = [
  { role: "user", content: "How large is the cache?" },
  { role: "assistant", content: "It holds 64 MB, and half of it is in use." },
];

contract("a committee of two", (target) => {
  let ended: Ended;

  before(async () => {
    ended = await convene(target);
  });

  it("ends with a synthesis that is the turn's answer", () => {
    const { events, end } = ended;
    assert.equal(end.data.outcome, "answered", JSON.stringify(end.data.error));
    assert.equal(of(events, "committee.end")[0]?.data.outcome, "answered");
    assert.deepEqual(warned(events, "no_synthesis"), []);
    assert.notEqual(of(events, "answer.dialog")[0]?.data.answer, "");
  });

  it("tells who stood where after each round, with the tokens of each call", () => {
    const { events } = ended;
    const rounds = of(events, "round.end");
    assert.ok(rounds.length >= 1);
    for (const { data } of rounds) {
      assert.deepEqual(
        data.positions.map((position) => [position.agent, position.error]),
        [
          ["Ana", undefined],
          ["Bo", undefined],
        ],
      );
    }
    for (const { data } of of(events, "model.end")) assert.ok((data["gen_ai.usage.input_tokens"] ?? 0) > 50);
  });

  it("shares its prompts as the server renders them, byte by byte, up to the question and beyond", async () => {
    const prompts = await Promise.all(ended.requests.map((request) => rendered(target, request)));
    const [first = "", second = "", ...later] = prompts;
    const question = first.lastIndexOf(QUESTION) + QUESTION.length;
    assert.match(first.slice(0, question), /look_up.*How large is the cache\?.*64 MB/su);
    // Of one round, nothing differs before a member's own part.
    assert.ok(commonStart(first, second) >= first.indexOf("Your part in this is "));
    assert.ok(later.length >= 1);
    for (const prompt of later) assert.ok(commonStart(first, prompt) >= question);
  });
});

function convene(target: Target): Promise<Ended> {
  const committee = { personas: ["Ana", "Bo"], synthesizer: "Sum", rounds: 2, steps: 1 };
  const product = { agents: TEAM, tools: toolSet(LOOK_UP) };
  return turnOn(target, product, { question: QUESTION, history: HISTORY, options: { committee } });
}
