import type { VNode } from "preact";

/** An icon of VS Code's font; always beside a word, or in a button that has a name, so it is hidden from readers. */
export function Icon({ name, tone }: { readonly name: string; readonly tone?: string }): VNode {
  return (
    <span class={`codicon codicon-${name}${tone === undefined ? "" : ` tone-${tone}`}`} aria-hidden="true" />
  );
}

/** A quiet button that is only an icon; its name is read aloud and shown on hover. */
export function IconButton(props: {
  readonly icon: string;
  readonly label: string;
  readonly pressed?: boolean;
  readonly class?: string;
  /** Left out: it is reached with the Tab key. */
  readonly tabIndex?: number;
  readonly onClick: () => void;
}): VNode {
  return (
    <button
      type="button"
      class={`icon-button ${props.class ?? ""}`}
      aria-label={props.label}
      title={props.label}
      {...(props.tabIndex === undefined ? {} : { tabIndex: props.tabIndex })}
      {...(props.pressed === undefined ? {} : { "aria-pressed": props.pressed })}
      onClick={props.onClick}
    >
      <Icon name={props.icon} />
    </button>
  );
}
