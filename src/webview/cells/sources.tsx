import type { VNode } from "preact";
import type { Source } from "../../agent/tool.ts";

const MAX_SOURCES = 12;

/** Pages on the web that something rests on, as links; nothing where there are none. */
export function Sources(props: { readonly of: readonly Source[] }): VNode | null {
  const pages = props.of.filter(({ uri }) => /^https?:/i.test(uri)).slice(0, MAX_SOURCES);
  if (pages.length === 0) return null;
  return (
    <ul class="sources" aria-label="Sources">
      {pages.map(({ uri, title }, index) => (
        <li key={index}>
          <a href={uri} title={uri}>
            {title === "" ? uri : title}
          </a>
        </li>
      ))}
    </ul>
  );
}
