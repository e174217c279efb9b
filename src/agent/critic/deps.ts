import type { EventSink, TurnEvent } from "../events.ts";
import type { Failure, Result } from "../failure.ts";
import type { Gate } from "../gate.ts";
import type { Identity } from "../ids.ts";
import type { ChatModel } from "../models/types.ts";
import type { EngineSettings } from "../settings.ts";
import type { Timer } from "../timer.ts";
import type { TurnPlace } from "./jobs.ts";
import type { JobStore } from "./resume.ts";
import type { CriticSettings } from "./settings.ts";
import type { ShadowRequest, ShadowRun } from "./shadow.ts";
import type { Judge, RubricCatalog } from "./types.ts";

/** What judging needs. Everything is asked anew for each judgement. */
export interface JudgingDeps {
  readonly settings: () => CriticSettings;
  /** The judge is sent what the chat sends to the same model, so that nothing is loaded anew. */
  readonly engineSettings: () => Pick<EngineSettings, "model" | "contextLength" | "keepAlive">;
  readonly judge: Judge;
  readonly rubrics: () => RubricCatalog;
  readonly model: (name: string) => ChatModel | Failure;
  readonly gate: Gate;
  readonly identity: Identity;
  readonly timer: Timer;
}

/** What a critic works with. */
export interface CriticDeps extends JudgingDeps {
  /** Takes what the critic says of turns. Must not throw. */
  readonly publish: EventSink;
  /** All events of a turn that is no longer held, in order; left out: only turns of this window are judged. */
  readonly events?: (turn: TurnPlace) => Promise<Result<readonly TurnEvent[]>>;
  /** Has respondent B answer; left out: nothing is compared. */
  readonly shadow?: (request: ShadowRequest, signal: AbortSignal) => Promise<Result<ShadowRun>>;
  /** Whether turns are read for what they teach, which goes first; left out: they are not. */
  readonly learns?: () => boolean;
  /** Whether a session stays in this window: nothing of it is kept. */
  readonly isPrivate?: (sessionId: string) => boolean;
  /** Where jobs are kept until they are done; left out: those that wait end with the window. */
  readonly kept?: JobStore;
}
