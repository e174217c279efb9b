import type { MemoryEdit } from "../../agent/memory/types.ts";
import { keptSubject, oneLine } from "./bounds.ts";
import { clampConfidence } from "./decide.ts";
import type { StoredFact } from "./table.ts";

/** The fact as the user changed it; undefined when nothing is different. */
export function editFact(
  fact: StoredFact,
  edit: Extract<MemoryEdit, { table: "facts" }>,
  now: number,
): StoredFact | undefined {
  const text = edit.text === undefined ? fact.text : oneLine(edit.text);
  const subject = edit.subject === undefined ? fact.subject : keptSubject(edit.subject);
  const edited: StoredFact = {
    ...fact,
    text,
    subject: subject === "" ? fact.subject : subject,
    kind: edit.kind ?? fact.kind,
    confidence: edit.confidence === undefined ? fact.confidence : clampConfidence(edit.confidence),
    pinned: edit.pinned ?? fact.pinned,
    validTo: validTo(fact, edit.holds, now),
  };
  const keys = ["text", "subject", "kind", "confidence", "pinned", "validTo"] as const;
  if (keys.every((key) => edited[key] === fact[key])) return undefined;
  if (text === fact.text) return { ...edited, updatedAt: now };
  // The user's words hold from now on, whichever of its turns are forgotten.
  const sources = fact.sources.map((source) => ({ ...source, text: "" }));
  return { ...edited, by: "user", sources, updatedAt: now };
}

function validTo(fact: StoredFact, holds: boolean | undefined, now: number): number | null {
  if (holds === undefined) return fact.validTo;
  if (holds) return null;
  return fact.validTo ?? Math.max(now, fact.validFrom);
}
