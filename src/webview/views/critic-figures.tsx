import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { AgentRewards, GradeFigures } from "../../trace/activity/records.ts";
import { gradeWord, signed } from "../../trace/judged-words.ts";
import { count } from "../format.ts";
import { DayChart } from "./day-chart.tsx";
import { Grid } from "./grid.tsx";
import { Figure } from "./tools.tsx";

/** Agents whose rewards are shown at once: those with the most judged answers. */
const FEW_AGENTS = 5;

/** How many judgements and rewards there are. */
export function judgedCount({ counts, ungraded, verdicts, rewards = [] }: GradeFigures): number {
  const compared = verdicts.a + verdicts.b + verdicts.ties;
  return counts.reduce((sum, one) => sum + one, ungraded + compared + rewards.length);
}

/** Means over what was graded, with how many were not beside them; the spread, the trend, and rewards by agent. */
export function CriticFigures({ figures }: { readonly figures: GradeFigures }): VNode {
  const { verdicts, ungraded, rewards = [] } = figures;
  const graded = figures.counts.reduce((sum, one) => sum + one, 0);
  const compared = verdicts.a + verdicts.b + verdicts.ties;
  return (
    <div class="view-figures critic-figures">
      <dl>
        <Figure name={`mean of ${count(graded)} graded`} value={meanOf(figures.mean)} />
        <Figure name="not graded" value={count(ungraded)} />
        <Figure name="last 7 days" value={meanOf(figures.lastWeek)} />
        <Figure name="7 days before" value={meanOf(figures.weekBefore)} />
        <Figure name="corrected" value={count(figures.corrected)} />
        {compared === 0 ? null : (
          <Figure
            name="A better · B better · ties"
            value={`${count(verdicts.a)} · ${count(verdicts.b)} · ${count(verdicts.ties)}`}
          />
        )}
      </dl>
      <Spread counts={figures.counts} />
      <Trend figures={figures} />
      {rewards.length === 0 ? null : <Rewards rewards={rewards} />}
    </div>
  );
}

function meanOf(mean: number | null): string {
  return mean === null ? "–" : mean.toFixed(1);
}

/** How many answers have which grade, the best first. */
function Spread({ counts }: { readonly counts: GradeFigures["counts"] }): VNode {
  const all = counts.reduce((sum, one) => sum + one, 0);
  const most = Math.max(1, ...counts);
  return (
    <table class="spread">
      <caption class="dim">Grades</caption>
      <tbody>
        {[5, 4, 3, 2, 1].map((score) => {
          const number = counts[score - 1] ?? 0;
          return (
            <tr key={score}>
              <th scope="row" title={gradeWord(score)}>
                {score}
              </th>
              <td class="spread-bar" aria-hidden="true">
                <span class="share-bar">
                  <i class="fill-answer" style={{ width: `${(100 * number) / most}%` }} />
                </span>
              </td>
              <td class="num">{count(number)}</td>
              <td class="num dim">{all === 0 ? "0 %" : `${Math.round((100 * number) / all)} %`}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Where grades go: day by day, or turn by turn. */
function Trend({ figures }: { readonly figures: GradeFigures }): VNode {
  const [byTurn, setByTurn] = useState(false);
  return (
    <div class="trend">
      {byTurn ? (
        <DayChart
          title={`Grade of each of the latest ${count(figures.latest.length)} turns, of 5`}
          days={figures.latest.map((score, index) => ({
            from: index,
            name: `${count(figures.latest.length - index)} back`,
            value: score,
            words: score === null ? "not graded" : `${score} of 5`,
            hollow: score === null,
          }))}
          ends={["earlier", "latest"]}
          most={5}
          fill="fill-answer"
        />
      ) : (
        <DayChart
          title="Mean grade a day, of 5 · dotted: some were not graded"
          days={figures.days.map(({ from, grades, ungraded, mean }) => ({
            from,
            value: mean,
            words: dayWords(grades, ungraded, mean),
            hollow: ungraded > 0,
          }))}
          most={5}
          fill="fill-answer"
        />
      )}
      <button type="button" class="quiet" onClick={() => setByTurn(!byTurn)}>
        {byTurn ? "Show days" : "Show turns"}
      </button>
    </div>
  );
}

function dayWords(grades: number, ungraded: number, mean: number | null): string {
  const graded = `${meanOf(mean)} over ${count(grades)} ${grades === 1 ? "grade" : "grades"}`;
  return ungraded === 0 ? graded : `${graded}, ${count(ungraded)} not graded`;
}

/** What feedback came to for each agent with each model. */
function Rewards({ rewards }: { readonly rewards: readonly AgentRewards[] }): VNode {
  const [all, showAll] = useState(false);
  const shown = all ? rewards : rewards.slice(0, FEW_AGENTS);
  return (
    <div class="rewards">
      <Grid
        title="Reward by agent"
        caption="Reward by agent, model and respondent, from what you said and did"
        heads={["agent", "answers", "up", "down", "only concluded", "reward", "mean"]}
        rows={shown.map(({ agent, model, respondent, answers, up, down, implicit, reward, mean }) => [
          `${agent} ${model} ${respondent}`,
          <>
            {agent}{" "}
            <span class="dim">
              {[model, respondent === "A" ? "" : respondent].filter(Boolean).join(" · ")}
            </span>
          </>,
          ...[answers, up, down, implicit].map(count),
          ...[reward, mean].map(signed),
        ])}
      />
      {rewards.length <= FEW_AGENTS ? null : (
        <button type="button" class="quiet" aria-expanded={all} onClick={() => showAll(!all)}>
          {all ? "Show fewer" : `Show all ${count(rewards.length)} agents`}
        </button>
      )}
    </div>
  );
}
