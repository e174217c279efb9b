import type { ComponentChildren, VNode } from "preact";
import type { TurnId } from "../../agent/memory/types.ts";
import type { Store } from "../store.ts";

/** Leads to a turn in the trace. */
export function TurnLink(props: {
  readonly store: Store;
  readonly turn: TurnId;
  readonly children: ComponentChildren;
}): VNode {
  const { store, turn } = props;
  return (
    <a
      class="turn-link"
      href={`#turn-${turn.turnId}`}
      onClick={(event) => {
        event.preventDefault();
        event.stopPropagation();
        store.select(turn);
      }}
    >
      {props.children}
    </a>
  );
}

/** The turns that a row tells of, by what was asked in them. */
export function ToldTurns(props: { readonly store: Store; readonly turns: readonly TurnId[] }): VNode | null {
  const { store, turns } = props;
  if (turns.length === 0) return null;
  return (
    <div class="sources">
      <span class="dim">tells of</span>
      {turns.map((turn, index) => (
        <TurnLink key={turn.turnId} store={store} turn={turn}>
          {store.rows.questionOf(turn) || `turn ${index + 1}`}
        </TurnLink>
      ))}
    </div>
  );
}
