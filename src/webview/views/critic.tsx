import type { VNode } from "preact";
import type { GradeFigures } from "../../trace/activity/records.ts";
import type { SettingView } from "../../trace/panel-settings.ts";
import { count } from "../format.ts";
import type { Store } from "../store.ts";
import { useActivity } from "./activity-hooks.ts";
import { ActivityList } from "./activity-list.tsx";
import { DayChart } from "./day-chart.tsx";
import { SettingsTab } from "./setting-fields.tsx";
import { TabbedPane } from "./tabs.tsx";
import { Figure } from "./tools.tsx";

const NOTHING =
  "No answer was graded yet. You can grade an answer under its turn, and see it here. A critic that grades by itself is not set up.";

/** What critics and people think of answers: grades, verdicts, how they spread and where they go. */
export function CriticPane({ store }: { readonly store: Store }): VNode {
  return (
    <TabbedPane store={store} view="critic" title="Critic">
      {store.views.tab("critic") === "settings" ? (
        <SettingsTab store={store} group="critic" before={withoutCritic} />
      ) : (
        <Grades store={store} />
      )}
    </TabbedPane>
  );
}

/** Said where the critic has no settings of its own. */
function withoutCritic(settings: readonly SettingView[]): VNode | null {
  if (settings.some(({ id }) => id.startsWith("conclave.critic."))) return null;
  return (
    <p class="settings-before">
      A critic that grades by itself is not set up. What you think of answers, by grades and thumbs, weighs in
      what memory recalls:
    </p>
  );
}

function Grades({ store }: { readonly store: Store }): VNode {
  useActivity(store, "critic");
  const { figures } = store.views.activity;
  const isEmpty = figures?.kind !== "grades" || total(figures) === 0;
  return (
    <>
      {isEmpty ? null : <Figures figures={figures} />}
      <ActivityList store={store} words={{ label: "Grades", only: "Corrected only", nothing: NOTHING }} />
    </>
  );
}

function total({ counts, ungraded, verdicts }: GradeFigures): number {
  return counts.reduce((sum, one) => sum + one, ungraded + verdicts.a + verdicts.b + verdicts.ties);
}

function Figures({ figures }: { readonly figures: GradeFigures }): VNode {
  const { verdicts } = figures;
  const compared = verdicts.a + verdicts.b + verdicts.ties;
  return (
    <div class="view-figures">
      <dl>
        <Figure name="mean grade" value={meanOf(figures.mean)} />
        <Figure name="last 7 days" value={meanOf(figures.lastWeek)} />
        <Figure name="7 days before" value={meanOf(figures.weekBefore)} />
        <Figure name="corrected" value={count(figures.corrected)} />
        {figures.ungraded === 0 ? null : <Figure name="no grade" value={count(figures.ungraded)} />}
        {compared === 0 ? null : (
          <Figure
            name="A better · B better · ties"
            value={`${count(verdicts.a)} · ${count(verdicts.b)} · ${count(verdicts.ties)}`}
          />
        )}
      </dl>
      <Spread counts={figures.counts} />
      <DayChart
        title="Mean grade a day, of 5"
        days={figures.days.map(({ from, grades, mean }) => ({
          from,
          value: mean,
          words: `${meanOf(mean)} over ${count(grades)} ${grades === 1 ? "grade" : "grades"}`,
        }))}
        most={5}
        fill="fill-answer"
      />
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
              <th scope="row">{score}</th>
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
