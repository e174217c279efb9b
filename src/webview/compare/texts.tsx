import type { VNode } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { CutRef } from "../../trace/posted.ts";
import { areAlike, diffWords, type WordRun } from "../../trace/word-diff.ts";
import { characters, count } from "../format.ts";
import type { Store } from "../store.ts";
import type { TurnName } from "./state.ts";
import { WordRuns } from "./word-runs.tsx";

/** Texts up to this length, in UTF-16 units, are fetched whole without being asked for. */
const MAX_FETCHED = 200_000;

/** A text of one of the two turns, as far as it was posted. */
export interface Piece {
  readonly turn: TurnName;
  readonly text: string;
  /** Where the whole of it is; left out: this is the whole. */
  readonly cut?: CutRef | undefined;
}

/** A piece, with what was fetched of it since. */
function fetchedOf(store: Store, { text, cut }: Piece): string {
  const fetched = cut && store.details.get(cut);
  return fetched !== undefined && fetched.text.length > text.length ? fetched.text : text;
}

/**
 * Two texts side by side with their differences; one line when they are the same. Where only their beginnings were
 * compared that is said. `whole`: what is missing of them is fetched. `only`: one of the turns alone has such a text.
 */
export function Texts(props: {
  readonly store: Store;
  readonly title: string;
  readonly left: Piece;
  readonly right: Piece;
  readonly whole?: boolean;
  readonly only?: "left" | "right";
}): VNode | null {
  const { store, title, whole = false, only } = props;
  const [left, right] = [fetchedOf(store, props.left), fetchedOf(store, props.right)];
  const runs = useMemo(() => diffWords(left, right), [left, right]);
  const isOther = only === undefined && !areAlike(runs);
  useEffect(() => {
    for (const { turn, cut } of whole ? [props.left, props.right] : [])
      if (cut !== undefined && cut.length <= MAX_FETCHED) store.details.fetch(turn, cut);
  });
  if (left === "" && right === "") return null;
  const missing = (["left", "right"] as const).filter((side) => isMissing(store, props[side]));
  const same = missing.length === 0 ? "the same" : "the same as far as they were compared";
  return (
    <div class="compare-part">
      <h3>
        {title}
        {left === right ? <span class="dim"> · {same}</span> : null}
        {isOther ? <span class="dim"> · hardly a word in common</span> : null}
      </h3>
      {only !== undefined ? (
        <WordRuns runs={unmarked(only === "left" ? left : right)} show="both" />
      ) : left === right ? null : (
        <div class="compare-sides">
          <WordRuns runs={isOther ? unmarked(left) : runs} show="removed" />
          <WordRuns runs={isOther ? unmarked(right) : runs} show="added" />
        </div>
      )}
      {missing.map((side) => (
        <MoreOf
          key={side}
          store={store}
          side={side}
          piece={props[side]}
          shown={fetchedOf(store, props[side])}
        />
      ))}
    </div>
  );
}

function unmarked(text: string): readonly WordRun[] {
  return [{ kind: "same", text }];
}

/** Whether there is more of a piece than was compared. */
function isMissing(store: Store, { cut }: Piece): boolean {
  return cut !== undefined && store.details.get(cut)?.next !== null;
}

/** Says how much of a long text is compared, and fetches the next part of it. */
function MoreOf(props: {
  readonly store: Store;
  readonly side: "left" | "right";
  readonly piece: Piece;
  readonly shown: string;
}): VNode | null {
  const { store, side, shown } = props;
  const { turn, cut } = props.piece;
  if (cut === undefined) return null;
  const fetched = store.details.get(cut);
  const of =
    cut.unit === "items" && fetched === undefined
      ? `${count(cut.length)} items`
      : characters(fetched?.length ?? cut.length);
  return (
    <button
      type="button"
      class="quiet compare-more"
      disabled={fetched?.waiting === true}
      onClick={() => store.details.fetch(turn, cut)}
    >
      {`${count(shown.length)} of ${of} on the ${side} are compared · compare more`}
    </button>
  );
}
