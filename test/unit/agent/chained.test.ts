import assert from "node:assert/strict";
import { z } from "zod";
import { failure } from "../../../src/agent/failure.ts";
import type { ToolContext } from "../../../src/agent/tool.ts";
import * as ollama from "../../support/ollama/index.ts";
import type { ScriptedOllama } from "../../support/ollama/index.ts";
import { agent, engineWith, reviewer } from "./agents.ts";
import { all, ask, gives, makeTool, only, start, until, warnings } from "./support.ts";

const VALUE = { title: "Tides", stars: 4 };
const OBJECT = [ollama.text(JSON.stringify(VALUE))];

describe("a chained tool", () => {
  let server: ScriptedOllama;
  let given: unknown[];

  beforeEach(async () => {
    server = await ollama.startScriptedOllama();
    given = [];
  });

  afterEach(async () => {
    await server.close();
  });

  const shelf = (
    run?: (args: unknown, context: ToolContext) => ReturnType<ReturnType<typeof makeTool>["run"]>,
  ) =>
    makeTool<unknown>({
      name: "put_on_shelf",
      parameters: z.object({ title: z.string(), stars: z.number().optional() }),
      readOnly: false,
      run:
        run ??
        ((args) => {
          given.push(args);
          return Promise.resolve(gives("It stands on the shelf."));
        }),
    });
  const chained = (part: Parameters<typeof reviewer>[0] = {}) =>
    reviewer({ chainedTool: "put_on_shelf", ...part });
  const engine = (tools = [shelf()], reviewing = chained()) =>
    engineWith(server.host, { agents: [reviewing], tools });
  const review = (...parts: Parameters<typeof engine>) =>
    ask(engine(...parts), "How is the book?", { options: { agent: "Reviewer" } });

  it("is called with the valid output, without another model call, although the agent itself has no tools", async () => {
    server.enqueue(OBJECT);
    const { events } = await review();
    assert.deepEqual(given, [VALUE]);
    assert.equal(server.chats.length, 1);
    const request = only(events, "tool.request");
    assert.deepEqual([request.data["conclave.chained"], request.data.arguments], [true, VALUE]);
    assert.equal(only(events, "tool.result").data.result, "It stands on the shelf.");
    assert.equal(only(events, "tool.result").id, request.id);
  });

  it("gives its result beside the output, which stays the answer", async () => {
    server.enqueue(OBJECT);
    const turn = await start(engine(), "How?", { options: { agent: "Reviewer" } });
    const { answer, output, chained: result } = await turn.done;
    assert.deepEqual(output?.value, VALUE);
    assert.deepEqual(result, { tool: "put_on_shelf", result: "It stands on the shelf." });
    assert.match(answer, /^```json\n/);
    assert.doesNotMatch(answer, /shelf/);
  });

  it("is with its result a message of the session, so that the next turn knows of it", async () => {
    server.enqueue(OBJECT, [...ollama.words("On the shelf.")]);
    const running = engine();
    const { sessionId } = await ask(running, "How?", { options: { agent: "Reviewer" } });
    await ask(running, "Where is it?", { sessionId });
    const [asked, called, result, answer] = server.chats[1]!.messages.slice(1);
    assert.deepEqual(
      [asked!.role, called!.role, result!.role, answer!.role],
      ["user", "assistant", "tool", "assistant"],
    );
    assert.deepEqual(called!.tool_calls?.[0]?.function.arguments, VALUE);
    assert.equal(result!.content, "It stands on the shelf.");
    assert.match(answer!.content, /"Tides"/);
  });

  it("moves the agent only through legal states", async () => {
    server.enqueue(OBJECT);
    const { events } = await review();
    assert.deepEqual(
      all(events, "agent.transition").map(({ data }) => data.to),
      ["receiving", "generating", "dispatching_tool", "waiting_for_tool", "generating", "publishing", "idle"],
    );
  });

  it("is called after the repair, not before", async () => {
    server.enqueue([ollama.text('{"stars":4}')], OBJECT);
    await review();
    assert.deepEqual(given, [VALUE]);
  });

  it("is not called when no output is valid", async () => {
    server.enqueue([ollama.text("no")], [ollama.text("no")]);
    const { events } = await review();
    assert.deepEqual([given.length, all(events, "tool.request").length], [0, 0]);
  });

  it("is not called for an agent that answers in words", async () => {
    server.enqueue(OBJECT);
    const { events } = await review([shelf()], chained({ structuredOutput: false }));
    assert.equal(all(events, "tool.request").length, 0);
  });

  it("is a warning when it is not there, with the nearest name, and the output is kept", async () => {
    server.enqueue(OBJECT);
    const { events, end } = await review([shelf()], chained({ chainedTool: "put_on_shelv" }));
    assert.equal(end.data.outcome, "answered");
    assert.deepEqual(only(events, "output.structured").data.value, VALUE);
    assert.deepEqual(warnings(events), ["chained_tool"]);
    assert.match(only(events, "warning").data.message, /put_on_shelv .*Did you mean put_on_shelf\?/);
  });

  it("is a warning when it fails, throws or refuses the output, which is kept", async () => {
    const down = failure("tool_failed", "The shelf broke.");
    const strict = makeTool({ name: "put_on_shelf", parameters: z.object({ query: z.number() }) });
    const tools = [
      shelf(() => Promise.resolve({ ok: false, failure: down, retryable: false })),
      shelf(() => Promise.reject(new Error("boom"))),
      strict,
    ];
    for (const tool of tools) {
      server.enqueue(OBJECT);
      const { events, end } = await review([tool]);
      assert.equal(end.data.outcome, "answered");
      assert.deepEqual(warnings(events), ["chained_tool"]);
      assert.match(only(events, "answer.dialog").data.answer, /"Tides"/);
      assert.ok(only(events, "tool.result").data.error !== undefined);
    }
  });

  it("keeps the output when the turn is cancelled while it runs", async () => {
    server.enqueue(OBJECT);
    const waits = shelf(
      (_args, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => resolve(gives("too late")), { once: true });
        }),
    );
    const turn = await start(engine([waits]), "How?", { options: { agent: "Reviewer" } });
    await until(turn.events, "tool.request");
    turn.cancel();
    const { outcome, answer, output } = await turn.done;
    assert.equal(outcome, "cancelled");
    assert.match(answer, /"Tides"/);
    assert.deepEqual(output?.value, VALUE);
  });

  it("does not write in a private turn what memory would keep", async () => {
    server.enqueue(OBJECT);
    const keeper = makeTool({ name: "save_moments", parameters: z.looseObject({}), readOnly: false });
    const running = engine([keeper], chained({ chainedTool: "save_moments" }));
    const { events } = await ask(running, "How?", { private: true, options: { agent: "Reviewer" } });
    assert.equal(all(events, "tool.request").length, 0);
    assert.deepEqual(warnings(events), ["chained_tool"]);
  });

  it("is called also for a delegate, and who asked is told its result beside the output", async () => {
    server.enqueue(
      [ollama.toolCall("ask_agent", { agent: "Reviewer", question: "How is the book?" })],
      OBJECT,
      [...ollama.words("Four stars.")],
    );
    const { events } = await ask(
      engineWith(server.host, { agents: [agent({ name: "Pilot" }), chained()], tools: [shelf()] }),
    );
    assert.deepEqual(given, [VALUE]);
    const told = server.chats[2]!.messages.at(-1)!;
    assert.match(told.content, /"Tides"[^]*put_on_shelf[^]*It stands on the shelf\./);
    assert.equal(only(events, "turn.end").data.outcome, "answered");
  });
});
