import assert from "node:assert/strict";
import { BUILT_IN_AGENTS } from "../../../../src/agent/agents/built-in/index.ts";
import { ENGINEERING_TEAM, INNER_TEAM, SELF } from "../../../../src/agent/committee/settings.ts";
import { checkOf } from "../../../../src/agent/structured/check.ts";
import { outputSchema } from "../../../../src/agent/structured/fields.ts";
import { askAgent } from "../../../../src/tools/ask-agent.ts";
import { all, answers, call, callTools, end, makeTool, only, toolSet, type Reply } from "../support.ts";
import type { AgentDefinition } from "../../../../src/agent/agents/definition.ts";
import type { ToolSet } from "../../../../src/agent/tool.ts";
import type { TurnEvent } from "../../../../src/agent/events.ts";
import { castModel, committeeEngine, convene, persona, speakerOf, speakers, tailOf, warned } from "./bed.ts";

const search = makeTool({ name: "look_up" });
const results = (events: readonly TurnEvent[]) => all(events, "tool.result");

/** A persona whose file says nothing of tools. */
function unlisted(name: string): AgentDefinition {
  const { description, kind, prompt, limits, required, structuredOutput, source } = persona(name);
  return { name, description, kind, prompt, limits, required, structuredOutput, source };
}

describe("a member of a committee", () => {
  it("has three steps with tools and is then asked to answer; one that still calls is asked without tools", async () => {
    let wish = 0;
    const wants: Reply = async function* ({ tools }) {
      wish += 1;
      const chunk =
        tools === undefined
          ? answers("Position: enough")
          : [callTools(call("look_up", { query: `${wish}` })), end()];
      for (const one of chunk) yield await Promise.resolve(one);
    };
    const personas = [persona("Ana", { tools: [{ name: "look_up" }] }), persona("Bo")];
    const model = castModel({ Ana: [wants], Bo: ["Position: go"] });
    const { events } = await convene(committeeEngine({ personas, models: [model], tools: toolSet(search) }));
    const own = model.requests.filter((request) => speakerOf(request) === "Ana");
    assert.deepEqual(
      own.map(({ tools }) => tools !== undefined),
      [true, true, true, true, false],
    );
    assert.equal(only(events, "round.end").data.positions[0]?.answer, "Position: enough");
  });

  it("makes no search when its model needs none: it is told when to", async () => {
    const model = castModel({ Ana: ["Position: rest first"], Bo: ["Position: call her"] });
    const personas = [persona("Ana", { tools: [{ name: "look_up" }] }), persona("Bo")];
    const { events } = await convene(committeeEngine({ personas, models: [model], tools: toolSet(search) }));
    assert.equal(all(events, "tool.request").length, 0);
    for (const request of model.requests)
      assert.match(request.messages.at(-1)?.content ?? "", /What WAS is over; what IS holds now/u);
  });

  it("is told at the end of its prompt what its file says of its tools; the list that all share stays the same", async () => {
    const own = { name: "look_up", description: "Only for tide tables." };
    const personas = [persona("Ana", { tools: [own] }), persona("Bo", { tools: [{ name: "look_up" }] })];
    const model = castModel({ Ana: ["one"], Bo: ["two"] });
    await convene(committeeEngine({ personas, models: [model], tools: toolSet(search) }));
    const [ana, bo] = model.requests;
    assert.match(tailOf(ana!), /- look_up: Only for tide tables\.$/u);
    assert.doesNotMatch(tailOf(bo!), /tide tables/u);
    assert.deepEqual(ana?.tools, bo?.tools);
    assert.doesNotMatch(JSON.stringify(ana?.tools), /tide tables/u);
  });

  it("has the tools that have to be named where its file names them; others are refused them", async () => {
    const extra = makeTool({ name: "mcp_weather" });
    const both = toolSet(search, extra);
    const tools: ToolSet = {
      ...toolSet(search),
      byName: toolSet(extra).schemas,
      find: (name) => both.find(name),
    };
    const wants: Reply = [callTools(call("mcp_weather", { query: "Oban" })), end()];
    const personas = [persona("Ana", { tools: [{ name: "mcp_weather" }] }), unlisted("Bo")];
    const model = castModel({ Ana: [wants, "one"], Bo: [wants, "two"] });
    const { events } = await convene(committeeEngine({ personas, models: [model], tools }));
    const [ana, bo] = results(events);
    assert.equal(ana?.data.error, undefined);
    assert.match(bo?.data.error?.message ?? "", /^Bo may not use mcp_weather/u);
  });

  it("keeps the tools that its file names when many are there, and all are told of the same ones", async () => {
    const many = Array.from({ length: 30 }, (_, index) => makeTool({ name: `tool_${index}` }));
    const personas = [persona("Ana", { tools: [{ name: "tool_29" }] }), unlisted("Bo")];
    const model = castModel({
      Ana: ["Tuesday", "Tuesday"],
      Bo: ["Thursday", "Thursday"],
      Agreement: ['{"agree":false,"positions":[]}'],
    });
    const engine = committeeEngine({ personas, models: [model], tools: toolSet(...many) });
    await convene(engine, { rounds: 2, agreement: "model" });
    const told = model.requests.map(({ tools }) => tools?.map(({ name }) => name));
    assert.ok(told[0]?.includes("tool_29") && told[0].length < 30);
    for (const list of told) assert.deepEqual(list, told[0]);
  });

  it("may be a structured agent: its object is its answer, and its chained tool is called with it", async () => {
    const save = makeTool({ name: "save", readOnly: false });
    const form = {
      properties: { query: { type: "string" } },
      ...{ required: ["query"], structuredOutput: true, chainedTool: "save" },
    };
    const model = castModel({ Ana: ['{"query":"Tuesday"}'], Bo: ["Thursday"], "The Self": ["Done."] });
    const personas = [persona("Ana", form), persona("Bo")];
    const { events } = await convene(committeeEngine({ personas, models: [model], tools: toolSet(save) }));
    const { name, arguments: given } = only(events, "tool.request").data;
    assert.deepEqual([name, given], ["save", { query: "Tuesday" }]);
    assert.match(only(events, "round.end").data.positions[0]?.answer ?? "", /"query": "Tuesday"/u);
  });

  it("may ask another one, which can't ask back: the cycle is refused with a sentence", async () => {
    const asks = (agent: string): Reply => [
      callTools(call("ask_agent", { agent, question: "And you?" })),
      end(),
    ];
    const team = [
      persona("Ana", { tools: [{ name: "ask_agent" }] }),
      persona("Bo", { tools: [{ name: "ask_agent" }] }),
    ];
    const model = castModel({
      Ana: [asks("Bo"), "Thursday. @Bo, do you agree?"],
      Bo: [asks("Ana"), "Tuesday. @Ana, thank you, and you?"],
      single: [asks("Ana"), "I say Tuesday."],
    });
    const { events, end: ended } = await convene(
      committeeEngine({ personas: team, models: [model], tools: toolSet(askAgent()) }),
    );
    assert.equal(ended.data.outcome, "answered");
    assert.ok(warned(events, "delegation_refused").length > 0);
    const delegates = all(events, "agent.start").filter(({ data }) => data["conclave.role"] === "delegate");
    assert.ok(delegates.length <= 2);
  });

  it("is told of its own server's model, temperature and steps where its file says so", async () => {
    const personas = [persona("Ana", { temperature: 0.1 }), persona("Bo")];
    const model = castModel({ Ana: ["one"], Bo: ["two"] });
    await convene(committeeEngine({ personas, models: [model] }));
    assert.deepEqual(
      model.requests.map(({ temperature }) => temperature),
      [0.1, undefined, undefined],
    );
  });
});

describe("the product's own agents", () => {
  const named = (name: string) => BUILT_IN_AGENTS.find((agent) => agent.name === name);

  it("are the personas of both teams, and the one who sums up", () => {
    for (const name of [...ENGINEERING_TEAM, ...INNER_TEAM]) assert.equal(named(name)?.kind, "persona", name);
    assert.equal(named(SELF)?.kind, "synthesizer");
    assert.equal(new Set(BUILT_IN_AGENTS.map(({ name }) => name.toLowerCase())).size, BUILT_IN_AGENTS.length);
  });

  it("are short, and only look: none of their tools changes anything", () => {
    for (const { name, prompt, tools = [], description } of BUILT_IN_AGENTS) {
      assert.ok(prompt.length < 700 && description !== "", name);
      for (const tool of tools) assert.doesNotMatch(tool.name, /save|remind|update|action|forget|ask_agent/u);
    }
  });

  it("sit as the default committee without any file", async () => {
    const model = castModel({ "The Self": ["Done."] });
    const engine = committeeEngine({
      personas: [],
      models: [model],
      tools: toolSet(),
      committee: { personas: [...ENGINEERING_TEAM] },
    });
    await convene(engine);
    assert.deepEqual(speakers(model), [...ENGINEERING_TEAM, SELF]);
  });

  it("let Dreaming give moments that are saved: its form takes them, and nothing else", () => {
    const dreaming = named("Dreaming");
    assert.ok(dreaming !== undefined);
    assert.deepEqual([dreaming.structuredOutput, dreaming.chainedTool], [true, "save_moments"]);
    const check = checkOf(outputSchema(dreaming));
    assert.ok(check.ok);
    const moment = { title: "The boat", text: "She decided to sell the boat.", when: "2026-03-01" };
    assert.deepEqual(check.value({ moments: [moment] }), []);
    assert.notDeepEqual(check.value({ moments: [{ text: "no title" }] }), []);
    assert.notDeepEqual(check.value({}), []);
  });
});
