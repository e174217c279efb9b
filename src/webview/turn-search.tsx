import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { STANDINGS } from "../trace/turn-filter.ts";
import { Icon, IconButton } from "./icon.tsx";
import type { Store } from "./store.ts";

const SEARCH_AFTER_MS = 150;

const GRADES: readonly (readonly [string, string])[] = [
  ["grade:>=4", "4 or better"],
  ["grade:3", "3"],
  ["grade:<=2", "2 or worse"],
];

/** A value as it stands behind a key in the field. */
function quoted(value: string): string {
  return /\s/.test(value) ? `"${value}"` : value;
}

/**
 * Finds turns: words in the field, and `key:value` for what they used, who answered and how they came out. The menu
 * writes those into the field, where they can be read, changed and taken away.
 */
export function TurnSearch({ store }: { readonly store: Store }): VNode {
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const search = (filter: string, after: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => store.search(filter), after);
  };
  const write = (filter: string) => {
    if (field.current === null) return;
    field.current.value = filter;
    field.current.focus();
    search(filter, 0);
  };
  return (
    <div class="search">
      <Icon name="search" />
      <input
        ref={field}
        type="search"
        placeholder="Search turns"
        aria-label="Search turns"
        title="Words, or tool: persona: model: grade: is: with a value"
        maxLength={400}
        defaultValue={store.rows.filter}
        onInput={(event) => search(event.currentTarget.value, SEARCH_AFTER_MS)}
      />
      {store.rows.filter === "" ? null : (
        <IconButton icon="close" label="Clear the search" onClick={() => write("")} />
      )}
      <FilterMenu store={store} onChoose={(part) => write(`${field.current?.value ?? ""} ${part}`.trim())} />
    </div>
  );
}

/** What can be filtered by, out of what the list has shown so far. */
function FilterMenu(props: { readonly store: Store; readonly onChoose: (part: string) => void }): VNode {
  const { tools, personas } = props.store.rows.facets();
  return (
    <span class="filter-menu">
      <Icon name="filter" />
      <select
        aria-label="Add a filter"
        title="Add a filter"
        value=""
        onChange={(event) => {
          const { value } = event.currentTarget;
          event.currentTarget.value = "";
          if (value !== "") props.onChoose(value);
        }}
      >
        <option value="">Filter by …</option>
        <Options label="How it went" parts={STANDINGS.map((name) => [`is:${name}`, name])} />
        <Options label="Grade" parts={GRADES} />
        <Options label="Tool" parts={tools.map((name) => [`tool:${quoted(name)}`, name])} />
        <Options label="Persona" parts={personas.map((name) => [`persona:${quoted(name)}`, name])} />
      </select>
    </span>
  );
}

function Options(props: {
  readonly label: string;
  readonly parts: readonly (readonly [string, string])[];
}): VNode | null {
  if (props.parts.length === 0) return null;
  return (
    <optgroup label={props.label}>
      {props.parts.map(([part, name]) => (
        <option key={part} value={part}>
          {name}
        </option>
      ))}
    </optgroup>
  );
}
