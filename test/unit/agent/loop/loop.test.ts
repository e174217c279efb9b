import assert from "node:assert/strict";
import type { TurnEvent } from "../../../../src/agent/events.ts";
import { protocolAdapter } from "../../../../src/agent/protocols/index.ts";
import {
  all,
  answers,
  ask,
  call,
  callTools,
  end,
  engineOver,
  fakeTimer,
  gives,
  makeTool,
  muse,
  only,
  playModel,
  say,
  start,
  toolSet,
} from "../support.ts";

const lookUp = callTools(call("look_up", { query: "tide" }));
const shapeOf = (events: readonly TurnEvent[]): string[] => events.map((event) => event.type);

describe("the tool loop", () => {
  it("answers a question without tools in one step", async () => {
    const model = playModel([[muse("easy"), say("Forty"), say("-two."), end()]]);
    const turn = await ask(engineOver(model), "How much?");
    assert.equal(only(turn.events, "answer.dialog").data.answer, "Forty-two.");
    assert.equal(turn.end.data.outcome, "answered");
    assert.deepEqual(turn.end.data["conclave.messages"], [
      { role: "user", content: "How much?" },
      { role: "assistant", content: "Forty-two." },
    ]);
  });

  it("says how long the model thought before it answered, and nothing of it when it did not think", async () => {
    const model = playModel([[muse("easy"), say("Forty-two."), end()], answers("As I said.")]);
    const engine = engineOver(model);
    const first = await ask(engine, "How much?");
    const { "conclave.thinking_ms": thought = NaN, "conclave.duration_ms": whole } = only(
      first.events,
      "model.end",
    ).data;
    assert.ok(thought > 0 && thought < whole, `${thought} of ${whole}`);
    const second = await ask(engine, "How much?", { sessionId: first.sessionId });
    assert.equal(only(second.events, "model.end").data["conclave.thinking_ms"], undefined);
  });

  it("runs what the model calls and goes on with the results", async () => {
    const model = playModel([[lookUp, end()], answers("At 14:10.")]);
    const { events } = await ask(engineOver(model));
    assert.equal(only(events, "answer.dialog").data.answer, "At 14:10.");
    assert.deepEqual(model.requests[1]!.messages.slice(-2), [
      { role: "assistant", content: "", toolCalls: [call("look_up", { query: "tide" })] },
      { role: "tool", toolName: "look_up", toolCallId: "id-look_up", content: 'found {"query":"tide"}' },
    ]);
  });

  it("keeps what the model said beside a call, in this turn and later ones", async () => {
    const model = playModel([[say("Let me see."), lookUp, end()], answers("At 14:10."), answers("x")]);
    const engine = engineOver(model);
    const { sessionId } = await ask(engine);
    await ask(engine, "And?", { sessionId });
    for (const { messages } of model.requests.slice(1)) {
      assert.ok(messages.some(({ role, content }) => role === "assistant" && content === "Let me see."));
    }
  });

  it("tells of a turn in one order, from turn.start to turn.end", async () => {
    const model = playModel([[muse("hm"), lookUp, end()], answers("At 14:10.")]);
    const { events } = await ask(engineOver(model));
    assert.deepEqual(shapeOf(events), [
      ...["turn.start", "query.received", "agent.start", "agent.transition", "tool.schema"],
      ...["agent.transition", "step.start", "context.budget", "model.start", "model.delta", "model.end"],
      ...[
        "agent.transition",
        "agent.transition",
        "tool.request",
        "tool.result",
        "agent.transition",
        "step.end",
      ],
      ...["step.start", "context.budget", "model.start", "model.delta", "model.end", "step.end"],
      ...["agent.transition", "response.generation", "agent.transition", "agent.end"],
      ...["answer.dialog", "turn.end"],
    ]);
  });

  it("sends the thinking of a turn back within that turn, never in the next one", async () => {
    const model = playModel([[muse("a secret"), lookUp, end()], answers("One."), answers("Two.")]);
    const engine = engineOver(model);
    const { sessionId } = await ask(engine);
    await ask(engine, "And doubled?", { sessionId });
    const [, second, third] = model.requests.map((request) => JSON.stringify(request.messages));
    assert.match(second!, /a secret/);
    assert.doesNotMatch(third!, /a secret/);
    assert.match(third!, /found/);
  });

  it("moves text that turns out to be thinking out of the answer, and tells views to clear it", async () => {
    const model = playModel([
      [say("They want a num"), say("ber."), { type: "retract" }, say("Forty-two."), end()],
    ]);
    const { events } = await ask(engineOver(model));
    assert.equal(only(events, "answer.dialog").data.answer, "Forty-two.");
    assert.equal(only(events, "model.end").data.thinking, "They want a number.");
    const shown = { thinking: "", answer: "" };
    for (const { data } of all(events, "model.delta")) {
      if (data.retract) shown.answer = "";
      shown[data.channel] += data.text;
    }
    assert.deepEqual(shown, { thinking: "They want a number.", answer: "Forty-two." });
  });

  it("runs read-only calls of one message side by side and gives results in call order", async () => {
    const doors = new Map<string, () => void>();
    const wait = makeTool({
      name: "look_up",
      run: ({ query }) => new Promise((resolve) => doors.set(query, () => resolve(gives(query)))),
    });
    const three = ["a", "b", "c"].map((query) => call("look_up", { query }, query));
    const model = playModel([[callTools(...three), end()], answers("Done.")]);
    const turn = await start(engineOver(model, { tools: toolSet(wait) }));
    const events: TurnEvent[] = [];
    for await (const event of turn.events) {
      events.push(event);
      if (event.type === "tool.request" && doors.size === 3) {
        for (const name of ["c", "a", "b"]) doors.get(name)!();
      }
    }
    const sent = model.requests[1]!.messages.filter((message) => message.role === "tool");
    assert.deepEqual(
      sent.map((message) => message.content),
      ["a", "b", "c"],
    );
  });

  for (const [why, writes, protocol] of [
    ["when one of them writes", true, "native"],
    ["in the ReAct text protocol", false, "react"],
  ] as const) {
    it(`runs the calls of one message in order ${why}`, async () => {
      const log: string[] = [];
      const run = async ({ query }: { query: string }) => {
        log.push(`+${query}`);
        await Promise.resolve();
        log.push(`-${query}`);
        return gives(query);
      };
      const tools = toolSet(
        makeTool({ name: "look_up", run }),
        makeTool({ name: "save", readOnly: !writes, run }),
      );
      const calls = callTools(call("look_up", { query: "a" }), call("save", { query: "b" }));
      const engine = engineOver(playModel([[calls, end()], answers("Done.")]), {
        tools,
        settings: { toolProtocol: protocol },
        adapter: () => protocolAdapter("native"),
      });
      await ask(engine);
      assert.deepEqual(log, ["+a", "-a", "+b", "-b"]);
    });
  }

  it("gives calls ids of their own when the server repeats them", async () => {
    const same = [call("look_up", { query: "a" }, "call_0"), call("look_up", { query: "b" }, "call_0")];
    const model = playModel([[callTools(...same), end()], [callTools(same[0]!), end()], answers("Done.")]);
    const { events } = await ask(engineOver(model));
    const ids = all(events, "tool.request").map((event) => event.data["gen_ai.tool.call.id"]);
    assert.equal(new Set(ids).size, 3);
  });

  it("tells the model of a tool that does not exist, with the real names, and goes on", async () => {
    const model = playModel([
      [callTools(call("searchTheWeb", { query: "tide Oban" })), end()],
      [callTools(call("web_search", { query: "tide Oban" })), end()],
      answers("High tide 14:10."),
    ]);
    const { events } = await ask(engineOver(model, { tools: toolSet(makeTool({ name: "web_search" })) }));
    assert.equal(only(events, "answer.dialog").data.answer, "High tide 14:10.");
    assert.match(model.requests[1]!.messages.at(-1)!.content, /web_search/);
    const [wrong] = all(events, "tool.result");
    assert.equal(wrong!.data.name, "searchTheWeb");
    assert.equal(wrong!.data.error?.code, "tool_unknown");
  });

  it("says what was mended in a call", async () => {
    const model = playModel([[callTools(call("look_up", { QUERY: 7 })), end()], answers("Done.")]);
    const { data } = only((await ask(engineOver(model))).events, "tool.request");
    assert.deepEqual(data.arguments, { query: "7" });
    assert.equal(data["conclave.mended"]?.length, 2);
  });

  it("never sends back arguments that are no object", async () => {
    const model = playModel([[callTools(call("look_up", ["x", "y"])), end()], answers("Done.")]);
    await ask(engineOver(model));
    const message = model.requests[1]!.messages.at(-2)!;
    assert.ok(message.role === "assistant");
    assert.match(JSON.stringify(message.toolCalls?.[0]?.arguments), /^\{.*\}$/);
  });

  it("tells of a tool that took too long as a time-out, and still answers", async () => {
    const { clock, timer } = fakeTimer();
    const slow = makeTool({ name: "look_up", run: () => new Promise(() => undefined) });
    const model = playModel([[lookUp, end()], answers("Without it.")]);
    const turn = await start(engineOver(model, { timer, tools: toolSet(slow) }));
    const events: TurnEvent[] = [];
    for await (const event of turn.events) {
      events.push(event);
      if (event.type === "tool.request") void clock.tickAsync(1_000);
    }
    assert.equal(only(events, "tool.result").data.error?.code, "timeout");
    assert.ok(all(events, "agent.transition").some((event) => event.data.trigger === "tool_timeout"));
    assert.equal(only(events, "turn.end").data.outcome, "answered");
  });

  it("gives sources once, however many results name them", async () => {
    const sources = [{ uri: "https://tide.test/", title: "Tides" }];
    const tool = makeTool({
      name: "look_up",
      run: () => Promise.resolve({ ok: true, content: "x", details: { summary: "", sources } }),
    });
    const two = callTools(call("look_up", { query: "a" }, "1"), call("look_up", { query: "b" }, "2"));
    const engine = engineOver(playModel([[two, end()], answers("Done.")]), { tools: toolSet(tool) });
    assert.deepEqual(only((await ask(engine)).events, "answer.dialog").data["conclave.sources"], sources);
  });
});
