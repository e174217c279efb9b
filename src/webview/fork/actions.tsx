import type { VNode } from "preact";
import type { TurnModel } from "../../trace/model.ts";
import { IconButton } from "../icon.tsx";
import type { Store } from "../store.ts";
import { mayBranch, type Place } from "./targets.ts";

/** The quiet ways to run on from a place of a turn; nothing while the turn runs, or where it is only read. */
export function BranchActions(props: {
  readonly store: Store;
  readonly turn: TurnModel;
  readonly place: Place | undefined;
  /** Whether the buttons can be reached with the Tab key. */
  readonly active: boolean;
}): VNode | null {
  const { store, turn, place } = props;
  const tabIndex = props.active ? 0 : -1;
  if (place === undefined || store.readOnly || !mayBranch(turn)) return null;
  return (
    <span class="branch-actions">
      {place.targets.length === 0 ? null : (
        <IconButton
          icon="edit"
          tabIndex={tabIndex}
          label={`Edit and run from here: ${place.name}`}
          onClick={() => store.fork.edit(turn, place)}
        />
      )}
      <IconButton
        icon="debug-rerun"
        tabIndex={tabIndex}
        label={`Run again from here: ${place.name}`}
        onClick={() => store.fork.again(turn, place)}
      />
    </span>
  );
}
