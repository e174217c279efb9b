import type { AskRequest, RunningTurn } from "./ask-types.ts";
import type { ShadowRequest, ShadowRun } from "./critic/shadow.ts";
import type { TurnEvent } from "./events.ts";
import type { Result } from "./failure.ts";
import type { RunningSandbox, SandboxRequest } from "./sandbox/types.ts";

export type { AskOptions, AskRequest, ForkRequest, RunningTurn, TurnOutcome } from "./ask-types.ts";

/** What every door asks of the engine. */
export interface Engine {
  /** Starts a turn; refused with `session_busy` while another runs in the same session. */
  ask(request: AskRequest, signal?: AbortSignal): Promise<Result<RunningTurn>>;
  /**
   * Lets personas talk to each other, as the turn of a session of its own. The failure `bad_input` says what to change.
   */
  sandbox?(request: SandboxRequest, signal?: AbortSignal): Result<RunningSandbox>;
  /**
   * Lets respondent B answer the question of a turn that has ended, from the same context. Its events stand under that
   * turn; the session stays free, and nothing of its conversation changes. Stopped by the signal: `cancelled`.
   */
  shadow?(request: ShadowRequest, signal: AbortSignal): Promise<Result<ShadowRun>>;
  /** The running turn of a session, if there is one. */
  running(sessionId: string): RunningTurn | undefined;
  /** Publishes an event that belongs to a finished turn, such as feedback. */
  publish(event: TurnEvent): void;
  /**
   * Takes back the summary that stands in the place of a session's earlier turns: they are sent again as they are
   * (`context.restored`), and not summed up any more. False when there was none; refused while a turn runs.
   */
  restoreContext?(sessionId: string): Promise<Result<boolean>>;
  /** Listens to the events of all sessions; returns the way to stop listening. */
  onEvent(listener: (event: TurnEvent) => void): () => void;
  /** Cancels what runs and waits until it has ended. */
  dispose(): Promise<void>;
}
