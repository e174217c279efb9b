import { parseHTML } from "linkedom";

/** Elements that stand in a line with the text around them. */
const INLINE = new Set(
  "A ABBR ACRONYM B BDI BDO BIG CITE CODE DATA DEL DFN EM FONT I INS KBD LABEL MARK NOBR Q RUBY RT RP S SAMP SMALL SPAN STRIKE STRONG SUB SUP TIME TT U VAR WBR".split(
    " ",
  ),
);
/** Inline by name, yet used for pieces that are set apart: a gap is put around them. */
const SPACED = new Set(["A", "SPAN", "LABEL", "TIME"]);
const ELEMENT = 1;
const TEXT = 3;

/** What a page says about itself, and what is no part of its text: it may stand before the body without a `<head>`. */
const METADATA = new Set(["TITLE", "META", "BASE", "LINK", "STYLE", "SCRIPT", "NOSCRIPT", "TEMPLATE"]);

/**
 * Parses HTML into a document that always has a head and a body, whatever was in it. The tags of both may be left out,
 * or stand twice, as HTML allows; the parser knows nothing of that and would show an empty body.
 */
export function parsePage(html: string): Document {
  const inner = html.replace(/<\/?html\b[^>]*>|<!doctype[^>]*>|<\/body\s*>/gi, "");
  const { document } = parseHTML(`<!doctype html><html><head></head><body>${inner}</body></html>`);
  const { head, body } = document;
  for (const own of [...body.querySelectorAll("head,body")]) {
    if (own.tagName === "BODY") copyAttributes(own, body);
    else moveMetadata(own, head);
    own.replaceWith(...own.childNodes);
  }
  for (const child of [...body.childNodes]) {
    if (isElement(child) && METADATA.has(child.tagName)) head.append(child);
    else if (child.nodeType === ELEMENT || child.nodeValue?.trim()) break;
  }
  return document;
}

function moveMetadata(from: Element, head: Element): void {
  for (const child of [...from.children]) if (METADATA.has(child.tagName)) head.append(child);
}

function copyAttributes(from: Element, to: Element): void {
  for (const name of from.getAttributeNames()) {
    if (!to.hasAttribute(name)) to.setAttribute(name, from.getAttribute(name) ?? "");
  }
}

/** Visible text of a subtree: white space folded, one line per block. */
export function textOf(root: Node): string {
  const parts: string[] = [];
  collect(root, parts, false);
  return parts
    .join("")
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n[ \n]*/g, "\n")
    .trim();
}

function collect(node: Node, parts: string[], preformatted: boolean): void {
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (child.nodeType === TEXT) {
      const text = child.nodeValue ?? "";
      parts.push(preformatted ? text : text.replace(/\s+/g, " "));
    } else if (isElement(child) && !UNSEEN.has(child.tagName)) {
      parts.push(gapBeside(child, child.previousSibling));
      collect(child, parts, preformatted || child.tagName === "PRE");
      parts.push(gapBeside(child, child.nextSibling));
    }
  }
}

/** A link in mid-word belongs to the word; two links side by side are two. */
function gapBeside(element: Element, neighbour: Node | null): string {
  if (!INLINE.has(element.tagName)) return "\n";
  return SPACED.has(element.tagName) && neighbour?.nodeType !== TEXT ? " " : "";
}

const UNSEEN = new Set(["SCRIPT", "STYLE", "TEMPLATE", "HEAD", "TITLE", "META", "LINK", "NOSCRIPT"]);

/** True for an element. */
export function isElement(node: Node): node is HTMLElement {
  return node.nodeType === ELEMENT;
}

/** True for a block: what begins a new line. */
export function isBlock(element: Element): boolean {
  return !INLINE.has(element.tagName);
}

/** Characters of text in an element and how many of them are links. */
export interface TextWeight {
  readonly text: number;
  readonly link: number;
}

/** Weighs every element below `root` in one pass. White space is not counted. */
export function weigh(root: Element): ReadonlyMap<Node, TextWeight> {
  const weights = new Map<Node, TextWeight>();
  const visit = (node: Node, inLink: boolean): TextWeight => {
    let text = 0;
    let link = 0;
    for (let child = node.firstChild; child; child = child.nextSibling) {
      if (child.nodeType === TEXT) {
        const length = (child.nodeValue ?? "").replace(/\s+/g, "").length;
        text += length;
        if (inLink) link += length;
      } else if (isElement(child) && !UNSEEN.has(child.tagName)) {
        const inner = visit(child, inLink || child.tagName === "A");
        text += inner.text;
        link += inner.link;
      }
    }
    const weight = { text, link };
    weights.set(node, weight);
    return weight;
  };
  visit(root, false);
  return weights;
}

/** Class and id of an element in one string, as sites name the parts of a page. */
export function namesOf(element: Element): string {
  return `${element.getAttribute("class") ?? ""} ${element.getAttribute("id") ?? ""}`;
}
