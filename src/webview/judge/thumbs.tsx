import type { VNode } from "preact";
import type { Feedback } from "../../trace/judgements.ts";
import { IconButton } from "../icon.tsx";
import type { Store } from "../store.ts";
import { NoteField } from "./note-field.tsx";

/** What is judged: the answer of a turn, or of one agent in it. */
export interface Judged {
  readonly sessionId: string;
  readonly turnId: string;
  readonly agentId?: string;
}

/** Thumbs up and down, and a note on why. A second click on a thumb takes it back. */
export function Thumbs(props: {
  readonly store: Store;
  readonly on: Judged;
  readonly feedback: Feedback | undefined;
  /** Whose answer it is, for those who listen. */
  readonly of?: string;
}): VNode {
  const { store, on, feedback } = props;
  const key = `note ${on.turnId} ${on.agentId ?? ""}`;
  const typed = store.typed.get(key);
  const writing = typed !== undefined;
  const setWriting = (to: boolean) => store.type(key, to ? (feedback?.note ?? "") : undefined);
  const of = props.of === undefined ? "" : ` of ${props.of}`;
  const rate = (rating: Feedback["rating"]) => {
    const isBack = feedback?.rating === rating;
    store.send({ type: "feedback", ...on, rating: isBack ? "none" : rating });
    setWriting(!isBack);
  };
  const note = (text: string) => {
    setWriting(false);
    if (text !== "" && feedback !== undefined)
      store.send({ type: "feedback", ...on, rating: feedback.rating, note: text });
  };
  return (
    <>
      <IconButton
        icon={feedback?.rating === "up" ? "thumbsup-filled" : "thumbsup"}
        label={`Good answer${of}`}
        pressed={feedback?.rating === "up"}
        onClick={() => rate("up")}
      />
      <IconButton
        icon={feedback?.rating === "down" ? "thumbsdown-filled" : "thumbsdown"}
        label={`Poor answer${of}`}
        pressed={feedback?.rating === "down"}
        onClick={() => rate("down")}
      />
      {feedback === undefined ? null : writing ? (
        <NoteField
          label={`Why was the answer${of} ${feedback.rating === "up" ? "good" : "poor"}?`}
          value={typed}
          onType={(text) => store.type(key, text)}
          onDone={note}
        />
      ) : (
        <button type="button" class="quiet judge-note" onClick={() => setWriting(true)}>
          {feedback.note ?? "Say why"}
          <span class="sr-only">{feedback.note === undefined ? of : `, your note${of}. Change it`}</span>
        </button>
      )}
    </>
  );
}
