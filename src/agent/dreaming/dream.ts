import type { Engine } from "../engine-port.ts";
import { CANCELLED, describeError, failed, failure, success, type Result } from "../failure.ts";
import { raceAbort } from "../timer.ts";
import { dreamMaterial, type DreamMaterial, type DreamTurn } from "./material.ts";

/** The built-in agent that turns sessions into moments. */
export const DREAMING_AGENT = "Dreaming";

/** The first dream looks back so far, in milliseconds. */
const FIRST_LOOK_BACK_MS = 7 * 24 * 60 * 60_000;

/** Of the context, this much is for what is dreamt of; and never more tokens than that, so that it ends some time. */
const MATERIAL_SHARE = 0.4;
const MAX_MATERIAL = 12_000;

/** How often less is tried when a server finds it too long. */
const ATTEMPTS = 3;

/** Up to where sessions were dreamt of; kept over restarts. */
export interface DreamState {
  /** Milliseconds since the epoch; nothing before the first dream. */
  until(): number | undefined;
  setUntil(time: number): Promise<void>;
  /** When the last dream ended, well or not; milliseconds since the epoch. */
  endedAt(): number | undefined;
  setEndedAt(time: number): Promise<void>;
}

/** What dreaming works with. */
export interface DreamDeps {
  readonly engine: Pick<Engine, "ask">;
  /** Answered turns that ended after a time, private ones and forgotten ones left out. */
  readonly recent: (after: number, signal: AbortSignal) => Promise<Result<readonly DreamTurn[]>>;
  readonly state: DreamState;
  /** Wanted context length in tokens. */
  readonly contextLength: () => number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** What a dream came to. */
export interface Dreamt {
  /** Turns that were looked at; 0: there was nothing new. */
  readonly turns: number;
  /** Moments that the agent gave. */
  readonly moments: number;
  /** The dream's own turn. */
  readonly sessionId?: string;
  readonly turnId?: string;
}

/**
 * Turns sessions since the last dream into moments. Goes on next time from where it got to; a dream that fails or is
 * stopped changes nothing, so that its turns are dreamt of again. Never throws.
 */
export async function dream(deps: DreamDeps, signal: AbortSignal): Promise<Result<Dreamt>> {
  const raced = await raceAbort(signal, () => dreamOnce(deps, signal));
  if (raced.kind === "value") return raced.value;
  if (raced.kind === "aborted") return { ok: false, failure: CANCELLED };
  return failed("internal", "Dreaming broke down.", { cause: describeError(raced.error) });
}

async function dreamOnce(deps: DreamDeps, signal: AbortSignal): Promise<Result<Dreamt>> {
  const after = deps.state.until() ?? deps.now() - FIRST_LOOK_BACK_MS;
  const recent = await deps.recent(after, signal);
  if (!recent.ok) return recent;
  let tokens = Math.min(MAX_MATERIAL, Math.floor(deps.contextLength() * MATERIAL_SHARE));
  for (let attempt = 1; ; attempt += 1) {
    const material = dreamMaterial(recent.value, tokens);
    if (material === undefined) return success({ turns: 0, moments: 0 });
    const dreamt = await ask(material, deps, signal);
    if (dreamt.ok) {
      if (!signal.aborted) await deps.state.setUntil(material.until);
      return dreamt;
    }
    if (dreamt.failure.code !== "context_overflow" || attempt === ATTEMPTS) return dreamt;
    tokens = Math.floor(tokens / 2);
  }
}

async function ask(
  material: DreamMaterial,
  { engine }: DreamDeps,
  signal: AbortSignal,
): Promise<Result<Dreamt>> {
  const request = {
    question: material.text,
    door: "command" as const,
    background: true,
    options: { agent: DREAMING_AGENT },
  };
  const asked = await engine.ask(request, signal);
  if (!asked.ok) return asked;
  const { sessionId, turnId, done } = asked.value;
  const { outcome, error, output, chained } = await done;
  if (outcome !== "answered" || output === undefined) {
    return { ok: false, failure: error ?? failure("output_invalid", "Dreaming gave no moments.") };
  }
  const { moments } = output.value;
  const count = Array.isArray(moments) ? moments.length : 0;
  if (chained === undefined || chained.failed === true) {
    const why = chained?.result ?? "The tool save_moments is not on.";
    return failed("tool_failed", `The moments of this dream could not be kept. ${why}`);
  }
  return success({ turns: material.turns, moments: count, sessionId, turnId });
}
