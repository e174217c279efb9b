import type { FinishReason, ToolCall } from "../models/types.ts";
import type { ShownText, StepReader, StepReading } from "../protocol.ts";
import { identified } from "./calls.ts";
import { CORRECTIONS } from "./corrections.ts";
import { deedsOf, HeldThinking } from "./held-thinking.ts";
import { JsonFields, type FieldText } from "./json-fields.ts";
import { keptMessage } from "./messages.ts";
import type { Catalogue } from "./recovery/catalogue.ts";
import { readValue } from "./recovery/json-calls.ts";
import { isJsonObject } from "../json.ts";
import { callsOf, rawCall, type RawCall } from "./recovery/shapes.ts";
import { isCutOff, shownAs, TextReader } from "./text-reader.ts";
import type { Json } from "../models/types.ts";

/** What the object of a step says. */
type Meaning =
  | { readonly kind: "calls"; readonly calls: readonly RawCall[]; readonly isOwnForm: boolean }
  | { readonly kind: "answer"; readonly text: string }
  | { readonly kind: "broken"; readonly words: string };

/**
 * Reads a step that was held to the schema of `stepSchema`: the answer is shown while its JSON is still growing. A
 * server that ignores the schema is survived: what does not begin as JSON is read as text, and a call that stayed in the
 * thinking counts when nothing else was said.
 */
export class ConstrainedReader implements StepReader {
  readonly #catalogue: Catalogue;
  readonly #callId: () => string;
  readonly #lastStep: boolean;
  /** Reads what is not JSON. */
  #text: TextReader;
  readonly #reported: ToolCall[] = [];
  /** What the server tells apart as thinking. */
  readonly #apart: HeldThinking;
  #mode: "open" | "json" | "text" = "open";
  #raw = "";
  #fields = new JsonFields(["thought", "answer"]);
  #answer = "";
  #thought = "";
  #thinking = "";

  constructor(catalogue: Catalogue, callId: () => string, lastStep: boolean) {
    this.#catalogue = catalogue;
    this.#callId = callId;
    this.#lastStep = lastStep;
    this.#text = new TextReader(catalogue, callId, lastStep);
    this.#apart = new HeldThinking(catalogue);
  }

  thinking(text: string): readonly ShownText[] {
    return this.#think(this.#apart.push(text));
  }

  content(text: string): readonly ShownText[] {
    this.#raw += text;
    if (this.#mode === "text") return this.#text.content(text);
    if (this.#mode === "json") return this.#showAll(this.#fields.push(text));
    const first = text.trimStart().charAt(0);
    if (first === "") return [];
    this.#mode = first === "{" ? "json" : "text";
    if (this.#mode === "text") return this.#text.content(this.#raw);
    return [...this.#think(this.#apart.release()), ...this.#showAll(this.#fields.push(this.#raw))];
  }

  calls(calls: readonly ToolCall[]): readonly ShownText[] {
    this.#reported.push(...calls);
    return [];
  }

  retract(): readonly ShownText[] {
    const text = this.#raw;
    this.#raw = "";
    this.#answer = "";
    this.#thought = "";
    this.#mode = "open";
    this.#fields = new JsonFields(["thought", "answer"]);
    this.#text = new TextReader(this.#catalogue, this.#callId, this.#lastStep);
    this.#apart.reopen();
    return text === "" ? [] : this.thinking(text);
  }

  finish(reason: FinishReason | "broken"): {
    readonly shown: readonly ShownText[];
    readonly reading: StepReading;
  } {
    if (this.#mode !== "json") return this.#finishText(reason);
    const shown = [...this.#showAll(this.#fields.finish())];
    const meaning = this.#meaning(isCutOff(reason));
    if (meaning.kind === "answer" && meaning.text !== this.#answer) {
      shown.push(...shownAs("answer", meaning.text));
      this.#answer = meaning.text;
    }
    const calls = meaning.kind === "calls" ? identified(meaning.calls, this.#callId) : [];
    const isRecovered = meaning.kind === "calls" && !meaning.isOwnForm;
    return {
      shown,
      reading: {
        answer: this.#answer,
        thinking: this.#thinking,
        calls,
        ...(isRecovered ? { recoveredFrom: "text" } : {}),
        ...(meaning.kind === "broken" ? { broken: meaning.words } : {}),
        message: keptMessage(this.#answer, this.#thought, calls),
      },
    };
  }

  #finishText(reason: FinishReason | "broken"): ReturnType<TextReader["finish"]> {
    this.#text.calls(this.#reported);
    const { shown, reading } = this.#text.finish(reason);
    const isSilent =
      reading.calls.length === 0 && reading.broken === undefined && reading.answer.trim() === "";
    const apart = this.#apart.finish(isSilent ? (isCutOff(reason) ? "cut" : "whole") : "text");
    // What a step in another form thought before its call: it stood in the thinking or in the text.
    const thought = apart.thought === "" ? reading.thinking : apart.thought;
    const thinking = [...this.#think(apart.shown), ...this.#thinkOwn(thought)];
    const deeds = deedsOf(apart, this.#callId, this.#lastStep);
    const message = keptMessage(reading.answer, this.#thought, (deeds ?? reading).calls);
    return {
      shown: [...shown.filter(({ channel }) => channel === "answer"), ...thinking],
      reading: { ...reading, ...deeds, thinking: this.#thinking, message },
    };
  }

  #think(text: string): readonly ShownText[] {
    this.#thinking += text;
    return shownAs("thinking", text);
  }

  /** A thought of the step, set off from the thinking before it. */
  #thinkOwn(text: string): readonly ShownText[] {
    const isFirst = this.#thought === "" && text !== "";
    this.#thought += text;
    return this.#think(isFirst && this.#thinking !== "" ? `\n\n${text}` : text);
  }

  #meaning(wasCut: boolean): Meaning {
    const value = readValue(this.#raw.trimStart(), 0);
    const isAnswering = this.#fields.has("answer");
    if (wasCut || value?.kind !== "value" || !isJsonObject(value.value)) {
      if (isAnswering) return { kind: "answer", text: this.#answer };
      const isCut = wasCut || value?.kind === "cut";
      const words = isCut ? (this.#lastStep ? CORRECTIONS.lastStep : CORRECTIONS.cut) : CORRECTIONS.notJson;
      return { kind: "broken", words };
    }
    if (isAnswering) return { kind: "answer", text: this.#answer };
    return this.#meaningOf(value.value);
  }

  #meaningOf(object: { readonly [key: string]: Json }): Meaning {
    const { tool, arguments: given = {}, answer } = object;
    const isCall = typeof tool === "string" && tool !== "";
    if (!isCall && answer !== undefined && answer !== null) {
      return { kind: "answer", text: typeof answer === "string" ? answer : JSON.stringify(answer, null, 2) };
    }
    const calls = isCall ? [rawCall(tool, given, this.#catalogue)] : (callsOf(object, this.#catalogue) ?? []);
    if (calls.length === 0) return { kind: "broken", words: CORRECTIONS.neither };
    return { kind: "calls", calls, isOwnForm: isCall };
  }

  #showAll(pieces: readonly FieldText[]): readonly ShownText[] {
    return pieces.flatMap(({ field, text }) => {
      if (field === "answer") {
        this.#answer += text;
        return shownAs("answer", text);
      }
      return this.#thinkOwn(text);
    });
  }
}
