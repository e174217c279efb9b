import { z } from "zod";
import type { ChatMessage, Json, JsonObject, ToolCall, ToolSchema } from "../../agent/models/types.ts";

/** A message as VS Code hands it to a model provider; parts are told apart by their shape. */
export interface ProviderMessage {
  /** 1: user, 2: assistant; anything else is read as system. */
  readonly role: number;
  readonly content: readonly unknown[];
}

const USER = 1;
const ASSISTANT = 2;

const json: z.ZodType<Json> = z.json();
const TextPart = z.object({ value: z.string() });
const CallPart = z.object({ callId: z.string(), name: z.string(), input: json });
const ResultPart = z.object({ callId: z.string(), content: z.array(z.unknown()) });

/** The text of the parts that hold text; others (pictures) have none. */
function textOf(parts: readonly unknown[]): string {
  return parts
    .map((part) => TextPart.safeParse(part))
    .map((part) => (part.success ? part.data.value : ""))
    .join("");
}

function callsOf(parts: readonly unknown[]): ToolCall[] {
  return parts.flatMap((part) => {
    const call = CallPart.safeParse(part);
    if (!call.success) return [];
    return [{ id: call.data.callId, name: call.data.name, arguments: call.data.input }];
  });
}

/**
 * Brings VS Code's messages into our form: results of tools become messages of their own, before the text that came
 * with them. A result whose call is not in the conversation keeps its text under the name `tool`.
 */
export function toChatMessages(messages: readonly ProviderMessage[]): ChatMessage[] {
  const names = new Map<string, string>();
  return messages.flatMap(({ role, content }): ChatMessage[] => {
    const text = textOf(content);
    if (role === ASSISTANT) {
      const toolCalls = callsOf(content);
      for (const call of toolCalls) names.set(call.id, call.name);
      return [{ role: "assistant", content: text, ...(toolCalls.length > 0 ? { toolCalls } : {}) }];
    }
    if (role !== USER) return [{ role: "system", content: text }];
    const results = content.flatMap((part): ChatMessage[] => {
      const result = ResultPart.safeParse(part);
      if (!result.success) return [];
      const { callId } = result.data;
      const toolName = names.get(callId) ?? "tool";
      return [{ role: "tool", toolName, toolCallId: callId, content: textOf(result.data.content) }];
    });
    return text === "" && results.length > 0 ? results : [...results, { role: "user", content: text }];
  });
}

const Parameters: z.ZodType<JsonObject> = z.record(z.string(), json);

/** Brings VS Code's tools into our form; a schema that is no JSON object becomes one without arguments. */
export function toToolSchemas(
  tools: readonly { readonly name: string; readonly description: string; readonly inputSchema?: unknown }[],
): ToolSchema[] {
  return tools.map(({ name, description, inputSchema }) => {
    const schema = Parameters.safeParse(inputSchema ?? {});
    const parameters = schema.success ? schema.data : {};
    return { name, description, parameters: { properties: {}, ...parameters, type: "object" } };
  });
}

/** Characters per token, averaged over English and code: an estimate, no model's tokenizer is at hand. */
const CHARS_PER_TOKEN = 3.5;
/** What the template around one message costs. */
const TOKENS_PER_MESSAGE = 4;

/** Estimates how many tokens a text or a message takes. */
export function estimateTokens(input: string | ProviderMessage): number {
  if (typeof input === "string") return Math.ceil(input.length / CHARS_PER_TOKEN);
  const results = input.content.map((part) => ResultPart.safeParse(part));
  const resultText = results.map((part) => (part.success ? textOf(part.data.content) : "")).join("");
  const calls = callsOf(input.content);
  const callText = calls.length === 0 ? "" : JSON.stringify(calls);
  const text = textOf(input.content) + resultText + callText;
  return TOKENS_PER_MESSAGE + Math.ceil(text.length / CHARS_PER_TOKEN);
}
