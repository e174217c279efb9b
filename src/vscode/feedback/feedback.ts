import type { Engine } from "../../agent/engine-port.ts";
import type { EventOf, TurnEvent } from "../../agent/events.ts";
import { systemIdentity } from "../../agent/ids.ts";
import { createImplicit } from "../../agent/reward/implicit.ts";
import { createRewards } from "../../agent/reward/rewards.ts";
import { systemTimer } from "../../agent/timer.ts";
import type { TraceLog } from "../../trace/log.ts";
import { turnEventsOf } from "../../trace/turn-events.ts";
import type { MemorySource } from "../memory-source.ts";
import type { Settings } from "../settings-schema.ts";

type Feedback = EventOf<"user.feedback">;

/** How long closing waits for what is still to be written, in milliseconds. */
const FLUSH_MS = 3_000;

/** What feedback works with. */
export interface FeedbackParts {
  readonly engine: Pick<Engine, "onEvent" | "publish">;
  readonly log: TraceLog;
  readonly memory: MemorySource;
  readonly settings: () => Settings;
}

/** What was said of an answer last. */
export interface SaidOfAnswer {
  readonly sessionId: string;
  readonly turnId: string;
  /** What it stands under: the turn, or an agent of it. */
  readonly parentId: string | null;
  readonly respondent: string;
  readonly rating: "up" | "down";
  readonly note?: string;
}

/** What people and critics think of answers, on its way into memory. */
export interface FeedbackReaders {
  /** The answer that was thumbed up or down last in this window; undefined where none was, or it was taken back. */
  last(): SaidOfAnswer | undefined;
  /** Writes what waits; to be called before the engine ends, and once more after it. */
  dispose(): Promise<void>;
}

/** Lets grades, verdicts and feedback of all turns change what is recalled. */
export function startFeedback({ engine, log, memory, settings }: FeedbackParts): FeedbackReaders {
  const publish = (event: TurnEvent): void => engine.publish(event);
  const shared = {
    ...{ memory, publish, identity: systemIdentity, timer: systemTimer },
    turns: turnEventsOf(log),
    isPrivate: (sessionId: string) => log.isPrivate(sessionId),
  };
  const rewards = createRewards(shared);
  const implicit = createImplicit({ ...shared, isOn: () => settings().feedbackImplicit });
  let last: SaidOfAnswer | undefined;
  engine.onEvent((event) => {
    rewards.onEvent(event);
    implicit.onEvent(event);
    if (event.type === "user.feedback") last = saidBy(event) ?? last;
    if (event.type === "user.feedback" && isTakenBack(event, last)) last = undefined;
  });
  memory.onForgotten(({ turns }) => rewards.forget(turns.map(({ turnId }) => turnId)));
  return {
    last: () => last,
    dispose: async () => {
      await implicit.flush(FLUSH_MS);
      await rewards.flush(FLUSH_MS);
    },
  };
}

function saidBy({ sessionId, turnId, parentId, respondent, data }: Feedback): SaidOfAnswer | undefined {
  const { rating, note } = data;
  if (rating === "none" || data["conclave.implicit"] !== undefined) return undefined;
  return { sessionId, turnId, parentId, respondent, rating, ...(note !== undefined && { note }) };
}

function isTakenBack({ parentId, data }: Feedback, last: SaidOfAnswer | undefined): boolean {
  return data.rating === "none" && data["conclave.implicit"] === undefined && parentId === last?.parentId;
}
