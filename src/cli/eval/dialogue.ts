import type { FailureCode } from "../../agent/failure.ts";
import type { EvalCheck, EvalTurn } from "../../trace/eval/report.ts";
import type { CliServices } from "../services.ts";
import { callsOf, matchCalls } from "./calls.ts";
import type { CaseTurn, Expect } from "./case/schema.ts";
import { castChecks, check, checkTurn, type PlayedTurn } from "./checks.ts";
import { followUp } from "./follow-up.ts";
import { runCommittee, runTools } from "./set-up.ts";
import type { Stage } from "./stage.ts";
import { isNamed } from "./watch.ts";

/** A dialogue that was played. */
export interface PlayedDialogue {
  readonly turns: readonly EvalTurn[];
  readonly checks: readonly EvalCheck[];
  readonly calls: {
    readonly expected: number;
    readonly made: number;
    readonly wrong: number;
    readonly missing: number;
  };
  readonly sessions: readonly string[];
  /** Why a turn had nobody to answer it, where the case does not expect that: the run says nothing of who answers. */
  readonly unserved?: string;
}

/** Failures of the server, not of what it runs. */
const UNSERVED: ReadonlySet<FailureCode> = new Set<FailureCode>([
  ...(["server_unreachable", "stream_broken", "unauthorized", "model_missing"] as const),
]);

/** What is expected where a turn says nothing: that it is answered. */
const ANSWERED: Expect = { outcome: "answered" };

/** Plays the turns of a case one after the other and checks each. Stops with the signal. */
export async function playDialogue(stage: Stage, signal: AbortSignal): Promise<PlayedDialogue> {
  const turns: EvalTurn[] = [];
  const checks: EvalCheck[] = [];
  const calls = { expected: 0, made: 0, wrong: 0, missing: 0 };
  const sessions = new Sessions();
  let unserved: string | undefined;
  for (const wanted of stage.case.dialogue) {
    for (let count = 1; count <= wanted.times && !signal.aborted; count += 1) {
      const ask = wanted.ask.replace(/\{\{\s*n\s*\}\}/gu, String(count));
      const sessionId = sessions.of(wanted.session);
      const played = await playTurn({ ...wanted, ask }, sessionId, stage, signal);
      if ("refused" in played) {
        checks.push({ ...check("asked", false, played.refused), turn: turns.length + 1 });
        break;
      }
      sessions.remember(wanted.session, played.sessionId);
      const expect = wanted.expect ?? ANSWERED;
      if (played.isUnserved && expect.outcome !== "failed") unserved ??= played.error;
      const match = matchCalls(callsOf(played.events), expect.tools);
      calls.expected += match.expected;
      calls.made += match.made;
      calls.wrong += match.wrong.length;
      calls.missing += match.missing.length;
      turns.push(turnOf(played));
      const all = [...checkTurn(expect, played, match), ...played.more];
      checks.push(...all.map((one) => ({ ...one, turn: turns.length })));
    }
  }
  return { turns, checks, calls, sessions: sessions.all, ...(unserved !== undefined && { unserved }) };
}

/** The sessions of a run by the names that the case gives them. */
class Sessions {
  readonly #byName = new Map<string, string>();
  readonly #all = new Set<string>();
  #last: string | undefined;

  get all(): readonly string[] {
    return [...this.#all];
  }

  /** The session that a turn goes on; undefined: a new one begins. */
  of(name: string | undefined): string | undefined {
    if (name === undefined) return this.#last;
    return name === "new" ? undefined : this.#byName.get(name);
  }

  remember(name: string | undefined, sessionId: string): void {
    if (name !== undefined && name !== "new") this.#byName.set(name, sessionId);
    this.#last = sessionId;
    this.#all.add(sessionId);
  }
}

/** A turn that was asked, with what else is to be said of it. */
interface AskedTurn extends PlayedTurn {
  readonly more: readonly EvalCheck[];
  readonly isUnserved: boolean;
}

async function playTurn(
  turn: CaseTurn,
  sessionId: string | undefined,
  stage: Stage,
  signal: AbortSignal,
): Promise<AskedTurn | { readonly refused: string }> {
  const { services, watch } = stage;
  // Before anything is asked, so that no event is missed.
  const stop = cancelAfter(turn.cancel_after, services);
  const started = await services.engine.ask(
    {
      question: turn.ask,
      door: "cli",
      ...(sessionId !== undefined && { sessionId }),
      ...(turn.private === true && { private: true }),
      options: optionsOf(turn, stage),
    },
    signal,
  );
  if (!started.ok) {
    stop();
    return { refused: started.failure.message };
  }
  const running = started.value;
  const { outcome, answer, error } = await running.done;
  stop();
  const refused = await followUp({ turn, running, outcome, stage }, signal);
  return {
    ...{ sessionId: running.sessionId, turnId: running.turnId, question: turn.ask, answer, outcome },
    ...(error && { error: error.message }),
    events: watch.of(running.turnId),
    isUnserved: error !== undefined && UNSERVED.has(error.code),
    more: [...castChecks(watch.of(running.turnId)), ...refused],
  };
}

function optionsOf(turn: CaseTurn, { case: one, configuration, seed }: Stage) {
  const agent = turn.agent ?? one.agent;
  const committee = runCommittee(one, configuration);
  return {
    seed,
    ...runTools(one, configuration),
    ...(agent !== undefined && { agent }),
    ...(committee && { committee }),
  };
}

/** Cancels the turn that runs as soon as an event has come; gives the way to stop looking for it. */
function cancelAfter(name: string | undefined, { engine }: CliServices): () => void {
  if (name === undefined) return () => undefined;
  return engine.onEvent((event) => {
    if (isNamed(event, name)) engine.running(event.sessionId)?.cancel();
  });
}

function turnOf({ turnId, sessionId, question, answer, outcome, error, events }: PlayedTurn): EvalTurn {
  const graded = events.findLast((event) => event.type === "critique.result" && event.respondent !== "B");
  return {
    ...{ turnId, sessionId, question, answer, outcome },
    tools: callsOf(events).map(({ name }) => name),
    ...(graded?.type === "critique.result" && { grade: graded.data.score }),
    ...(error !== undefined && { error }),
  };
}
