import assert from "node:assert/strict";
import { answerSchema, stepSchema } from "../../../../src/agent/protocols/grammar-schema.ts";
import { all, answers, ask, engineOver, gives, makeTool, only, playModel, toolSet } from "../support.ts";

const TOOLS = toolSet(makeTool({ name: "look_up", run: () => Promise.resolve(gives("14:10")) }));
const CALL = answers('{"thought":"look","tool":"look_up","arguments":{"query":"tide"}}');
const ANSWER = answers('{"thought":"fine","answer":"At 14:10."}');
const needs = (tool: boolean) => answers(JSON.stringify({ needs_tool: tool }));

/** Asks a model of a size whose output is constrained, and gives what it was held to in each request. */
async function asked(replies: Parameters<typeof playModel>[0], parameters: number) {
  const model = playModel(replies, { parameters, capabilities: ["completion"] });
  const turn = await ask(engineOver(model, { tools: TOOLS }), "When?");
  return { ...turn, requests: model.requests, formats: model.requests.map(({ format }) => format) };
}

describe("whether a model whose output is constrained needs a tool", () => {
  it("is asked of a small one before its first step, which then can do nothing else", async () => {
    const { events, requests, formats } = await asked([needs(true), CALL, ANSWER], 4e9);
    assert.match(requests[0]!.messages.at(-1)!.content, /Do you need one of the tools to answer this\?/);
    assert.deepEqual(formats.slice(1), [stepSchema(TOOLS.schemas, "call"), stepSchema(TOOLS.schemas)]);
    assert.equal(only(events, "answer.dialog").data.answer, "At 14:10.");
    assert.equal(only(events, "model.check").data.likelihood, 1);
  });

  it("leaves it the answer alone where it needs none", async () => {
    const { events, formats } = await asked([needs(false), ANSWER], 4e9);
    assert.deepEqual(formats.at(-1), answerSchema());
    assert.equal(all(events, "tool.request").length, 0);
  });

  it("begins its first step as the question about it began, so that the server need not read it again", async () => {
    const { requests } = await asked([needs(false), ANSWER], 4e9);
    assert.deepEqual(requests[0]!.messages.slice(0, -1), requests[1]!.messages);
  });

  it("leaves it free where it says neither", async () => {
    const { formats } = await asked([answers("Hm."), ANSWER], 4e9);
    assert.deepEqual(formats.at(-1), stepSchema(TOOLS.schemas));
  });

  it("is not asked of a large one", async () => {
    const { formats } = await asked([ANSWER], 8e9);
    assert.deepEqual(formats, [stepSchema(TOOLS.schemas)]);
  });
});
