import type { AgentDefinition } from "../agents/definition.ts";
import { isJsonList, isJsonObject } from "../json.ts";
import type { Json, JsonObject } from "../models/types.ts";

type Fields = Pick<AgentDefinition, "properties" | "required">;

/**
 * The JSON schema of a structured agent's output, `type: "object"` at the top. Fields may be written as a whole schema
 * of an object, too, and a field that is only a text is one of any type with that description.
 */
export function outputSchema(definition: Fields): JsonObject {
  const { rest, properties, required } = fieldsOf(definition);
  return { ...rest, type: "object", properties, ...(required.length > 0 && { required: [...required] }) };
}

/** The fields of an agent as its prompt lists them, one a line: its name, whether it is needed, what it is for. */
export function fieldLines(definition: Fields): readonly string[] {
  const { properties, required } = fieldsOf(definition);
  return Object.entries(properties).map(([name, schema]) => {
    const needed = required.includes(name) ? " (always)" : "";
    const about = aboutField(schema);
    return about === "" ? `- ${name}${needed}` : `- ${name}${needed}: ${about}`;
  });
}

interface KnownFields {
  /** Keywords beside the fields where a whole schema was written. */
  readonly rest: JsonObject;
  readonly properties: JsonObject;
  readonly required: readonly string[];
}

function fieldsOf({ properties: given = {}, required }: Fields): KnownFields {
  const inner = given["properties"];
  if (given["type"] !== "object" || !isJsonObject(inner)) {
    return { rest: {}, properties: asSchemas(given), required };
  }
  const own = isJsonList(given["required"])
    ? given["required"].filter((name) => typeof name === "string")
    : [];
  return { rest: given, properties: asSchemas(inner), required: [...new Set([...required, ...own])] };
}

function asSchemas(fields: JsonObject): JsonObject {
  const entries = Object.entries(fields).map(([name, field]): [string, Json] => [
    name,
    typeof field === "string" ? { description: field } : field,
  ]);
  return Object.fromEntries(entries);
}

function aboutField(schema: Json | undefined): string {
  if (!isJsonObject(schema)) return "";
  const { description, enum: choices } = schema;
  const said = typeof description === "string" ? description.replace(/\s+/g, " ").trim() : "";
  const listed = isJsonList(choices) ? `one of ${choices.map((one) => JSON.stringify(one)).join(", ")}` : "";
  return [said, listed].filter((part) => part !== "").join("; ");
}
