import { z } from "zod";
import type { Failure } from "../../agent/failure.ts";
import { systemIdentity } from "../../agent/ids.ts";
import { contextLengthFor } from "../../agent/models/capabilities.ts";
import type {
  ChatMessage,
  ChatModel,
  ChatRequest,
  JsonObject,
  ModelInfo,
  ToolSchema,
} from "../../agent/models/types.ts";
import type { StepReader } from "../../agent/protocol.ts";
import { protocolAdapter } from "../../agent/protocols/index.ts";
import type { Tool, ToolSet } from "../../agent/tool.ts";
import { engineSettings, type Settings } from "../settings-schema.ts";

/** What another extension, or VS Code itself, asks of a model. */
export interface ReplyRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolSchema[];
  readonly settings: Settings;
}

/** Takes the reply as it streams. */
export interface ReplyOut {
  text(text: string): void;
  call(call: { readonly id: string; readonly name: string; readonly input: object }): void;
}

const Arguments = z.record(z.string(), z.json());

/** The caller runs its own tools: here they only have names and schemas. */
function toolSet(schemas: readonly ToolSchema[]): ToolSet {
  const tools = new Map(schemas.map((schema) => [schema.name, callersTool(schema)]));
  return { schemas, find: (name) => tools.get(name) };
}

function callersTool({ name, description, parameters }: ToolSchema): Tool {
  return {
    name,
    description,
    parameters: checkOf(parameters),
    readOnly: true,
    timeoutMs: 0,
    run: () =>
      Promise.resolve({
        ok: false,
        retryable: false,
        failure: { code: "tool_failed", message: "This tool is run by the one who asked." },
      }),
  };
}

/** A check of the arguments where the schema can be read as one; else any object will do. */
function checkOf(parameters: JsonObject): z.ZodType {
  try {
    return z.fromJSONSchema(structuredClone(parameters));
  } catch {
    return Arguments;
  }
}

/** The request as the model is sent it. */
function chatRequest(request: ReplyRequest, tools: ToolSet, info: ModelInfo | undefined): ChatRequest {
  const { think, temperature, contextLength, keepAlive, maxOutputTokens } = engineSettings(request.settings);
  const canThink = info?.capabilities.includes("thinking") === true;
  return {
    ...protocolFor(request, info).prepare(request.messages, tools, false),
    maxTokens: maxOutputTokens,
    runner: { contextLength: contextLengthFor(contextLength, info), keepAlive },
    ...(canThink ? { think } : {}),
    ...(temperature === undefined ? {} : { temperature }),
  };
}

/** Native calls where the model has them; else output held to a schema. Without tools neither matters. */
function protocolFor({ tools }: ReplyRequest, info: ModelInfo | undefined) {
  if (tools.length === 0) return protocolAdapter("none");
  return protocolAdapter(
    info === undefined || info.capabilities.includes("tools") ? "native" : "constrained",
  );
}

/**
 * Streams a model's reply: text as it comes, thinking left out, calls when they are whole. Gives the failure it ended
 * with, if it did. Never throws.
 */
export async function streamReply(
  model: ChatModel,
  request: ReplyRequest,
  out: ReplyOut,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  const described = await model.describe(signal);
  if (!described.ok && described.failure.code !== "server_error") return described.failure;
  const info = described.ok ? described.value : undefined;
  const tools = toolSet(request.tools);
  const reader = protocolFor(request, info).reader(tools, () => `call_${systemIdentity.spanId()}`, false);
  for await (const chunk of model.chat(chatRequest(request, tools, info), signal)) {
    switch (chunk.type) {
      case "failure":
        show(reader.finish("broken").shown, out);
        return chunk.failure;
      case "end":
        finish(reader, chunk.finishReason, out);
        return undefined;
      case "thinking":
        show(reader.thinking(chunk.text), out);
        break;
      case "content":
        show(reader.content(chunk.text), out);
        break;
      case "tool_calls":
        show(reader.calls(chunk.calls), out);
        break;
      case "retract":
        // What was handed over can't be taken back; what follows is the answer.
        if (reader.retract) show(reader.retract(), out);
        break;
      case "logprobs":
        break;
    }
  }
  return undefined;
}

function finish(reader: StepReader, reason: Parameters<StepReader["finish"]>[0], out: ReplyOut): void {
  const { shown, reading } = reader.finish(reason);
  show(shown, out);
  for (const { id, name, arguments: input } of reading.calls) {
    const checked = Arguments.safeParse(input);
    out.call({ id, name, input: checked.success ? checked.data : {} });
  }
}

function show(shown: ReturnType<StepReader["content"]>, out: ReplyOut): void {
  for (const { channel, text } of shown) {
    if (channel === "answer" && text !== "") out.text(text);
  }
}
