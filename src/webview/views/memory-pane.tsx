import type { VNode } from "preact";
import { count } from "../format.ts";
import { Icon } from "../icon.tsx";
import { MemoryView } from "../memory/view.tsx";
import type { Store } from "../store.ts";
import { useActivity } from "./activity-hooks.ts";
import { ActivityList } from "./activity-list.tsx";
import { SettingsTab } from "./setting-fields.tsx";
import { TabbedPane } from "./tabs.tsx";
import { Figure } from "./tools.tsx";

/** What is remembered, what it gave to each turn and took from it, and the settings of memory. */
export function MemoryPane({ store }: { readonly store: Store }): VNode {
  const { views } = store;
  const isActivity = views.tab("memory") === "activity";
  // What is remembered is this machine's; a file only tells what its turns recalled and taught.
  const byTurn = views.byTurn || store.readOnly;
  return (
    <TabbedPane
      store={store}
      view="memory"
      title="Memory"
      after={
        isActivity && !store.readOnly ? (
          <button
            type="button"
            class={views.byTurn ? "chip" : "chip off"}
            role="switch"
            aria-checked={views.byTurn}
            title="What was recalled for each turn and learnt from it, in place of what is remembered"
            onClick={() => views.turnBy(!views.byTurn)}
          >
            {views.byTurn ? <Icon name="check" /> : null} Turn by turn
          </button>
        ) : null
      }
    >
      {isActivity ? (
        byTurn ? (
          <ByTurn store={store} />
        ) : (
          <MemoryView store={store} />
        )
      ) : (
        <SettingsTab store={store} group="memory" />
      )}
    </TabbedPane>
  );
}

function ByTurn({ store }: { readonly store: Store }): VNode {
  useActivity(store, "memory");
  const { figures } = store.views.activity;
  return (
    <>
      {figures?.kind === "memory" && figures.turns > 0 ? (
        <div class="view-figures">
          <dl>
            <Figure name="turns" value={count(figures.turns)} />
            <Figure name="recalled" value={count(figures.recalled)} />
            <Figure name="learnt" value={count(figures.extracted)} />
            <Figure name="updated" value={count(figures.updated)} />
            <Figure name="rejected" value={count(figures.rejected)} />
          </dl>
        </div>
      ) : null}
      <ActivityList
        store={store}
        words={{ label: "Turns with memory", nothing: "Nothing was recalled or learnt yet." }}
      />
    </>
  );
}
