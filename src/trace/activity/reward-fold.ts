import type { EventOf } from "../../agent/events.ts";
import { oneLine } from "../text.ts";
import type { AgentRewards, RewardRecord } from "./records.ts";

const MAX_NAME = 100;
const MAX_SAID = 200;
/** Agents that are told apart in figures; those with the fewest judged answers are left out. */
const MAX_AGENTS = 100;

/** What one answer's feedback is worth now, as `reward.event` says it; undefined where all of it was taken back. */
export function rewardRecord(event: EventOf<"reward.event">): RewardRecord | undefined {
  const { reward, reason, "conclave.sources": sources = [], "gen_ai.request.model": model = "" } = event.data;
  if (reward === 0 && sources.length === 0) return undefined;
  const thumb = sources.findLast(({ kind }) => kind === "thumbs");
  return {
    id: rewardId(event),
    sessionId: event.sessionId,
    turnId: event.turnId,
    time: event.time,
    agent: oneLine(event.agent, MAX_NAME),
    model: oneLine(model, MAX_NAME),
    respondent: oneLine(event.respondent, MAX_NAME),
    reward,
    reason: oneLine(reason, MAX_SAID),
    ...(thumb !== undefined && { rating: thumb.worth > 0 ? ("up" as const) : ("down" as const) }),
    signs: sources.flatMap(({ kind }) => (kind === "thumbs" ? [] : [kind])),
  };
}

/** One record for each answer that was judged: the turn's, or one agent's. */
export function rewardId({ turnId, parentId }: Pick<EventOf<"reward.event">, "turnId" | "parentId">): string {
  return `reward:${turnId}:${parentId ?? turnId}`;
}

/**
 * What feedback came to for each agent with each model, as respondent A or B; the one with the most judged answers
 * first.
 */
export function rewardsByAgent(records: Iterable<RewardRecord>): readonly AgentRewards[] {
  const totals = new Map<string, AgentRewards>();
  for (const record of records) {
    const { agent, model, respondent } = record;
    const key = JSON.stringify([agent, model, respondent]);
    const before = totals.get(key) ?? { ...NONE, agent, model, respondent };
    const answers = before.answers + 1;
    const reward = before.reward + record.reward;
    totals.set(key, {
      ...before,
      ...{ answers, reward, mean: reward / answers },
      up: before.up + (record.rating === "up" ? 1 : 0),
      down: before.down + (record.rating === "down" ? 1 : 0),
      implicit: before.implicit + (record.rating === undefined ? 1 : 0),
      last: Math.max(before.last, record.time),
    });
  }
  return [...totals.values()].sort(byAnswers).slice(0, MAX_AGENTS);
}

const NONE = { answers: 0, up: 0, down: 0, implicit: 0, reward: 0, mean: 0, last: 0 };

function byAnswers(one: AgentRewards, other: AgentRewards): number {
  const names = `${one.agent} ${one.model} ${one.respondent}`;
  return (
    other.answers - one.answers || names.localeCompare(`${other.agent} ${other.model} ${other.respondent}`)
  );
}
