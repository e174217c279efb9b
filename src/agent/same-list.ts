import type { ToolSchema } from "./models/types.ts";

/** Lists that are kept. */
const MAX_KEPT = 16;

let kept: readonly (readonly ToolSchema[])[] = [];

/**
 * A list of tools as it was given before with the very same schemas, where it was, else as it is. What is made of a list
 * (its JSON, its size) is kept with it, so that most turns find all of it ready.
 */
export function sameList(schemas: readonly ToolSchema[]): readonly ToolSchema[] {
  const known = kept.find(
    (list) => list.length === schemas.length && list.every((schema, index) => schema === schemas[index]),
  );
  if (known !== undefined) return known;
  kept = [schemas, ...kept].slice(0, MAX_KEPT);
  return schemas;
}
