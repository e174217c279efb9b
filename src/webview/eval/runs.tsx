import type { VNode } from "preact";
import type { EvalRunRow, EvalView } from "../../trace/eval/view.ts";
import { count, duration } from "../format.ts";
import { Icon } from "../icon.tsx";
import type { Store } from "../store.ts";
import { Grid } from "../views/grid.tsx";

const OUTCOMES: Readonly<Record<EvalRunRow["outcome"], { readonly icon: string; readonly tone?: string }>> = {
  passed: { icon: "check" },
  failed: { icon: "error", tone: "error" },
  error: { icon: "warning", tone: "warning" },
  cancelled: { icon: "circle-slash" },
};

/** Case by case: how it came out, what did not hold, what it cost, and the way to its trace. */
export function Runs({ store, view }: { readonly store: Store; readonly view: EvalView }): VNode {
  const { evals } = store;
  const { failed, runs, total } = evals;
  return (
    <>
      <h3>
        Runs <span class="dim">{count(total)} listed</span>
        <button
          type="button"
          class={failed ? "chip" : "chip off"}
          role="switch"
          aria-checked={failed}
          onClick={() => {
            evals.narrow(!failed);
            store.redraw();
          }}
        >
          {failed ? <Icon name="check" /> : null} Not passed only
        </button>
      </h3>
      {runs.length === 0 ? (
        <p class="dim">{failed && view.failures === 0 ? "Every run passed." : "None."}</p>
      ) : (
        <Grid
          title="Runs"
          heads={[
            ...["case", "configuration", "calls expected / made / wrong"],
            ...["steps", "tokens in / out", "time", "trace"],
          ]}
          rows={runs.map((run, at) => [`${at}`, <Name run={run} />, ...cellsOf(store, run, at)])}
        />
      )}
      {evals.hasMore ? (
        <button type="button" class="secondary" onClick={() => evals.more()}>
          More runs
        </button>
      ) : null}
    </>
  );
}

function Name({ run }: { readonly run: EvalRunRow }): VNode {
  const { icon, tone } = OUTCOMES[run.outcome];
  return (
    <>
      <Icon name={icon} {...(tone === undefined ? {} : { tone })} /> {run.case}
      {run.repeat > 1 ? <span class="dim"> · {count(run.repeat)}</span> : null}
      <span class="sr-only">: {run.outcome}</span>
      {run.why === "" ? null : <p class="dim eval-why">{run.why}</p>}
    </>
  );
}

function cellsOf(store: Store, run: EvalRunRow, at: number): readonly (VNode | string)[] {
  const { calls } = run;
  return [
    run.configuration,
    `${count(calls.expected)} / ${count(calls.made)} / ${count(calls.wrong)}`,
    count(run.steps),
    `${count(run.inputTokens)} / ${count(run.outputTokens)}`,
    duration(1_000 * run.seconds),
    run.hasTrace ? (
      <button type="button" class="link" onClick={() => store.evals.trace(at)}>
        Trace<span class="sr-only"> of {run.case}</span>
      </button>
    ) : (
      "–"
    ),
  ];
}
