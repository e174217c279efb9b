import type { Catalogue } from "./catalogue.ts";
import type { RawCall } from "./shapes.ts";

/**
 * How surely a text is a call. `tagged`: in the marks of a model's own call form. `whole`: the message is nothing else.
 * `trailing`: JSON on lines of its own behind prose or a label, which may as well be an example.
 */
export type Certainty = "tagged" | "whole" | "trailing";

/** Words that announce an example. */
const EXAMPLE =
  /\b(?:example|sample|e\.g\.|format|syntax|schema|looks?\s+like|look\s+like|like\s+this|such\s+as|would\s+be)\b/i;

/**
 * Whether calls that were found may be handed to the loop, which checks them again. A sure form is, even with an
 * unknown name or wrong arguments: the loop's answer then says what there is. An unsure one only when it names an
 * offered tool that changes nothing, its arguments pass as they are, and the prose before it announces no example.
 */
export function isAccepted(
  calls: readonly RawCall[],
  certainty: Certainty,
  before: string,
  catalogue: Catalogue,
): boolean {
  if (certainty !== "trailing") return true;
  const prose = before.slice(-600);
  if (prose.trimEnd().endsWith(":") || EXAMPLE.test(prose)) return false;
  return calls.every((call) => {
    const tool = catalogue.find(call.name);
    return tool?.readOnly === true && tool.accepts(call.arguments);
  });
}
