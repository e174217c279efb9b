import { CANCELLED, failed, success, type Result } from "../../agent/failure.ts";
import type { MemoryPort } from "../../agent/memory/port.ts";
import type { ForgetPreview, ForgetWhat, Forgotten } from "../../agent/memory/types.ts";
import type { TraceLog } from "../../trace/log.ts";
import type { MentioningTurn } from "../../trace/mentions.ts";
import { forgetQuestion, totalOf } from "../panel/memory/words.ts";

/** Memory and the traces, which forget together. */
export interface ForgetParts {
  readonly memory: Pick<MemoryPort, "previewForget" | "forget">;
  readonly log: Pick<TraceLog, "bury" | "mentions">;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Samples that a preview names at most. */
const MAX_SAMPLES = 20;

/** A question before something goes for good, with what goes by name. */
export type ForgetQuestion = ReturnType<typeof forgetQuestion>;

/**
 * Turns of the traces that speak of what is to be forgotten and that memory can't name, because they were never
 * remembered. Where all is to go, those that memory knows no more go too.
 */
async function mentioning(
  { log }: ForgetParts,
  what: ForgetWhat,
  signal: AbortSignal,
): Promise<Result<readonly MentioningTurn[]>> {
  if (what.by !== "about") return success([]);
  const found = await log.mentions(what.about, signal);
  if (!found.ok || what.scopes === undefined) return found;
  return success(found.value.filter(({ remembered }) => !remembered));
}

/** What would go of memory and of the traces. Turns that only the trace holds count as turns of memory do. */
export async function previewForget(
  parts: ForgetParts,
  what: ForgetWhat,
  signal: AbortSignal,
): Promise<Result<ForgetPreview>> {
  const preview = await parts.memory.previewForget(what, signal);
  if (!preview.ok) return preview;
  const found = await mentioning(parts, what, signal);
  if (!found.ok) return found;
  const traced = found.value.filter(({ remembered }) => !remembered);
  const { counts, samples } = preview.value;
  const named = traced.map(({ question }) => ({ table: "episodes" as const, text: question }));
  return success({
    counts: { ...counts, episodes: counts.episodes + traced.length },
    samples: [...samples, ...named].slice(0, MAX_SAMPLES),
  });
}

/**
 * Forgets for good: rows of memory go, and the traces keep a tombstone in place of the text. When memory has forgotten
 * and a trace could not be written, the failure says so; doing it again mends it.
 */
export async function forgetEverywhere(
  parts: ForgetParts,
  what: ForgetWhat,
  signal: AbortSignal,
): Promise<Result<Forgotten>> {
  const found = await mentioning(parts, what, signal);
  if (!found.ok) return found;
  const gone = await parts.memory.forget(what, signal);
  if (!gone.ok) return gone;
  const all = [...gone.value.turns, ...found.value];
  const turns = [...new Map(all.map(({ sessionId, turnId }) => [turnId, { sessionId, turnId }])).values()];
  // What memory has let go of must go from the traces too: from here on nobody can cancel it.
  const buried = await parts.log.bury({
    turns,
    time: parts.now(),
    ...(what.by === "ids" ? { memoryIds: what.ids } : {}),
    ...(what.by === "about" ? { about: { words: what.about, everywhere: what.scopes === undefined } } : {}),
  });
  if (buried.ok) return success({ ...gone.value, turns });
  const { message, cause } = buried.failure;
  return failed("internal", `Memory has forgotten it, but a trace still holds it. ${message}`, {
    action: "retry",
    ...(cause === undefined ? {} : { cause }),
  });
}

const NOTHING: Forgotten = {
  removed: 0,
  counts: { episodes: 0, facts: 0, people: 0, relationships: 0, resources: 0 },
  turns: [],
};

/**
 * Forgets once the user has said yes to a question that names what goes. Not asked when there is nothing to forget: then
 * nothing is removed. On no the result is the failure `cancelled`.
 *
 * @param memory one that forgets in the traces too
 */
export async function forget(
  memory: Pick<MemoryPort, "previewForget" | "forget">,
  what: ForgetWhat,
  signal: AbortSignal,
  confirm: (question: ForgetQuestion) => Promise<boolean>,
): Promise<Result<Forgotten>> {
  const preview = await memory.previewForget(what, signal);
  if (!preview.ok) return preview;
  if (totalOf(preview.value.counts) === 0) return success(NOTHING);
  if (!(await confirm(forgetQuestion(preview.value)))) return { ok: false, failure: CANCELLED };
  return await memory.forget(what, signal);
}
