import type { Embed } from "./budget/relevant-tools.ts";
import { CANCELLED, describeError, failed, success } from "./failure.ts";
import type { MemoryPort } from "./memory/port.ts";
import { cutAtGrapheme } from "./text.ts";
import { raceAbort } from "./timer.ts";

/** Texts that memory takes at once, and how much of each (UTF-16 units). */
const BATCH = 64;
const MAX_TEXT = 8_000;

/**
 * What embeds texts by memory's model, long ones by their beginning; nothing where memory embeds none. Gives one vector
 * for each text, in order; never throws, and stops within a moment of the signal.
 */
export function embedderOf(memory: MemoryPort | undefined): Embed | undefined {
  if (memory?.embed === undefined) return undefined;
  return async (texts, signal) => {
    const vectors: (readonly number[])[] = [];
    let model: string | undefined;
    for (let at = 0; at < texts.length; at += BATCH) {
      const batch = texts.slice(at, at + BATCH).map((text) => cutAtGrapheme(text, MAX_TEXT));
      const raced = await raceAbort(signal, async () => memory.embed?.(batch, "document", signal));
      if (raced.kind === "aborted") return { ok: false, failure: CANCELLED };
      if (raced.kind === "thrown") {
        return failed("memory_unavailable", "Memory broke down.", { cause: describeError(raced.error) });
      }
      const embedded = raced.value;
      if (embedded?.ok === false) return embedded;
      if (
        embedded?.value.embeddings.length !== batch.length ||
        (model ??= embedded.value.model) !== embedded.value.model
      ) {
        return failed("memory_unavailable", "Memory embeds these texts in another way than it began.");
      }
      vectors.push(...embedded.value.embeddings.map((vector) => Array.from(vector)));
    }
    return success(vectors);
  };
}
