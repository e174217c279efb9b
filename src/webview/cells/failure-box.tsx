import type { VNode } from "preact";
import type { Failure } from "../../agent/failure.ts";
import { actionLabel } from "../actions.ts";
import type { Store } from "../store.ts";

/** What happened, what to do, and the button that does it. */
export function FailureBox(props: { readonly store: Store; readonly failure: Failure }): VNode {
  const { store, failure } = props;
  const label = actionLabel(failure);
  return (
    <div class="failure">
      <span>{failure.message}</span>
      {label === undefined || store.readOnly ? null : (
        <button type="button" class="secondary" onClick={() => store.act(failure)}>
          {label}
        </button>
      )}
    </div>
  );
}
