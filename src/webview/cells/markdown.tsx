import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { GrowingMarkdown } from "../markdown.ts";

/** Markdown, appended to as it streams in. */
export function Markdown({ text, complete }: { readonly text: string; readonly complete: boolean }): VNode {
  const root = useRef<HTMLDivElement>(null);
  const growing = useRef<GrowingMarkdown | undefined>(undefined);
  useLayoutEffect(() => {
    if (root.current === null) return;
    growing.current ??= new GrowingMarkdown(root.current);
    growing.current.show(text, complete);
  }, [text, complete]);
  return <div class={complete ? "markdown" : "markdown streaming"} ref={root} />;
}
