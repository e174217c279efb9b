import type { EventOf, TurnEvent, TurnEventType } from "../../../../src/agent/events.ts";
import { failure, success, type Result } from "../../../../src/agent/failure.ts";
import type { Annotation, EpisodeNotes } from "../../../../src/agent/memory/port.ts";
import { createImplicit, type ImplicitDeps } from "../../../../src/agent/reward/implicit.ts";
import { createRewards, type RewardDeps, type Rewards } from "../../../../src/agent/reward/rewards.ts";
import { foldNotes } from "../../../../src/memory/store/annotations.ts";
import { fakeTimer, seededIdentity } from "../support.ts";

/** Ids of turns, spans and episodes in tests. */
export const TURN = "a".repeat(32);
export const SESSION = "5e5510aa-0000-4000-8000-000000000001";
export const EPISODE = "e0000000-0000-4000-8000-00000000000a";
export const EPISODE_B = "e0000000-0000-4000-8000-00000000000b";

const identity = seededIdentity();
let time = Date.UTC(2026, 10, 1);

/** An event of the turn, a second after the one before. */
export function event<Type extends TurnEventType>(
  type: Type,
  data: EventOf<Type>["data"],
  place: Partial<Omit<EventOf<Type>, "type" | "data">> = {},
): TurnEvent {
  time += 1_000;
  const base = { id: identity.spanId(), parentId: TURN, time, sessionId: SESSION, turnId: TURN };
  return { ...base, agent: "conclave", respondent: "A", ...place, type, data } as unknown as TurnEvent;
}

/** The turn begins, and its agent with it. */
export function begins(
  data: Partial<EventOf<"turn.start">["data"]> = {},
  turnId = TURN,
): readonly TurnEvent[] {
  const start = {
    "gen_ai.conversation.id": SESSION,
    "conclave.parent_turn_id": null,
    "conclave.door": "panel" as const,
    ...data,
  };
  return [
    event("turn.start", start, { id: turnId, turnId, parentId: null }),
    event("agent.start", agent("conclave", "tiny"), { turnId, parentId: turnId }),
  ];
}

/** What an agent is and asks. */
export function agent(
  name: string,
  model: string,
  role?: EventOf<"agent.start">["data"]["conclave.role"],
): EventOf<"agent.start">["data"] {
  return { "gen_ai.agent.name": name, "gen_ai.request.model": model, ...(role && { "conclave.role": role }) };
}

/** The turn was remembered. */
export function ingested(ids: readonly string[] = [EPISODE]): TurnEvent {
  return event("memory.ingested", { "conclave.episode_ids": ids, "conclave.duration_ms": 1 });
}

/** Somebody says what they think of the answer, or does what tells it. */
export function feedback(
  rating: "up" | "down" | "none",
  sign?: EventOf<"user.feedback">["data"]["conclave.implicit"],
  place: Partial<EventOf<"user.feedback">> = {},
): TurnEvent {
  const data = { rating, "conclave.door": "panel" as const, ...(sign && { "conclave.implicit": sign }) };
  return event("user.feedback", data, { agent: "user", ...place });
}

/** A critic's grade. */
export function grade(score: number | null, place: Partial<EventOf<"critique.result">> = {}): TurnEvent {
  return event("critique.result", { "gen_ai.request.model": "judge", score, feedback: "So so." }, place);
}

/** A person's grade in its place. */
export function corrected(score: number | null): TurnEvent {
  return event("critique.corrected", { score, reason: "I know better.", "conclave.by": "me" });
}

/** A verdict; the winner with A first, and with B first. */
export function verdict(
  winner: "A" | "B" | null,
  orders: readonly ("A" | "B" | null)[],
  more: Partial<EventOf<"pairwise.result">["data"]> = {},
): TurnEvent {
  return event("pairwise.result", {
    ...{ "gen_ai.request.model": "judge", winner, feedback: "" },
    "conclave.orders": orders.map((one, index) => ({
      first: index === 0 ? ("A" as const) : ("B" as const),
      winner: one,
      feedback: "",
    })),
    ...more,
  });
}

/** A window: a stream, a log that all windows share, and memory. */
export interface Bed {
  readonly rewards: Rewards;
  /** All annotations that memory holds: one of an id is held once. */
  readonly held: Map<string, Annotation>;
  /** How often memory was asked to write. */
  writes: number;
  /** What was published by the readers. */
  readonly told: TurnEvent[];
  readonly log: TurnEvent[];
  /** Tells events one after the other, and waits until all is dealt with. */
  readonly hear: (...events: readonly TurnEvent[]) => Promise<void>;
  readonly settle: () => Promise<void>;
  /** What is noted of an episode. */
  readonly notes: (id?: string) => Readonly<Record<string, unknown>>;
  readonly rewardsTold: () => EventOf<"reward.event">["data"][];
}

function withoutTime({ rewardAt: _at, ...notes }: EpisodeNotes): Readonly<Record<string, unknown>> {
  return notes;
}

/** What a bed may differ in. */
export interface Setup {
  readonly deps?: Partial<RewardDeps>;
  readonly implicit?: Partial<ImplicitDeps>;
  readonly log?: TurnEvent[];
  readonly held?: Map<string, Annotation>;
  /** Memory is off. */
  readonly isOff?: () => boolean;
}

/** A window in which nothing has happened yet. */
export function bed({ deps, implicit, log = [], held = new Map(), isOff }: Setup = {}): Bed {
  const told: TurnEvent[] = [];
  const annotate = (annotations: readonly Annotation[]): Promise<Result<{ readonly added: number }>> => {
    if (isOff?.() === true) {
      return Promise.resolve({ ok: false, failure: failure("memory_unavailable", "Memory is off.") });
    }
    made.writes += 1;
    for (const one of annotations) if (!held.has(one.id)) held.set(one.id, one);
    return Promise.resolve(success({ added: annotations.length }));
  };
  const tell = (one: TurnEvent): void => {
    log.push(one);
    rewards.onEvent(one);
    reader?.onEvent(one);
  };
  const publish = (one: TurnEvent): void => {
    told.push(one);
    tell(one);
  };
  const turns: RewardDeps["turns"] = {
    turnEvents: ({ turnId }, types) =>
      Promise.resolve(log.filter((one) => one.turnId === turnId && types.has(one.type))),
  };
  const shared = { publish, turns, identity: seededIdentity(), timer: fakeTimer().timer };
  const rewards = createRewards({ ...shared, memory: { annotate }, ...deps });
  const reader = implicit && createImplicit({ ...shared, isOn: () => true, ...implicit });
  const settle = async (): Promise<void> => {
    await reader?.flush(1_000);
    await rewards.flush(1_000);
  };
  const made: Bed = {
    ...{ rewards, held, told, log, settle },
    writes: 0,
    hear: async (...events) => {
      for (const one of events) {
        tell(one);
        await settle();
      }
    },
    notes: (id = EPISODE) => {
      const annotations = [...held.values()].sort((a, b) => a.time - b.time);
      return withoutTime(foldNotes(annotations).get(id) ?? {});
    },
    rewardsTold: () => told.flatMap((one) => (one.type === "reward.event" ? [one.data] : [])),
  };
  return made;
}
