import type { VNode } from "preact";
import type { PrefixView, WordPiece } from "../../trace/request/types.ts";
import { count, duration } from "../format.ts";
import { Icon } from "../icon.tsx";
import type { Store } from "../store.ts";

function percentOf({ sameCharacters, characters }: PrefixView): string {
  const share = characters === 0 ? 0 : (sameCharacters / characters) * 100;
  // Only what is wholly the same is 100 %.
  return `${sameCharacters === characters ? 100 : Math.min(99, Math.round(share))} %`;
}

/** How far a request begins like the one before it, in one line. */
export function prefixLine(prefix: PrefixView): string {
  const { sameMessages, messages, place, otherwise } = prefix;
  const than = prefix.earlierTurn ? "the turn before" : "the request before";
  const how =
    place === undefined
      ? sameMessages === messages
        ? `the same messages as ${than}`
        : `adds ${count(messages - sameMessages)} to the ${count(sameMessages)} messages of ${than}`
      : sameMessages === 0
        ? `differs from ${than} in message 1 already`
        : `same as ${than} up to message ${count(sameMessages)} of ${count(messages)}`;
  const also = otherwise.length === 0 ? "" : ` · other ${otherwise.join(", ")}`;
  return `${how} · ${percentOf(prefix)}${also}`;
}

/** Less than this is no time to speak of, in milliseconds. */
const LITTLE_MS = 50;

const READ_AGAIN = {
  loaded: "The model was loaded anew, so its server had to read again what it had read before",
  lost: "The server took as long as for reading again what it had read before",
} as const;

/** Where a request parts from the one before it; a line that opens to the difference. */
export function Prefix(props: {
  readonly store: Store;
  readonly eventId: string;
  readonly prefix: PrefixView;
}): VNode {
  const { store, eventId, prefix } = props;
  const key = `prefix ${eventId}`;
  const open = store.requests.isOpen(key);
  const { readAgain } = prefix;
  return (
    <div class="prefix">
      <button type="button" class="quiet" aria-expanded={open} onClick={() => store.requests.toggle(key)}>
        <Icon name={open ? "chevron-down" : "chevron-right"} />
        <span class="block-label">Prompt cache</span>
        <span class="ellipsis">{prefixLine(prefix)}</span>
        {readAgain === undefined ? null : (
          <span class="nowrap tone-warning">
            <Icon name="warning" /> read again
          </span>
        )}
      </button>
      {open ? <Difference prefix={prefix} /> : null}
    </div>
  );
}

function Difference({ prefix }: { readonly prefix: PrefixView }): VNode {
  const { place, readAgain, otherwise, before } = prefix;
  return (
    <div class="prefix-body">
      <p class="dim">
        About {count(prefix.sameTokens)} tokens ({count(prefix.sameCharacters)} of {count(prefix.characters)}{" "}
        characters) begin as the request of {before.agent} before it: a server that still has it reads only
        the rest.
      </p>
      {readAgain === undefined ? null : (
        <p class="tone-warning">
          {readAgain.loaded ? READ_AGAIN.loaded : READ_AGAIN.lost}: {duration(readAgain.promptMs)} for the
          prompt,{" "}
          {readAgain.expectedMs < LITTLE_MS ? "hardly any" : `about ${duration(readAgain.expectedMs)}`}{" "}
          expected.
        </p>
      )}
      {otherwise.map((what) => (
        <p key={what}>{OTHERWISE[what]}</p>
      ))}
      {place === undefined ? (
        <p>Nothing of what was sent before was changed.</p>
      ) : (
        <>
          <p>
            The first difference is in the {place.what === "missing" ? "end" : place.what} of message{" "}
            {count(place.message + 1)}
            {place.role === "none" ? ", which is not sent any more" : ` (${place.role})`}
            {place.skipped > 0 ? `, after ${count(place.skipped)} characters that are the same` : ""}:
          </p>
          <Words words={place.words} />
        </>
      )}
    </div>
  );
}

const OTHERWISE: { readonly [what in PrefixView["otherwise"][number]]: string } = {
  tools:
    "Other tools went with it: most templates put them at the start, so that nothing of the prompt is the same.",
  thinking: "Thinking was turned on or off, which some templates write at the start.",
  "context length": "Another context length loads the model anew, and nothing of the prompt is kept.",
};

/** Two texts in one, word by word: what was removed is struck through, what was added underlined. */
export function Words({ words }: { readonly words: readonly WordPiece[] }): VNode {
  return (
    <pre class="words" tabIndex={0} aria-label="What differs, word by word">
      {words.map(({ kind, text }, index) =>
        kind === "same" ? (
          text
        ) : kind === "added" ? (
          <ins key={index}>{text}</ins>
        ) : (
          <del key={index}>{text}</del>
        ),
      )}
    </pre>
  );
}
