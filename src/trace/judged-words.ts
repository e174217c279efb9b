import type { ImplicitSign, JudgedFor, JudgeKind } from "../agent/events-judged.ts";
import type { AgentCell } from "./cells.ts";
import type { Grade } from "./judgements.ts";
import { agentName, committeeOf, type TurnModel } from "./model.ts";

/*
 * What is said of answers, as every view and export says it.
 */

/** The word beside each grade. */
const GRADE_WORDS = ["bad", "weak", "fair", "good", "excellent"] as const;

/** The word beside a grade, so that no colour says it alone. */
export function gradeWord(score: number): string {
  return GRADE_WORDS[Math.min(5, Math.max(1, Math.round(score))) - 1] ?? "";
}

/** Says that there is no grade, and why where that is known. */
export function ungradedWords(why: string | undefined): string {
  if (why === undefined || why.trim() === "") return "not graded";
  return why.startsWith("not graded") ? why : `not graded (${why})`;
}

/** Why an answer has no grade. */
export function whyUngraded({ error, ungraded }: Pick<Grade, "error" | "ungraded">): string | undefined {
  return error?.message ?? ungraded;
}

/** What somebody did, as people say it. */
export const SIGN_WORDS: Readonly<Record<ImplicitSign, string>> = {
  asked_again: "asked again in other words",
  contradicted: "said that it was wrong",
  copied: "copied it",
  applied: "applied it",
};

/** What a reward is made of, as people say it. */
export const SOURCE_WORDS: Readonly<Record<ImplicitSign | "thumbs", string>> = {
  ...{ thumbs: "thumbs", asked_again: "asked again", contradicted: "contradicted" },
  ...{ copied: "copied", applied: "applied" },
};

/** Who asked for a judgement. */
export const ASKED_WORDS: Readonly<Record<JudgedFor, string>> = {
  critic: "by the critic itself",
  user: "asked for by you",
  tool: "asked for by an agent",
};

/** How a judge was asked. */
export const JUDGE_WORDS: Readonly<Record<JudgeKind, string>> = {
  prometheus: "as Prometheus",
  constrained: "in a fixed form",
};

/** A reward as people read it: `+0.35`. */
export function signed(value: number): string {
  return `${value > 0 ? "+" : ""}${value.toFixed(2)}`;
}

/** How a committee's synthesis did beside its members. */
export interface BestSingle {
  /** Who gave the best single answer, by its grade. */
  readonly agent: string;
  readonly best: number;
  readonly synthesis: number;
}

/** Whether the synthesis beat the best single answer, by their grades; undefined where either has none. */
export function bestSingle(turn: TurnModel): BestSingle | undefined {
  const synthesis = turn.grade?.score ?? null;
  if (synthesis === null || committeeOf(turn) === undefined) return undefined;
  let best: { readonly agent: string; readonly best: number } | undefined;
  for (const { cell, score } of gradedMembers(turn))
    if (best === undefined || score > best.best) best = { agent: agentName(cell), best: score };
  return best && { ...best, synthesis };
}

function gradedMembers(turn: TurnModel): readonly { readonly cell: AgentCell; readonly score: number }[] {
  return [...turn.cells.values()].flatMap((cell) => {
    const isMember = cell.kind === "agent" && cell.role === "persona";
    const score = isMember ? (cell.grade?.score ?? null) : null;
    return isMember && score !== null ? [{ cell, score }] : [];
  });
}

/** The same in words. */
export function bestSingleWords({ agent, best, synthesis }: BestSingle): string {
  const did = synthesis > best ? "beat" : synthesis === best ? "equalled, but did not beat," : "did not beat";
  return `the synthesis (${synthesis}) ${did} the best single answer (${agent}, ${best})`;
}
