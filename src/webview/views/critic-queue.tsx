import type { VNode } from "preact";
import type { CriticMode } from "../../agent/critic/settings.ts";
import type { CriticJobView } from "../../trace/panel-critic.ts";
import { count } from "../format.ts";
import { Icon } from "../icon.tsx";
import type { Store } from "../store.ts";

const MODES: Readonly<Record<CriticMode, string>> = {
  off: "off",
  sampled: "grades some answers",
  all: "grades every answer",
  request: "grades when asked to",
};

/** What the critic of this window is at: what is judged just now, what waits, what gave way. */
export function CriticQueueLine({ store }: { readonly store: Store }): VNode | null {
  const { state } = store.critic;
  if (state === undefined) return null;
  const { mode, judge, running, waiting, dropped } = state;
  const at =
    running === null
      ? waiting.length === 0
        ? "nothing waits"
        : "waits for the server to be idle"
      : `${running.kind === "grade" ? "grading" : "comparing"} ${nameOf(store, running)}`;
  const words = [
    ...(mode === "off" && running === null && waiting.length === 0 ? [] : [at]),
    ...(waiting.length === 0 ? [] : [`${count(waiting.length)} waiting`]),
    ...(dropped === 0 ? [] : [`${count(dropped)} dropped for newer ones`]),
  ];
  return (
    <p class="critic-queue" role="status">
      <Icon name="law" tone="grade" />
      <span>The critic {mode === "off" ? "is off" : MODES[mode]}</span>
      {judge === "" ? <span class="dim">no judge</span> : <span class="dim">judge {judge}</span>}
      {words.map((word) => (
        <span key={word} class="dim ellipsis">
          {word}
        </span>
      ))}
      <button type="button" class="quiet" onClick={() => store.views.showTab("critic", "settings")}>
        {mode === "off" ? "Turn it on" : "Change"}
        <span class="sr-only"> in the settings of the critic</span>
      </button>
    </p>
  );
}

function nameOf(store: Store, job: CriticJobView): string {
  const question = store.rows.questionOf(job);
  return question === "" ? "an answer" : `“${question}”`;
}
