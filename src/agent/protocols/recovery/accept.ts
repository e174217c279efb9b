import { nearestName } from "../../nearest-name.ts";
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
 * Whether calls that were found may be handed to the loop, which checks them again. One in a model's own marks is, even
 * with an unknown name or wrong arguments: the loop's answer then says what there is. A whole message is when it speaks
 * of an offered tool, be it under another name: other JSON is an answer. What stands behind prose only when it names a
 * tool that changes nothing, its arguments pass as they are, and the prose announces no example.
 */
export function isAccepted(
  calls: readonly RawCall[],
  certainty: Certainty,
  before: string,
  catalogue: Catalogue,
): boolean {
  if (certainty === "tagged") return true;
  if (certainty === "whole") return calls.every((call) => meansTool(call, catalogue));
  const prose = before.slice(-600);
  if (prose.trimEnd().endsWith(":") || EXAMPLE.test(prose)) return false;
  return calls.every((call) => {
    const tool = catalogue.find(call.name);
    return tool?.readOnly === true && tool.accepts(call.arguments);
  });
}

/** Whether a call is of an offered tool, or was meant for one: the name is much alike, or the arguments fit. */
function meansTool({ name, arguments: args }: RawCall, catalogue: Catalogue): boolean {
  if (catalogue.find(name) !== undefined || nearestName(name, catalogue.names) !== undefined) return true;
  return catalogue.tools.some((tool) => tool.required.length > 0 && tool.accepts(args));
}
