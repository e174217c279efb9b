import type { VNode } from "preact";
import type { EvalCommittee, EvalComparison, EvalJudge } from "../../trace/eval/report.ts";
import type { EvalView } from "../../trace/eval/view.ts";
import { count, duration } from "../format.ts";
import { Icon } from "../icon.tsx";
import { Grid } from "../views/grid.tsx";

/** A share: `92 %`. */
export function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

/** Between what a share lies, in words. */
export function shareWords({ low, high }: { readonly low: number; readonly high: number }): string {
  return `95 % interval ${percent(low)} to ${percent(high)}`;
}

function tokens(input: number, output: number): string {
  return `${count(input)} / ${count(output)}`;
}

/** Each configuration: success with its interval, calls, tokens, time. */
export function Configurations({ view }: { readonly view: EvalView }): VNode {
  return (
    <>
      <h3>Configurations</h3>
      <Grid
        title="Configurations"
        heads={[
          ...["", "passed", "success", "95 % interval", "calls expected / made / wrong"],
          ...["steps", "tokens in / out", "time", "retries", "repairs", "grade"],
        ]}
        rows={view.configurations.map((one) => {
          const { success, toolCalls: calls, mean } = one;
          return [
            one.name,
            <span title={one.description}>
              {one.name}
              {one.comparison ? <span class="dim"> · beside</span> : null}
            </span>,
            `${count(one.passed)} of ${count(one.runs)}`,
            percent(success.estimate),
            `${percent(success.low)} to ${percent(success.high)}`,
            `${count(calls.expected)} / ${count(calls.made)} / ${count(calls.wrong)}`,
            mean.steps.toFixed(1),
            tokens(mean.inputTokens, mean.outputTokens),
            duration(mean.totalMs),
            mean.retries.toFixed(1),
            mean.repairs.toFixed(1),
            mean.grade === undefined ? "–" : mean.grade.toFixed(1),
          ];
        })}
      />
    </>
  );
}

/** Each case in each configuration. */
export function Cases({ view }: { readonly view: EvalView }): VNode | null {
  const { cases, caseCount, configurations } = view;
  if (cases.length === 0) return null;
  const columns = cases[0]?.results.length ?? 0;
  return (
    <>
      <h3>
        Cases{" "}
        <span class="dim">
          runs that passed{cases.length < caseCount ? `, ${count(cases.length)} of ${count(caseCount)}` : ""}
        </span>
      </h3>
      <Grid
        title="Cases"
        heads={["case", ...configurations.slice(0, columns).map((one) => one.name)]}
        rows={cases.map((row) => [
          row.case,
          row.case,
          ...row.results.map(({ passed, runs }) =>
            runs === 0 ? "–" : <span class={passed < runs ? "missed" : ""}>{`${passed} of ${runs}`}</span>,
          ),
        ])}
      />
    </>
  );
}

function effectIcon({ success }: EvalComparison): VNode {
  if (success.effect === "raises") return <Icon name="check" tone="grade" />;
  return success.effect === "lowers" ? <Icon name="error" tone="error" /> : <Icon name="circle-slash" />;
}

function change(value: number, digits: number): string {
  return `${value > 0 ? "+" : ""}${value.toFixed(digits)}`;
}

/** Each feature with and without, pair by pair; one that does not help is told so. */
export function Comparisons({ view }: { readonly view: EvalView }): VNode | null {
  if (view.comparisons.length === 0) return null;
  return (
    <>
      <h3>Does it help on these cases?</h3>
      <ul class="eval-verdicts">
        {view.comparisons.map((one) => (
          <li key={`${one.feature} ${one.with}`}>
            {effectIcon(one)} <b>{one.feature}</b>: {one.verdict}
          </li>
        ))}
      </ul>
      <Grid
        title="Differences with each feature"
        heads={["with it", "success", "95 % interval", "only with / only without", "tokens", "time", "pairs"]}
        rows={view.comparisons.map((one) => [
          `${one.feature} ${one.with}`,
          one.feature,
          `${change(100 * one.success.estimate, 0)} points`,
          `${change(100 * one.success.low, 0)} to ${change(100 * one.success.high, 0)}`,
          <span title={namesOf(one)}>
            {count(one.onlyWith.length)} / {count(one.onlyWithout.length)}
          </span>,
          `${one.tokens.estimate > 0 ? "+" : ""}${count(one.tokens.estimate)}`,
          `${change(one.seconds.estimate, 1)} s`,
          count(one.success.pairs),
        ])}
      />
    </>
  );
}

function namesOf({ onlyWith, onlyWithout }: EvalComparison): string {
  return `only with: ${onlyWith.join(", ") || "none"}; only without: ${onlyWithout.join(", ") || "none"}`;
}

/** A committee beside a single agent and self-consistency at equal tokens. */
export function Committee({ committee }: { readonly committee: EvalCommittee }): VNode {
  const { rows, flips, conformity, synthesis, verdict } = committee;
  return (
    <>
      <h3>The committee at equal cost</h3>
      <p>{verdict}</p>
      <Grid
        title="The committee at equal cost"
        heads={["who answers", "right", "success", "tokens in / out", "time"]}
        rows={rows.map((row) => [
          row.name,
          <span title={row.note}>{row.name}</span>,
          `${count(row.right)} of ${count(row.turns)}`,
          percent(row.success.estimate),
          tokens(row.inputTokens, row.outputTokens),
          duration(1_000 * row.seconds),
        ])}
      />
      <p class="dim">
        Flips: {count(flips.toRight)} wrong to right, {count(flips.toWrong)} right to wrong, of{" "}
        {count(flips.of)} · conformity: {count(conformity.yielded)} of {count(conformity.of)} gave way to a
        majority · synthesis better than the best single answer {count(synthesis.better)} times, worse{" "}
        {count(synthesis.worse)}, the same {count(synthesis.same)}
      </p>
    </>
  );
}

function kappa(value: EvalJudge["kappa"]): string {
  return value === undefined
    ? "–"
    : `${value.estimate.toFixed(2)} (${value.low.toFixed(2)} to ${value.high.toFixed(2)})`;
}

/** How far the judge can be trusted. */
export function Judge({ judge }: { readonly judge: EvalJudge }): VNode {
  const { flips, noGrade } = judge;
  return (
    <>
      <h3>The judge, judged</h3>
      <p>{judge.verdict}</p>
      <Grid
        title="The judge, judged"
        heads={["judge", "kappa", "weighted", "of comparisons", "flips by order", "no grade", "items"]}
        rows={[
          [
            judge.model,
            judge.model,
            kappa(judge.kappa),
            kappa(judge.weightedKappa),
            kappa(judge.pairKappa),
            `${count(flips.flips)} of ${count(flips.of)}`,
            `${count(noGrade.none)} of ${count(noGrade.of)}`,
            count(judge.items),
          ],
        ]}
      />
      <Grid
        title="Grades that the judge gave"
        heads={["grade", "given", "labelled"]}
        rows={judge.distribution.map(({ score, given, labelled }) => [
          String(score),
          score,
          count(given),
          count(labelled),
        ])}
      />
    </>
  );
}
