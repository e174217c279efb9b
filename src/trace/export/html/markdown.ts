import * as smd from "streaming-markdown";
import { safeLink } from "../../links.ts";
import { elementOf, isCodeBlock, writeMarkdown } from "../../markdown-parts.ts";
import { html } from "./escape.ts";

/** The first heading of an answer stands below the page's own. */
const TOP_HEADING = 4;

const EMPTY: ReadonlySet<string> = new Set(["br", "hr"]);

/** An element that is being written. */
interface Open {
  readonly type: number;
  readonly inner: string[];
  href?: string;
  start?: string;
  /** An address came, whether it may be opened or not. */
  addressed: boolean;
}

/** Deeper elements are written as their text. */
const MAX_DEPTH = 60;

/**
 * A model's Markdown as HTML: elements of a fixed list, addresses of the web, and text that is only ever text. Images
 * are named and not shown.
 */
export function markdownHtml(text: string): string {
  const root: Open = { type: smd.DOCUMENT, inner: [], addressed: false };
  const stack: Open[] = [root];
  const top = (): Open => stack[stack.length - 1] ?? root;
  const parser = smd.parser({
    data: undefined,
    add_token: (_, type) => {
      if (type !== smd.DOCUMENT) stack.push({ type, inner: [], addressed: false });
    },
    end_token: () => {
      const ended = stack.length > 1 ? stack.pop() : undefined;
      if (ended !== undefined) top().inner.push(written(ended, top(), stack.length));
    },
    add_text: (_, given) => void top().inner.push(html(given)),
    set_attr: (_, name, value) => setAttribute(top(), name, value),
  });
  writeMarkdown(parser, text);
  smd.parser_end(parser);
  while (stack.length > 1) {
    const ended = stack.pop();
    if (ended !== undefined) top().inner.push(written(ended, top(), stack.length));
  }
  return root.inner.join("");
}

function setAttribute(open: Open, name: number, value: string): void {
  if (name === smd.HREF || name === smd.SRC) open.addressed = true;
  if (name === smd.HREF) {
    const href = safeLink(value);
    if (href !== undefined) open.href = href;
  }
  if (name === smd.START && /^\d{1,9}$/.test(value)) open.start = value;
  if (name === smd.CHECKED) open.inner.push("☑ ");
}

function written(open: Open, parent: Open, depth: number): string {
  const { type } = open;
  const inner = open.inner.join("");
  if (type === smd.IMAGE || type === smd.LINK) {
    // A text in brackets without an address, such as `list[0]`, keeps its brackets.
    if (!open.addressed) return `${type === smd.IMAGE ? "!" : ""}[${inner}]`;
    if (type === smd.IMAGE) return `<span class="image">${inner}</span>`;
  }
  if (type === smd.CHECKBOX) return inner === "" ? "☐ " : inner;
  const name = elementOf(type, TOP_HEADING);
  if (name === undefined || depth > MAX_DEPTH) return inner;
  if (EMPTY.has(name)) return `<${name}>`;
  if (name === "a") return link(open, inner);
  if (isCodeBlock(type)) return `<pre tabindex="0"><code>${inner}</code></pre>`;
  if (name === "table") return `<div class="wide" tabindex="0"><table>${inner}</table></div>`;
  const cell = name === "td" && parent.type === smd.TABLE_ROW ? "td" : name;
  const start = open.start === undefined ? "" : ` start="${open.start}"`;
  return `<${cell}${start}>${inner}</${cell}>`;
}

function link({ href }: Open, inner: string): string {
  if (href === undefined) return inner;
  return `<a href="${html(href)}" title="${html(href)}" rel="noopener noreferrer nofollow">${inner}</a>`;
}
