import type { FinishReason, ToolCall } from "../models/types.ts";
import type { ShownText, StepReader, StepReading } from "../protocol.ts";
import { identified, tidyCalls } from "./calls.ts";
import { CORRECTIONS } from "./corrections.ts";
import { deedsOf, HeldThinking, type StepDeeds } from "./held-thinking.ts";
import { keptMessage } from "./messages.ts";
import { readReactAction, type ReactAction } from "./react-call.ts";
import { ReactSections, type SectionText } from "./react-sections.ts";
import type { Catalogue } from "./recovery/catalogue.ts";
import type { Ending } from "./recovery/holder.ts";
import { isCutOff, shownAs, TextReader } from "./text-reader.ts";

/** A text whose white space at both ends is left out while it streams. */
class Trimmed {
  text = "";
  #space = "";

  add(piece: string): string {
    if (piece.trim() === "") {
      this.#space += piece;
      return "";
    }
    const all = this.text === "" ? piece.trimStart() : this.#space + piece;
    const solid = all.trimEnd();
    this.#space = all.slice(solid.length);
    this.text += solid;
    return solid;
  }
}

/**
 * Reads a step in the ReAct form, and what models make of it. Text under no label is answer, text behind
 * `Final Answer:` too; a step of thought alone is its own answer. Calls that stayed in a thought, or in what the server
 * tells apart as thinking, count only when the step has no answer and no action.
 */
export class ReactReader implements StepReader {
  readonly #catalogue: Catalogue;
  readonly #callId: () => string;
  readonly #lastStep: boolean;
  #sections = new ReactSections();
  /** Finds calls in other forms in what stands under no label. */
  #plain: TextReader;
  /** What stood under no label, once a label or the end has come. */
  #preamble: StepReading | undefined;
  readonly #reported: ToolCall[] = [];
  /** What the server tells apart as thinking. */
  readonly #apart: HeldThinking;
  /** What stands under `Thought:`, and its text without what is held back. */
  #labelled: HeldThinking;
  #thought = new Trimmed();
  #answer = new Trimmed();
  #action: string | undefined;
  #input: string | undefined;
  #thinking = "";
  /** All that was shown as an answer, in order. */
  #shown = "";
  #raw = "";

  constructor(catalogue: Catalogue, callId: () => string, lastStep: boolean) {
    this.#catalogue = catalogue;
    this.#callId = callId;
    this.#lastStep = lastStep;
    this.#plain = new TextReader(catalogue, callId, lastStep);
    this.#apart = new HeldThinking(catalogue);
    this.#labelled = new HeldThinking(catalogue);
  }

  thinking(text: string): readonly ShownText[] {
    return this.#think(this.#apart.push(text));
  }

  content(text: string): readonly ShownText[] {
    this.#raw += text;
    return this.#sections.push(text).flatMap((piece) => this.#take(piece));
  }

  calls(calls: readonly ToolCall[]): readonly ShownText[] {
    this.#reported.push(...calls);
    return [];
  }

  retract(): readonly ShownText[] {
    const text = this.#raw;
    this.#raw = "";
    this.#shown = "";
    this.#sections = new ReactSections();
    this.#plain = new TextReader(this.#catalogue, this.#callId, this.#lastStep);
    this.#preamble = undefined;
    this.#labelled = new HeldThinking(this.#catalogue);
    this.#thought = new Trimmed();
    this.#answer = new Trimmed();
    this.#action = undefined;
    this.#input = undefined;
    this.#apart.reopen();
    return text === "" ? [] : this.thinking(text);
  }

  finish(reason: FinishReason | "broken"): {
    readonly shown: readonly ShownText[];
    readonly reading: StepReading;
  } {
    const shown = this.#sections.finish().flatMap((piece) => this.#take(piece));
    shown.push(...this.#endPreamble(reason));
    const action = this.#actionOf();
    if (action.kind === "answer") shown.push(...this.#show(action.text));
    const wasCut = isCutOff(reason);
    const deeds = this.#deeds(action, wasCut);
    const isSilent = deeds.calls.length === 0 && deeds.broken === undefined && this.#shown.trim() === "";
    // An action that was none says that no tool is wanted.
    const mayCall = isSilent && this.#action === undefined;
    const thinking = this.#endThinking(mayCall ? (wasCut ? "cut" : "whole") : "text");
    shown.push(...thinking.shown);
    if (isSilent && thinking.deeds === undefined) shown.push(...this.#show(lastPart(this.#thought.text)));
    return { shown, reading: this.#made(thinking.deeds ?? deeds) };
  }

  /** Ends the thoughts. A thought that says anything is the step's answer: then no call stands in what was apart. */
  #endThinking(ending: Ending): {
    readonly shown: readonly ShownText[];
    readonly deeds: StepDeeds | undefined;
  } {
    const labelled = this.#labelled.finish(ending);
    const shown = [...this.#thinkLabelled(labelled.shown)];
    const found = deedsOf(labelled, this.#callId, this.#lastStep);
    const apart = this.#apart.finish(found === undefined ? ending : "text");
    shown.push(...this.#think(apart.shown), ...this.#thinkLabelled(apart.thought));
    return { shown, deeds: found ?? deedsOf(apart, this.#callId, this.#lastStep) };
  }

  #think(text: string): readonly ShownText[] {
    this.#thinking += text;
    return shownAs("thinking", text);
  }

  /** A thought of the step, set off from the thinking before it. */
  #thinkLabelled(text: string): readonly ShownText[] {
    const isFirst = this.#thought.text === "";
    const added = this.#thought.add(text);
    if (added === "") return [];
    const before = this.#think(this.#apart.release());
    return [...before, ...this.#think(isFirst && this.#thinking !== "" ? `\n\n${added}` : added)];
  }

  #take(piece: SectionText): readonly ShownText[] {
    const ended = piece.section === "preamble" ? [] : this.#endPreamble("stop");
    return [...ended, ...this.#takeSection(piece)];
  }

  /** More text came behind what stood under no label, or the end: what was held back of it is decided. */
  #endPreamble(reason: FinishReason | "broken"): readonly ShownText[] {
    if (this.#preamble !== undefined) return [];
    const { shown, reading } = this.#plain.finish(reason);
    this.#preamble = reading;
    return this.#note(shown);
  }

  #takeSection({ section, text }: SectionText): readonly ShownText[] {
    // Thought or answer behind an action: that action was none.
    if (section === "thought" || section === "answer") {
      this.#action = undefined;
      this.#input = undefined;
    }
    switch (section) {
      case "preamble":
        return this.#note(this.#plain.content(text));
      case "thought":
        return this.#thinkLabelled(this.#labelled.push(text));
      case "answer":
        return this.#showFinal(text);
      case "action":
        this.#action = (this.#action ?? "") + text;
        return [];
      case "input":
        this.#input = (this.#input ?? "") + text;
        return [];
      case "rest":
        return [];
    }
  }

  /** The final answer, set off from what stood under no label before it. */
  #showFinal(text: string): readonly ShownText[] {
    const isFirst = this.#answer.text === "";
    const added = this.#answer.add(text);
    const separator = isFirst && added !== "" && this.#shown.trim() !== "" ? "\n\n" : "";
    return this.#show(separator + added);
  }

  #show(text: string): readonly ShownText[] {
    return this.#note(shownAs("answer", text));
  }

  #note(shown: readonly ShownText[]): readonly ShownText[] {
    for (const { channel, text } of shown) if (channel === "answer") this.#shown += text;
    return shown;
  }

  #actionOf(): ReactAction {
    if (this.#action === undefined) return { kind: "none" };
    return readReactAction(this.#action, this.#input, this.#catalogue);
  }

  #deeds(action: ReactAction, wasCut: boolean): StepDeeds {
    const before = this.#preamble;
    const found = wasCut ? [] : (before?.calls ?? []);
    const calls = [...tidyCalls(this.#reported, this.#catalogue, this.#callId), ...found];
    if (calls.length > 0) return { calls, ...(found.length > 0 && { recoveredFrom: "text" }) };
    if (action.kind === "call" && !wasCut) return { calls: identified([action.call], this.#callId) };
    const isCut = action.kind === "cut" || action.kind === "call";
    if (isCut) return { calls: [], broken: this.#lastStep ? CORRECTIONS.lastStep : CORRECTIONS.cut };
    if (action.kind === "unreadable") return { calls: [], broken: CORRECTIONS.react };
    return { calls: [], ...(before?.broken !== undefined && { broken: before.broken }) };
  }

  #made(deeds: StepDeeds): StepReading {
    return {
      answer: this.#shown,
      thinking: this.#thinking,
      ...deeds,
      message: keptMessage(this.#shown, this.#thought.text, deeds.calls),
    };
  }
}

/** The last paragraphs of a step that was all thought: what stands behind its first blank line, or all of it. */
function lastPart(thought: string): string {
  const blank = /\n[ \t]{0,8}\n/.exec(thought);
  const rest = blank === null ? "" : thought.slice(blank.index).trim();
  return rest === "" ? thought : rest;
}
