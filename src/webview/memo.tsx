import { Component, type ComponentType, type VNode } from "preact";

/** A component that is drawn again only when one of its props is another one than before. */
export function memo<Props extends object>(Inner: (props: Props) => VNode | null): ComponentType<Props> {
  return class extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      const before = this.props;
      return (Object.keys(next) as (keyof Props)[]).some((name) => next[name] !== before[name]);
    }

    override render(): VNode {
      return <Inner {...this.props} />;
    }
  };
}
