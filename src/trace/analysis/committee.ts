import type { EventOf, TurnEvent } from "../../agent/events.ts";
import type { Verdict } from "../../agent/events-committee.ts";
import { readVote } from "../../agent/committee/speech.ts";
import { costs, NOTHING_SPENT, spentBy, type Spent } from "./costs.ts";
import { conformityOf, type Conformity } from "./conformity.ts";
import { gradesOf, type SynthesisGrades } from "./grades.ts";
import { hasStand, saidBy, viewOf, type IsRight, type Said, type Stand } from "./stand.ts";

/** How one member went through the rounds. A member that never answered has no first and no last stand. */
export interface MemberPath {
  readonly agent: string;
  readonly model: string;
  readonly first?: Stand;
  readonly last?: Stand;
  /** How often it said or showed that it changed its position. */
  readonly changes: number;
  /** Of all rounds. */
  readonly spent: Spent;
}

/** What a turn's events tell of its committee. */
export interface CommitteeAnalysis {
  readonly strategy: string;
  /** Rounds that were had. */
  readonly rounds: number;
  readonly members: readonly MemberPath[];
  /** Members whose first answer was right and whose last one was wrong, and the other way round. */
  readonly flips: { readonly rightToWrong: number; readonly wrongToRight: number };
  readonly conformity: Conformity;
  /** The answer of the turn, and what stands beside it: counted by the product, not asked of a model. */
  readonly synthesis?: { readonly answer: string; readonly right?: boolean };
  readonly best?: { readonly agent: string; readonly answer: string; readonly right?: boolean };
  readonly majority?: { readonly answer: string; readonly right?: boolean };
  /** Whether at least one last answer was right: what a perfect sum would have reached. */
  readonly anyRight?: boolean;
  /** The synthesis against the best single answer, by what is right; absent where that is not known. */
  readonly synthesisAgainstBest?: "better" | "same" | "worse";
  /** The same by the critic's grades; absent where it graded none of them. */
  readonly grades?: SynthesisGrades;
  /** Of the whole committee, the one who sums up and the judges included. */
  readonly spent: Spent;
}

/**
 * Reads a committee out of the events of one turn, in any order of their kinds; undefined where no committee ended.
 * Flips and conformity are counted as in studies of debate among models: each member's first stand against its last,
 * and of those who stood against a majority how many took its view in the next round (S. Asch's measure, 1956).
 */
export function analyseCommittee(
  events: readonly TurnEvent[],
  isRight?: IsRight,
): CommitteeAnalysis | undefined {
  const start = of(events, "committee.start")[0];
  const end = of(events, "committee.end")[0];
  if (start === undefined || end === undefined) return undefined;
  const strategy = start.data["conclave.strategy"];
  const rounds = of(events, "round.end").toSorted((one, other) => one.data.index - other.data.index);
  const stands = rounds.map(({ data }) =>
    data.positions.map((position) => saidBy(position, data.index, strategy, isRight)),
  );
  const spentOf = costs(events);
  const members = pathsOf(rounds, stands, spentOf);
  const graded = gradesOf(events, lastAgents(rounds));
  return {
    strategy,
    rounds: rounds.length,
    members,
    flips: flipsOf(members),
    conformity: conformityOf(stands.map((said) => said.filter(hasStand))),
    ...besides(events, end.data["conclave.verdict"], strategy, isRight),
    ...(isRight && { anyRight: members.some(({ last }) => last?.right === true) }),
    ...(graded && { grades: graded }),
    spent: spentBy(end.data),
  };
}

function pathsOf(
  rounds: readonly EventOf<"round.end">[],
  stands: readonly (readonly Said[])[],
  spentOf: ReadonlyMap<string, Spent>,
): readonly MemberPath[] {
  const positions = rounds.flatMap(({ data }) => data.positions);
  const models = new Map(positions.map(({ agent, model }) => [agent, model]));
  return [...models].map(([agent, model]) => {
    const said = stands.flat().filter((one) => one.agent === agent);
    const had = said.filter(hasStand);
    const [first, last] = [had[0]?.stand, had.at(-1)?.stand];
    const spent = positions
      .filter((position) => position.agent === agent)
      .map(({ agentId }) => spentOf.get(agentId) ?? NOTHING_SPENT);
    return {
      agent,
      model,
      ...(first && { first }),
      ...(last && { last }),
      changes: said.filter(({ changed }) => changed).length,
      spent: spent.reduce(plus, NOTHING_SPENT),
    };
  });
}

function plus(one: Spent, other: Spent): Spent {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    seconds: one.seconds + other.seconds,
  };
}

function flipsOf(members: readonly MemberPath[]): CommitteeAnalysis["flips"] {
  const flipped = (from: boolean): number =>
    members.filter(({ first, last }) => first?.right === from && last?.right === !from).length;
  return { rightToWrong: flipped(true), wrongToRight: flipped(false) };
}

/** The spans of each member's last answer. */
function lastAgents(rounds: readonly EventOf<"round.end">[]): readonly string[] {
  const last = new Map<string, string>();
  for (const { data } of rounds)
    for (const { agent, agentId, error } of data.positions) if (error === undefined) last.set(agent, agentId);
  return [...last.values()];
}

function besides(
  events: readonly TurnEvent[],
  verdict: Verdict,
  strategy: string,
  isRight: IsRight | undefined,
): Pick<CommitteeAnalysis, "synthesis" | "best" | "majority" | "synthesisAgainstBest"> {
  const answer = of(events, "answer.dialog").find(({ respondent }) => respondent === "A")?.data.answer;
  const judged = (text: string) => isRight && { right: isRight(text) };
  const synthesis = answer === undefined ? undefined : { answer, ...judged(textOf(answer, strategy)) };
  const best = verdict.best && {
    agent: verdict.best.agent,
    answer: verdict.best.answer,
    ...judged(viewOf(verdict.best.answer, strategy)),
  };
  const majority = verdict.majority && {
    answer: verdict.majority.answer,
    ...judged(verdict.majority.answer),
  };
  return {
    ...(synthesis && { synthesis }),
    ...(best && { best }),
    ...(majority && { majority }),
    ...(isRight &&
      synthesis &&
      best && { synthesisAgainstBest: against(synthesis.right === true, best.right === true) }),
  };
}

/** The answer of samples is one of them, with its vote at the end; a synthesis is read whole. */
function textOf(answer: string, strategy: string): string {
  return strategy === "self-consistency" ? readVote(answer) : answer;
}

function against(synthesis: boolean, best: boolean): "better" | "same" | "worse" {
  if (synthesis === best) return "same";
  return synthesis ? "better" : "worse";
}

function of<T extends TurnEvent["type"]>(events: readonly TurnEvent[], type: T): readonly EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}
