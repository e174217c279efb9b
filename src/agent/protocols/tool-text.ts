import type { ChatMessage, Json, JsonObject, ToolSchema } from "../models/types.ts";
import { isJsonList, isJsonObject } from "../json.ts";
import { extended, madeOf } from "../message-parts.ts";
import { toldTool } from "../told-schema.ts";

/** The tools as a list that a model can read. The same tools in the same order give the same text. */
export function toolList(schemas: readonly ToolSchema[]): string {
  return schemas
    .map(
      (schema) =>
        `- ${schema.name}: ${schema.description}\n  arguments: ${JSON.stringify(toldTool(schema).parameters)}`,
    )
    .join("\n");
}

/** Arguments of the right shape for an example: what the tool requires, or else its first argument. */
export function sampleArguments(schema: ToolSchema): JsonObject {
  const properties = isJsonObject(schema.parameters["properties"]) ? schema.parameters["properties"] : {};
  const required = isJsonList(schema.parameters["required"]) ? schema.parameters["required"] : [];
  const names = Object.keys(properties).filter((name) => required.includes(name));
  const shown = names.length > 0 ? names : Object.keys(properties).slice(0, 1);
  return Object.fromEntries(shown.map((name) => [name, sampleOf(properties[name] ?? {})]));
}

function sampleOf(schema: Json): Json {
  if (!isJsonObject(schema)) return "...";
  const { enum: choices, const: only, type } = schema;
  if (only !== undefined) return only;
  if (isJsonList(choices) && choices[0] !== undefined) return choices[0];
  if (type === "integer" || type === "number") return 1;
  if (type === "boolean") return true;
  if (type === "array") return [sampleOf(schema["items"] ?? {})];
  return type === "object" ? {} : "...";
}

/** System messages with the text that was put behind them last. */
const told = new WeakMap<ChatMessage, { readonly text: string; readonly message: ChatMessage }>();

/** Puts a text at the end of the system message, or makes one of it; the same message and text give the same one. */
export function withSystemText(messages: readonly ChatMessage[], text: string): readonly ChatMessage[] {
  const [first, ...rest] = messages;
  if (first?.role !== "system") return [madeOf("system", "tools", text), ...messages];
  const known = told.get(first);
  if (known?.text === text) return [known.message, ...rest];
  const message = extended(first, [{ source: "tools", text }], "rules");
  told.set(first, { text, message });
  return [message, ...rest];
}

/** A tool's result for a model that knows no such role. */
export function resultText(toolName: string, content: string): string {
  return `[Result of ${toolName}]\n${content}`;
}

/** The thought that a step's own JSON or label held: models that think apart have theirs before it. */
export function lastThought(thinking: string | undefined): string | undefined {
  const last = thinking
    ?.trim()
    .split(/\n[ \t]{0,8}\n/)
    .at(-1)
    ?.trim();
  return last === undefined || last === "" ? undefined : last.slice(0, 300).toWellFormed();
}
