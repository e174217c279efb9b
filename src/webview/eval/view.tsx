import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import type { EvalView } from "../../trace/eval/view.ts";
import { count, duration, when } from "../format.ts";
import { Icon } from "../icon.tsx";
import type { Store } from "../store.ts";
import { Figure } from "../views/tools.tsx";
import { Cases, Committee, Comparisons, Configurations, Judge, percent, shareWords } from "./parts.tsx";
import { Runs } from "./runs.tsx";

/** What an evaluation found: whether it went well, what each feature does for it, and what failed. */
export function EvalPane({ store }: { readonly store: Store }): VNode {
  const { evals } = store;
  useEffect(() => evals.list(), [evals]);
  const { view, problem, reports } = evals;
  return (
    <div class="view">
      <div class="view-head">
        <h2>Evaluation</h2>
        <Picker store={store} />
        <span class="space" />
        <button type="button" class="quiet" onClick={() => evals.open(null)}>
          <Icon name="file" /> Open a report …
        </button>
      </div>
      <section class="eval" aria-label="The report" tabIndex={0}>
        {problem === undefined ? null : (
          <p role="alert" class="tone-error">
            <Icon name="error" tone="error" /> {problem}
          </p>
        )}
        {view !== undefined ? (
          <Report store={store} view={view} />
        ) : (
          <p class="hint">
            {reports === undefined
              ? "Looking for reports …"
              : "No evaluation was run yet. Cases stand in .conclave/evals as YAML files; “Conclave: Run Evaluation” runs them, and its report is shown here. A report that the command line wrote can be opened as a file."}
          </p>
        )}
      </section>
    </div>
  );
}

/** Which of the reports is shown. */
function Picker({ store }: { readonly store: Store }): VNode | null {
  const { evals } = store;
  const { reports = [], id } = evals;
  const isListed = reports.some((one) => one.id === id);
  if (reports.length === 0 || (reports.length === 1 && isListed)) return null;
  return (
    <select
      class="eval-picker"
      aria-label="Report"
      value={isListed ? id : ""}
      onChange={({ currentTarget: { value } }) => evals.open(value)}
    >
      {isListed ? null : <option value="">a file</option>}
      {reports.map((one) => (
        <option key={one.id} value={one.id}>
          {when(one.startedAt, store.now())} · {one.model} · {one.passed} of {one.runs}
        </option>
      ))}
    </select>
  );
}

function Report({ store, view }: { readonly store: Store; readonly view: EvalView }): VNode {
  return (
    <>
      <Heads store={store} view={view} />
      {view.notes.length === 0 ? null : (
        <ul class="eval-notes">
          {view.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <Configurations view={view} />
      <Comparisons view={view} />
      {view.committee === undefined ? null : <Committee committee={view.committee} />}
      {view.judge === undefined ? null : <Judge judge={view.judge} />}
      <Cases view={view} />
      <Runs store={store} view={view} />
    </>
  );
}

function Heads({ store, view }: { readonly store: Store; readonly view: EvalView }): VNode {
  const { server, model, startedAt, durationMs, outcome, repeats, changedSettings, version } = view;
  const main = view.configurations.find(({ comparison }) => !comparison);
  const about = [
    when(startedAt, store.now()),
    model,
    server.kind === "scripted"
      ? "scripted replies"
      : `a live server${server.host === undefined ? "" : `, ${server.host}`}`,
    `took ${duration(durationMs)}`,
    `${count(repeats)} ${repeats === 1 ? "repeat" : "repeats"}`,
    ...(changedSettings === 0
      ? []
      : [`${count(changedSettings)} ${changedSettings === 1 ? "setting" : "settings"} not as it comes`]),
    `Conclave ${version}`,
  ];
  return (
    <>
      <div class="view-figures">
        <dl>
          {main === undefined ? null : (
            <>
              <Figure name={`success, ${shareWords(main.success)}`} value={percent(main.success.estimate)} />
              <Figure name="runs that passed" value={`${count(main.passed)} of ${count(main.runs)}`} />
              <Figure name="steps a question" value={main.stepsPerQuestion.toFixed(1)} />
              <Figure
                name="calls right"
                value={main.callsRight === undefined ? "–" : percent(main.callsRight)}
              />
            </>
          )}
        </dl>
      </div>
      <p class="dim">{about.join(" · ")}</p>
      {server.kind === "scripted" ? (
        <p class="dim">Replies were played: this says whether the product works, and nothing of a model.</p>
      ) : null}
      {outcome === "cancelled" ? (
        <p>
          <Icon name="warning" tone="warning" /> It was cancelled: this is what had been run until then.
        </p>
      ) : null}
    </>
  );
}
