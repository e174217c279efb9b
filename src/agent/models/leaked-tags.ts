import { channelHeader, tagAt, type LeakTag } from "./leak-tags.ts";
import { MarkdownCode } from "./markdown-code.ts";

/** A piece of what a model wrote, sorted. `retract`: all content so far was thinking. */
export type SplitPiece =
  | { readonly type: "content"; readonly text: string }
  | { readonly type: "thinking"; readonly text: string }
  | { readonly type: "retract" };

/** How a stream is split. */
export interface SplitOptions {
  /** The answer is JSON: tags count only before its first bracket, within it they are text. */
  readonly json?: boolean;
  /**
   * Content is held back until it is longer than this many characters, or the end. For models that are likely to
   * leak with the opening tag swallowed: what is thinking is then never shown as an answer.
   */
  readonly holdBack?: number;
}

/** Where a tag may begin. */
const TAG_START = /[<[◁]/g;

/** What to do with a tag once enough of what follows is known. */
type Verdict = "leak" | "text" | "wait";

/**
 * Moves thinking that leaked into a model's answer to where it belongs, while it streams, wherever the pieces are cut.
 *
 * Knows the tags of `leak-tags.ts`. A tag quoted in a code span, in a code block or in the middle of a sentence is
 * text. A closing tag alone means that the opening one was swallowed: what came before was thinking, and when that was
 * given out already, `retract` says so. White space around thinking is dropped.
 */
export class LeakSplitter {
  readonly #json: boolean;
  #hold: number;
  #held = "";
  #mode: "content" | "thinking" = "content";
  #buffer = "";
  #markdown = new MarkdownCode();
  #sawChannel = false;
  /** Within the JSON of a constrained answer, or a call in a channel: no tags any more. */
  #verbatim = false;
  #gaveContent = false;
  /** White space that is only given out once something solid follows it. */
  #space = "";
  /** Nothing solid has come since the mode was entered. */
  #atStart = true;
  /** The mode was entered by a tag: white space at its start belongs to the tag. */
  #afterTag = false;
  #out: SplitPiece[] = [];

  /** True once a closing tag without an opening one was met. */
  sawLoneClose = false;

  constructor(options: SplitOptions = {}) {
    this.#json = options.json ?? false;
    this.#hold = options.holdBack ?? 0;
  }

  /** Takes text of the answer and gives what can be told so far. */
  push(text: string): readonly SplitPiece[] {
    this.#buffer += text;
    return this.#drain(false);
  }

  /** Ends the text and gives the rest. */
  end(): readonly SplitPiece[] {
    this.#drain(true);
    this.#hold = 0;
    if (this.#mode === "content" && !this.#afterTag) this.#held += this.#space;
    this.#release();
    return this.#take();
  }

  #take(): readonly SplitPiece[] {
    const out = this.#out;
    this.#out = [];
    return out;
  }

  #drain(isAll: boolean): readonly SplitPiece[] {
    let from = 0;
    while (from < this.#buffer.length) {
      this.#checkJson(from);
      const at = this.#verbatim ? -1 : this.#find(from);
      if (at === -1) {
        this.#text(this.#buffer.slice(from));
        from = this.#buffer.length;
        break;
      }
      this.#text(this.#buffer.slice(from, at));
      from = at;
      const taken = this.#tag(at, isAll);
      if (taken === "wait") break;
      from += taken;
    }
    this.#buffer = this.#buffer.slice(from);
    return isAll ? [] : this.#take();
  }

  #find(from: number): number {
    TAG_START.lastIndex = from;
    return TAG_START.exec(this.#buffer)?.index ?? -1;
  }

  /** A constrained answer begins with its bracket. */
  #checkJson(from: number): void {
    if (!this.#json || this.#verbatim || this.#mode !== "content" || !this.#atStart) return;
    const rest = this.#buffer.slice(from).trimStart();
    if (rest.startsWith("{") || (rest.startsWith("[") && tagAt(rest, 0, false) === undefined))
      this.#verbatim = true;
  }

  /** Handles what may be a tag at `at`; gives how many characters were used up. */
  #tag(at: number, isAll: boolean): number | "wait" {
    const tag = tagAt(this.#buffer, at, isAll);
    if (tag === "partial") return "wait";
    if (tag === undefined) return this.#literal(1, at);
    const following = this.#buffer.slice(at + tag.text.length);
    const verdict = this.#judge(tag, following, isAll);
    if (verdict === "wait") return "wait";
    if (verdict === "text") return this.#literal(tag.text.length, at);
    switch (tag.kind) {
      case "open":
        return this.#opening(tag, at);
      case "close":
        return this.#closing(tag, at, following, isAll);
      case "channel":
        return this.#channel(tag, at, following, isAll);
      case "frame":
        return this.#frame(tag, at);
    }
  }

  #literal(length: number, at: number): number {
    this.#text(this.#buffer.slice(at, at + length));
    return length;
  }

  /** Is it a real tag, or text that speaks of one? */
  #judge(tag: LeakTag, following: string, isAll: boolean): Verdict {
    const code = this.#markdown;
    if (this.#mode === "content" && code.inFence) return "text";
    const inSpan = code.closesSpan(following, isAll);
    if (inSpan !== false) return inSpan === undefined ? "wait" : "text";
    const isApart = /[\s"'“”‘’«»(`]/.test(code.previous) && !code.atLineStart && !code.afterSentence;
    if (!isApart) return "leak";
    if (tag.kind === "open") return "text";
    const next = following.at(0);
    if (next === undefined) return isAll ? "leak" : "wait";
    return /[ \t"'“”‘’«»).,;:!?`]/.test(next) ? "text" : "leak";
  }

  #opening(tag: LeakTag, at: number): number {
    if (this.#mode === "content") this.#enter("thinking");
    else if (!this.#atStart) return this.#literal(tag.text.length, at);
    return tag.text.length;
  }

  #frame(tag: LeakTag, at: number): number {
    if (!this.#sawChannel) return this.#literal(tag.text.length, at);
    this.#enter("content");
    return tag.text.length;
  }

  #closing(tag: LeakTag, at: number, following: string, isAll: boolean): number | "wait" {
    const mayBeCall = tag.text === "<channel|>" && "call:".startsWith(following.slice(0, 5));
    if (mayBeCall && following.length < 5 && !isAll) return "wait";
    if (this.#mode === "content") this.#loneClose();
    else this.#enter("content");
    // A call written out after the tag is recognised by it: the loop reads it from the text.
    return mayBeCall && following.length >= 5 ? this.#literal(tag.text.length, at) : tag.text.length;
  }

  #channel(tag: LeakTag, at: number, following: string, isAll: boolean): number | "wait" {
    const header = channelHeader(following, isAll);
    if (header === "partial") return "wait";
    if (header === undefined) return this.#literal(tag.text.length, at);
    this.#sawChannel = true;
    const length = tag.text.length + header.length;
    this.#enter(header.target === "thinking" ? "thinking" : "content");
    if (header.target !== "call") return length;
    this.#verbatim = true;
    return this.#literal(length, at);
  }

  #loneClose(): void {
    this.sawLoneClose = true;
    if (this.#gaveContent) this.#out.push({ type: "retract" });
    this.#gaveContent = false;
    const thought = this.#held.trimEnd();
    this.#held = "";
    if (thought !== "") this.#give("thinking", thought);
    this.#enter("content");
  }

  #enter(mode: "content" | "thinking"): void {
    if (mode === "thinking" && this.#mode === "content") this.#release();
    this.#mode = mode;
    this.#markdown = new MarkdownCode();
    this.#space = "";
    this.#atStart = true;
    this.#afterTag = true;
  }

  #text(text: string): void {
    if (text === "") return;
    this.#markdown.feed(text);
    let rest = this.#space + text;
    this.#space = "";
    if (this.#atStart) {
      if (rest.trim() === "") {
        this.#space = rest;
        return;
      }
      this.#atStart = false;
      if (this.#afterTag) rest = rest.trimStart();
    }
    if (this.#mode === "content") this.#content(rest);
    else this.#thinking(rest);
  }

  #thinking(text: string): void {
    const solid = text.trimEnd();
    this.#space = text.slice(solid.length);
    if (solid !== "") this.#give("thinking", solid);
  }

  #content(text: string): void {
    this.#held += text;
    if (this.#held.length > this.#hold || this.#verbatim) this.#release();
  }

  /** Gives out the content that was held back. */
  #release(): void {
    if (this.#held === "") return;
    this.#hold = 0;
    this.#give("content", this.#held);
    this.#gaveContent = true;
    this.#held = "";
  }

  #give(type: "content" | "thinking", text: string): void {
    const last = this.#out.at(-1);
    if (last?.type === type) this.#out[this.#out.length - 1] = { type, text: last.text + text };
    else this.#out.push({ type, text });
  }
}
