/** How long a code span that isn't closed yet is waited for. */
const MAX_SPAN = 500;

/** What marks code. */
const MARKS = /[`~]/g;

const SENTENCE_END = /[.!?…。！？]/;

/**
 * Follows markdown text as it streams and knows whether its end stands in code, and what stands just before it. Only
 * as much of markdown as it takes to tell a quoted tag from a real one.
 */
export class MarkdownCode {
  #fence: { readonly mark: string; readonly length: number } | undefined;
  /** Length of the run of backticks that opened a code span on this line; 0 outside of one. */
  #span = 0;
  #run = 0;
  #runMark = "";
  #runAtLineStart = false;
  #lineIsBlank = true;
  #previous = "";
  #previousSolid = "";

  /** Takes the text that follows. */
  feed(text: string): void {
    let at = 0;
    MARKS.lastIndex = 0;
    while (MARKS.test(text)) {
      const mark = MARKS.lastIndex - 1;
      this.#plain(text.slice(at, mark));
      this.#extendRun(text.charAt(mark));
      at = mark + 1;
    }
    this.#plain(text.slice(at));
  }

  /** True within a fenced code block. */
  get inFence(): boolean {
    this.#endRun();
    return this.#fence !== undefined;
  }

  /** Nothing but white space stands before the end on its line. */
  get atLineStart(): boolean {
    return this.#lineIsBlank;
  }

  /** The last character, empty at the beginning. */
  get previous(): string {
    return this.#previous;
  }

  /** True when the last character that isn't white space ends a sentence, or there is none. */
  get afterSentence(): boolean {
    return this.#previousSolid === "" || SENTENCE_END.test(this.#previousSolid);
  }

  /**
   * Whether a code span is open at the end and `following` closes it on the same line. Undefined when more text is
   * needed to tell.
   */
  closesSpan(following: string, isAll: boolean): boolean | undefined {
    this.#endRun();
    if (this.#span === 0) return false;
    const newline = following.indexOf("\n");
    const line = newline === -1 ? following : following.slice(0, newline);
    const isComplete = isAll || newline !== -1;
    const runs = [...line.matchAll(/`+/g)];
    const closing = runs.find(
      ({ 0: run, index }) => run.length === this.#span && (isComplete || index + run.length < line.length),
    );
    if (closing !== undefined) return true;
    return isComplete || line.length > MAX_SPAN ? false : undefined;
  }

  /** Takes text without marks. */
  #plain(text: string): void {
    if (text === "") return;
    this.#endRun();
    const newline = text.lastIndexOf("\n");
    if (newline !== -1) this.#span = 0;
    const solid = text.trimEnd();
    if (newline !== -1) this.#lineIsBlank = text.slice(newline).trim() === "";
    else if (solid.trimStart() !== "") this.#lineIsBlank = false;
    this.#previous = text.slice(-1);
    if (solid !== "") this.#previousSolid = solid.slice(-1);
  }

  #extendRun(mark: string): void {
    if (this.#runMark !== mark) {
      this.#endRun();
      this.#runMark = mark;
      this.#runAtLineStart = this.#lineIsBlank;
    }
    this.#run += 1;
    this.#lineIsBlank = false;
    this.#previous = mark;
    this.#previousSolid = mark;
  }

  #endRun(): void {
    if (this.#run === 0) return;
    const { mark, length } = { mark: this.#runMark, length: this.#run };
    this.#run = 0;
    this.#runMark = "";
    if (this.#fence !== undefined) {
      const closes = this.#runAtLineStart && mark === this.#fence.mark && length >= this.#fence.length;
      if (closes) this.#fence = undefined;
    } else if (this.#runAtLineStart && length >= 3) {
      this.#fence = { mark, length };
    } else if (mark === "`") {
      if (this.#span === 0) this.#span = length;
      else if (this.#span === length) this.#span = 0;
    }
  }
}
