import type { EpisodeNotes, RetrievalSettings } from "../../agent/memory/port.ts";

const DAY_MS = 86_400_000;
/** The grade that neither raises nor lowers a memory. */
const MIDDLE_GRADE = 3;
/** What a pin adds: as much as the default weight of a grade. It has no setting; to unpin is the way to take it away. */
const PIN = 0.05;

/** What is added to the relevance of a memory, by name; what does not apply is left out. */
export interface Additions {
  readonly score?: number;
  readonly verdict?: number;
  readonly reward?: number;
  readonly pin?: number;
  readonly recency?: number;
}

/**
 * What is known of a memory beyond its words, as it is added to its relevance: the critic's grade, a duel won or lost,
 * the worth of the user's feedback, which fades with its own half-life from when it was given, a pin, and its age (a
 * factor of 1 that halves with the half-life, times its weight). A half-life of 0 days: age does not count.
 *
 * @param time when it was said, milliseconds since the epoch; what comes after `now` is as new as can be
 */
export function additions(
  notes: EpisodeNotes | undefined,
  time: number,
  now: number,
  settings: RetrievalSettings,
): Additions {
  const { score, verdict, reward, rewardAt = now, pinned } = notes ?? {};
  const { rewardHalfLifeDays = 0, halfLifeDays } = settings;
  const left = rewardHalfLifeDays > 0 ? halved(rewardAt, now, rewardHalfLifeDays) : 1;
  return {
    ...(score !== undefined && { score: settings.scoreWeight * (score - MIDDLE_GRADE) }),
    ...(verdict !== undefined && { verdict: settings.verdictWeight * WORTH[verdict] }),
    ...(reward !== undefined && { reward: settings.rewardWeight * reward * left }),
    ...(pinned === true && { pin: PIN }),
    ...(halfLifeDays > 0 && { recency: settings.recencyWeight * halved(time, now, halfLifeDays) }),
  };
}

const WORTH = { winner: 1, loser: -1, tie: 0 } as const;

/** What is left of 1 that halves in so many days. */
function halved(since: number, now: number, days: number): number {
  return 2 ** (-Math.max(0, now - since) / DAY_MS / days);
}

/** The relevance with everything added to it. */
export function valueOf(relevance: number, added: Additions): number {
  return Object.values(added).reduce<number>((sum, part: number) => sum + part, relevance);
}
