import type { FinishReason, ToolCall } from "../models/types.ts";
import type { ShownText, StepReader, StepReading } from "../protocol.ts";
import { identified } from "./calls.ts";
import { CORRECTIONS } from "./corrections.ts";
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
 * server that ignores the schema is survived: what does not begin as JSON is read as text.
 */
export class ConstrainedReader implements StepReader {
  readonly #catalogue: Catalogue;
  readonly #callId: () => string;
  readonly #lastStep: boolean;
  readonly #text: TextReader;
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
  }

  thinking(text: string): readonly ShownText[] {
    this.#thinking += text;
    return shownAs("thinking", text);
  }

  content(text: string): readonly ShownText[] {
    if (this.#mode === "text") return this.#text.content(text);
    this.#raw += text;
    if (this.#mode === "json") return this.#showAll(this.#fields.push(text));
    const first = text.trimStart().charAt(0);
    if (first === "") return [];
    this.#mode = first === "{" ? "json" : "text";
    return first === "{" ? this.#showAll(this.#fields.push(this.#raw)) : this.#text.content(this.#raw);
  }

  calls(calls: readonly ToolCall[]): readonly ShownText[] {
    return this.#text.calls(calls);
  }

  retract(): readonly ShownText[] {
    const text = this.#raw;
    this.#raw = "";
    this.#answer = "";
    this.#thought = "";
    this.#mode = "open";
    this.#fields = new JsonFields(["thought", "answer"]);
    this.#text.retract();
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
    const { shown, reading } = this.#text.finish(reason);
    return { shown, reading: { ...reading, thinking: this.#thinking } };
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
      const separated = this.#thought === "" && this.#thinking !== "" ? `\n\n${text}` : text;
      this.#thought += text;
      return this.thinking(separated);
    });
  }
}
