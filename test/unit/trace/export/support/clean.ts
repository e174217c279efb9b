import type { TurnEvent } from "../../../../../src/agent/events.ts";
import { Cleaner, type CleanContext } from "../../../../../src/trace/export/redact/cleaner.ts";
import { DEFAULT_CLEANING, type CleanOptions } from "../../../../../src/trace/export/redact/options.ts";

/** Events as an export holds them, as they are and as one text. */
export function clean(
  events: readonly TurnEvent[],
  options: Partial<CleanOptions> = {},
  context: CleanContext = {},
): { readonly events: readonly TurnEvent[]; readonly text: string; readonly cleaner: Cleaner } {
  const cleaner = new Cleaner({ ...DEFAULT_CLEANING, ...options }, context);
  for (const event of events) cleaner.look(event);
  const cleaned = events.map((event) => cleaner.clean(event));
  return { events: cleaned, text: JSON.stringify(cleaned), cleaner };
}
