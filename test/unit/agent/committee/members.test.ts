import assert from "node:assert/strict";
import { BUILT_IN_AGENTS } from "../../../../src/agent/agents/built-in/index.ts";
import { ENGINEERING_TEAM, INNER_TEAM, SELF } from "../../../../src/agent/committee/settings.ts";
import { checkOf } from "../../../../src/agent/structured/check.ts";
import { outputSchema } from "../../../../src/agent/structured/fields.ts";
import { askAgent } from "../../../../src/tools/ask-agent.ts";
import { all, answers, call, callTools, end, makeTool, only, toolSet, type Reply } from "../support.ts";
import { castModel, committeeEngine, convene, persona, speakerOf, speakers, warned } from "./bed.ts";

const search = makeTool({ name: "look_up" });

describe("a member of a committee", () => {
  it("has three steps with tools, then a last call without, whatever it still wants", async () => {
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
      [true, true, true, false],
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
