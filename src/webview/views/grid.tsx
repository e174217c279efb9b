import type { ComponentChildren, VNode } from "preact";

/** A row of a table: what it is known by, its name, and a cell for each further column. */
export type GridRow = readonly [key: string, name: ComponentChildren, ...cells: readonly ComponentChildren[]];

/** How wide a table is, by the columns it has more than: the widest that it is first. */
const WIDTHS = [
  [8, "many"],
  [5, "some"],
  [3, "few"],
] as const;

/**
 * A table of figures; its first column names the rows. Where its columns have no room each row stands by itself: its
 * name, and below it the figures, each with its column's head. It scrolls by itself where even that is too wide.
 */
export function Grid(props: {
  readonly title: string;
  /** Said above it; left out: a headline says it. */
  readonly caption?: string;
  readonly heads: readonly string[];
  readonly rows: readonly GridRow[];
}): VNode {
  const { title, caption, heads, rows } = props;
  const [first, ...rest] = heads;
  const [, width = ""] = WIDTHS.find(([more]) => heads.length > more) ?? [];
  return (
    <div class={`grid ${width}`.trimEnd()} role="region" aria-label={title} tabIndex={0}>
      <table>
        {caption === undefined ? null : <caption class="dim">{caption}</caption>}
        <thead>
          <tr>
            <th scope="col">{first}</th>
            {rest.map((head) => (
              <th key={head} scope="col" class="num">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([key, name, ...cells]) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              {cells.map((cell, index) => (
                <td key={index} class="num" data-head={rest[index]}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
