import assert from "node:assert/strict";
import {
  chooseTools,
  onlyChosen,
  type Embed,
  type ToolChoice,
} from "../../../../src/agent/budget/relevant-tools.ts";
import { failed, success } from "../../../../src/agent/failure.ts";
import type { ToolSchema } from "../../../../src/agent/models/types.ts";
import { systemTimer } from "../../../../src/agent/timer.ts";
import {
  answers,
  ask,
  call,
  callTools,
  end,
  engineOver,
  fakeTimer,
  makeTool,
  only,
  playModel,
  toolSet,
  warnings,
} from "../support.ts";

const schema = (name: string, description: string): ToolSchema => ({
  name,
  description,
  parameters: { type: "object", properties: {} },
});

const fillers = Array.from({ length: 18 }, (_, at) => schema(`filler_${at}`, `Does thing number ${at}.`));
const schemas = [
  ...fillers.slice(0, 17),
  schema("read_tide", "Reads the tide table of a harbour."),
  schema("send_mail", "Sends a letter to somebody."),
  ...fillers.slice(17),
];

function choice(part: Partial<ToolChoice> = {}): ToolChoice {
  return {
    question: "When is high tide in the harbour?",
    most: 12,
    limit: 100_000,
    wanted: new Set(),
    always: new Set(),
    before: new Set(),
    embed: undefined,
    signal: new AbortController().signal,
    timer: systemTimer,
    ...part,
  };
}

/** As many as there is room for. */
function roomFor(limit: number): ToolChoice {
  return choice({ limit, most: schemas.length });
}

const names = (offered: readonly ToolSchema[]): readonly string[] => offered.map(({ name }) => name);

/** Says that "mail" is near to anything and the rest is far. */
function mailEmbedder(): { readonly embed: Embed; readonly texts: string[] } {
  const texts: string[] = [];
  return {
    texts,
    embed: (asked) => {
      texts.push(...asked);
      return Promise.resolve(success(asked.map((text) => (/mail|tide in/.test(text) ? [1, 0] : [0, 1]))));
    },
  };
}

describe("the tools that fit a question", () => {
  it("are all of them while there are few", async () => {
    const few = schemas.slice(0, 12);
    const { offered, leftOut } = await chooseTools(few, few, choice());
    assert.equal(offered, few);
    assert.deepEqual(leftOut, []);
  });

  it("are found by the question's words where there are no embeddings, in the order they had", async () => {
    const { offered, leftOut } = await chooseTools(schemas, schemas, choice());
    assert.equal(offered.length, 12);
    assert.equal(names(offered).at(-1), "read_tide");
    assert.deepEqual(names(offered).slice(0, 3), ["filler_0", "filler_1", "filler_2"]);
    assert.ok(leftOut.includes("send_mail"));
    assert.equal(offered.length + leftOut.length, schemas.length);
  });

  it("are found by embeddings where there are some; descriptions are embedded once", async () => {
    const { embed, texts } = mailEmbedder();
    const first = await chooseTools(schemas, schemas, choice({ embed }));
    assert.ok(names(first.offered).includes("send_mail"));
    assert.equal(texts.length, schemas.length + 1);
    await chooseTools(schemas, schemas, choice({ embed }));
    assert.equal(texts.length, schemas.length + 2);
  });

  for (const [what, embed] of [
    ["fails", () => Promise.resolve(failed("internal", "away"))],
    ["throws", () => Promise.reject(new Error("away"))],
    ["gives too few vectors", () => Promise.resolve(success([[1, 0]]))],
  ] as const satisfies readonly (readonly [string, Embed])[]) {
    it(`are found by words when the embedder ${what}`, async () => {
      const { offered } = await chooseTools(schemas, schemas, choice({ embed }));
      assert.ok(names(offered).includes("read_tide"));
    });
  }

  it("are found by words when the embedder takes too long", async () => {
    const { clock, timer } = fakeTimer();
    const chosen = chooseTools(
      schemas,
      schemas,
      choice({ embed: () => new Promise(() => undefined), timer }),
    );
    await clock.tickAsync(3_001);
    assert.ok(names((await chosen).offered).includes("read_tide"));
  });

  it("hold those that somebody named, or the conversation has just used", async () => {
    const { offered } = await chooseTools(schemas, schemas, choice({ wanted: new Set(["send_mail"]) }));
    assert.ok(names(offered).includes("send_mail"));
  });

  it("are as many as their share of the context holds, and at least one", async () => {
    const { offered, forRoom } = await chooseTools(schemas, schemas, roomFor(60));
    assert.ok(forRoom && offered.length < 4 && names(offered).includes("read_tide"));
    assert.equal((await chooseTools(schemas, schemas, roomFor(0))).offered.length, 1);
  });

  it("hold, whatever the room, those without which the main job can't be done", async () => {
    const always = new Set(["send_mail", "filler_17"]);
    const { offered } = await chooseTools(schemas, schemas, choice({ always, limit: 0 }));
    assert.deepEqual(names(offered), ["send_mail", "filler_17"]);
  });

  it("hold those that the session was offered before, beyond their number", async () => {
    const before = new Set(schemas.slice(0, 12).map(({ name }) => name));
    const { offered } = await chooseTools(
      schemas,
      schemas,
      choice({ before, wanted: new Set(["send_mail"]) }),
    );
    const missing = [...before, "send_mail", "read_tide"].filter((name) => !names(offered).includes(name));
    assert.deepEqual(missing, []);
  });

  it("are told of alone; another one that is called all the same is found", () => {
    const tools = toolSet(makeTool({ name: "a" }), makeTool({ name: "b" }));
    const only = onlyChosen(tools, { offered: tools.schemas.slice(0, 1), leftOut: ["b"], forRoom: false });
    assert.deepEqual(names(only.schemas), ["a"]);
    assert.equal(only.find("b")?.name, "b");
  });
});

describe("a turn with many tools", () => {
  const budget = { relevantToolsFrom: 16 };
  const many = toolSet(...schemas.map(({ name, description }) => makeTool({ name, description })));

  it("offers those that fit, the same in every step, and tells which it left out", async () => {
    const model = playModel([answers("x")]);
    const { events } = await ask(
      engineOver(model, { tools: many, settings: { budget } }),
      "When is high tide in the harbour?",
    );
    const offered = names(model.requests[0]!.tools!);
    assert.equal(offered.length, 12);
    assert.ok(offered.includes("read_tide"));
    assert.ok(only(events, "tool.schema").data["conclave.left_out"]?.includes("send_mail"));
    assert.deepEqual(warnings(events), []);
  });

  it("asks the embedder that the engine was given", async () => {
    const { embed } = mailEmbedder();
    const model = playModel([answers("x")]);
    await ask(
      engineOver(model, { tools: many, embed, settings: { budget } }),
      "When is high tide in the harbour?",
    );
    assert.ok(names(model.requests[0]!.tools!).includes("send_mail"));
  });

  it("offers all of them where the setting is off, or somebody named them", async () => {
    const model = playModel([answers("x")]);
    const off = engineOver(model, { tools: many, settings: { budget: { relevantToolsFrom: 0 } } });
    await ask(off);
    await ask(engineOver(model, { tools: many }), "What?", {
      options: { tools: schemas.map(({ name }) => name) },
    });
    assert.deepEqual(
      model.requests.map(({ tools }) => tools!.length),
      [schemas.length, schemas.length],
    );
  });

  it("says so when tools are left out because the context is too short for them", async () => {
    const model = playModel([answers("x")], { contextLength: 2_048 });
    const { events } = await ask(engineOver(model, { tools: many }), "When is high tide?");
    assert.ok(model.requests[0]!.tools!.length < 12);
    assert.equal(only(events, "warning").data.code, "context_cut");
  });

  it("offers in a session's later questions what it offered before, so that the server's cached prompt holds", async () => {
    const model = playModel([answers("x"), answers("y")]);
    const engine = engineOver(model, { tools: many, settings: { budget } });
    const { sessionId } = await ask(engine, "When is high tide in the harbour?");
    await ask(engine, "Send a letter to somebody!", { sessionId });
    const [first, second] = model.requests.map(({ tools }) => names(tools!));
    assert.deepEqual(
      first!.filter((name) => !second!.includes(name)),
      [],
    );
    assert.ok(second!.includes("send_mail"));
  });
});

describe("a turn of a model that is not known to call well", () => {
  const known = toolSet(
    ...[
      "search_memory",
      "search_knowledge_graph",
      "search",
      "get_moments",
      "save_memory",
      "save_moments",
    ].map((name) => makeTool({ name })),
    ...["web_search", "web_fetch", "remind_me", "read_file", "list_files"].map((name) => makeTool({ name })),
  );

  it("offers at most five tools: one search over everything, saving, reading, and the web", async () => {
    const model = playModel([answers("x")], { parameters: 4e9 });
    const { events } = await ask(engineOver(model, { tools: known }), "What?");
    assert.deepEqual(names(model.requests[0]!.tools!), [
      "search",
      "save_memory",
      "web_search",
      "web_fetch",
      "read_file",
    ]);
    assert.ok(only(events, "tool.schema").data["conclave.left_out"]?.includes("search_memory"));
  });

  it("offers all that somebody named for the turn", async () => {
    const model = playModel([answers("x")], { parameters: 4e9 });
    const tools = known.schemas.map(({ name }) => name);
    await ask(engineOver(model, { tools: known }), "What?", { options: { tools } });
    assert.equal(model.requests[0]!.tools!.length, tools.length);
  });

  it("runs a tool that it knows from elsewhere and was not told of", async () => {
    const model = playModel([[callTools(call("search_memory", { query: "a" })), end()], answers("x")], {
      parameters: 4e9,
    });
    const { events } = await ask(engineOver(model, { tools: known }), "What?");
    assert.equal(only(events, "tool.result").data.name, "search_memory");
  });
});
