import { isJsonList, isJsonObject } from "../json.ts";
import type { Json, JsonObject } from "../models/types.ts";
import { closestName } from "./closest.ts";
import type { Note } from "./tidy.ts";
import { shown, type Path } from "./yaml-tree.ts";

const TYPES = ["string", "number", "integer", "boolean", "array", "object", "null"];

/** Fields of an answer and which of them must be there. */
export interface AnswerFields {
  readonly properties: JsonObject;
  readonly required: readonly string[];
}

/**
 * Reads `properties` as they may be written: fields by name, each a JSON schema or, as a text alone, the description of
 * a text; or a whole schema of type object, whose fields are taken out. Faults of schemas are noted.
 */
export function answerFields(written: JsonObject, required: readonly string[], note: Note): AnswerFields {
  const inner = written["properties"];
  const whole = written["type"] === "object" && isJsonObject(inner);
  const path: Path = whole ? ["properties", "properties"] : ["properties"];
  const fields = Object.entries(whole ? inner : written).map(([name, schema]): [string, Json] => {
    if (typeof schema === "string") return [name, { type: "string", description: schema }];
    checkSchema(schema, [...path, name], note);
    return [name, schema];
  });
  const more = whole ? written["required"] : undefined;
  const names = [...required, ...(isJsonList(more) ? more.filter((one) => typeof one === "string") : [])];
  const known = fields.map(([name]) => name);
  const missing = names.filter((name) => !known.includes(name));
  for (const name of missing) {
    const near = closestName(name, known);
    const hint = near === undefined ? "" : ` Did you mean \`${near}\`?`;
    const at = required.indexOf(name);
    const where: Path = at < 0 ? [...path.slice(0, -1), "required"] : ["required", at];
    note(
      "warning",
      where,
      `\`required\` names \`${shown(name)}\`, which is no field of \`properties\`; it is not used.${hint}`,
    );
  }
  return {
    properties: Object.fromEntries(fields),
    required: [...new Set(names)].filter((name) => known.includes(name)),
  };
}

function checkSchema(schema: Json, path: Path, note: Note): void {
  if (typeof schema === "boolean") return;
  if (!isJsonObject(schema)) {
    note("error", path, "A field of the answer needs a JSON schema such as {type: string}.");
    return;
  }
  const { type, items, properties } = schema;
  for (const one of isJsonList(type) ? type : type === undefined ? [] : [type]) {
    if (typeof one === "string" && TYPES.includes(one)) continue;
    const word = typeof one === "string" ? one : JSON.stringify(one);
    const near = closestName(word, TYPES);
    const hint = near === undefined ? `Known are ${TYPES.join(", ")}.` : `Did you mean \`${near}\`?`;
    note("error", [...path, "type"], `\`${shown(word)}\` is no type of JSON schema. ${hint}`);
  }
  if (items !== undefined && !isJsonList(items)) checkSchema(items, [...path, "items"], note);
  if (!isJsonObject(properties)) return;
  for (const [name, inner] of Object.entries(properties))
    checkSchema(inner, [...path, "properties", name], note);
}
