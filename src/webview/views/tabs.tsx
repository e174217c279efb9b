import type { ComponentChildren, VNode } from "preact";
import { useRef } from "preact/hooks";
import type { Store } from "../store.ts";
import type { TabbedView, ViewTab } from "./saved.ts";

const TABS = [
  ["activity", "Activity"],
  ["settings", "Settings"],
] as const satisfies readonly (readonly [ViewTab, string])[];

/**
 * A view with its two tabs; Left and Right move between them. `children` is what the open tab shows. Of a file there is
 * only what it holds, and a word that says so: nothing of it is set here.
 */
export function TabbedPane(props: {
  readonly store: Store;
  readonly view: TabbedView;
  /** What the view is of, such as the name of a tool. */
  readonly title: string;
  /** Stands before the title. */
  readonly before?: ComponentChildren;
  /** Stands at the end of the line. */
  readonly after?: ComponentChildren;
  readonly children: ComponentChildren;
}): VNode {
  const { store, view, title } = props;
  const { views } = store;
  const tabs = store.readOnly ? TABS.slice(0, 1) : TABS;
  const open = views.tab(view);
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (store.readOnly || (event.key !== "ArrowRight" && event.key !== "ArrowLeft")) return;
    const next: ViewTab = open === "activity" ? "settings" : "activity";
    event.preventDefault();
    views.showTab(view, next);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus();
  };
  return (
    <div class="view">
      <div class="view-head">
        {props.before}
        <h2 class="ellipsis" title={title}>
          {title}
        </h2>
        <div
          class="memory-tabs"
          role="tablist"
          aria-label={`What is shown of ${title}`}
          ref={list}
          onKeyDown={onKeyDown}
        >
          {tabs.map(([tab, label]) => (
            <button
              key={tab}
              type="button"
              role="tab"
              id={`view-tab-${tab}`}
              data-tab={tab}
              aria-selected={tab === open}
              aria-controls="view-panel"
              tabIndex={tab === open ? 0 : -1}
              onClick={() => views.showTab(view, tab)}
            >
              {label}
            </button>
          ))}
        </div>
        {store.readOnly ? <span class="dim ellipsis">what this file holds</span> : null}
        <span class="space" />
        {props.after}
      </div>
      <div id="view-panel" class="view-panel" role="tabpanel" aria-labelledby={`view-tab-${open}`}>
        {props.children}
      </div>
    </div>
  );
}
