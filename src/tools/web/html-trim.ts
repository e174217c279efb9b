/** A page's HTML, made small and flat enough to be parsed at once. */
export interface TrimmedHtml {
  readonly html: string;
  /** How many characters of script the page had: a page of script and no text is known by it. */
  readonly scriptLength: number;
  /** True when the page was longer than the bound and only its beginning is here. */
  readonly cut: boolean;
}

/** Elements that hold no text for a reader and often most of a page's bytes. JSON-LD is script, yet kept. */
const OPAQUE = new Set([
  "script",
  "style",
  "svg",
  "template",
  "noscript",
  "iframe",
  "object",
  "canvas",
  "math-ml",
]);
/** Elements whose text is not markup. */
const RAW_TEXT = new Set(["textarea", "title", "xmp"]);
/** Elements without content. */
const VOID = new Set(
  "area base br col embed hr img input link meta param source track wbr !doctype frame keygen".split(" "),
);
/** Elements whose end tag may be left out: the parser closes them, so they don't nest by being many. */
const SELF_CLOSING = new Set(
  "p li dt dd tr td th thead tbody tfoot option optgroup colgroup html head body rp rt".split(" "),
);

/** Deeper nesting than any honest page has; parsers and readers recurse over it. */
export const MAX_DEPTH = 200;
/** What is parsed of a page, in characters after scripts and the like are gone. */
export const MAX_HTML = 2_000_000;

/** Text for readers without script that is longer than this is content, not an excuse. */
const MIN_NOSCRIPT = 600;

const TAG_NAME = /[a-z!][^\s/>]{0,40}/iy;

/**
 * Drops scripts, styles, comments and the like, flattens what is nested deeper than `MAX_DEPTH` (the text stays), and
 * cuts the rest at `MAX_HTML` characters. One pass, in time linear to the length.
 */
export function trimHtml(html: string): TrimmedHtml {
  return new Trimmer(html).run();
}

class Trimmer {
  readonly #html: string;
  readonly #out: string[] = [];
  readonly #open: string[] = [];
  #at = 0;
  /** Up to where the input was copied or dropped. */
  #copied = 0;
  #length = 0;
  #scriptLength = 0;

  constructor(html: string) {
    this.#html = html;
  }

  run(): TrimmedHtml {
    const html = this.#html;
    for (;;) {
      const tag = html.indexOf("<", this.#at);
      if (tag === -1 || this.#length + (tag - this.#copied) > MAX_HTML) break;
      this.#at = tag + 1;
      if (html.startsWith("!--", this.#at)) this.#drop(tag, this.#after("-->", this.#at + 3), "");
      else if (html.charAt(this.#at) === "/") this.#closeTag(tag);
      else this.#openTag(tag);
    }
    const room = Math.max(0, MAX_HTML - this.#length);
    const cut = html.length - this.#copied > room;
    this.#keep(Math.min(html.length, this.#copied + room));
    return { html: this.#out.join(""), scriptLength: this.#scriptLength, cut };
  }

  #openTag(tag: number): void {
    const name = this.#name(this.#at);
    if (name === "") return;
    const end = this.#tagEnd(this.#at + name.length);
    if (OPAQUE.has(name)) {
      this.#dropElement(tag, end, name);
      return;
    }
    this.#at = end;
    if (RAW_TEXT.has(name)) this.#at = this.#closing(name, end).start;
    if (VOID.has(name) || SELF_CLOSING.has(name)) return;
    if (this.#open.length >= MAX_DEPTH) this.#drop(tag, end, " ");
    else this.#open.push(name);
  }

  #closeTag(tag: number): void {
    const name = this.#name(this.#at + 1);
    if (name === "" || VOID.has(name) || SELF_CLOSING.has(name)) return;
    const index = this.#open.lastIndexOf(name);
    if (index !== -1) this.#open.length = index;
    else this.#drop(tag, this.#after(">", this.#at), " ");
  }

  #dropElement(tag: number, openEnd: number, name: string): void {
    const isData = name === "script" && /json/i.test(this.#html.slice(tag, openEnd));
    if (this.#html.charAt(openEnd - 2) === "/" && name === "svg") {
      this.#drop(tag, openEnd, "");
      return;
    }
    const { start, end } = this.#closing(name, openEnd);
    if (name === "noscript" && this.#isContent(openEnd, start)) {
      this.#drop(tag, openEnd, " ");
      return;
    }
    if (name === "script") this.#scriptLength += start - openEnd;
    if (isData && /ld\+json/i.test(this.#html.slice(tag, openEnd))) this.#at = end;
    else this.#drop(tag, end, name === "svg" ? " " : "");
  }

  /** Forums that are made by script leave the posts for readers without it; most others leave a sentence. */
  #isContent(from: number, to: number): boolean {
    return (
      to - from > MIN_NOSCRIPT && this.#html.slice(from, to).replace(/<[^>]*>|\s+/g, "").length > MIN_NOSCRIPT
    );
  }

  /** Where the end tag of an element begins and ends; the end of the page when there is none. */
  #closing(name: string, from: number): { readonly start: number; readonly end: number } {
    const pattern = new RegExp(`</${name}[\\s/>]`, "gi");
    pattern.lastIndex = from;
    const found = pattern.exec(this.#html);
    if (!found) return { start: this.#html.length, end: this.#html.length };
    return { start: found.index, end: this.#after(">", found.index) };
  }

  #name(at: number): string {
    TAG_NAME.lastIndex = at;
    return TAG_NAME.exec(this.#html)?.[0].toLowerCase() ?? "";
  }

  /** The end of a tag, quotes minded; a quote that is never closed ends with the tag. */
  #tagEnd(from: number): number {
    const html = this.#html;
    let end = html.indexOf(">", from);
    if (end === -1) return html.length;
    for (let at = from; at < end; at += 1) {
      const sign = html.charAt(at);
      if ((sign !== '"' && sign !== "'") || html.charAt(at - 1) !== "=") continue;
      const close = html.indexOf(sign, at + 1);
      if (close === -1) return end;
      at = close;
      if (close > end) end = html.indexOf(">", close);
      if (end === -1) return html.length;
    }
    return end + 1;
  }

  #after(text: string, from: number): number {
    const found = this.#html.indexOf(text, from);
    return found === -1 ? this.#html.length : found + text.length;
  }

  #drop(from: number, to: number, instead: string): void {
    this.#keep(from);
    this.#out.push(instead);
    this.#length += instead.length;
    this.#copied = to;
    this.#at = to;
  }

  #keep(to: number): void {
    if (to <= this.#copied) return;
    this.#out.push(this.#html.slice(this.#copied, to));
    this.#length += to - this.#copied;
    this.#copied = to;
  }
}
