import type { ComponentChildren, VNode } from "preact";

/** A headed part of the right column. */
export function Section(props: { readonly title: string; readonly children: ComponentChildren }): VNode {
  return (
    <section>
      <h3>{props.title}</h3>
      {props.children}
    </section>
  );
}

/** A name and its value on one line; nothing when there is no value. */
export function Fact(props: {
  readonly name: string;
  readonly value: string | undefined;
  /** What it means, where the name alone does not say it. */
  readonly title?: string;
}): VNode | null {
  if (props.value === undefined) return null;
  return (
    <div class="fact" title={props.title}>
      <span>{props.name}</span>
      <span class="num">{props.value}</span>
    </div>
  );
}

/** A table of the facts column: a name, then figures. */
export function Figures(props: {
  readonly label: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly [name: string, ...figures: readonly string[]])[];
}): VNode {
  const [first, ...rest] = props.heads;
  return (
    <table class="fact-table" aria-label={props.label}>
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
        {props.rows.map(([name, ...figures]) => (
          <tr key={name}>
            <th scope="row" class="ellipsis" title={name}>
              {name}
            </th>
            {figures.map((figure, index) => (
              <td key={index} class="num">
                {figure}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
