import type { Critic } from "../agent/critic/critic.ts";
import { createCritic } from "../agent/critic/critic.ts";
import { createJudge } from "../agent/critic/judge.ts";
import type { CriticSettings } from "../agent/critic/settings.ts";
import type { RubricCatalog } from "../agent/critic/types.ts";
import type { Engine } from "../agent/engine-port.ts";
import type { TurnEvent } from "../agent/events.ts";
import { failed, success } from "../agent/failure.ts";
import type { HostGates } from "../agent/host-gates.ts";
import type { Identity } from "../agent/ids.ts";
import type { MemoryPort } from "../agent/memory/port.ts";
import { createImplicit } from "../agent/reward/implicit.ts";
import { createRewards } from "../agent/reward/rewards.ts";
import type { EngineSettings } from "../agent/settings.ts";
import { systemTimer } from "../agent/timer.ts";
import type { TraceLog } from "../trace/log.ts";
import { turnEventsOf } from "../trace/turn-events.ts";
import type { Models } from "./models.ts";

/** How long what is said of answers may take to be written down, in milliseconds. */
const FLUSH_MS = 5_000;

const NO_SHADOW = failed("internal", "This engine has nobody else to ask.");

/** What judging works with. */
export interface JudgingParts {
  readonly engine: Engine;
  readonly log: TraceLog;
  readonly memory: MemoryPort;
  readonly models: Models;
  readonly gates: HostGates;
  readonly identity: Identity;
  readonly settings: () => CriticSettings;
  readonly engineSettings: () => EngineSettings;
  readonly rubrics: () => RubricCatalog;
  /** Whether anything is concluded from what is asked next. */
  readonly concludes: () => boolean;
}

/** The critic, and the readers that let judgements and feedback change memory. */
export interface JudgingReaders {
  readonly critic: Critic;
  /** Waits until what was said of answers is written down. */
  settled(): Promise<void>;
  dispose(): Promise<void>;
}

/** Lets the critic, the rewards, and what is concluded of later questions read along with every turn. */
export function startJudging(parts: JudgingParts): JudgingReaders {
  const { engine, log, memory, identity, gates, models } = parts;
  const publish = (event: TurnEvent): void => engine.publish(event);
  const isPrivate = (sessionId: string): boolean => log.isPrivate(sessionId);
  const shared = {
    ...{ memory, identity, publish, isPrivate, timer: systemTimer },
    turns: turnEventsOf(log),
  };
  const rewards = createRewards(shared);
  const implicit = createImplicit({ ...shared, isOn: parts.concludes });
  const critic = createCritic({
    ...{ identity, publish, isPrivate, timer: systemTimer },
    settings: parts.settings,
    engineSettings: parts.engineSettings,
    judge: createJudge(),
    rubrics: parts.rubrics,
    model: models.model,
    gate: gates.low(),
    events: async (turn) => success(await turnEvents(log, turn)),
    learns: () => (parts.engineSettings().memory?.learning ?? "off") === "model",
    shadow: async (request, signal) => (await engine.shadow?.(request, signal)) ?? NO_SHADOW,
  });
  engine.onEvent((event) => rewards.onEvent(event));
  engine.onEvent((event) => implicit.onEvent(event));
  engine.onEvent(critic.onEvent);
  const settled = async (): Promise<void> => {
    // What is concluded is feedback, and has its reward.
    await implicit.flush(FLUSH_MS);
    await rewards.flush(FLUSH_MS);
  };
  return {
    critic,
    settled,
    dispose: async () => {
      await critic.dispose();
      await settled();
    },
  };
}

async function turnEvents(
  log: TraceLog,
  { sessionId, turnId }: { readonly sessionId: string; readonly turnId: string },
): Promise<readonly TurnEvent[]> {
  await log.flush();
  const events: TurnEvent[] = [];
  for await (const item of log.read(sessionId))
    if (item.type === "event" && item.event.turnId === turnId) events.push(item.event);
  return events;
}
