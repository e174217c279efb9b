import { LRUCache } from "lru-cache";
import { CANCELLED, describeError, failed, success, type Result } from "../failure.ts";
import { contextLengthFor } from "../models/capabilities.ts";
import { raceAbort } from "../timer.ts";
import { Meter } from "./ask-judge.ts";
import { compareAnswers } from "./compare.ts";
import { CONSTRAINED } from "./constrained.ts";
import { isPrometheus } from "./family.ts";
import { gradeAnswer } from "./grade.ts";
import { PROMETHEUS } from "./prometheus.ts";
import type { Bench } from "./read-judge.ts";
import type { Judge, JudgeDeps } from "./types.ts";

/** Models of which is remembered that their output can't be bound. */
const MAX_KNOWN = 100;

/**
 * A judge. A model that is a Prometheus is asked in the form that it was trained on; any other one for an object, which
 * its output is bound to where the server can do that. See `readGrade` and `readVerdict` for what counts as a result.
 */
export function createJudge(): Judge {
  const unbound = new LRUCache<string, true>({ max: MAX_KNOWN });
  return {
    grade: (request, deps, signal) =>
      judged(deps, signal, unbound, (bench) => gradeAnswer(request, bench, signal)),
    compare: (request, deps, signal) =>
      judged(deps, signal, unbound, (bench) => compareAnswers(request, bench, signal)),
  };
}

async function judged<T>(
  deps: JudgeDeps,
  signal: AbortSignal,
  unbound: Bench["unbound"],
  work: (bench: Bench) => Promise<Result<T>>,
): Promise<Result<T>> {
  const form = isPrometheus(deps.model) ? PROMETHEUS : CONSTRAINED;
  const context = (): Promise<Result<number>> => contextOf(deps, signal);
  const raced = await raceAbort(signal, () => work({ deps, form, context, meter: new Meter(), unbound }));
  if (raced.kind === "value") return raced.value;
  if (raced.kind === "aborted") return { ok: false, failure: CANCELLED };
  return failed("internal", "Judging broke down.", { cause: describeError(raced.error) });
}

/** How a server says that it can't tell what a model can do, though it may well answer chats. */
const SHOW_ONLY = ["server_error", "bad_input"];

/** The context length that is asked for: that of the chat, but never more than the model was made for. */
async function contextOf({ model, runner }: JudgeDeps, signal: AbortSignal): Promise<Result<number>> {
  const described = await model.describe(signal);
  if (described.ok) return success(contextLengthFor(runner.contextLength, described.value));
  return SHOW_ONLY.includes(described.failure.code) ? success(runner.contextLength) : described;
}
