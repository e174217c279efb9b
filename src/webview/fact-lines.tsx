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
