import type { EvalCommittee, EvalJudge } from "../../trace/eval/report.ts";
import { duration, figure, percent, shareWords } from "../eval/words.ts";
import { code, inline, table } from "./table.ts";

/** A committee beside a single agent and self-consistency, at the same cost. */
export function committeeSection(committee: EvalCommittee | undefined): string {
  if (committee === undefined) return "";
  const { rows, flips, conformity, synthesis, verdict } = committee;
  const lines = rows.map((row) => [
    code(row.name),
    `${row.right} / ${row.turns}`,
    shareWords(row.success),
    `${figure(row.inputTokens)} / ${figure(row.outputTokens)}`,
    duration(row.seconds * 1_000),
    inline(row.note ?? ""),
  ]);
  const head = ["who answers", "right", "success (95 % interval)", "tokens in / out", "time", "note"];
  return `## The committee at equal cost

${inline(verdict)}

${table(head, lines)}

- Members that changed their answer: ${flips.changed} of ${flips.of}; wrong to right ${flips.toRight}, right to wrong ${flips.toWrong}.
- Conformity: ${conformity.yielded} of ${conformity.of} members that stood against a majority took its answer over (${shareWords(conformity.share)}).
- Synthesis against the best single answer: better in ${synthesis.better}, worse in ${synthesis.worse}, the same in ${synthesis.same} turns.`;
}

/** How far the judge can be trusted. */
export function judgeSection(judge: EvalJudge | undefined): string {
  if (judge === undefined) return "";
  const rows = [
    ["Judge", `${code(judge.model)}${judge.kind === undefined ? "" : ` (${inline(judge.kind)})`}`],
    ["Rubric", code(judge.rubric)],
    ["Labelled set", `${code(judge.set)}, ${judge.items} items`],
    ["Kappa", kappaWords(judge.kappa)],
    ["Kappa, weighted by distance", kappaWords(judge.weightedKappa)],
    ["Kappa of comparisons", kappaWords(judge.pairKappa)],
    ["Flips with the order", `${judge.flips.flips} of ${judge.flips.of} (${shareWords(judge.flips)})`],
    ["No grade", `${judge.noGrade.none} of ${judge.noGrade.of} (${percent(judge.noGrade.estimate)})`],
    ["Tokens in / out", `${judge.inputTokens} / ${judge.outputTokens}`],
    ["Took", duration(judge.seconds * 1_000)],
  ];
  const scores = judge.distribution.map(({ score, given, labelled }) => [
    String(score),
    String(given),
    String(labelled),
  ]);
  const notes = (judge.notes ?? []).map((note) => `- ${inline(note)}`).join("\n");
  const parts = [
    "## The judge, judged",
    inline(judge.verdict),
    table(["", ""], rows),
    table(["grade", "given", "labelled"], scores),
    notes,
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function kappaWords(kappa: EvalJudge["kappa"]): string {
  if (kappa === undefined) return "none to speak of";
  return `${kappa.estimate.toFixed(2)} (${kappa.low.toFixed(2)} to ${kappa.high.toFixed(2)})`;
}
