import type { VNode } from "preact";
import type { SourceShare } from "../../trace/request/types.ts";
import { count } from "../format.ts";
import { sourceLook } from "./sources.ts";

/** The mark of a source: its colour, and always its word. */
export function SourceMark({ source }: { readonly source: SourceShare["source"] }): VNode {
  const { word, tone, about } = sourceLook(source);
  return (
    <span class="source" title={about}>
      <i class={`swatch src-${tone}`} aria-hidden="true" />
      {word}
    </span>
  );
}

function percent(part: number, whole: number): string {
  const share = whole === 0 ? 0 : (part / whole) * 100;
  return share > 0 && share < 1 ? "<1 %" : `${Math.round(share)} %`;
}

/** What each source takes of a request: a bar, and a line for each with its word and figures. */
export function Legend({ shares }: { readonly shares: readonly SourceShare[] }): VNode | null {
  const whole = shares.reduce((sum, { tokens }) => sum + tokens, 0);
  if (shares.length === 0) return null;
  return (
    <div class="request-legend">
      <div class="request-shares" aria-hidden="true">
        {shares.map(({ source, tokens }) => (
          <i
            key={source}
            class={`src-${sourceLook(source).tone}`}
            style={{ flexGrow: String(Math.max(tokens, whole / 200)) }}
          />
        ))}
      </div>
      <ul aria-label="Where the request came from">
        {shares.map(({ source, tokens, characters }) => (
          <li key={source} title={`${count(characters)} characters`}>
            <SourceMark source={source} />
            <span class="num">{count(tokens)}</span>
            <span class="num dim">{percent(tokens, whole)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
