import DOMPurify, { type Config } from "dompurify";
import * as smd from "streaming-markdown";
import { safeLink } from "../trace/links.ts";
import { elementNames, elementOf, isCodeBlock, writeMarkdown } from "../trace/markdown-parts.ts";

/** The first heading of an answer stands below the panel's own. */
const TOP_HEADING = 3;

const PURIFY: Config & { IN_PLACE: true } = {
  ALLOWED_TAGS: [...elementNames(TOP_HEADING), "div", "pre", "span", "th", "thead", "tbody"],
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
  return elementOf(type, TOP_HEADING) ?? "span";
}

/** Where a new element goes: rows into the head or body of their table, code into a block that can be scrolled. */
function placeFor(parent: HTMLElement, type: smd.Token): HTMLElement {
  if (isCodeBlock(type)) {
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

/** At the end of what came so far: whether it stands inside a word is known by the sign after it. */
const MAYBE_INSIDE_WORD = /(?<=[\p{L}\p{N}_])_+$/u;

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
    const known = complete || !text.endsWith("_") ? text : text.replace(MAYBE_INSIDE_WORD, "");
    if (known.length > this.written.length) {
      writeMarkdown(this.parser, known, this.written.length);
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
