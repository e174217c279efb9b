import { isObject } from "./json.ts";
import { isModelName } from "./models.ts";
import type { ChatBody, WireMessage, WireTool } from "./types.ts";

/** A refusal as the real server words it. */
export interface Refusal {
  readonly status: number;
  readonly error: string;
}

/** A valid body, or the refusal. */
export type Checked<T> =
  { readonly ok: true; readonly body: T } | { readonly ok: false; readonly refusal: Refusal };

/** A refusal with 400, which is what a body of the wrong shape gets. */
export function refuse(error: string, status = 400): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal: { status, error } };
}

/** Reads a JSON body as the real server binds it: only an object will do. */
export function checkJson(text: string): Checked<Record<string, unknown>> {
  if (text.trim() === "") return refuse("missing request body");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const first = /\S/.exec(text)?.[0] ?? "";
    return '{["-0123456789tfn'.includes(first)
      ? refuse("unexpected EOF")
      : refuse(`invalid character '${first}' looking for beginning of value`);
  }
  if (!isObject(value)) {
    return refuse(`json: cannot unmarshal ${goKind(value)} into Go value of type api.ChatRequest`);
  }
  return { ok: true, body: value };
}

/** Reads the body of `/api/chat`; the wording of what is wrong is the real server's. */
export function checkChat(raw: Record<string, unknown>): Checked<ChatBody> {
  const problem = fieldProblem(raw) ?? messagesProblem(raw["messages"]) ?? thinkProblem(raw["think"]);
  if (problem !== undefined) return refuse(problem);
  const top = raw["top_logprobs"];
  if (typeof top === "number" && (top < 0 || top > 20))
    return refuse("top_logprobs must be between 0 and 20");
  const model = raw["model"];
  if (typeof model !== "string" || !isModelName(model)) return refuse("model is required");
  return {
    ok: true,
    body: {
      model,
      messages: (raw["messages"] ?? []) as readonly WireMessage[],
      tools: (raw["tools"] ?? []) as readonly WireTool[],
      stream: raw["stream"] !== false,
      options: (raw["options"] ?? {}) as Readonly<Record<string, unknown>>,
      truncate: raw["truncate"] !== false,
      logprobs: raw["logprobs"] === true,
      _debug_render_only: raw["_debug_render_only"] === true,
      ...(raw["format"] === undefined || raw["format"] === null || raw["format"] === ""
        ? {}
        : { format: raw["format"] }),
      ...(raw["keep_alive"] === undefined || raw["keep_alive"] === null
        ? {}
        : { keep_alive: raw["keep_alive"] as string | number }),
      ...(raw["think"] === undefined || raw["think"] === null
        ? {}
        : { think: raw["think"] as boolean | string }),
    },
  };
}

const FIELD_KINDS: Readonly<Record<string, { readonly kinds: readonly string[]; readonly go: string }>> = {
  model: { kinds: ["string"], go: "string" },
  messages: { kinds: ["array"], go: "[]api.Message" },
  tools: { kinds: ["array"], go: "api.Tools" },
  stream: { kinds: ["bool"], go: "bool" },
  truncate: { kinds: ["bool"], go: "bool" },
  logprobs: { kinds: ["bool"], go: "bool" },
  top_logprobs: { kinds: ["number"], go: "int" },
  options: { kinds: ["object"], go: "map[string]interface {}" },
};

function fieldProblem(raw: Record<string, unknown>): string | undefined {
  for (const [field, { kinds, go }] of Object.entries(FIELD_KINDS)) {
    const value = raw[field];
    if (value === undefined || value === null || kinds.includes(goKind(value))) continue;
    return unmarshalProblem(value, `ChatRequest.${field}`, go);
  }
  return undefined;
}

function messagesProblem(messages: unknown): string | undefined {
  if (!Array.isArray(messages)) return undefined;
  for (const message of messages as readonly unknown[]) {
    if (!isObject(message)) return unmarshalProblem(message, "ChatRequest.messages", "api.Alias");
    const content = message["content"];
    if (content !== undefined && content !== null && typeof content !== "string") {
      return unmarshalProblem(content, "ChatRequest.messages.content", "string");
    }
    const calls = message["tool_calls"];
    if (!Array.isArray(calls)) continue;
    const problem = callsProblem(calls);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function callsProblem(calls: readonly unknown[]): string | undefined {
  for (const one of calls) {
    const fn = isObject(one) ? one["function"] : undefined;
    const args = isObject(fn) ? fn["arguments"] : undefined;
    if (args === undefined || args === null || isObject(args)) continue;
    return ARGUMENTS_NOT_AN_OBJECT;
  }
  return undefined;
}

/** What a string (or a list) as `arguments` in the history is answered with. */
export const ARGUMENTS_NOT_AN_OBJECT = "Value looks like object, but can't find closing '}' symbol";

function thinkProblem(think: unknown): string | undefined {
  if (think === undefined || think === null || typeof think === "boolean") return undefined;
  if (typeof think !== "string") {
    return 'think must be a boolean or string ("high", "medium", "low", true, or false)';
  }
  // "max" came after the version whose words these are.
  if (["high", "medium", "low", "max"].includes(think)) return undefined;
  return `invalid think value: ${JSON.stringify(think)} (must be "high", "medium", "low", true, or false)`;
}

function unmarshalProblem(value: unknown, field: string, go: string): string {
  return `json: cannot unmarshal ${goKind(value)} into Go struct field ${field} of type ${go}`;
}

function goKind(value: unknown): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  return value === null ? "null" : typeof value;
}
