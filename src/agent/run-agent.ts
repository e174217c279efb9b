import { createDelegate } from "./delegate.ts";
import { budgetDeps } from "./budget/budget-deps.ts";
import { createEmitter, type Emitter } from "./emitter.ts";
import { CANCELLED, describeError, failure, type Failure } from "./failure.ts";
import { keptRecall } from "./fork/kept-start.ts";
import { runLoop } from "./loop/loop.ts";
import type { LoopOutcome } from "./loop/types.ts";
import type { ChatMessage } from "./models/types.ts";
import { modelOf } from "./footing.ts";
import { prepareAgent, type Prepared } from "./prepare-agent.ts";
import { recall } from "./recall.ts";
import type { Conversation } from "./sessions/types.ts";
import type { EngineSettings } from "./settings.ts";
import { readyInSpareTime } from "./spare-time.ts";
import { wellFormed } from "./text.ts";
import type { AgentJob, AgentOutcome, TurnDeps, TurnInput } from "./turn-types.ts";
import { toldTool } from "./told-schema.ts";
import { usageData } from "./usage-data.ts";

/** The respondent of a turn that has only one. */
export const RESPONDENT = "A";

/**
 * Lets one agent work on a turn, from `agent.start` to `agent.end`. Never throws: it ends with an answer or with a
 * failure in words, and keeps what was streamed.
 */
export async function runAgent(job: AgentJob, input: TurnInput, deps: TurnDeps): Promise<AgentOutcome> {
  const { identity } = deps;
  const { sessionId, turnId, request } = input;
  const origin = { sessionId, turnId, agent: job.name, respondent: RESPONDENT };
  const emitter = createEmitter(origin, identity, deps.sink);
  const began = identity.now();
  const model = modelOf(job, input);
  emitter.emit(
    "agent.start",
    { id: emitter.agentId, parentId: job.parentId },
    {
      "gen_ai.agent.name": job.name,
      "gen_ai.request.model": model,
      ...(job.role && { "conclave.role": job.role }),
      ...(job.host !== undefined && { "conclave.host": job.host }),
      ...(job.sample !== undefined && { "conclave.sample": job.sample }),
    },
  );
  const work: Work = { question: { role: "user", content: wellFormed(job.question ?? request.question) } };
  const limited = withinTime(job, deps);
  const outcome = await answer(job, input, limited.deps, emitter, work);
  const ended = limited.end(outcome);
  finish(job, emitter, ended, identity.now() - began);
  return { ...ended, agentId: emitter.agentId, name: job.name, model, question: work.question };
}

/** What is known of the work on its way. */
interface Work {
  /** The question as it is sent; the conversation goes on with it. */
  question: ChatMessage;
}

interface Limited {
  readonly deps: TurnDeps;
  /** Ends the watch; an agent whose time was up has failed, it was not cancelled. */
  end(outcome: LoopOutcome): LoopOutcome;
}

function withinTime({ limits, definition, name }: AgentJob, deps: TurnDeps): Limited {
  const seconds = limits?.seconds ?? definition?.limits.seconds;
  if (seconds === undefined || seconds <= 0) return { deps, end: (outcome) => outcome };
  const own = new AbortController();
  const stop = (): void => own.abort();
  deps.signal.addEventListener("abort", stop, { once: true });
  if (deps.signal.aborted) stop();
  const cancelTimer = deps.timer(seconds * 1_000, stop);
  return {
    deps: { ...deps, signal: own.signal },
    end: (outcome) => {
      cancelTimer();
      deps.signal.removeEventListener("abort", stop);
      if (outcome.outcome !== "cancelled" || deps.signal.aborted) return outcome;
      const late = failure("timeout", `${name} gave no answer within ${seconds} s and was stopped.`);
      return { ...outcome, outcome: "failed", error: late };
    },
  };
}

async function answer(
  job: AgentJob,
  input: TurnInput,
  deps: TurnDeps,
  emitter: Emitter,
  work: Work,
): Promise<LoopOutcome> {
  try {
    emitter.fire("receive_query");
    if (job.question === undefined) warnUnread(input.conversation, emitter);
    const prepared = await prepareAgent(job, input, deps, emitter);
    if (!prepared.ok) return unanswered(deps.signal.aborted ? CANCELLED : prepared.failure);
    const { loop, info, recallMode, calling } = prepared.value;
    work.question = prepared.value.question;
    const { meanwhile } = job;
    if (meanwhile !== undefined) readyInSpareTime(() => meanwhile(work.question, loop.model));
    emitTools(prepared.value, emitter);
    emitter.fire("start_generation");
    const { identity, signal, timer, adapter, lessons, memory } = deps;
    const settings = recallSettings(job, input.settings);
    const recalling = { memory, settings, emitter, signal, timer, now: () => identity.now() };
    const outcome = await runLoop(loop, {
      ...{ emitter, identity, signal, timer, adapter, gate: deps.gate(job.host) },
      recall: (protocol) =>
        keptRecall(job, input, emitter) ??
        recall(
          {
            ...{ question: loop.question, excludeTurnIds: loop.context.past.turnIds },
            // Where something else is read for the question, a small model would take what is recalled for it.
            first: (recallMode === "first" || protocol === "none") && (loop.askedCalls ?? []).length === 0,
            isBlind: protocol === "none",
            checked: calling.skill === "poorly" && job.role === undefined && loop.tools.schemas.length === 0,
          },
          recalling,
        ),
      learn: (lesson) => lessons.add(loop.model.name, info?.capabilities, lesson),
      ...budgetDeps(loop, job, input, deps),
      ...(input.agents.agents.length > 0 && {
        delegate: createDelegate(job, input, deps, emitter, runAgent),
      }),
    });
    noteCalling(prepared.value, outcome, deps);
    return outcome;
  } catch (error) {
    const cause = error instanceof Error ? (error.stack ?? error.message) : describeError(error);
    return unanswered(
      failure("internal", "Something broke inside Conclave; the trace has the details.", { cause }),
    );
  }
}

/**
 * Who the agent is: what its own file says, where it has one. Those who speak in a committee share what is recalled:
 * it stands in the part of the prompt that is the same for all.
 */
function recallSettings({ name, definition, role }: AgentJob, settings: EngineSettings): EngineSettings {
  const isShared = role !== undefined && role !== "answerer" && role !== "delegate";
  if (definition === undefined || isShared) return settings;
  const { persona, ...rest } = settings;
  const own = definition.persona ?? (settings.agent === name ? persona : undefined);
  return { ...rest, agent: name, ...(own && { persona: own }) };
}

/** What an agent comes to that gave no answer at all. */
export function unanswered(error: Failure): LoopOutcome {
  const outcome = error.code === "cancelled" ? "cancelled" : "failed";
  return {
    outcome,
    answer: "",
    thinking: "",
    calls: [],
    messages: [],
    sources: [],
    usage: {},
    steps: 0,
    ran: 0,
    error,
  };
}

function emitTools({ loop, leftOut, recallMode, calling }: Prepared, emitter: Emitter): void {
  const { tools, protocol } = loop;
  emitter.emit(
    "tool.schema",
    { parentId: emitter.agentId },
    {
      tools: tools.schemas.map(toldTool),
      "conclave.protocol": protocol,
      ...(leftOut.length > 0 && { "conclave.left_out": leftOut }),
      "conclave.recall": recallMode,
      ...(calling.reason !== "" && { "conclave.recall_reason": calling.reason }),
    },
  );
}

function warnUnread({ problem }: Conversation, emitter: Emitter): void {
  if (problem === undefined || problem.code === "cancelled") return;
  const what = "Earlier turns of this session could not be read, so the answer does without them.";
  emitter.warn("context_cut", `${what} ${problem.message}`);
}

function finish(job: AgentJob, emitter: Emitter, loop: LoopOutcome, durationMs: number): void {
  const { outcome, answer: said, thinking, calls, error } = loop;
  const answered = outcome === "answered";
  emitter.fire(answered ? "finish" : "fail");
  const { agentId } = emitter;
  emitter.emit("response.generation", { parentId: agentId }, { answer: said, thinking, tool_calls: calls });
  if (answered) emitter.fire("finish");
  const ended = { ...endOf(loop, durationMs), outcome, ...(error && { error }) };
  emitter.emit("agent.end", { id: agentId, parentId: job.parentId }, ended);
}

/**
 * A model that called and made no call that could be run is remembered for that; one that called none may not have had
 * to.
 */
function noteCalling({ loop, info }: Prepared, { ran, calls }: LoopOutcome, { lessons }: TurnDeps): void {
  const { name } = loop.model;
  const capabilities = info?.capabilities;
  const { wrongTurns = 0 } = lessons.of(name, capabilities);
  if (ran > 0 && wrongTurns > 0) lessons.add(name, capabilities, { wrongTurns: 0 });
  if (ran === 0 && calls.length > 0) lessons.add(name, capabilities, { wrongTurns: wrongTurns + 1 });
}

/** Tokens and time of a turn or an agent, as its last event tells them. */
export function endOf({ usage }: Pick<LoopOutcome, "usage">, durationMs: number) {
  return {
    ...usageData(usage),
    "conclave.duration_ms": durationMs,
  };
}
