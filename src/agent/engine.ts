import { NO_AGENTS } from "./agents/definition.ts";
import { askedTurn, branchOf, type AskedTurn } from "./asked-turn.ts";
import type { EngineDeps } from "./engine-deps.ts";
import type { AskRequest, Engine, RunningTurn, TurnOutcome } from "./engine-port.ts";
import { runShadow, type ShadowRequest, type ShadowRun } from "./critic/shadow.ts";
import { standingSummary } from "./budget/cuts.ts";
import { OfferedTools } from "./budget/offered-tools.ts";
import { TurnContexts } from "./budget/model-context.ts";
import type { Embed } from "./budget/relevant-tools.ts";
import type { TurnEvent } from "./events.ts";
import { CANCELLED, describeError, failed, failure, success, type Result } from "./failure.ts";
import { embedderOf } from "./embed.ts";
import { createHostGates, type HostGates } from "./host-gates.ts";
import { createListeners } from "./listeners.ts";
import { createModelLessons, type ModelLessons } from "./model-lessons.ts";
import { protocolAdapter } from "./protocols/index.ts";
import { RESPONDENT } from "./run-agent.ts";
import { startTurn } from "./running-turn.ts";
import { startSandbox } from "./sandbox/start-sandbox.ts";
import type { RunningSandbox, SandboxRequest } from "./sandbox/types.ts";
import { createRemember, type Remember } from "./remember/remember.ts";
import { createSessions, parentOf, withCut, type Branch, type Sessions } from "./sessions/sessions.ts";
import type { Conversation } from "./sessions/types.ts";
import { raceAbort, systemTimer, type Timer } from "./timer.ts";
import type { TurnDeps } from "./turn-types.ts";
import { runTurn } from "./turn.ts";

/** How long `dispose` waits for memory, in milliseconds. */
const FLUSH_MS = 5_000;

/** An engine with nothing running. Nothing of it throws or rejects. */
export function createEngine(deps: EngineDeps): Engine {
  return new TurnEngine(deps);
}

class TurnEngine implements Engine {
  readonly #deps: EngineDeps;
  readonly #timer: Timer;
  readonly #running = new Map<string, RunningTurn>();
  readonly #sessions: Sessions;
  readonly #gates: HostGates;
  readonly #embed: Embed | undefined;
  readonly #lessons: ModelLessons;
  readonly #offered = new OfferedTools();
  readonly #listeners;
  readonly #remember: Remember | undefined;
  #disposed = false;
  /** Stops what is no turn. */
  readonly #closing = new AbortController();

  constructor(deps: EngineDeps) {
    this.#deps = deps;
    this.#timer = deps.timer ?? systemTimer;
    this.#gates = deps.gates ?? createHostGates();
    this.#lessons = createModelLessons(deps.calibrations);
    this.#sessions = createSessions(deps.history);
    this.#embed = deps.embed ?? embedderOf(deps.memory);
    this.#listeners = createListeners<TurnEvent>(deps.onFault);
    if (deps.memory !== undefined) {
      const { memory, identity, settings, model } = deps;
      const publish = (event: TurnEvent): void => this.publish(event);
      const shared = { settings, model, gate: this.#gates.of(), timer: this.#timer };
      this.#remember = createRemember({ memory, identity, publish, ...shared });
      this.#listeners.add(this.#remember.onEvent);
    }
  }

  // Not `async` in form, so that the session is taken before anything else can run.
  ask(request: AskRequest, signal?: AbortSignal): Promise<Result<RunningTurn>> {
    try {
      return Promise.resolve(this.#start(request, signal));
    } catch (error) {
      const cause = describeError(error);
      return Promise.resolve(
        failed("internal", "The question could not be taken; the trace has the details.", { cause }),
      );
    }
  }

  sandbox(request: SandboxRequest, signal?: AbortSignal): Result<RunningSandbox> {
    if (this.#disposed) return CLOSING;
    if (signal?.aborted === true) return { ok: false, failure: CANCELLED };
    this.#gates.resize(this.#deps.settings().parallelRequests);
    const publish = (event: TurnEvent): void => this.publish(event);
    const host = { deps: this.#deps, shared: this.#shared(false), running: this.#running, publish };
    return startSandbox(request, host, signal);
  }

  async shadow(request: ShadowRequest, signal: AbortSignal): Promise<Result<ShadowRun>> {
    if (this.#disposed) return CLOSING;
    const { settings, agents = () => NO_AGENTS, tools, memory } = this.#deps;
    const host = {
      ...{ settings: settings(), agents: agents(), tools: tools(), memory, shared: this.#shared(true) },
      load: (sessionId: string, stop: AbortSignal, branch: Branch) => this.#load(sessionId, stop, branch),
      publish: (event: TurnEvent) => this.publish(event),
    };
    const stop = AbortSignal.any([signal, this.#closing.signal]);
    const raced = await raceAbort(stop, () => runShadow(request, host, stop));
    if (raced.kind === "value") return raced.value;
    if (raced.kind === "aborted") return { ok: false, failure: CANCELLED };
    const cause = describeError(raced.error);
    return failed("internal", "The second answer broke off inside Conclave.", { cause });
  }

  running(sessionId: string): RunningTurn | undefined {
    return this.#running.get(sessionId);
  }

  publish(event: TurnEvent): void {
    this.#listeners.tell(event);
  }

  onEvent(listener: (event: TurnEvent) => void): () => void {
    return this.#listeners.add(listener);
  }

  async restoreContext(sessionId: string): Promise<Result<boolean>> {
    if (this.#running.has(sessionId)) {
      return failed("session_busy", "This session is still answering. Wait for it, or cancel it.", {
        action: "cancel_running",
        target: sessionId,
      });
    }
    const conversation = await this.#sessions.load(sessionId);
    // A turn that began meanwhile goes on with what it was given.
    if (this.#running.has(sessionId)) return this.restoreContext(sessionId);
    const { problem, turns } = conversation;
    if (problem !== undefined) return { ok: false, failure: problem };
    const compaction = standingSummary(conversation);
    const turnId = turns.at(-1)?.turnId;
    if (compaction === undefined || turnId === undefined) return success(false);
    const { identity, settings } = this.#deps;
    const who = { agent: settings().agent, respondent: RESPONDENT };
    const place = { id: identity.spanId(), parentId: turnId, time: identity.now(), sessionId, turnId };
    this.publish({ type: "context.restored", ...place, ...who, data: { compaction } });
    this.#sessions.restore(sessionId, compaction);
    return success(true);
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    this.#closing.abort();
    const running = [...this.#running.values()];
    for (const turn of running) turn.cancel();
    await Promise.all(running.map((turn) => turn.done));
    await this.#remember?.flush(FLUSH_MS);
    this.#listeners.clear();
  }

  #start(request: AskRequest, signal: AbortSignal | undefined): Result<RunningTurn> {
    if (this.#disposed) return CLOSING;
    if (signal?.aborted === true) return { ok: false, failure: CANCELLED };
    if (request.question.trim() === "") return failed("bad_input", "There is no question to answer.");
    const asked = request.sessionId ?? "";
    const sessionId = asked === "" ? this.#deps.identity.uuid() : asked;
    if (this.#running.has(sessionId)) {
      return failed(
        "session_busy",
        "This session is still answering the last question. Wait for it, or cancel it.",
        { action: "cancel_running", target: sessionId },
      );
    }
    const work = askedTurn(request, this.#deps);
    if (!work.ok) return work;
    this.#gates.resize(work.value.settings.parallelRequests);
    const isNew = asked === "" && request.fork === undefined;
    return success(this.#run(work.value, sessionId, isNew, signal));
  }

  #run(work: AskedTurn, sessionId: string, isNew: boolean, outer: AbortSignal | undefined): RunningTurn {
    const turnId = this.#deps.identity.turnId();
    let conversation: Conversation = { turns: [] };
    const place = {
      ...{ sessionId, turnId, outer, running: this.#running },
      publish: (event: TurnEvent) => this.publish(event),
      onEnd: (event: Extract<TurnEvent, { type: "turn.end" }>) => this.#keep(sessionId, conversation, event),
    };
    return startTurn(
      place,
      async (signal, sink): Promise<TurnOutcome> => {
        conversation = await (isNew
          ? Promise.resolve(this.#sessions.begin())
          : this.#load(sessionId, signal, branchOf(work.request)));
        const input = { ...work, sessionId, turnId, conversation };
        const shared = this.#shared(work.request.background === true);
        return runTurn(input, {
          ...{ ...shared, signal, sink, contexts: new TurnContexts() },
          onCut: (cut) => {
            conversation = withCut(conversation, cut);
          },
        });
      },
      brokenTurn,
    );
  }

  /** What all turns work with; those in the background let all others go first. */
  #shared(background: boolean): Omit<TurnDeps, "signal" | "sink" | "contexts" | "onCut"> {
    const { model, memory, identity, adapter = protocolAdapter } = this.#deps;
    const gate = background ? this.#gates.low : this.#gates.of;
    const lessons = this.#lessons;
    const embed = this.#embed;
    const offered = this.#offered;
    return {
      ...{ model, memory, identity, adapter, gate, lessons, offered, timer: this.#timer },
      ...(embed && { embed }),
    };
  }

  /** What went before; a log that takes long to read does not hold up a turn that was cancelled. */
  async #load(sessionId: string, signal: AbortSignal, branch?: Branch): Promise<Conversation> {
    const raced = await raceAbort(signal, () => this.#sessions.load(sessionId, branch));
    return raced.kind === "value" ? raced.value : { turns: [], problem: CANCELLED };
  }

  #keep(
    sessionId: string,
    conversation: Conversation,
    event: Extract<TurnEvent, { type: "turn.end" }>,
  ): void {
    const messages = event.data["conclave.messages"];
    const turn = { turnId: event.turnId, parentTurnId: parentOf(conversation), messages };
    this.#sessions.append(sessionId, conversation, turn);
  }
}

const CLOSING = failed("internal", "Conclave is closing; ask again when it is back.");

function brokenTurn(error: unknown): TurnOutcome {
  const cause = describeError(error);
  const problem = failure("internal", "Something broke inside Conclave; the trace has the details.", {
    cause,
  });
  return { outcome: "failed", answer: "", error: problem };
}
