import DOMPurify, { type Config } from "dompurify";
import * as smd from "streaming-markdown";
import { safeLink } from "../trace/links.ts";

/** The elements that an answer may be made of; a heading of an answer stands below the panel's own. */
const ELEMENTS: ReadonlyMap<smd.Token, string> = new Map<smd.Token, string>([
  [smd.BLOCKQUOTE, "blockquote"],
  [smd.PARAGRAPH, "p"],
  [smd.LINE_BREAK, "br"],
  [smd.RULE, "hr"],
  [smd.HEADING_1, "h3"],
  [smd.HEADING_2, "h4"],
  [smd.HEADING_3, "h5"],
  [smd.HEADING_4, "h6"],
  [smd.HEADING_5, "h6"],
  [smd.HEADING_6, "h6"],
  [smd.ITALIC_AST, "em"],
  [smd.ITALIC_UND, "em"],
  [smd.STRONG_AST, "strong"],
  [smd.STRONG_UND, "strong"],
  [smd.STRIKE, "s"],
  [smd.CODE_INLINE, "code"],
  [smd.CODE_BLOCK, "code"],
  [smd.CODE_FENCE, "code"],
  [smd.RAW_URL, "a"],
  [smd.LINK, "a"],
  [smd.LIST_UNORDERED, "ul"],
  [smd.LIST_ORDERED, "ol"],
  [smd.LIST_ITEM, "li"],
  [smd.TABLE, "table"],
  [smd.TABLE_ROW, "tr"],
  [smd.TABLE_CELL, "td"],
  [smd.EQUATION_BLOCK, "code"],
  [smd.EQUATION_INLINE, "code"],
]);

const PURIFY: Config & { IN_PLACE: true } = {
  ALLOWED_TAGS: [...new Set(ELEMENTS.values()), "div", "pre", "span", "th", "thead", "tbody"],
  ALLOWED_ATTR: ["href", "title", "start", "class", "tabindex"],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  IN_PLACE: true,
};

interface Stack {
  readonly nodes: HTMLElement[];
  /** Links and images whose address has not come, with the sign that opened them. */
  readonly unaddressed: WeakMap<HTMLElement, string>;
}

function top(stack: Stack): HTMLElement {
  return stack.nodes[stack.nodes.length - 1] ?? document.createElement("span");
}

function createElement(parent: HTMLElement, type: smd.Token): HTMLElement {
  const element = document.createElement(tagOf(parent, type));
  // Nothing is loaded from anywhere: an image is named, not shown.
  if (type === smd.IMAGE) element.className = "image";
  if (type === smd.CHECKBOX) element.textContent = "☐ ";
  return element;
}

function tagOf(parent: HTMLElement, type: smd.Token): string {
  if (type === smd.TABLE_CELL && parent.parentElement?.tagName === "THEAD") return "th";
  return ELEMENTS.get(type) ?? "span";
}

/** Where a new element goes: rows into the head or body of their table, code into a block that can be scrolled. */
function placeFor(parent: HTMLElement, type: smd.Token): HTMLElement {
  if (type === smd.CODE_BLOCK || type === smd.CODE_FENCE || type === smd.EQUATION_BLOCK) {
    const block = parent.appendChild(document.createElement("pre"));
    block.tabIndex = 0;
    return block;
  }
  if (type !== smd.TABLE_ROW) return parent;
  const last = parent.lastElementChild;
  if (last?.tagName === "TBODY") return last as HTMLElement;
  return parent.appendChild(document.createElement(last === null ? "thead" : "tbody"));
}

function setAttribute(element: HTMLElement, type: smd.Attr, value: string): void {
  if (type === smd.HREF && element.tagName === "A") {
    const href = safeLink(value);
    if (href === undefined) return;
    element.setAttribute("href", href);
    element.title = href;
  } else if (type === smd.START && element.tagName === "OL" && /^\d{1,9}$/.test(value)) {
    element.setAttribute("start", value);
  } else if (type === smd.CHECKED) {
    element.textContent = "☑ ";
  }
}

/** Gives a text in square brackets back its brackets when no address followed: `[2026-11-28]`, `list[0]`. */
function restoreBrackets(element: HTMLElement, { unaddressed }: Stack): void {
  const open = unaddressed.get(element);
  if (open !== undefined) element.replaceWith(open, ...element.childNodes, "]");
}

/** Builds the elements of the list above and nothing else; text is only ever text. */
function renderer(root: HTMLElement): smd.Renderer<Stack> {
  return {
    data: { nodes: [root], unaddressed: new WeakMap() },
    add_token: (stack, type) => {
      if (type === smd.DOCUMENT) return;
      const parent = top(stack);
      const element = placeFor(parent, type).appendChild(createElement(parent, type));
      if (type === smd.LINK) stack.unaddressed.set(element, "[");
      if (type === smd.IMAGE) stack.unaddressed.set(element, "![");
      stack.nodes.push(element);
    },
    end_token: (stack) => {
      const ended = stack.nodes.length > 1 ? stack.nodes.pop() : undefined;
      if (ended !== undefined) restoreBrackets(ended, stack);
    },
    add_text: (stack, text) => {
      top(stack).appendChild(document.createTextNode(text));
    },
    set_attr: (stack, type, value) => {
      if (type === smd.HREF || type === smd.SRC) stack.unaddressed.delete(top(stack));
      setAttribute(top(stack), type, value);
    },
  };
}

/** Where an underscore is no markup to the parser: in code, and in addresses. */
const VERBATIM: ReadonlySet<number> = new Set<number>([
  ...[smd.CODE_INLINE, smd.CODE_BLOCK, smd.CODE_FENCE, smd.RAW_URL],
  ...[smd.EQUATION_BLOCK, smd.EQUATION_INLINE],
]);

const INSIDE_WORD = /(?<=[\p{L}\p{N}_])_+(?=[\p{L}\p{N}])/gu;
const MAYBE_INSIDE_WORD = /(?<=[\p{L}\p{N}_])_+$/u;

function isVerbatim({ token, pending }: smd.Parser): boolean {
  return VERBATIM.has(token) || pending.startsWith("](");
}

/** Writes text of which `before` was written already. Underscores inside a word (`snake_case`) are no emphasis. */
function write(parser: smd.Parser, before: string, text: string): void {
  let from = before.length;
  INSIDE_WORD.lastIndex = from;
  for (let found = INSIDE_WORD.exec(text); found !== null; found = INSIDE_WORD.exec(text)) {
    smd.parser_write(parser, text.slice(from, found.index));
    smd.parser_write(parser, isVerbatim(parser) ? found[0] : found[0].replaceAll("_", "\\_"));
    from = found.index + found[0].length;
  }
  smd.parser_write(parser, text.slice(from));
}

/**
 * Markdown that grows: what arrives is appended, never drawn anew. No HTML of the text gets through: it is shown as
 * text. When the text is complete DOMPurify looks over the whole once more.
 */
export class GrowingMarkdown {
  private readonly root: HTMLElement;
  private parser: smd.Parser;
  private written = "";
  private ended = false;

  constructor(root: HTMLElement) {
    this.root = root;
    this.parser = smd.parser(renderer(root));
  }

  /** Shows a text; one that goes on from the last one is appended to it. */
  show(text: string, complete: boolean): void {
    const goesOn = !this.ended && text.startsWith(this.written);
    if (this.ended && text === this.written) return;
    if (!goesOn) this.restart();
    // Whether an underscore stands inside a word is known by the sign after it.
    const known = complete || !text.endsWith("_") ? text : text.replace(MAYBE_INSIDE_WORD, "");
    if (known.length > this.written.length) {
      write(this.parser, this.written, known);
      this.written = known;
    }
    if (complete) this.finish();
  }

  private restart(): void {
    this.root.replaceChildren();
    this.parser = smd.parser(renderer(this.root));
    this.written = "";
    this.ended = false;
  }

  private finish(): void {
    smd.parser_end(this.parser);
    this.ended = true;
    DOMPurify.sanitize(this.root, PURIFY);
  }
}
