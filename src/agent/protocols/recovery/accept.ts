import { nearestName } from "../../nearest-name.ts";
import type { Catalogue } from "./catalogue.ts";
import type { RawCall } from "./shapes.ts";

/**
 * Whether calls that were found may be handed to the loop, which checks them again. A whole message is a call when it
 * speaks of an offered tool, be it under another name: other JSON is an answer. What stands on lines of its own behind
 * prose or a label is one only when it names a tool that changes nothing and its arguments pass as they are: an example
 * that is run by mistake does no harm, a call that is not run leaves the question unanswered.
 */
export function isAccepted(calls: readonly RawCall[], isWhole: boolean, catalogue: Catalogue): boolean {
  if (isWhole) return calls.every((call) => meansTool(call, catalogue));
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
