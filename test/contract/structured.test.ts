import assert from "node:assert/strict";
import { z } from "zod";
import type { AgentDefinition } from "../../src/agent/agents/definition.ts";
import { askAgent } from "../../src/tools/ask-agent.ts";
import type { Tool } from "../../src/agent/tool.ts";
import { agent, of, toolSet, turnOn, warned } from "./product.ts";
import { contract } from "./targets.ts";

const Note = z.strictObject({ title: z.string().max(20), urgent: z.boolean() });

/** An agent whose answer is an object; short, so that the smallest of models comes to its end. */
function structured(properties: object, chainedTool: string): AgentDefinition {
  return agent("Clerk", {
    properties: properties as NonNullable<AgentDefinition["properties"]>,
    required: Object.keys(properties),
    structuredOutput: true,
    chainedTool,
  });
}

contract("an agent with structured output", (target) => {
  for (const kind of ["full", "plain"] as const) {
    it(`of a ${kind} model gives a valid object, and its chained tool is called with it`, async () => {
      const given: unknown[] = [];
      const keep: Tool = {
        name: "keep_note",
        description: "Keeps a note.",
        parameters: Note,
        readOnly: false,
        timeoutMs: 5_000,
        run: (note) => {
          given.push(note);
          return Promise.resolve({ ok: true, content: "Kept.", details: { summary: "1 kept" } });
        },
      };
      const clerk = structured(
        { title: { type: "string", maxLength: 20 }, urgent: { type: "boolean" } },
        "keep_note",
      );
      const product = { agents: [clerk], tools: toolSet(keep), settings: { model: target[kind] } };
      const { events, end, requests } = await turnOn(target, product, { options: { agent: "Clerk" } });
      assert.equal(end.data.outcome, "answered", JSON.stringify(end.data.error));
      const [output] = of(events, "output.structured");
      assert.ok(Note.safeParse(output?.data.value).success, JSON.stringify(output?.data));
      assert.equal(output?.data.repaired, false);
      assert.deepEqual(given, [output.data.value]);
      assert.equal(of(events, "tool.request")[0]?.data["conclave.chained"], true);
      // The object is constrained, and the chained call costs no call of the model.
      assert.equal(requests.length, 1);
      assert.notEqual(requests[0]?.format, undefined);
      assert.deepEqual(warned(events, "chained_tool"), []);
    });
  }

  it("can hand its object on to another agent, which answers under the call", async () => {
    const clerk = structured(
      { agent: { type: "string", enum: ["Bo"] }, question: { type: "string", minLength: 1, maxLength: 40 } },
      "ask_agent",
    );
    const product = { agents: [clerk, agent("Bo")], tools: toolSet(askAgent()) };
    const { events, end } = await turnOn(target, product, { options: { agent: "Clerk" } });
    assert.equal(end.data.outcome, "answered", JSON.stringify(end.data.error));
    const [request] = of(events, "tool.request");
    assert.equal(request?.data.name, "ask_agent");
    const delegate = of(events, "agent.start").find(({ data }) => data["gen_ai.agent.name"] === "Bo");
    assert.deepEqual([delegate?.parentId, delegate?.data["conclave.role"]], [request.id, "delegate"]);
    const ended = of(events, "agent.end").find(({ id }) => id === delegate?.id);
    // The smallest of models may have nothing to say, and then that is said.
    const ends = ["answered", "empty_answer"];
    assert.ok(ends.includes(ended?.data.error?.code ?? ended?.data.outcome ?? ""));
    const [result] = of(events, "tool.result");
    assert.match(result?.data.result ?? "", ended?.data.error ? /gave no answer/u : /Bo answers:/u);
  });
});
