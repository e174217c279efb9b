import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import type { CutRef } from "../../trace/posted.ts";
import type { MessageHead } from "../../trace/request/types.ts";
import { MoreButton } from "../cells/long-text.tsx";
import { count } from "../format.ts";
import { Icon } from "../icon.tsx";
import type { Store } from "../store.ts";
import { SourceMark } from "./legend.tsx";
import { sourceLook } from "./sources.ts";

/** Marks on a folded line at most. */
const MAX_MARKS = 4;

/** A message of a request, and where in the log it stands. */
export interface MessageProps {
  readonly store: Store;
  readonly head: MessageHead;
  /** The event that holds it, and where in its list of messages; its turn may be another than the one that is shown. */
  readonly eventId: string;
  readonly eventType: "model.start" | "turn.end";
  readonly turnId: string;
}

/** Where a field of a message stands in the log. */
function refOf({ head, eventId, eventType }: MessageProps, field: string, length: number): CutRef {
  const path = ["data", "conclave.messages", String(head.index), field];
  return { eventId, eventType, path, length, unit: "characters" };
}

/** One message: a line with role, sources and its beginning; open, all of it in pieces by where they came from. */
export function Message(props: MessageProps): VNode {
  const { store, head, eventId } = props;
  const key = `message ${eventId} ${head.index}`;
  const open = store.requests.isOpen(key);
  const marks = head.segments.map(({ source }) => source).filter((one, at, all) => all.indexOf(one) === at);
  const calls = head.calls === undefined ? "" : `calls ${head.calls.join(", ")}`;
  const said = head.text.slice(0, 200).replace(/\s+/g, " ").trim();
  const tone = sourceLook(marks[0] ?? "reply").tone;
  return (
    <li class={`message edge-${tone}${open ? " open" : ""}`}>
      <button
        type="button"
        class="message-head"
        aria-expanded={open}
        onClick={() => store.requests.toggle(key)}
      >
        <Icon name={open ? "chevron-down" : "chevron-right"} />
        <span class="num dim">{head.index + 1}</span>
        <span class="role">{head.tool === undefined ? head.role : `${head.role} ${head.tool}`}</span>
        {marks.slice(0, MAX_MARKS).map((source) => (
          <SourceMark key={source} source={source} />
        ))}
        {marks.length > MAX_MARKS ? <span class="dim">+{marks.length - MAX_MARKS}</span> : null}
        <span class="summary">{open ? "" : said === "" ? calls : said}</span>
        <span class="time">{count(head.length + head.thinking + head.callsLength)}</span>
      </button>
      {open ? <Whole {...props} /> : null}
    </li>
  );
}

function Whole(props: MessageProps): VNode {
  const { head } = props;
  return (
    <div class="message-body">
      {head.thinking > 0 ? (
        <Field {...props} field="thinking" label="thinking" length={head.thinking} />
      ) : null}
      <Content {...props} />
      {head.callsLength > 0 ? (
        <Field {...props} field="toolCalls" label="tool calls" length={head.callsLength} />
      ) : null}
    </div>
  );
}

/** A text that is fetched as soon as it is drawn. */
function useText({ store, turnId }: MessageProps, ref: CutRef, wanted: boolean): string | undefined {
  const { turn } = store;
  const sessionId = turn?.sessionId;
  const fetched = store.details.get(ref);
  useEffect(() => {
    if (wanted && sessionId !== undefined && fetched === undefined)
      store.details.fetch({ sessionId, turnId }, ref);
  }, [store, sessionId, turnId, ref.eventId, ref.path.join(" "), wanted, fetched === undefined]);
  return fetched?.text;
}

/** The content in its pieces; a short one came with its line. */
function Content(props: MessageProps): VNode | null {
  const { head, store, turnId } = props;
  const ref = refOf(props, "content", head.length);
  const isCut = head.text.length < head.length;
  const fetched = useText(props, ref, isCut);
  const text = isCut && fetched !== undefined && fetched !== "" ? fetched : head.text;
  if (head.length === 0) return null;
  return (
    <>
      {head.segments.map(({ source, start, length }) => {
        const piece = text.slice(start, start + length);
        if (piece === "") return null;
        // What only parts it from the next piece is there, and not drawn.
        const filled = start + length < head.length ? piece.replace(/\n+$/, "") : piece;
        const { word, tone, about } = sourceLook(source);
        return (
          <div key={start} class={`piece edge-${tone}`}>
            <span class="piece-word" title={about}>
              {word}
            </span>
            <pre tabIndex={0} aria-label={`${word}, message ${head.index + 1}`}>
              {filled}
              {filled.length < piece.length ? <span class="gap">{piece.slice(filled.length)}</span> : null}
            </pre>
          </div>
        );
      })}
      {isCut && fetched !== undefined && text.length < head.length ? (
        <MoreButton store={store} cut={ref} shown={text.length} turnId={turnId} />
      ) : null}
    </>
  );
}

function Field(
  props: MessageProps & { readonly field: string; readonly label: string; readonly length: number },
): VNode {
  const { store, field, label, head, length, turnId } = props;
  const ref = refOf(props, field, length);
  const text = useText(props, ref, true);
  return (
    <div class={`piece edge-${sourceLook(head.segments[0]?.source ?? "reply").tone}`}>
      <span class="piece-word">{label}</span>
      <pre tabIndex={0} aria-label={`${label}, message ${head.index + 1}`}>
        {text ?? "…"}
      </pre>
      {text === undefined || text.length >= length ? null : (
        <MoreButton store={store} cut={ref} shown={text.length} turnId={turnId} />
      )}
    </div>
  );
}
