/** Follows Markdown's code marks, character by character: what stands in code is shown, never run. */
export class CodeMarks {
  #fence: { readonly mark: string; readonly length: number } | undefined;
  #inline = 0;
  #mark = "";
  #run = 0;
  #runStartsLine = false;
  #lineStart = true;

  /** Whether the next character stands in code. Settles a run of marks that ended right before it. */
  isCode(next: string): boolean {
    if (this.#run > 0 && next !== this.#mark) this.#settle();
    return this.#fence !== undefined || this.#inline > 0 || this.#run > 0;
  }

  /** Whether nothing but white space has come on this line. */
  get lineStart(): boolean {
    return this.#lineStart;
  }

  /** Takes the next character. */
  push(char: string): void {
    if (this.#run > 0 && char !== this.#mark) this.#settle();
    if (char === "`" || (char === "~" && (this.#lineStart || this.#run > 0))) {
      if (this.#run === 0) this.#runStartsLine = this.#lineStart;
      this.#mark = char;
      this.#run += 1;
    }
    if (char === "\n") {
      this.#inline = 0;
      this.#lineStart = true;
    } else if (char.trim() !== "") this.#lineStart = false;
  }

  #settle(): void {
    const length = this.#run;
    this.#run = 0;
    if (this.#runStartsLine && length >= 3) this.#settleFence(length);
    else if (this.#fence === undefined && this.#mark === "`") this.#settleInline(length);
  }

  #settleFence(length: number): void {
    if (this.#fence === undefined) this.#fence = { mark: this.#mark, length };
    else if (this.#fence.mark === this.#mark && length >= this.#fence.length) this.#fence = undefined;
  }

  #settleInline(length: number): void {
    if (this.#inline === 0) this.#inline = length;
    else if (this.#inline === length) this.#inline = 0;
  }
}
