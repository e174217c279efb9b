import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { cutKey, type CutRef } from "../../trace/posted.ts";
import { characters, count } from "../format.ts";
import type { Store } from "../store.ts";

/** A text as it stands, in a block; when it was cut, with a button that fetches the next part. */
export function LongText(props: {
  readonly store: Store;
  readonly cellId: string;
  readonly field: string;
  readonly text: string;
  readonly label: string;
  /** More of it comes: its end is kept in sight until one goes up in it. */
  readonly growing?: boolean;
}): VNode {
  const { store, growing = false } = props;
  const ref = store.shown.cuts.get(cutKey(props.cellId, props.field));
  const fetched = ref === undefined ? undefined : store.details.get(ref);
  const text = fetched !== undefined && fetched.text.length > 0 ? fetched.text : props.text;
  const pre = useRef<HTMLPreElement>(null);
  const atEnd = useRef(true);
  useLayoutEffect(() => {
    const element = pre.current;
    if (growing && element !== null && atEnd.current) element.scrollTop = element.scrollHeight;
  }, [growing, text]);
  return (
    <div class="block">
      <div class="block-label">{props.label}</div>
      <pre
        ref={pre}
        tabIndex={0}
        aria-label={props.label}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) =>
          (atEnd.current = scrollHeight - scrollTop - clientHeight < 2)
        }
      >
        {text === "" ? <span class="dim">nothing</span> : text}
      </pre>
      {ref === undefined ? null : <MoreButton store={store} cut={ref} shown={text.length} />}
    </div>
  );
}

/** Fetches the next part of what was cut. */
export function MoreButton(props: {
  readonly store: Store;
  readonly cut: CutRef;
  readonly shown: number;
  /** The turn that holds it; left out: the one that is shown. */
  readonly turnId?: string;
}): VNode | null {
  const { store, cut } = props;
  const fetched = store.details.get(cut);
  const { turn } = store;
  if (turn === undefined || (fetched !== undefined && fetched.next === null)) return null;
  const length = fetched?.length ?? cut.length;
  const of =
    cut.unit === "items" && fetched === undefined ? `${count(cut.length)} items` : characters(length);
  return (
    <button
      type="button"
      class="quiet"
      disabled={fetched?.waiting === true}
      onClick={() =>
        store.details.fetch({ sessionId: turn.sessionId, turnId: props.turnId ?? turn.turnId }, cut)
      }
    >
      {count(props.shown)} of {of} shown · show more
    </button>
  );
}
