import { isJsonList, isJsonObject } from "../../../agent/json.ts";
import type { Json, JsonObject } from "../../../agent/models/types.ts";
import { ATTRIBUTES as A } from "../../export/otlp/names.ts";
import type { Attributes } from "./attributes.ts";
import { json, text } from "./values.ts";

/** Messages of one request that are read. */
const MAX_MESSAGES = 5_000;

/** What a model gave. */
export interface Said {
  readonly content: string;
  readonly thinking: string;
  readonly calls: readonly JsonObject[];
}

/** A message of the conventions, or a plain one, as one or more of ours. */
function messagesOf(message: Json): readonly JsonObject[] {
  if (!isJsonObject(message)) return [];
  const role = roleOf(message["role"]);
  const { parts } = message;
  if (!isJsonList(parts)) return [plain(role, message)];
  const answers = parts.flatMap((part) => toolAnswer(part, message));
  const said = saidIn(parts);
  const isSaid = said.content !== "" || said.thinking !== "" || said.calls.length > 0;
  if (answers.length > 0 && !isSaid) return answers;
  const own: JsonObject = {
    role: role === "tool" ? "user" : role,
    content: said.content,
    ...(said.thinking === "" || role !== "assistant" ? {} : { thinking: said.thinking }),
    ...(said.calls.length === 0 || role !== "assistant" ? {} : { toolCalls: said.calls }),
  };
  return [own, ...answers];
}

function roleOf(role: Json | undefined): "system" | "user" | "assistant" | "tool" {
  if (role === "assistant" || role === "tool" || role === "system") return role;
  return role === "developer" ? "system" : role === "model" ? "assistant" : "user";
}

function plain(role: string, message: JsonObject): JsonObject {
  const content = contentOf(message["content"]);
  if (role !== "tool") return { role, content };
  const id = message["tool_call_id"] ?? message["id"];
  return { role, toolName: "", toolCallId: typeof id === "string" ? id : "", content };
}

/** A text, or the texts of a list of parts. */
function contentOf(content: Json | undefined): string {
  if (typeof content === "string") return content;
  return isJsonList(content) ? saidIn(content).content : "";
}

function toolAnswer(part: Json, message: JsonObject): readonly JsonObject[] {
  if (!isJsonObject(part) || part["type"] !== "tool_call_response") return [];
  const { id, name } = part;
  const response = part["response"] ?? part["result"] ?? "";
  return [
    {
      role: "tool",
      toolName: textOr(name ?? message["name"], ""),
      toolCallId: textOr(id, ""),
      content: typeof response === "string" ? response : JSON.stringify(response),
    },
  ];
}

function textOr(value: Json | undefined, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}

function saidIn(parts: readonly Json[]): Said {
  const objects = parts.filter(isJsonObject);
  const words = (type: string): string =>
    objects
      .filter((part) => part["type"] === type)
      .map((part) => textOr(part["content"] ?? part["text"], ""))
      .join("\n");
  const calls = objects
    .filter((part) => part["type"] === "tool_call")
    .map((part) => ({
      id: textOr(part["id"], ""),
      name: textOr(part["name"], ""),
      arguments: part["arguments"] ?? {},
    }));
  return { content: words("text"), thinking: words("reasoning"), calls };
}

/** `gen_ai.prompt.0.role`, `gen_ai.prompt.0.content`...: messages as older instruments wrote them. */
function numbered(attributes: Attributes, prefix: string): readonly JsonObject[] {
  const messages: JsonObject[] = [];
  for (let at = 0; at < MAX_MESSAGES; at += 1) {
    const content = text(attributes, `${prefix}.${at}.content`);
    const role = attributes.get(`${prefix}.${at}.role`);
    if (content === undefined && role === undefined) break;
    messages.push(plain(roleOf(role), { content: content ?? "" }));
  }
  return messages;
}

/** What a model was given; empty where that is not told. */
export function givenTo(attributes: Attributes): readonly JsonObject[] {
  const told = json(attributes, A.inputMessages);
  const instructions = json(attributes, "gen_ai.system_instructions");
  const system = isJsonList(instructions) ? saidIn(instructions).content : "";
  const messages = isJsonList(told) ? told.slice(0, MAX_MESSAGES).flatMap(messagesOf) : [];
  const all = messages.length > 0 ? messages : numbered(attributes, "gen_ai.prompt");
  return system === "" || all.some(({ role }) => role === "system")
    ? all
    : [{ role: "system", content: system }, ...all];
}

/** What a model, or an agent, gave; undefined where that is not told. */
export function saidBy(attributes: Attributes): Said | undefined {
  const told = json(attributes, A.outputMessages);
  const messages = isJsonList(told) ? told : [];
  const [first] =
    messages.length > 0 ? messages.flatMap(messagesOf) : numbered(attributes, "gen_ai.completion");
  if (first === undefined) return undefined;
  const { content, thinking, toolCalls } = first;
  return {
    content: textOr(content, ""),
    thinking: textOr(thinking, ""),
    calls: isJsonList(toolCalls) ? toolCalls.filter(isJsonObject) : [],
  };
}

/** The last thing that a user said. */
export function lastQuestion(messages: readonly JsonObject[]): string | undefined {
  const last = messages.findLast(({ role }) => role === "user");
  return last === undefined ? undefined : textOr(last["content"], "");
}
