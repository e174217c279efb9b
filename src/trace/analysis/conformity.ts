import { likenesses, sameView, voteKey } from "../../agent/committee/similarity.ts";
import { verdictOf } from "../../agent/committee/verdict.ts";
import type { Stand } from "./stand.ts";

/** How members bear themselves against a majority. */
export interface Conformity {
  /** How often a member that spoke again had stood against a majority in the round before. */
  readonly stoodAgainst: number;
  /** Of these, how often it then held the majority's view. */
  readonly yielded: number;
  /** Of those that yielded, who had been right, and whose new view is wrong; 0 where that is not known. */
  readonly yieldedToWrong: number;
  /** `yielded` of `stoodAgainst`; undefined where nobody stood against a majority. */
  readonly rate?: number;
}

/** What one member said in one round. */
interface Said {
  readonly agent: string;
  readonly stand: Stand;
}

/** Counts, from round to round, who gave up a view of their own for that of the majority. */
export function conformityOf(rounds: readonly (readonly Said[])[]): Conformity {
  let [stoodAgainst, yielded, yieldedToWrong] = [0, 0, 0];
  rounds.slice(1).forEach((now, at) => {
    const before = rounds[at] ?? [];
    const majority = majorityOf(before);
    if (majority === undefined) return;
    for (const { agent, stand } of now) {
      const was = before.find((one) => one.agent === agent);
      if (was === undefined || majority.agents.includes(agent)) continue;
      stoodAgainst += 1;
      if (!majority.views.some((view) => isSameView(view, stand.view))) continue;
      yielded += 1;
      if (was.stand.right === true && stand.right === false) yieldedToWrong += 1;
    }
  });
  return { stoodAgainst, yielded, yieldedToWrong, ...(stoodAgainst > 0 && { rate: yielded / stoodAgainst }) };
}

function majorityOf(
  said: readonly Said[],
): { readonly agents: readonly string[]; readonly views: readonly string[] } | undefined {
  const counted = said.map(({ agent, stand }) => ({ agent, answer: stand.answer, view: stand.view }));
  const { majority } = verdictOf(counted);
  if (majority === undefined) return undefined;
  const { agents } = majority;
  return { agents, views: said.filter(({ agent }) => agents.includes(agent)).map(({ stand }) => stand.view) };
}

/** As the product counts votes: the same words but for case and fillers, or texts that are very much alike. */
function isSameView(one: string, other: string): boolean {
  return voteKey(one) === voteKey(other) || sameView(likenesses([one, other])[0]?.[1] ?? 0);
}
