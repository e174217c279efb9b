import assert from "node:assert/strict";
import { z } from "zod";
import type { Engine } from "../../../../src/agent/engine-port.ts";
import type { Reference } from "../../../../src/agent/events.ts";
import * as ollama from "../../../support/ollama/index.ts";
import type { ScriptedOllama } from "../../../support/ollama/index.ts";
import { all, ask, engineAt, makeTool, gives, only, toolSet, type WholeTurn } from "../support.ts";
import { branch } from "./bed.ts";

const FILE: Reference = { label: "tides.md", uri: "file:///tides.md", text: "Oban: 14:10" };

describe("a branch, on the wire", () => {
  let server: ScriptedOllama;
  let ran: string[];
  let engine: Engine;

  beforeEach(async () => {
    server = await ollama.startScriptedOllama();
    ran = [];
    engine = engineAt(server.host, {
      settings: { budget: { summary: false }, memory: { learning: "off" } },
      tools: toolSet(
        makeTool({
          name: "web_search",
          // What the model leaves out is filled in before the call is made.
          parameters: z.object({ query: z.string(), start: z.number().default(0) }),
          run: ({ query }) => {
            ran.push(query);
            return Promise.resolve(gives(`found ${query}`));
          },
        }),
      ),
    });
  });
  afterEach(() => server.close());

  /** A first turn, then one of three steps whose first two call a tool. */
  const original = async (): Promise<WholeTurn> => {
    server.enqueue([...ollama.words("Hello.")]);
    const { sessionId } = await ask(engine, "Hi");
    server.enqueue(
      [...ollama.thinkingWords("First this."), ollama.toolCall("web_search", { query: "tide Oban" })],
      [
        ollama.toolCall("web_search", { query: "tide Mallaig" }),
        ollama.toolCall("web_search", { query: "sun" }),
      ],
      [...ollama.words("At 14:10.")],
    );
    return ask(engine, "When is high tide?", { sessionId, references: [FILE] });
  };
  const lastMessages = () => server.chats.at(-1)!.messages;

  it("asks a step once more with the very request that it had then, and runs no tool for what came before", async () => {
    const turn = await original();
    const requests = server.chats.slice(1);
    for (const [index, step] of all(turn.events, "step.start").entries()) {
      ran = [];
      server.enqueue([...ollama.words("At two.")]);
      const before = server.chats.length;
      const again = await branch(engine, turn, { eventId: step.id });
      assert.equal(server.chats.length, before + 1, `only step ${index + 1} is asked`);
      assert.deepEqual(server.chats.at(-1), requests[index]);
      assert.deepEqual(ran, []);
      assert.equal(only(again.events, "answer.dialog").data.answer, "At two.");
    }
  });

  it("goes on from another result of a tool: all before it is the same to the letter", async () => {
    const turn = await original();
    const was = server.chats.at(-1)!.messages;
    const [first] = all(turn.events, "tool.result");
    const at = all(turn.events, "tool.result").find(({ data }) => data.result?.includes("Mallaig"))!;
    server.enqueue([...ollama.words("At three.")]);
    await branch(engine, turn, {
      eventId: at.id,
      edits: [{ part: "tool_result", eventId: at.id, text: "found nothing" }],
    });
    const now = lastMessages();
    const changed = was.findIndex(({ content }) => content === at.data.result);
    assert.deepEqual(now.slice(0, changed), was.slice(0, changed));
    assert.equal(now[changed]?.content, "found nothing");
    assert.deepEqual(now.slice(changed + 1), was.slice(changed + 1), "the other result of that step stays");
    assert.ok(first !== undefined);
  });

  it("makes a call anew with other arguments, and only that one", async () => {
    const turn = await original();
    const at = all(turn.events, "tool.request").find(({ data }) =>
      JSON.stringify(data.arguments).includes("Mallaig"),
    )!;
    ran = [];
    server.enqueue([...ollama.words("At four.")]);
    await branch(engine, turn, {
      eventId: at.id,
      edits: [{ part: "tool_arguments", eventId: at.id, text: '{"query":"tide Ullapool"}' }],
    });
    assert.deepEqual(ran, ["tide Ullapool"]);
    const calls = lastMessages().flatMap(({ tool_calls }) => tool_calls ?? []);
    assert.deepEqual(
      calls.map(({ function: { arguments: args } }) => args),
      [{ query: "tide Oban" }, { query: "tide Ullapool" }, { query: "sun" }],
    );
    assert.deepEqual(
      lastMessages()
        .filter(({ role }) => role === "tool")
        .map(({ content }) => content),
      ["found tide Oban", "found tide Ullapool", "found sun"],
    );
  });

  it("asks another question with the same conversation and files before it", async () => {
    const turn = await original();
    const [, was] = server.chats;
    server.enqueue([...ollama.words("At noon.")]);
    const { end } = await branch(engine, turn, { edits: [{ part: "question", text: "When is low tide?" }] });
    const now = lastMessages();
    assert.deepEqual(now.slice(0, -1), was!.messages.slice(0, -1));
    assert.equal(now.at(-1)!.content, was!.messages.at(-1)!.content.replace("high", "low"));
    assert.match(end.data["conclave.messages"][0]!.content, /low tide/);
  });
});
