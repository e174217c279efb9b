import type { Result } from "../../agent/failure.ts";
import type { EvalCase } from "./case/types.ts";

/** What a run is asked of. */
export interface ServedRun {
  readonly case: EvalCase;
  /** The same seed gives the same run, where the model allows it. */
  readonly seed: number;
}

/** A server that answers one run. */
export interface StartedServer {
  /** Its address. */
  readonly host: string;
  readonly model: string;
  /** Requests that nothing was there to answer, in words: what a script lacks. */
  readonly unanswered?: () => readonly string[];
  close(): Promise<void>;
}

/**
 * Who answers in place of a model, or the model itself: a server of its own for each run, or the one there is. Never
 * throws.
 */
export interface ModelServer {
  readonly kind: "scripted" | "live";
  /** How reports name what answers. */
  readonly model: string;
  readonly host?: string;
  /** What the server calls its version. */
  readonly version?: string;
  /** A sentence that reports say of it. */
  readonly note?: string;
  /** Settings that hold unless somebody says otherwise, by their full names. */
  readonly settings?: Readonly<Record<string, unknown>>;
  start(run: ServedRun, signal: AbortSignal): Promise<Result<StartedServer>>;
}

/** A server that runs already: nothing is started, and nothing ended. */
export function liveServer(model: string, host: string, version?: string): ModelServer {
  const started: StartedServer = { host, model, close: () => Promise.resolve() };
  const named = { kind: "live" as const, model, host, ...(version !== undefined && { version }) };
  return { ...named, start: () => Promise.resolve({ ok: true, value: started }) };
}
