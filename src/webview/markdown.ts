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

/** Builds the elements of the list above and nothing else; text is only ever text. */
function renderer(root: HTMLElement): smd.Renderer<Stack> {
  return {
    data: { nodes: [root] },
    add_token: (stack, type) => {
      if (type === smd.DOCUMENT) return;
      const parent = top(stack);
      stack.nodes.push(placeFor(parent, type).appendChild(createElement(parent, type)));
    },
    end_token: (stack) => {
      if (stack.nodes.length > 1) stack.nodes.pop();
    },
    add_text: (stack, text) => {
      top(stack).appendChild(document.createTextNode(text));
    },
    set_attr: (stack, type, value) => setAttribute(top(stack), type, value),
  };
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
    if (text.length > this.written.length) smd.parser_write(this.parser, text.slice(this.written.length));
    this.written = text;
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
