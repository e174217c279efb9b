/** The parts of a step in the ReAct form. `rest` is what comes behind the one action, or was made up. */
export type ReactSection = "preamble" | "thought" | "action" | "input" | "answer" | "rest";

/** A piece of a part, in the order it was written; pieces of one part are to be joined. */
export interface SectionText {
  readonly section: ReactSection;
  readonly text: string;
}

const LABELS: Readonly<Record<string, ReactSection>> = {
  thought: "thought",
  action: "action",
  actioninput: "input",
  observation: "rest",
  finalanswer: "answer",
  answer: "answer",
};
const LABEL =
  /^[ \t]{0,8}[*_#>]{0,4}[ \t]{0,2}(thought|action[ _]?input|action|observation|final[ _]?answer|answer)[ \t]{0,2}[*_`]{0,3}[ \t]{0,2}:[ \t]{0,2}(\*{2}|_{2})?/i;
const PARTIAL =
  /^[ \t]{0,8}[*_#>]{0,4}[ \t]{0,2}([A-Za-z]{0,11}[ _]?[A-Za-z]{0,6})[ \t]{0,2}[*_`]{0,3}[ \t]{0,2}$/;
/** A label in bold whose closing stars may still come. */
const BOLD_OPEN = /^[ \t]{0,8}(?:\*\*|__)[^:]*:[ \t]{0,2}[*_]?$/;

/** What models write in place of a tool's name when they mean that they need none. */
const NO_ACTION = /^(?:(?:none|no|no action|no tool)(?: needed| required| necessary)?|n\/?a|nothing|-)?\.?$/i;

/** Takes bold, code marks, quotes and space off a label's value. */
export function undecorated(text: string): string {
  return text.trim().replace(/^[*_`"'\s]+|[*_`"'\s.]+$/g, "");
}

/**
 * Splits a text in the ReAct form into its parts as it arrives. Labels count at the beginning of a line only, in bold
 * or not; a line that may yet turn out a label is held back for a few characters.
 */
export class ReactSections {
  #section: ReactSection = "preamble";
  /** The current line while it may be a label; `undefined` once it can't be one. */
  #line: string | undefined = "";
  #action = "";
  #hasInput = false;

  /** Takes the next piece of text. */
  push(text: string): readonly SectionText[] {
    const out: SectionText[] = [];
    let at = 0;
    while (at < text.length) {
      if (this.#line !== undefined) at = this.#takeLineStart(text, at, out);
      else {
        const newline = text.indexOf("\n", at);
        const end = newline < 0 ? text.length : newline + 1;
        this.#emit(text.slice(at, end), out);
        if (newline >= 0) this.#line = "";
        at = end;
      }
    }
    return out;
  }

  /** Ends the text: what was held back comes out. */
  finish(): readonly SectionText[] {
    const out: SectionText[] = [];
    const line = this.#line ?? "";
    const label = LABEL.exec(line);
    if (label !== null) this.#enter(label, line, out);
    else this.#emit(line, out);
    this.#line = undefined;
    return out;
  }

  #takeLineStart(text: string, start: number, out: SectionText[]): number {
    const char = text.charAt(start);
    const line = (this.#line ?? "") + char;
    const label = LABEL.exec(line);
    if (label !== null && !BOLD_OPEN.test(line)) {
      this.#line = undefined;
      this.#enter(label, line, out);
    } else if (label === null && char === "\n") {
      this.#emit(line, out);
      this.#line = "";
      return start + 1;
    } else if (label === null && !mayBecomeLabel(line)) {
      this.#line = undefined;
      this.#emit(line, out);
    } else this.#line = line;
    if (this.#line === undefined && char === "\n") this.#line = "";
    return start + 1;
  }

  #enter(label: RegExpExecArray, line: string, out: SectionText[]): void {
    const next = LABELS[(label[1] ?? "").toLowerCase().replace(/[ _]/g, "")] ?? "rest";
    const rest = line.slice(label[0].length);
    const isAnswered = this.#section === "answer";
    if (this.#section === "rest" || (isAnswered && next !== "thought" && next !== "rest")) {
      this.#emit(line, out);
      return;
    }
    this.#section = isAnswered || this.#endsAction(next) ? "rest" : next;
    if (this.#section === "action") this.#action = "";
    if (this.#section === "input") this.#hasInput = true;
    if (rest !== "") this.#emit(rest, out);
  }

  /** One action a turn: what comes behind a whole one is not read, unless the action was none. */
  #endsAction(next: ReactSection): boolean {
    const isAction = this.#section === "action" || this.#section === "input";
    if (!isAction || NO_ACTION.test(undecorated(this.#action))) return false;
    return next === "input" ? this.#hasInput : true;
  }

  #emit(text: string, out: SectionText[]): void {
    if (text === "") return;
    if (this.#section === "action" && this.#action.length < 200) this.#action += text;
    const last = out.at(-1);
    if (last?.section === this.#section)
      out[out.length - 1] = { section: last.section, text: last.text + text };
    else out.push({ section: this.#section, text });
  }
}

/** Whether the beginning of a line may still become a label. */
function mayBecomeLabel(line: string): boolean {
  const match = PARTIAL.exec(line);
  if (match === null) return false;
  const word = (match[1] ?? "").toLowerCase().replace(/[ _]/g, "");
  return Object.keys(LABELS).some((label) => label.startsWith(word));
}

/** Whether an action's name says that no tool is wanted. */
export function isNoAction(name: string): boolean {
  return NO_ACTION.test(name);
}
