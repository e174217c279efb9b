import { z } from "zod";
import { isJsonObject } from "../agent/json.ts";
import type { JsonObject } from "../agent/models/types.ts";
import { oncePer } from "../agent/once-per.ts";
import type { Tool } from "../agent/tool.ts";

/** Marks an argument that is taken where a model gives it, and that models are not told of: it would cost more than it is worth. */
export const UNLISTED = { unlisted: true };

/**
 * The JSON schema of a tool's arguments, `type: "object"` at the top. Computed once per tool, so that the prompt's
 * prefix stays byte-identical from turn to turn. An argument with a default is not listed as required.
 */
export function argumentsSchema({ parameters }: Tool): JsonObject {
  return schemaOf(parameters);
}

const schemaOf = oncePer((type: z.ZodType): JsonObject => {
  const raw = z.toJSONSchema(type, {
    io: "input",
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      if (jsonSchema.properties !== undefined) jsonSchema.properties = listed(jsonSchema.properties);
    },
  });
  const plain: unknown = JSON.parse(JSON.stringify(raw));
  return isJsonObject(plain) ? { ...plain, type: "object" } : { type: "object" };
});

function listed<Property>(properties: Readonly<Record<string, Property>>): Record<string, Property> {
  const isListed = (value: Property): boolean =>
    typeof value !== "object" || value === null || !("unlisted" in value);
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => isListed(value)));
}
