import type { FinishReason, ToolCall } from "../models/types.ts";
import type { Runaway, ShownText, StepReader, StepReading } from "../protocol.ts";
import { identified, tidyCalls, unreported } from "./calls.ts";
import { CORRECTIONS } from "./corrections.ts";
import { keptMessage } from "./messages.ts";
import type { Catalogue } from "./recovery/catalogue.ts";
import { Holder, NOTHING_HELD, type HeldEnd } from "./recovery/holder.ts";
import { unnamedArguments } from "./recovery/whole.ts";

/** Makes shown text, or nothing of an empty one. */
export function shownAs(channel: ShownText["channel"], text: string): readonly ShownText[] {
  return text === "" ? [] : [{ channel, text }];
}

/** Whether a message that ended so was cut off: a call is never read out of it. */
export function isCutOff(reason: FinishReason | "broken"): boolean {
  return reason === "length" || reason === "broken";
}

/**
 * Reads a step of a model that calls tools natively, and finds the calls that it wrote as text instead, in its answer
 * or, where there is no answer, in its thinking.
 */
export class TextReader implements StepReader {
  readonly #catalogue: Catalogue;
  readonly #callId: () => string;
  readonly #lastStep: boolean;
  /** Most models don't think, or don't do it here. */
  #thoughts: Holder | undefined;
  #content: Holder;
  #raw = "";
  #answer = "";
  #thinking = "";
  readonly #reported: ToolCall[] = [];

  constructor(catalogue: Catalogue, callId: () => string, lastStep: boolean) {
    this.#catalogue = catalogue;
    this.#callId = callId;
    this.#lastStep = lastStep;
    this.#content = new Holder(catalogue);
  }

  get runaway(): Runaway | undefined {
    return this.#content.runaway ?? this.#thoughts?.runaway;
  }

  thinking(text: string): readonly ShownText[] {
    this.#thoughts ??= new Holder(this.#catalogue);
    return this.#showThinking(this.#thoughts.push(text));
  }

  content(text: string): readonly ShownText[] {
    this.#raw += text;
    return this.#showAnswer(this.#content.push(text));
  }

  calls(calls: readonly ToolCall[]): readonly ShownText[] {
    this.#reported.push(...calls);
    return [];
  }

  retract(): readonly ShownText[] {
    const text = this.#raw;
    this.#raw = "";
    this.#answer = "";
    this.#content = new Holder(this.#catalogue);
    return text === "" ? [] : this.thinking(text);
  }

  finish(reason: FinishReason | "broken"): {
    readonly shown: readonly ShownText[];
    readonly reading: StepReading;
  } {
    const ending = isCutOff(reason) ? "cut" : "whole";
    const inContent = this.#content.finish(ending);
    const shown = [...this.#showAnswer(inContent.shown)];
    const isSilent = this.#answer.trim() === "" && inContent.calls.length === 0 && !inContent.isCut;
    const mayCall = isSilent && this.#reported.length === 0;
    const inThinking = this.#thoughts?.finish(mayCall ? ending : "text") ?? NOTHING_HELD;
    shown.push(...this.#showThinking(inThinking.shown));
    const separator = this.#thinking === "" ? "" : "\n";
    if (inContent.thought !== "") shown.push(...this.#showThinking(separator + inContent.thought));
    if (inThinking.thought !== "") shown.push(...this.#showThinking(separator + inThinking.thought));
    return {
      shown,
      reading: this.#reading(inContent, mayCall ? inThinking : NOTHING_HELD, isCutOff(reason)),
    };
  }

  #reading(inContent: HeldEnd, inThinking: HeldEnd, wasCut: boolean): StepReading {
    const reported = tidyCalls(this.#reported, this.#catalogue, this.#callId);
    const isCut = inContent.isCut || inThinking.isCut;
    const source = inContent.calls.length > 0 ? inContent : inThinking;
    const found = isCut ? [] : unreported(source.calls, reported);
    const calls = [...reported, ...identified(found, this.#callId)];
    const broken = calls.length > 0 ? undefined : this.#broken(isCut, wasCut);
    return {
      answer: this.#answer,
      thinking: this.#thinking,
      calls,
      ...(found.length === 0 ? {} : { recoveredFrom: source === inContent ? "text" : "thinking" }),
      ...(broken === undefined ? {} : { broken }),
      message: keptMessage(this.#answer, this.#thinking, calls),
    };
  }

  #broken(isCut: boolean, wasCut: boolean): string | undefined {
    if (isCut) return this.#lastStep ? CORRECTIONS.lastStep : CORRECTIONS.cut;
    return !wasCut && !this.#lastStep && this.#lacksName() ? CORRECTIONS.unnamed : undefined;
  }

  #lacksName(): boolean {
    const args = unnamedArguments(this.#raw, this.#catalogue);
    return (
      args !== undefined &&
      this.#catalogue.tools.some((tool) => tool.required.length > 0 && tool.accepts(args))
    );
  }

  #showAnswer(text: string): readonly ShownText[] {
    this.#answer += text;
    return shownAs("answer", text);
  }

  #showThinking(text: string): readonly ShownText[] {
    this.#thinking += text;
    return shownAs("thinking", text);
  }
}
