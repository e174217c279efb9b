import { findAgent, type AgentCatalog } from "../agents/definition.ts";
import { TurnContexts } from "../budget/model-context.ts";
import { withDelegation } from "../delegate.ts";
import { SHADOW_RESPONDENT } from "../event-base.ts";
import type { JudgedFor } from "../events-judged.ts";
import type { EventOf, EventSink, TurnEvent, TurnEventType } from "../events.ts";
import { CANCELLED, failed, success, type Failure, type Result } from "../failure.ts";
import { cardOf, isPlain, keptRecalled, takeApart } from "../fork/kept-prompt.ts";
import type { ForkPlan } from "../fork/plan.ts";
import type { MemoryPort } from "../memory/port.ts";
import { entitiesIn, intentOf } from "../remember/rules/classify.ts";
import { saidIn } from "../remember/said.ts";
import { runAgent } from "../run-agent.ts";
import type { Branch } from "../sessions/sessions.ts";
import { agentTools, keepTools } from "../select-tools.ts";
import type { Conversation } from "../sessions/types.ts";
import { memorySettings, type EngineSettings } from "../settings.ts";
import { raceAbort } from "../timer.ts";
import type { ToolSet } from "../tool.ts";
import type { AgentOutcome, TurnDeps, TurnInput } from "../turn-types.ts";
import { usageData } from "../usage-data.ts";

/** A second answer to the question of a turn. What is left out is as it was for the first one. */
export interface ShadowRequest {
  /** All events of the turn, in order. */
  readonly events: readonly TurnEvent[];
  readonly model?: string;
  readonly agent?: string;
  readonly temperature?: number;
  readonly askedBy: JudgedFor;
  /** Its events are told as they happen; left out: all at once when it is done, and none when it is stopped. */
  readonly live?: true;
}

/** What respondent B came to. */
export interface ShadowRun {
  readonly outcome: "answered" | "failed";
  readonly answer: string;
  /** The span of its agent. */
  readonly agentId: string;
  readonly agent: string;
  readonly model: string;
  readonly temperature?: number;
  /** The episode it is remembered as; none where it is not. */
  readonly episodeId?: string;
  readonly error?: Failure;
}

/** What a shadow runs in. */
export interface ShadowHost {
  readonly settings: EngineSettings;
  readonly agents: AgentCatalog;
  readonly tools: ToolSet;
  readonly memory: MemoryPort | undefined;
  readonly shared: Omit<TurnDeps, "signal" | "sink" | "contexts" | "onCut">;
  /** The conversation as it stood before the turn. */
  readonly load: (sessionId: string, signal: AbortSignal, branch: Branch) => Promise<Conversation>;
  readonly publish: EventSink;
}

/**
 * Lets another respondent answer the question of a turn that has ended, from the context that it had: the same earlier
 * turns, references and recalled memories. Its tools only read. All its events stand under the turn as respondent B;
 * `shadow.answer` is the last. The session is not taken: it may go on meanwhile. Never throws.
 */
export async function runShadow(
  request: ShadowRequest,
  host: ShadowHost,
  signal: AbortSignal,
): Promise<Result<ShadowRun>> {
  const { events } = request;
  const start = find(events, "turn.start");
  const query = find(events, "query.received");
  if (start === undefined || query === undefined || events.some(({ forgotten }) => forgotten !== undefined))
    return failed("bad_input", "The trace does not hold this turn whole, so nobody can answer it anew.");
  const held: TurnEvent[] = [];
  const tell: EventSink = request.live === true ? host.publish : (event) => void held.push(event);
  const sink: EventSink = (event) => {
    const isTold = request.live === true || event.type !== "model.delta";
    if (isTold) tell({ ...event, respondent: SHADOW_RESPONDENT });
  };
  const { identity } = host.shared;
  const began = identity.now();
  const { sessionId, turnId } = start;
  const parentTurnId = start.data["conclave.parent_turn_id"];
  // A signal that fired already ends the work of the agent before it asks anybody.
  const conversation = await host.load(sessionId, signal, { parentTurnId, beside: turnId });
  const input = inputOf(request, start, query, conversation, host);
  const job = jobOf(input, request);
  const done = await runAgent(job, input, {
    ...{ ...host.shared, signal, sink, contexts: new TurnContexts() },
    onCut: () => undefined,
  });
  if (done.outcome === "cancelled" || signal.aborted) return { ok: false, failure: CANCELLED };
  const episodeId = await remember(done, { start, query, host, signal });
  const run = runOf(done, input, episodeId);
  sink(answerEvent(run, done, { request, start, host, durationMs: identity.now() - began }));
  for (const event of held) host.publish(event);
  return success(run);
}

function find<Type extends TurnEventType>(
  events: readonly TurnEvent[],
  type: Type,
): EventOf<Type> | undefined {
  return events.find((event): event is EventOf<Type> => event.type === type);
}

function inputOf(
  { events, model, agent, temperature }: ShadowRequest,
  { sessionId, turnId, data }: EventOf<"turn.start">,
  { data: asked }: EventOf<"query.received">,
  conversation: Conversation,
  { settings, agents, tools }: ShadowHost,
): TurnInput {
  const name = agent ?? soleAgent(events) ?? settings.agent;
  const isReader = (tool: string): boolean => tools.find(tool)?.readOnly === true;
  const reading = keepTools(withDelegation(tools, agents, name), isReader);
  return {
    ...{ sessionId, turnId, conversation, settings, agents, tools: reading, allTools: reading },
    request: {
      question: asked.query,
      door: data["conclave.door"],
      sessionId,
      ...(asked.references && { references: asked.references }),
      options: {
        agent: name,
        ...(model !== undefined && { model }),
        ...(temperature !== undefined && { temperature }),
      },
    },
    fork: { fork: { turnId, edits: [] }, kept: keptOf(events, turnId) },
  };
}

/** Who answered the turn alone; nobody where a committee did. */
function soleAgent(events: readonly TurnEvent[]): string | undefined {
  if (events.some(({ type }) => type === "committee.start")) return undefined;
  return find(events, "agent.start")?.data["gen_ai.agent.name"];
}

/**
 * What stood before the question then. What is recalled is never looked for anew: the first answer is remembered by now.
 */
function keptOf(events: readonly TurnEvent[], turnId: string): ForkPlan["kept"] {
  const step = find(events, "step.start");
  const request = events.find(
    (event): event is EventOf<"model.start"> => event.type === "model.start" && event.stepId === step?.id,
  );
  const taken = request && takeApart(request.data["conclave.messages"]);
  const card = step?.parentId == null ? undefined : cardOf(events, step.parentId);
  const recalled = keptRecalled(taken, card, { turnId, edits: [] }) ?? {};
  const past = isPlain(step?.data["conclave.protocol"]) ? taken?.past : undefined;
  return { recalled, ...(past && { past }) };
}

function jobOf(input: TurnInput, { temperature }: ShadowRequest) {
  const name = input.request.options?.agent ?? input.settings.agent;
  const definition = findAgent(input.agents, name);
  // What is asked for one answer holds over what the agent's file says.
  const own = definition && temperature !== undefined ? { ...definition, temperature } : definition;
  return {
    name: definition?.name ?? name,
    role: "shadow" as const,
    parentId: input.turnId,
    tools: agentTools(input.tools, definition),
    ...(own && { definition: own, tail: own.prompt }),
  };
}

function runOf(done: AgentOutcome, { request, settings, agents }: TurnInput, episodeId: string | undefined) {
  const { agentId, name: agent, model, answer, error } = done;
  const temperature =
    request.options?.temperature ?? findAgent(agents, agent)?.temperature ?? settings.temperature;
  const run: ShadowRun = {
    outcome: done.outcome === "answered" ? "answered" : "failed",
    ...{ answer, agentId, agent, model },
    ...(temperature !== undefined && { temperature }),
    ...(episodeId !== undefined && { episodeId }),
    ...(error && { error }),
  };
  return run;
}

interface Place {
  readonly start: EventOf<"turn.start">;
  readonly host: ShadowHost;
}

function answerEvent(
  run: ShadowRun,
  { usage }: AgentOutcome,
  {
    request,
    start,
    host,
    durationMs,
  }: Place & { readonly request: ShadowRequest; readonly durationMs: number },
): EventOf<"shadow.answer"> {
  const { identity } = host.shared;
  const { sessionId, turnId } = start;
  return {
    type: "shadow.answer",
    ...{ id: identity.spanId(), parentId: turnId, time: identity.now(), sessionId, turnId },
    ...{ agent: run.agent, respondent: SHADOW_RESPONDENT },
    data: {
      answer: run.answer,
      outcome: run.outcome,
      "gen_ai.request.model": run.model,
      ...(run.temperature !== undefined && { "gen_ai.request.temperature": run.temperature }),
      "conclave.asked_by": request.askedBy,
      "conclave.duration_ms": durationMs,
      ...usageData(usage),
      ...(run.episodeId !== undefined && { "conclave.episode_ids": [run.episodeId] }),
      ...(run.error && { error: run.error }),
    },
  };
}

/** Remembers what B answered, as the first answer was; recalled only once the user has taken it. */
async function remember(
  { outcome, answer, name, model, sources }: AgentOutcome,
  {
    start,
    query,
    host,
    signal,
  }: Place & { readonly query: EventOf<"query.received">; readonly signal: AbortSignal },
): Promise<string | undefined> {
  const settings = memorySettings(host.settings);
  const isKept = start.data["conclave.private"] !== true && start.data["conclave.imported"] === undefined;
  const { memory } = host;
  if (memory === undefined || !settings.enabled || !isKept || outcome !== "answered") return undefined;
  const { identity } = host.shared;
  const said = saidIn(query.data.query);
  const episode = {
    id: identity.uuid(),
    ...{ sessionId: start.sessionId, turnId: start.turnId, question: query.data.query, answer },
    ...{ agent: name, respondent: SHADOW_RESPONDENT, model, time: identity.now(), kind: "turn" },
    scope: settings.scope,
    intent: intentOf(said),
    entities: entitiesIn(said),
    references: (query.data.references ?? []).map(({ label, uri }) => ({ label, uri })),
    sources,
  };
  const added = await raceAbort(signal, () => memory.add([episode], signal));
  return added.kind === "value" && added.value.ok ? episode.id : undefined;
}
