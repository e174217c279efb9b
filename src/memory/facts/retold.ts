import type { FactProposal } from "../../agent/memory/types.ts";
import { clampConfidence, REPEAT_STEP } from "./decide.ts";
import type { FactSource, StoredFact } from "./table.ts";

/** What a turn that tells a fact says of it beside its words. */
export function toldBy({
  confidence,
  eventFrom,
  eventTo,
}: FactProposal): Pick<FactSource, "confidence" | "eventFrom" | "eventTo"> {
  return {
    confidence: clampConfidence(confidence),
    ...(eventFrom !== undefined && { eventFrom }),
    ...(eventTo !== undefined && { eventTo }),
  };
}

/**
 * The fact as if some turns had not told it; undefined when no other turn says it. What it has from elsewhere stays:
 * what the user gave by hand, and what is not known to be of those turns alone.
 */
export function withoutTurns(
  fact: StoredFact,
  gone: (source: FactSource) => boolean,
): StoredFact | undefined {
  const sources = fact.sources.filter((source) => !gone(source));
  const [first] = sources;
  if (first === undefined) return undefined;
  if (sources.length === fact.sources.length) return fact;
  const worded = fact.by === "user" || first.text === "" ? fact.text : first.text;
  const { sessionId, turnId, time, quote } = first;
  const before = retell(fact.sources);
  const after = retell(sources);
  const keep = <K extends keyof Retold>(field: K): Retold[K] =>
    before !== undefined && after !== undefined && fact[field] === before[field] ? after[field] : fact[field];
  return {
    ...fact,
    ...{ text: worded, quote, sources, source: { sessionId, turnId, time } },
    mentions: Math.max(1, fact.mentions - (fact.sources.length - sources.length)),
    confidence: keep("confidence"),
    validFrom: keep("validFrom"),
    eventFrom: keep("eventFrom"),
    eventTo: keep("eventTo"),
  };
}

type Retold = Pick<StoredFact, "confidence" | "validFrom" | "eventFrom" | "eventTo">;

/** What a fact is by the turns that tell it, in the order in which they were heard; undefined when that is not known. */
function retell(sources: readonly FactSource[]): Retold | undefined {
  const [first, ...others] = sources;
  if (first === undefined || sources.some(({ confidence }) => confidence === undefined)) return undefined;
  return {
    confidence: others.reduce((sum) => clampConfidence(sum + REPEAT_STEP), first.confidence ?? 0),
    validFrom: Math.min(...sources.map(({ time }) => time)),
    eventFrom: sources.find(({ eventFrom }) => eventFrom !== undefined)?.eventFrom ?? null,
    eventTo: sources.find(({ eventTo }) => eventTo !== undefined)?.eventTo ?? null,
  };
}
