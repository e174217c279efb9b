import { z } from "zod";
import { success, type Result } from "../failure.ts";
import type { ChatModel, RunnerOptions } from "../models/types.ts";
import type { Tool, ToolSet } from "../tool.ts";
import { nativeProtocol } from "./native.ts";

/**
 * How a model's calls come when tools are offered by the server's own way: `native` ones are read by the server, those
 * that come as `text` stand in the answer and are read out of it, and where it made `none` nobody can say.
 */
export type CallForm = "native" | "text" | "none";

/** A call takes some tens of tokens; more are for models that say first what they will do. */
const MAX_TOKENS = 200;
const QUESTION = "What is the weather in Oslo?";

/** What every model that was taught to call tools has seen. */
const WEATHER: Tool = {
  name: "get_weather",
  description: "Gives the weather of a city.",
  parameters: z.object({ city: z.string() }),
  readOnly: true,
  timeoutMs: 0,
  run: () => Promise.resolve({ ok: true, content: "", details: { summary: "" } }),
};
const TOOLS: ToolSet = {
  schemas: [
    {
      name: WEATHER.name,
      description: WEATHER.description,
      parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    },
  ],
  find: (name) => (name === WEATHER.name ? WEATHER : undefined),
};

/** Asks a model for one call and tells how that came; the call is not run. Fails as a chat does, and never throws. */
export async function callForm(
  model: ChatModel,
  runner: RunnerOptions,
  signal: AbortSignal,
): Promise<Result<CallForm>> {
  const { messages, tools } = nativeProtocol.prepare([{ role: "user", content: QUESTION }], TOOLS, false);
  const reader = nativeProtocol.reader(TOOLS, () => "call", false);
  const request = {
    ...{ messages, think: false, temperature: 0, maxTokens: MAX_TOKENS, runner },
    ...(tools && { tools }),
  };
  for await (const chunk of model.chat(request, signal)) {
    if (chunk.type === "content") reader.content(chunk.text);
    else if (chunk.type === "tool_calls") reader.calls(chunk.calls);
    else if (chunk.type === "failure") return { ok: false, failure: chunk.failure };
    else if (chunk.type === "end" || reader.runaway !== undefined) break;
  }
  const { calls, recoveredFrom } = reader.finish("stop").reading;
  if (calls.length === 0) return success("none");
  return success(recoveredFrom === undefined ? "native" : "text");
}
