import { askModel, type Asked } from "./ask-model.ts";
import { GivenResults } from "../budget/repeats.ts";
import { dispatch } from "../calls/dispatch.ts";
import { notAsked, playModel } from "../fork/play.ts";
import { CANCELLED, type Failure } from "../failure.ts";
import { withQuotes } from "../prompt.ts";
import { endLoop } from "./end.ts";
import { formOfStep } from "./form-of-step.ts";
import { longestOutput } from "./fitting-request.ts";
import type { LoopDeps, LoopInput, LoopOutcome, Run } from "./types.ts";
import { askAgain, correct } from "./no-answer.ts";
import { searchInstead } from "./named-tool.ts";
import type { StepReading } from "../protocol.ts";
import { recover } from "./recover.ts";
import { useRecalled } from "./use-recalled.ts";
import { outputProtocol } from "../structured/output-protocol.ts";
import type { OutputState } from "../structured/output-types.ts";
import { endTools, settleOutput, unconstrain } from "../structured/settle-output.ts";

/**
 * Runs the tool loop: request, stream, calls, results, and again, until there is an answer. When a stop condition
 * holds the model is asked once more to answer with what it has, so that there is an answer all the same. Never throws for what
 * models, tools or servers do; those failures are in the outcome, with what was streamed until then.
 */
export async function runLoop(input: LoopInput, deps: LoopDeps): Promise<LoopOutcome> {
  const run = begin(input, deps);
  const recalling = deps.recall(run.protocol);
  if (recalling !== undefined) await useRecalled(run, await recalling);
  if (run.answer !== undefined && !deps.signal.aborted) return endLoop(run, "answered", run.answer);
  run.form = await formOfStep(run);
  for (;;) {
    const { steps, repeats } = run;
    const tokens = (run.inputTokens ?? 0) + (run.outputTokens ?? 0);
    const reason = input.stop({ steps, repeats, tokens, signal: deps.signal });
    if (reason?.code === "cancelled") return endLoop(run, "cancelled", "", CANCELLED);
    // What is played went on then, whatever the limits are now.
    if (reason !== undefined && run.stopped === undefined && run.tape.length === 0) {
      run.stopped = reason;
      deps.emitter.warn(reason.code, reason.message, reason.detail);
      if (run.output !== undefined) endTools(run, run.output);
    }
    const outcome = await runStep(run);
    if (outcome !== undefined) return outcome;
  }
}

function begin(input: LoopInput, deps: LoopDeps): Run {
  const { output: spec } = input;
  const output = spec && { spec, final: spec.atOnce === true, format: spec.format, repaired: false };
  return {
    input,
    deps: output === undefined ? deps : withOutput(deps, output),
    protocol: input.tape?.[0]?.protocol ?? input.protocol,
    think: input.think,
    output,
    recalled: undefined,
    told: [],
    form: undefined,
    isShort: false,
    answer: undefined,
    own: [],
    kept: [],
    answered: [],
    ran: 0,
    sources: new Map(),
    thoughts: [],
    callIds: new Set(),
    given: new GivenResults(),
    estimate: 0,
    repeats: new Map(),
    inputTokens: undefined,
    outputTokens: undefined,
    index: 0,
    steps: 0,
    tape: [...(input.tape ?? [])],
    playing: undefined,
    stopped: undefined,
    met: { empty: 0, broken: 0, unparsable: 0, insisted: 0, named: 0 },
  };
}

function withOutput(deps: LoopDeps, output: OutputState): LoopDeps {
  return { ...deps, adapter: (protocol) => outputProtocol(deps.adapter(protocol), output) };
}

/** One step; gives the outcome of the turn when this was its last. */
async function runStep(run: Run): Promise<LoopOutcome | undefined> {
  const { emitter, identity } = run.deps;
  run.index += 1;
  const { index } = run;
  const stepId = identity.spanId();
  const tape = run.tape.shift();
  // What is played was offered tools in its own way; after it, it goes on as the step of then that is asked anew.
  if (tape !== undefined || run.playing !== undefined) run.protocol = tape?.protocol ?? run.input.protocol;
  run.playing = tape;
  const own = { id: stepId, parentId: emitter.agentId, stepId };
  const place = tape === undefined ? own : { ...own, replays: tape.id };
  emitter.emit("step.start", place, {
    index,
    "conclave.protocol": run.protocol,
    "conclave.last_step": run.stopped !== undefined,
  });
  const asked = tape === undefined ? await makeOrAsk(run, stepId) : playModel(run, tape, stepId);
  const outcome = await settle(run, asked, stepId);
  emitter.emit("step.end", place, { index });
  return outcome;
}

/** In the first step the model need not be asked for calls that the question itself asks for. */
async function makeOrAsk(run: Run, stepId: string): Promise<Asked> {
  const { askedCalls = [] } = run.input;
  if (run.index > 1 || askedCalls.length === 0) return askModel(run, stepId);
  return notAsked(askedCalls.map((call) => ({ ...call, id: "" })));
}

async function settle(run: Run, asked: Asked, stepId: string): Promise<LoopOutcome | undefined> {
  const { reading } = asked;
  if (asked.failure !== undefined) return afterFailure(run, asked.failure, reading, stepId);
  const isCalling = reading.calls.length > 0 && run.stopped === undefined && run.output?.final !== true;
  if (isCalling) return dispatch(run, reading, stepId);
  if (run.output !== undefined) return settleOutput(run, run.output, asked, stepId);
  if (reading.broken !== undefined && run.stopped === undefined) {
    return correct(run, reading, reading.broken, stepId);
  }
  if (reading.answer.trim() === "") return askAgain(run, asked, stepId);
  if (run.playing === undefined && (await searchInstead(run, reading, stepId))) return undefined;
  if (asked.finish === "length") {
    const limit = longestOutput(run);
    const message = `The answer was cut at the limit of output tokens (${limit}) or at the end of the context.`;
    run.deps.emitter.warn("answer_cut", message, { limit }, stepId);
  }
  const { told, input } = run;
  const quotes = input.endsWithResult === true ? told : [];
  return endLoop(run, "answered", withQuotes(reading.answer, quotes));
}

async function afterFailure(
  run: Run,
  problem: Failure,
  reading: StepReading,
  stepId: string,
): Promise<LoopOutcome | undefined> {
  if (problem.code === "cancelled") return endLoop(run, "cancelled", reading.answer, CANCELLED);
  const { output } = run;
  if (
    output !== undefined &&
    problem.code === "invalid_format" &&
    unconstrain(run, output, problem, stepId)
  ) {
    run.index -= 1;
    return undefined;
  }
  const final = await recover(run, problem, stepId);
  if (final !== undefined) return endLoop(run, "failed", reading.answer, final);
  // The same step again: a request that the server refused is not a step of the model.
  run.index -= 1;
  return undefined;
}
