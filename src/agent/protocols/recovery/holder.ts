import type { Catalogue } from "./catalogue.ts";
import { CodeMarks } from "./code-marks.ts";
import { accepts, leadingCalls, readHeld, wasCall, type HeldText, type ReadCalls } from "./held-call.ts";
import { JsonWatch } from "./json-watch.ts";
import { FENCE, probe, type Opening, type Place } from "./openers.ts";
import { MAX_CALLS } from "./reading.ts";
import { tooManyCalls } from "../runaway.ts";
import type { RawCall } from "./shapes.ts";
import type { Runaway } from "../../protocol.ts";
import { skipTrailer } from "./tags.ts";

/** A call longer than this (UTF-16 units) is not looked for. */
const MAX_HELD = 256 * 1024;
/** White space longer than this is not held back. */
const MAX_SPACE = 1024;
/** How much of the text before the current place is kept, and when the rest is dropped. */
const CONTEXT = 640;
const TRIM_AT = 640;
/** Calls that are held back are counted after so much more of them, in UTF-16 units. */
const COUNT_EVERY = 800;
/** Places at which the last whole call may end, from the end backwards, that are tried. */
const ENDS_TRIED = 4;
/** After this many forms that looked like a call and were none, the rest of the text is taken as text. */
const MAX_FAILURES = 16;

/** Ordinary words in a row: behind its first character no call's form can begin, and no mark of code. */
const PLAIN = /[^\s<>[{`~.!?]+(?: [^\s<>[{`~.!?]+)*/y;

interface Hold extends HeldText {
  readonly watch: JsonWatch | undefined;
  /** Up to where the watch has looked. */
  watched: number;
}

/** How a text ended: whole, cut off (calls in it never run), or to be shown as it is. */
export type Ending = "whole" | "cut" | "text";

/** What came of a text at its end. */
export interface HeldEnd {
  /** What is left to show. */
  readonly shown: string;
  readonly calls: readonly RawCall[];
  /** What a ReAct step thought before its action. */
  readonly thought: string;
  /** A call was begun, but it never ended or the text was cut: it is neither run nor shown. */
  readonly isCut: boolean;
}

/** The end of a text in which nothing was held back. */
export const NOTHING_HELD: HeldEnd = { shown: "", calls: [], thought: "", isCut: false };

/**
 * Lets a text through as it arrives and holds back only what may turn out to be a call. What is shown in the end is
 * the text without the calls, however it was cut into chunks.
 */
export class Holder {
  readonly #catalogue: Catalogue;
  #text = "";
  #at = 0;
  #shownTo = 0;
  /** Where a run of white space begins that goes with a call behind it; -1: none. */
  #spaceFrom = 0;
  /** How much white space has come since the last solid character. */
  #space = 0;
  #blank = true;
  #marks = new CodeMarks();
  #hold: Hold | undefined;
  /** No form is looked for before this place: it was looked at already. */
  #quietTo = 0;
  #failures = 0;
  #gaveUp: boolean;
  /** What may be shown and was not yet given out. */
  #out = "";
  /** What has come since the hold began and was not yet joined to the text. */
  #pending: string[] = [];
  #pendingLength = 0;
  readonly #calls: RawCall[] = [];
  #thought = "";
  #isCut = false;
  #countedTo = 0;
  /** Set once what is held back holds too many calls: all that comes later is dropped. */
  #runaway: Runaway | undefined;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
    this.#gaveUp = catalogue.tools.length === 0;
  }

  get runaway(): Runaway | undefined {
    return this.#runaway;
  }

  /** Takes the next piece and gives what may be shown. */
  push(text: string): string {
    if (this.#gaveUp) return text;
    if (this.#runaway !== undefined) return "";
    if (this.#hold === undefined) this.#text += text;
    else if (!this.#keepsHolding(this.#hold, text)) return "";
    this.#scan(undefined);
    this.#showTo(this.#spaceFrom >= 0 ? this.#spaceFrom : this.#at);
    this.#trim();
    return this.#give();
  }

  /** Ends the text. */
  finish(ending: Ending): HeldEnd {
    this.#join();
    if (ending === "text") {
      this.#hold = undefined;
      this.#at = this.#text.length;
    } else this.#scan(ending);
    if (ending === "cut" && this.#calls.length > 0) {
      this.#calls.length = 0;
      this.#isCut = true;
    }
    const hasCalls = this.#calls.length > 0 || this.#isCut;
    const to = hasCalls && this.#spaceFrom >= 0 ? this.#spaceFrom : this.#text.length;
    this.#showTo(to);
    return { shown: this.#give(), calls: this.#calls, thought: this.#thought, isCut: this.#isCut };
  }

  /** While a call may be growing its pieces are only put aside, so that many small ones stay cheap. True: look again. */
  #keepsHolding(hold: Hold, piece: string): boolean {
    const offset = this.#text.length + this.#pendingLength;
    this.#pending.push(piece);
    this.#pendingLength += piece.length;
    const isRefuted = this.#watch(hold, piece, offset);
    if (!isRefuted && offset + piece.length - hold.from <= MAX_HELD) {
      if (offset - this.#countedTo > COUNT_EVERY) this.#count(hold);
      return false;
    }
    this.#join();
    if (isRefuted) this.#refute(hold);
    return true;
  }

  /** Looks whether the calls held back are too many; then the text ends behind the last whole one. */
  #count(hold: Hold): void {
    this.#join();
    this.#countedTo = this.#text.length;
    let end = this.#text.length;
    for (let tried = 0; tried < ENDS_TRIED; tried += 1) {
      end = this.#text.lastIndexOf("}", end - 1) + 1;
      if (end <= hold.from) return;
      const { reading } = readHeld(this.#text.slice(0, end), hold, this.#catalogue);
      if (reading?.kind !== "calls") continue;
      this.#runaway = tooManyCalls(reading.calls);
      if (this.#runaway !== undefined) this.#text = this.#text.slice(0, end);
      return;
    }
  }

  #join(): void {
    if (this.#pending.length > 0) this.#text += this.#pending.join("");
    this.#pending = [];
    this.#pendingLength = 0;
  }

  /** Forgets text that is no longer needed. */
  #trim(): void {
    const drop = Math.min(this.#shownTo, this.#at) - CONTEXT;
    if (this.#hold !== undefined || drop < TRIM_AT) return;
    this.#text = this.#text.slice(drop);
    this.#at -= drop;
    this.#shownTo -= drop;
    this.#quietTo -= drop;
    if (this.#spaceFrom >= 0) this.#spaceFrom -= drop;
  }

  #showTo(to: number): void {
    if (to <= this.#shownTo) return;
    this.#out += this.#text.slice(this.#shownTo, to);
    this.#shownTo = to;
  }

  #give(): string {
    const out = this.#out;
    this.#out = "";
    return out;
  }

  /** Goes on from where it stands; `ending` is set when no more text will come. */
  #scan(ending: "whole" | "cut" | undefined): void {
    while (this.#at < this.#text.length) {
      if (this.#gaveUp) {
        this.#at = this.#text.length;
        this.#spaceFrom = -1;
        return;
      }
      if (this.#hold !== undefined) {
        if (this.#isRefuted(this.#hold)) continue;
        if (ending === undefined) return;
        this.#resolve(this.#hold, ending);
        continue;
      }
      const verdict = this.#probe(ending !== undefined);
      if (verdict === "maybe") return;
      if (verdict === "no") this.#pass();
      else this.#hold = this.#newHold(verdict);
    }
    if (this.#hold !== undefined && ending !== undefined) this.#resolve(this.#hold, ending);
  }

  #probe(ended: boolean): ReturnType<typeof probe> {
    const char = this.#text.charAt(this.#at);
    const isFence = this.#blank && char === "`";
    if (char.trim() === "" || this.#at < this.#quietTo) return "no";
    if (this.#marks.isCode(char) && !isFence) return "no";
    const before = this.#text.charAt(this.#at - 1);
    const place: Place = {
      messageStart: this.#blank,
      lineStart: this.#marks.lineStart,
      afterTag: before === ">",
      afterSentence: before !== "" && ".!?".includes(before),
    };
    return probe(this.#text, this.#at, place, ended, this.#catalogue);
  }

  /** Steps over a character that begins no call, and over the words that follow it. */
  #pass(): void {
    PLAIN.lastIndex = this.#at;
    const end = PLAIN.test(this.#text) ? PLAIN.lastIndex : 0;
    this.#step();
    this.#at = Math.max(this.#at, end);
  }

  /** Steps over one character of ordinary text. */
  #step(): void {
    const char = this.#text.charAt(this.#at);
    this.#marks.push(char);
    if (char.trim() !== "") {
      this.#blank = false;
      this.#spaceFrom = -1;
      this.#space = 0;
    } else {
      this.#space += 1;
      if (this.#space > MAX_SPACE) this.#spaceFrom = -1;
      else if (char === "\n" && this.#spaceFrom < 0) this.#spaceFrom = this.#at;
    }
    this.#at += 1;
  }

  #newHold(opening: Opening): Hold {
    const from = this.#at;
    const isJson = opening === "json" || opening === "fenced-json";
    const fence = opening === "fenced-json" ? (FENCE.exec(this.#text.slice(from))?.[0].length ?? 0) : 0;
    const watch = isJson ? new JsonWatch(this.#catalogue) : undefined;
    if (this.#spaceFrom < 0) this.#spaceFrom = from;
    return { from, opening, watch, isFirst: this.#blank, watched: from + fence };
  }

  /** Looks at what has come since; true when the hold was given up and the scan goes on behind its first character. */
  #isRefuted(hold: Hold): boolean {
    if (this.#watch(hold, this.#text, 0)) {
      this.#refute(hold);
      return true;
    }
    if (this.#text.length - hold.from <= MAX_HELD) return false;
    this.#gaveUp = true;
    this.#release(hold, hold.from + 1);
    return true;
  }

  /** Shows the watch a piece that begins at `offset`; true when it says that this is no call. */
  #watch(hold: Hold, piece: string, offset: number): boolean {
    const limit = Math.min(piece.length, hold.from + MAX_HELD - offset);
    for (let at = hold.watched - offset; hold.watch !== undefined && at < limit; at += 1) {
      hold.watched += 1;
      if (hold.watch.refutes(piece.charAt(at))) return true;
    }
    return false;
  }

  /** Prose came behind what was held back: calls that it begins with are taken all the same, all else is text. */
  #refute(hold: Hold): void {
    const calls = leadingCalls(this.#text.slice(0, hold.watched - 1), hold, this.#catalogue);
    if (calls === undefined) this.#release(hold, hold.watched);
    else this.#takeCalls(hold, calls);
  }

  #release(hold: Hold, quietTo: number): void {
    this.#hold = undefined;
    this.#at = hold.from;
    this.#quietTo = Math.max(quietTo, hold.from + 1);
    this.#step();
  }

  #resolve(hold: Hold, ending: "whole" | "cut"): void {
    const { reading, thought } = readHeld(this.#text, hold, this.#catalogue);
    if (thought !== undefined) this.#thought = thought;
    if (reading?.kind === "cut" && wasCall(hold, reading.name, this.#catalogue)) this.#drop();
    else if (reading?.kind === "calls" && this.#accepts(hold, reading)) {
      if (ending === "cut") this.#drop();
      else this.#takeCalls(hold, reading);
    } else {
      this.#failures += 1;
      if (this.#failures > MAX_FAILURES) this.#gaveUp = true;
      this.#release(hold, hold.from + 1);
    }
  }

  #drop(): void {
    this.#isCut = true;
    this.#showTo(this.#spaceFrom);
    this.#hold = undefined;
    this.#shownTo = this.#text.length;
    this.#at = this.#text.length;
    this.#spaceFrom = -1;
  }

  #accepts(hold: Hold, reading: ReadCalls): boolean {
    const hasRoom = this.#calls.length + reading.calls.length <= MAX_CALLS;
    return hasRoom && accepts(this.#text, hold, reading, this.#catalogue);
  }

  #takeCalls(hold: Hold, reading: ReadCalls): void {
    this.#calls.push(...reading.calls);
    this.#hold = undefined;
    const trailer = skipTrailer(this.#text, reading.end);
    const end = trailer.inventsResult ? this.#text.length : trailer.end;
    this.#showTo(end < this.#text.length && !this.#blank ? hold.from : this.#spaceFrom);
    this.#shownTo = end;
    this.#at = end;
    this.#spaceFrom = end;
    this.#marks = new CodeMarks();
  }
}
