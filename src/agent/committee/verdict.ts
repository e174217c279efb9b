import type { Verdict } from "../events-committee.ts";
import type { Ranking } from "./ranking.ts";
import { likenesses, sameView, voteKey } from "./similarity.ts";

/** An answer that takes part in the count. */
export interface Counted {
  readonly agent: string;
  readonly answer: string;
  /** In one line where there is one, else the answer. */
  readonly view: string;
}

/**
 * What is computed beside a synthesis, without a model: the best single answer (first in the ranking where there is
 * one, else the one most like all others), the view that more than half hold, and who holds another one. Those who were
 * found to agree hold the same view, however differently they put it.
 */
export function verdictOf(
  counted: readonly Counted[],
  ranking?: Ranking,
  agreed: ReadonlySet<string> = new Set(),
): Verdict {
  if (counted.length === 0) return { minority: [] };
  const groups = groupsOf(counted, agreed);
  const majority = groups.find((group) => group.length * 2 > counted.length && group.length > 1);
  const best = bestOf(counted, groups, ranking);
  const held = majority ?? groups.find((group) => group.some(({ agent }) => agent === best?.agent)) ?? [];
  const minority = counted.filter((one) => !held.includes(one));
  const [first] = majority ?? [];
  return {
    ...(best && { best }),
    ...(first &&
      majority && { majority: { answer: first.view, agents: majority.map(({ agent }) => agent) } }),
    minority: minority.map(({ agent, view }) => ({ agent, answer: view })),
  };
}

function bestOf(
  counted: readonly Counted[],
  groups: readonly (readonly Counted[])[],
  ranking: Ranking | undefined,
): Verdict["best"] {
  const [top] = ranking?.result ?? [];
  const ranked = counted.find(({ agent }) => agent === top?.agent);
  if (ranked !== undefined && top !== undefined) {
    const by = `mean place ${top.mean.toFixed(2)} in ${top.votes} rankings of ${counted.length} answers`;
    return { agent: ranked.agent, answer: ranked.answer, by };
  }
  const [only, second] = counted;
  if (only !== undefined && second === undefined) {
    return { agent: only.agent, answer: only.answer, by: "the only answer" };
  }
  const like = likenesses(counted.map(({ answer }) => answer));
  const closeness = (one: Counted): number => {
    const row = like[counted.indexOf(one)] ?? [];
    return (row.reduce((sum, value) => sum + value, 0) - 1) / (counted.length - 1);
  };
  // Of answers in the largest group that has no equal, else of all of them.
  const [largest = [], next = []] = groups;
  const among = largest.length > next.length ? largest : counted;
  const chosen = [...among].sort((one, other) => closeness(other) - closeness(one))[0];
  if (chosen === undefined) return undefined;
  const by =
    among === counted
      ? `most like the others (${closeness(chosen).toFixed(2)})`
      : `the view of ${largest.length} of ${counted.length}`;
  return { agent: chosen.agent, answer: chosen.answer, by };
}

/** Answers that hold the same view together, the largest group first. */
function groupsOf(counted: readonly Counted[], agreed: ReadonlySet<string>): readonly (readonly Counted[])[] {
  const like = likenesses(counted.map(({ view }) => view));
  const keys = counted.map(({ view }) => voteKey(view));
  const haveAgreed = counted.map(({ agent }) => agreed.has(agent));
  const groups: number[][] = [];
  for (const index of counted.keys()) {
    const same = (other: number): boolean =>
      keys[index] === keys[other] ||
      (haveAgreed[index] === true && haveAgreed[other] === true) ||
      sameView(like[index]?.[other] ?? 0);
    // With all of a group, not with one of them: likeness is no chain.
    const group = groups.find((members) => members.every(same));
    if (group === undefined) groups.push([index]);
    else group.push(index);
  }
  return groups
    .sort((one, other) => other.length - one.length)
    .map((group) => group.flatMap((index) => counted[index] ?? []));
}
