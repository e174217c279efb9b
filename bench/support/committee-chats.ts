import type { ToolSet } from "../../src/agent/tool.ts";
import { startScriptedOllama } from "../../test/support/ollama/index.ts";
import type { speech } from "./committee-script.ts";
import { committeeEngine, conversation, convene } from "./committee-turn.ts";
import { offeredTools } from "./offered-tools.ts";
import type { SentChat } from "./prompts.ts";

/** Tokens of the conversation that stands before the question. */
const CONVERSATION = 3_000;

/**
 * The requests of a whole committee over a long conversation, in the order in which they were sent.
 *
 * @param script what the model says
 * @param tools what all are told of
 */
export async function recordedChats(
  script: typeof speech,
  tools: ToolSet = offeredTools(),
): Promise<readonly SentChat[]> {
  const server = await startScriptedOllama({ script, parallel: 1 });
  const engine = committeeEngine(server.host, "scripted", tools);
  try {
    await convene(engine, conversation(CONVERSATION));
    // As they came: the server fills in what a request leaves out.
    return server.requests.filter(({ path }) => path === "/api/chat").map(({ body }) => body as SentChat);
  } finally {
    await engine.dispose();
    await server.close();
  }
}
