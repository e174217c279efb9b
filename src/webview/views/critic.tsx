import type { VNode } from "preact";
import type { SettingView } from "../../trace/panel-settings.ts";
import { Icon } from "../icon.tsx";
import type { Store } from "../store.ts";
import { useActivity } from "./activity-hooks.ts";
import { ActivityList } from "./activity-list.tsx";
import { JudgedDetail } from "./critic-detail.tsx";
import { CriticFigures, judgedCount } from "./critic-figures.tsx";
import { CriticQueueLine } from "./critic-queue.tsx";
import { SettingsTab } from "./setting-fields.tsx";
import { TabbedPane } from "./tabs.tsx";

/** What critics and people think of answers: grades, verdicts, how they spread and where they go. */
export function CriticPane({ store }: { readonly store: Store }): VNode {
  return (
    <TabbedPane
      store={store}
      view="critic"
      title="Critic"
      after={
        store.readOnly ? null : (
          <button type="button" class="quiet" onClick={() => store.toggle("eval")}>
            <Icon name="pulse" /> Evaluations
          </button>
        )
      }
    >
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

/** What stands where nothing was graded, and how that changes. */
function nothingWords({ critic }: Store): string {
  const first = "No answer was graded yet.";
  const byHand = "You can grade an answer under its turn, and see it here.";
  const { state } = critic;
  if (state === undefined) return `${first} ${byHand} A critic that grades by itself is not set up.`;
  if (state.mode === "off")
    return `${first} The critic is off: turn it on in the Settings tab above (Mode: all, sampled, or request). ${byHand}`;
  if (state.mode === "request")
    return `${first} The critic grades when it is asked to: by “Ask the critic” under an answer. ${byHand}`;
  if (state.judge === "")
    return `${first} The critic has no judge: choose a model, here or for the chat. ${byHand}`;
  return `${first} The critic grades answers once they are given and the server is idle. ${byHand}`;
}

const PARTS = [
  ["", "All"],
  ["graded", "Graded"],
  ["ungraded", "Not graded"],
  ["compared", "Compared"],
] as const;

function Grades({ store }: { readonly store: Store }): VNode {
  useActivity(store, "critic");
  const { activity } = store.views;
  const { figures } = activity;
  const words = { label: "Grades", only: "Corrected only", nothing: nothingWords(store) };
  return (
    <>
      <CriticQueueLine store={store} />
      {figures?.kind !== "grades" || judgedCount(figures) === 0 ? null : <CriticFigures figures={figures} />}
      <ActivityList
        store={store}
        words={words}
        choices={<Parts store={store} />}
        detail={(record, close) => (
          <JudgedDetail key={record.id} store={store} record={record} close={close} />
        )}
      />
    </>
  );
}

/** Which judgements are listed. */
function Parts({ store }: { readonly store: Store }): VNode {
  const { activity } = store.views;
  return (
    <div class="parts" role="group" aria-label="Which judgements are listed">
      {PARTS.map(([part, label]) => (
        <button
          key={part}
          type="button"
          class={activity.part === part ? "chip" : "chip off"}
          aria-pressed={activity.part === part}
          onClick={() => {
            activity.take(part);
            store.redraw();
          }}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
