import assert from "node:assert/strict";
import { NO_AGENTS } from "../../../src/agent/agents/definition.ts";
import { withDelegation } from "../../../src/agent/delegate.ts";
import { agentTools, namedTools, restrictTools, unknownTools } from "../../../src/agent/select-tools.ts";
import type { ToolSet } from "../../../src/agent/tool.ts";
import { agent, engineWith } from "./agents.ts";
import { ask, makeTool, only, toolSet } from "./support.ts";
import * as ollama from "../../support/ollama/index.ts";

const tools = toolSet(
  makeTool({ name: "look_up", aliases: ["search"] }),
  makeTool({ name: "save", readOnly: false }),
  makeTool({ name: "count" }),
);

describe("lists of tools", () => {
  const catalog = (...names: readonly string[]) => ({
    ...NO_AGENTS,
    agents: names.map((name) => agent({ name })),
  });
  const asking = toolSet(makeTool({ name: "ask_agent" }), makeTool({ name: "count" }));

  it("are the same objects from turn to turn, so that what is made of them is kept", () => {
    const names = ["count", "look_up"];
    assert.equal(namedTools(tools, names).schemas, namedTools(tools, names).schemas);
    const [one, other] = [1, 2].map(() => withDelegation(asking, catalog("Ana", "Bo"), "Ana").schemas);
    assert.equal(one, other);
    const plain = { tools: [{ name: "count" }] };
    assert.equal(agentTools(tools, plain).schemas, agentTools(tools, plain).schemas);
  });

  it("are others as soon as anything is told differently", () => {
    const before = withDelegation(asking, catalog("Ana", "Bo"), "Ana").schemas;
    const after = withDelegation(asking, catalog("Ana", "Bo", "Cy"), "Ana").schemas;
    assert.match(after[0]!.description, /Cy/);
    assert.doesNotMatch(before[0]!.description, /Cy/);
    const described = { tools: [{ name: "count", description: "Counts sheep." }] };
    assert.equal(agentTools(tools, described).schemas[0]!.description, "Counts sheep.");
    assert.notEqual(tools.find("count")!.description, "Counts sheep.");
  });
});

describe("tools that an agent may use", () => {
  it("are told of like all others, byte for byte, where only the calls are restricted", () => {
    const restricted = restrictTools(tools, ["count"], "Skeptic");
    assert.equal(JSON.stringify(restricted.schemas), JSON.stringify(tools.schemas));
    assert.equal(restricted.find("count"), tools.find("count"));
  });

  it("are all of them where no list is given, none where it is empty", () => {
    assert.equal(restrictTools(tools, undefined, "Skeptic"), tools);
    const none = restrictTools(tools, [], "Skeptic");
    assert.notEqual(none.find("look_up"), tools.find("look_up"));
  });

  it("are the very set that all share where the list names all of it, and refuse what is only for who names it", () => {
    const all = ["look_up", "save", "count"];
    assert.equal(restrictTools(tools, all, "Skeptic"), tools);
    const hidden = makeTool({ name: "hidden" });
    const more: ToolSet = {
      schemas: tools.schemas,
      byName: toolSet(hidden).schemas,
      find: (name) => (name === "hidden" ? hidden : tools.find(name)),
    };
    assert.notEqual(restrictTools(more, all, "Skeptic").find("hidden"), hidden);
  });

  it("are found by another name too", () => {
    const restricted = restrictTools(tools, ["search"], "Skeptic");
    assert.equal(restricted.find("look_up"), tools.find("look_up"));
    assert.equal(restricted.find("nothing"), undefined);
  });

  it("refuse any other call with a sentence, whatever its arguments are, and change nothing", async () => {
    const refused = restrictTools(tools, ["count"], "Skeptic").find("save")!;
    for (const args of [{}, { query: 3 }, null]) {
      const parsed = refused.parameters.safeParse(args);
      assert.ok(parsed.success);
      const context = {
        signal: AbortSignal.abort(),
        sessionId: "s",
        turnId: "t",
        agent: "Skeptic",
        question: "",
      };
      const outcome = await refused.run(parsed.data, context);
      assert.ok(!outcome.ok);
      assert.match(outcome.failure.message, /Skeptic may not use save\. It may use: count\./);
    }
  });

  it("keep the order of all tools, whatever the order of the file", () => {
    const own = agentTools(tools, { tools: [{ name: "count" }, { name: "search", description: "Looks." }] });
    assert.deepEqual(
      own.schemas.map(({ name, description }) => [name, description]),
      [
        ["look_up", "Looks."],
        ["count", "The tool count."],
      ],
    );
    assert.equal(own.find("save"), undefined);
  });

  it("that have to be named are told of and found only where they are", () => {
    const extra = makeTool({ name: "mcp_weather" });
    const all = toolSet(extra, tools.find("count")!);
    const set: ToolSet = { ...tools, byName: toolSet(extra).schemas, find: (name) => all.find(name) };
    assert.equal(agentTools(set, undefined).find("mcp_weather"), undefined);
    assert.equal(agentTools(set, undefined).find("count")?.name, "count");
    const own = agentTools(set, { tools: [{ name: "mcp_weather" }, { name: "count" }] });
    assert.deepEqual(
      own.schemas.map(({ name }) => name),
      ["count", "mcp_weather"],
    );
    assert.equal(own.find("mcp_weather"), extra);
    assert.equal(unknownTools(set, ["mcp_wether"])[0]?.near, "mcp_weather");
  });

  it("that are unknown are named with the nearest that there is", () => {
    assert.deepEqual(unknownTools(tools, ["lookup", "count", "zzz"]), [
      { name: "lookup", near: "look_up" },
      { name: "zzz" },
    ]);
  });
});

describe("a tool that asks another agent", () => {
  it("says so where there is nobody to ask", async () => {
    const server = await ollama.startScriptedOllama();
    server.enqueue(
      [ollama.toolCall("ask_agent", { agent: "Bo", question: "And you?" })],
      [ollama.text("Then I.")],
    );
    const { events } = await ask(engineWith(server.host, { agents: [agent({ name: "Ana" })] }), "When?", {
      options: { agent: "Ana" },
    });
    assert.equal(only(events, "tool.result").data.error?.code, "tool_unknown");
    await server.close();
  });
});
