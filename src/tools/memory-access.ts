import { saidOf, whyRecalled, type About } from "../agent/memory/explain-hit.ts";
import { failure, type Failure } from "../agent/failure.ts";
import type { MemoryPort, RetrievalSettings, ScoreParts } from "../agent/memory/port.ts";
import { DEFAULT_RETRIEVAL } from "../agent/memory/port.ts";
import { CONFIDENCE_THRESHOLD, USER } from "../agent/memory/types.ts";
import type { Source, Tool, ToolContext, ToolOutcome } from "../agent/tool.ts";
import { shorten } from "./web/page.ts";
import { markUntrusted, visibleLine } from "./web/untrusted.ts";

/** A question to the user before something is done that can't be undone. */
export interface ConfirmQuestion {
  readonly title: string;
  /** What it is about, over several lines. */
  readonly detail: string;
  /** The word on the button that agrees. */
  readonly yes: string;
}

/** Asks the user; false when they decline, or when the signal fires first. */
export type Confirm = (question: ConfirmQuestion, signal: AbortSignal) => Promise<boolean>;

/** What the memory tools know of the user's settings; asked anew for each call. What is left out has a default. */
export interface MemoryToolSettings {
  /** Scopes that are looked in; undefined: all. */
  readonly scopes?: (() => readonly string[] | undefined) | undefined;
  /** Where what is saved belongs; empty: everywhere. */
  readonly scope?: (() => string) | undefined;
  readonly retrieval?: (() => RetrievalSettings) | undefined;
  /** Facts with less confidence are not used. */
  readonly minConfidence?: (() => number) | undefined;
  /** Whether a session is private: nothing of it is written to memory. */
  readonly isPrivate?: ((sessionId: string) => boolean) | undefined;
  /** Left out where nobody can be asked. */
  readonly confirm?: Confirm | undefined;
}

/** What the memory tools are made of. */
export interface MemoryToolOptions extends MemoryToolSettings {
  readonly memory: MemoryPort;
  /** For one call; milliseconds. */
  readonly timeoutMs: () => number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** How many turns of the conversation are left out, the latest first; no conversation in a prompt has more. */
const MAX_HELD = 1000;

/**
 * What a search asks beside its words. The running turn is left out: its question would be found as the best match for
 * itself. So are the turns that the conversation already holds: the model has them before its eyes. What another agent
 * came to know or to stand by is its own.
 */
export function searchSettings(options: MemoryToolOptions, { turnId, heldTurnIds = [], agent }: ToolContext) {
  const scopes = options.scopes?.();
  return {
    excludeTurnIds: [turnId, ...heldTurnIds.slice(-MAX_HELD)],
    settings: options.retrieval?.() ?? DEFAULT_RETRIEVAL,
    owners: [USER, agent],
    ...(scopes !== undefined && { scopes }),
  };
}

/** The least confidence of facts that are used. */
export function leastConfidence(options: MemoryToolSettings): number {
  return options.minConfidence?.() ?? CONFIDENCE_THRESHOLD;
}

/**
 * Recalled lines for the model, between marks that say that others may have written them: a memory can hold a page's
 * words. Without lines, the sentence that says so, alone.
 */
export function recalledText(lines: readonly string[], nothing: string): string {
  return lines.length === 0 ? nothing : markUntrusted(lines.join("\n"), "memory");
}

/** Longest title of a memory among the sources, in UTF-16 units. */
const MAX_TITLE = 80;

/** A memory as a source of an answer, by the beginning of its text. */
export function memorySource(id: string, text: string): Source {
  return { uri: `memory:${id}`, title: shorten(visibleLine(text), MAX_TITLE) };
}

/** Why something was recalled, as tools tell it. */
interface Explained {
  readonly parts: Record<string, number>;
  readonly why: string;
  /** What was said of it, by the part that it makes up. */
  readonly says?: Record<string, string>;
}

/**
 * Why something was recalled, for people: the parts of its score, what was said of it, and a sentence. Nothing where
 * nothing is known of it.
 */
export function explained(parts: ScoreParts | undefined, about: About = {}): Explained | undefined {
  if (parts === undefined) return undefined;
  const defined = Object.entries(parts).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const says = Object.fromEntries(
    Object.entries(saidOf(about)).flatMap(([name, said]) =>
      said === undefined ? [] : [[name, said] as const],
    ),
  );
  return {
    parts: Object.fromEntries(defined),
    why: whyRecalled(parts, about),
    ...(Object.keys(says).length > 0 && { says }),
  };
}

/** The outcome of a call that memory could not answer. */
export function failedOutcome(problem: Failure): ToolOutcome {
  return { ok: false, failure: problem, retryable: false };
}

/** Refuses a call that would leave something of a private session in memory; nothing where it may. */
export function refusedAsPrivate(
  { isPrivate }: MemoryToolSettings,
  { sessionId }: ToolContext,
): ToolOutcome | undefined {
  if (isPrivate?.(sessionId) !== true) return undefined;
  const message = "Nothing was saved: this session is private, and nothing of it is remembered.";
  return failedOutcome(failure("tool_disabled", message));
}

/** The failure for a call whose arguments can't be understood; written for the model. */
export function badArguments(message: string): ToolOutcome {
  return failedOutcome(failure("tool_arguments", message));
}

/** Reads the time-out anew at each call, so that a changed setting counts at once. */
export function timed<A>(tool: Omit<Tool<A>, "timeoutMs">, timeoutMs: () => number): Tool<A> {
  return Object.defineProperty({ ...tool, timeoutMs: 0 }, "timeoutMs", { get: timeoutMs, enumerable: true });
}

/** A tool by what it is called, what it takes and what it does with its options; the time-out is one of these. */
export function timedTool<O extends { readonly timeoutMs: () => number }, A>(
  options: O,
  head: Omit<Tool<A>, "timeoutMs" | "run">,
  run: (options: O, args: A, context: ToolContext) => Promise<ToolOutcome>,
): Tool<A> {
  return timed({ ...head, run: (args, context) => run(options, args, context) }, options.timeoutMs);
}
