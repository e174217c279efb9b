import type { ToolCall } from "../models/types.ts";
import type { ShownText, StepReader, StepReading } from "../protocol.ts";
import { keptMessage } from "./messages.ts";

/** Reads a step as it is: text is text, calls are those that the server made. */
export class PlainReader implements StepReader {
  #thinking = "";
  #answer = "";
  readonly #calls: ToolCall[] = [];

  thinking(text: string): readonly ShownText[] {
    this.#thinking += text;
    return [{ channel: "thinking", text }];
  }

  content(text: string): readonly ShownText[] {
    this.#answer += text;
    return [{ channel: "answer", text }];
  }

  calls(calls: readonly ToolCall[]): readonly ShownText[] {
    this.#calls.push(...calls);
    return [];
  }

  retract(): readonly ShownText[] {
    const text = this.#answer;
    this.#answer = "";
    return text === "" ? [] : this.thinking(text);
  }

  finish(): { readonly shown: readonly ShownText[]; readonly reading: StepReading } {
    return {
      shown: [],
      reading: {
        answer: this.#answer,
        thinking: this.#thinking,
        calls: this.#calls,
        message: keptMessage(this.#answer, this.#thinking, this.#calls),
      },
    };
  }
}
