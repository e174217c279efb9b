import assert from "node:assert/strict";
import type { Engine } from "../../../../src/agent/engine-port.ts";
import type { ToolProtocol } from "../../../../src/agent/events.ts";
import { failed, success } from "../../../../src/agent/failure.ts";
import type { MemoryPort } from "../../../../src/agent/memory/port.ts";
import type { JsonObject } from "../../../../src/agent/models/types.ts";
import type { ProtocolAdapter } from "../../../../src/agent/protocol.ts";
import { protocolAdapter } from "../../../../src/agent/protocols/index.ts";
import {
  all,
  answers,
  ask,
  broken,
  call,
  callTools,
  end,
  engineOver,
  makeTool,
  only,
  playModel,
  say,
  toolSet,
  warnings,
  type PlayedModel,
  type Setup,
} from "../support.ts";
import { emptyMemory } from "../memory.ts";

/** Adapters that are all read as they are, and that a request can be told apart by. */
function marked(name: ToolProtocol): ProtocolAdapter {
  const format: JsonObject = { title: name };
  const plain = protocolAdapter("native");
  return {
    ...plain,
    name,
    prepare: (messages, tools, last) => ({ ...plain.prepare(messages, tools, last), format }),
  };
}

function over(model: PlayedModel, setup: Setup = {}): Engine {
  return engineOver(model, { adapter: marked, ...setup });
}

function protocols(model: PlayedModel): unknown[] {
  return model.requests.map((request) => request.format?.["title"]);
}

function memory(search: MemoryPort["search"]): MemoryPort {
  return emptyMemory({ search });
}

const remembering = memory(() =>
  Promise.resolve(
    success({
      searched: 1,
      hits: [
        {
          score: 0.9,
          parts: {},
          episode: {
            ...{
              id: "e",
              sessionId: "s",
              turnId: "t",
              agent: "a",
              respondent: "A",
              model: "m",
              kind: "turn",
            },
            ...{ question: "Which cache?", answer: "The red one.", time: Date.UTC(2026, 0, 2) },
          },
        },
      ],
    }),
  ),
);

describe("how tools are offered", () => {
  it("is native to a model that says it can", async () => {
    const model = playModel([answers("x")]);
    await ask(over(model));
    assert.deepEqual(protocols(model), ["native"]);
  });

  it("is by constrained output to a model that can't", async () => {
    const model = playModel([answers("x")], { capabilities: ["completion"] });
    const { events } = await ask(over(model));
    assert.deepEqual(protocols(model), ["constrained"]);
    assert.equal(only(events, "tool.schema").data["conclave.protocol"], "constrained");
  });

  it("is as the setting says, whatever the model can", async () => {
    const model = playModel([answers("x")]);
    await ask(over(model, { settings: { toolProtocol: "react" } }));
    assert.deepEqual(protocols(model), ["react"]);
  });

  it("changes when the server says in mid-turn that it can't, and the step runs again", async () => {
    const model = playModel([
      [callTools(call("look_up", { query: "a" })), end()],
      [broken("tools_unsupported")],
      answers("x"),
      answers("y"),
    ]);
    const engine = over(model);
    const { events } = await ask(engine);
    assert.deepEqual(protocols(model), ["native", "native", "constrained"]);
    assert.deepEqual(warnings(events), ["protocol_changed"]);
    assert.equal(only(events, "answer.dialog").data.answer, "x");
    const steps = all(events, "step.start").map(({ data }) => [data.index, data["conclave.protocol"]]);
    assert.deepEqual(steps, [
      [1, "native"],
      [2, "native"],
      [2, "constrained"],
    ]);
    await ask(engine);
    assert.equal(protocols(model).at(-1), "constrained", "what was learned of the model holds");
  });

  it("gets another chance when the model's capabilities change", async () => {
    let tools = false;
    const model = playModel([[broken("tools_unsupported")], answers("x"), answers("y")], {
      describe: () =>
        Promise.resolve(
          success({
            name: "tiny",
            capabilities: tools ? ["completion", "tools", "vision"] : ["completion", "tools"],
          }),
        ),
    });
    const engine = over(model);
    await ask(engine);
    tools = true;
    await ask(engine);
    assert.deepEqual(protocols(model), ["native", "constrained", "native"]);
  });

  it("falls back all the way to none, where memory's finds go before the question", async () => {
    const model = playModel([
      [broken("tools_unsupported")],
      [broken("invalid_format")],
      [broken("invalid_format")],
      answers("The red one."),
    ]);
    const { events, end: last } = await ask(over(model, { memory: remembering }), "Which cache was it?");
    assert.deepEqual(protocols(model), ["native", "constrained", "react", "none"]);
    const [before, question] = model.requests.at(-1)!.messages.slice(-2);
    assert.match(before!.content, /The red one\./);
    assert.match(before!.content, /material, not instructions/);
    assert.deepEqual(question, { role: "user", content: "Which cache was it?" });
    assert.equal(only(events, "answer.dialog").data.answer, "The red one.");
    assert.equal(
      last.data["conclave.messages"].length,
      2,
      "what was recalled is not part of the conversation",
    );
  });

  it("ends the turn when nothing is left to fall back to", async () => {
    const turn = await ask(over(playModel([[broken("invalid_format")]])));
    assert.equal(turn.end.data.error?.code, "invalid_format");
  });
});

describe("a model that gets no tools", () => {
  it("is given what memory finds, when there are no tools or the setting says none", async () => {
    for (const setup of [{ tools: toolSet() }, { settings: { toolProtocol: "none" as const } }]) {
      const model = playModel([answers("x")]);
      await ask(over(model, { memory: remembering, ...setup }));
      assert.deepEqual(protocols(model), ["none"]);
      assert.match(model.requests[0]!.messages.at(-2)!.content, /The red one/);
    }
  });

  it("answers without memory when that is away, and it is said", async () => {
    const away = [
      memory(() => Promise.resolve(failed("memory_unavailable", "The store is locked."))),
      memory(() => Promise.reject(new Error("died"))),
    ];
    for (const port of away) {
      const { events } = await ask(over(playModel([answers("x")]), { memory: port, tools: toolSet() }));
      assert.deepEqual(warnings(events), ["memory_unavailable"]);
      assert.equal(only(events, "answer.dialog").data.answer, "x");
    }
  });

  it("is not asked to search memory when it has tools", async () => {
    const port = memory(() => Promise.reject(new Error("must not be asked")));
    assert.deepEqual(warnings((await ask(over(playModel([answers("x")]), { memory: port }))).events), []);
  });
});

describe("thinking", () => {
  it("is not asked of a model that can't", async () => {
    const model = playModel([answers("x")], { capabilities: ["completion", "tools"] });
    await ask(over(model));
    assert.equal(model.requests[0]!.think, undefined);
  });

  it("is left out when the server refuses it in mid-turn, now and later", async () => {
    const model = playModel([[broken("thinking_unsupported")], answers("x"), answers("y")]);
    const engine = over(model);
    assert.deepEqual(warnings((await ask(engine)).events), ["protocol_changed"]);
    await ask(engine);
    assert.deepEqual(
      model.requests.map((request) => request.think),
      [true, undefined, undefined],
    );
  });

  it("refused although it was not asked for ends the turn instead of going round", async () => {
    const turn = await ask(over(playModel([[broken("thinking_unsupported")]])));
    assert.equal(turn.end.data.error?.code, "thinking_unsupported");
  });
});

describe("output that can't be used", () => {
  it("as a call that the server can't parse is asked for again, with words", async () => {
    const model = playModel([[broken("tool_call_unparsable")], answers("x")]);
    const { events } = await ask(over(model));
    assert.deepEqual(warnings(events), ["retried"]);
    assert.match(model.requests[1]!.messages.at(-1)!.content, /not valid JSON/);
    assert.deepEqual(protocols(model), ["native", "native"]);
  });

  it("for the second time leads to another protocol, for this turn only", async () => {
    const bad = [broken("tool_call_unparsable")];
    const model = playModel([bad, bad, answers("x"), answers("y")]);
    const engine = over(model);
    await ask(engine);
    await ask(engine);
    assert.deepEqual(protocols(model), ["native", "native", "constrained", "native"]);
  });

  /** An adapter that finds every text with "bad" of no use. */
  const picky = (name: ToolProtocol): ProtocolAdapter => {
    const plain = marked(name);
    return {
      ...plain,
      reader: (...given) => {
        const reader = plain.reader(...given);
        return {
          thinking: (text) => reader.thinking(text),
          content: (text) => reader.content(text),
          calls: (calls) => reader.calls(calls),
          finish: (reason) => {
            const { shown, reading } = reader.finish(reason);
            const bad = reading.answer.startsWith("bad");
            const answer = reading.answer === "bad" ? "" : reading.answer;
            return { shown, reading: bad ? { ...reading, answer, broken: "That was no action." } : reading };
          },
        };
      },
    };
  };

  it("of a text protocol is corrected in words", async () => {
    const model = playModel([[say("bad"), end()], answers("x")]);
    const { events } = await ask(engineOver(model, { adapter: picky }));
    assert.deepEqual(warnings(events), ["format_broken"]);
    assert.deepEqual(model.requests[1]!.messages.slice(-2), [
      { role: "assistant", content: "bad" },
      { role: "user", content: "That was no action." },
    ]);
    assert.equal(only(events, "answer.dialog").data.answer, "x");
  });

  it("three times over is the answer when it is text, else another protocol gets its chance", async () => {
    const text = await ask(engineOver(playModel([[say("bad but text"), end()]]), { adapter: picky }));
    assert.equal(only(text.events, "answer.dialog").data.answer, "bad but text");
    const bad = [say("bad"), end()];
    const model = playModel([bad, bad, bad, answers("x")]);
    await ask(engineOver(model, { adapter: picky }));
    assert.deepEqual(protocols(model), ["native", "native", "native", "constrained"]);
  });

  it("for ever ends the turn with words", async () => {
    const turn = await ask(
      engineOver(playModel([[say("bad"), end()]]), { adapter: picky, settings: { maxSteps: 20 } }),
    );
    assert.equal(turn.end.data.error?.code, "invalid_format");
  });
});

describe("a model that can't be described", () => {
  it("is tried all the same when the server only lacks the answer", async () => {
    const model = playModel([answers("x")], {
      describe: () => Promise.resolve(failed("server_error", "no such page")),
    });
    const { events } = await ask(over(model));
    assert.equal(only(events, "answer.dialog").data.answer, "x");
  });

  it("ends the turn with the one message that helps, when it is missing or no server is there", async () => {
    for (const code of ["model_missing", "server_unreachable"] as const) {
      const model = playModel([], { describe: () => Promise.resolve(failed(code, "Pull it.")) });
      const turn = await ask(over(model));
      assert.equal(turn.end.data.error?.code, code);
      assert.equal(model.requests.length, 0);
    }
  });

  it("may also not be chosen yet", async () => {
    const engine = engineOver(playModel([]), { settings: { model: " " } });
    const { error } = (await ask(engine)).end.data;
    assert.deepEqual([error?.code, error?.action], ["no_model", "select_model"]);
  });
});

describe("a web tool that is off", () => {
  it("is said to the user as a warning, beside what the model is told", async () => {
    const off = makeTool({
      name: "look_up",
      run: () => Promise.resolve({ ...failed("tool_disabled", "Web search is off."), retryable: false }),
    });
    const model = playModel([[callTools(call("look_up", { query: "a" })), end()], answers("x")]);
    const { events } = await ask(engineOver(model, { tools: toolSet(off) }));
    assert.deepEqual(warnings(events), ["web_off"]);
  });
});
