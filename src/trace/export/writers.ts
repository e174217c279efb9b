import type { TurnEvent } from "../../agent/events.ts";
import { jsonForLog } from "../bounded.ts";
import { PromptShortener } from "../prompt-chain.ts";
import { sessionLine } from "../session-line.ts";
import type { ExportFormat } from "./formats.ts";
import { HtmlWriter } from "./html/write.ts";
import { writeMarkdown } from "./markdown/write.ts";
import { OtlpBuilder } from "./otlp/build.ts";
import { StoryBuilder } from "./story/build.ts";

/** Turns the events of a session into the text of a format. */
export interface FormatWriter {
  /** Takes an event; gives the text that can be written already. */
  take(event: TurnEvent): string;
  /** Notes a line of the log that could not be read. */
  problem(message: string): void;
  /** The rest of the text, in pieces. */
  finish(): Iterable<string>;
  /** In words, what did not fit; known once all was given. */
  readonly leftOut: string;
}

/** The log as it is. */
class LinesWriter implements FormatWriter {
  readonly leftOut = "";
  readonly #sessionId: string;
  readonly #prompts = new PromptShortener();
  #begun = false;

  constructor(sessionId: string) {
    this.#sessionId = sessionId;
  }

  take(event: TurnEvent): string {
    const head = this.#begun ? "" : sessionLine(this.#sessionId, event.time);
    this.#begun = true;
    return `${head}${jsonForLog(this.#prompts.shorten(event))}\n`;
  }

  problem(): void {
    // A line that can't be read can't be written either; the figures count it.
  }

  finish(): Iterable<string> {
    return this.#begun ? [] : [sessionLine(this.#sessionId, 0)];
  }
}

class SpansWriter implements FormatWriter {
  readonly #builder = new OtlpBuilder();

  get leftOut(): string {
    return this.#builder.leftOut;
  }

  take(event: TurnEvent): string {
    this.#builder.take(event);
    return "";
  }

  problem(): void {
    // Spans have no place for it; the figures count it.
  }

  finish(): Iterable<string> {
    return this.#builder.json();
  }
}

class StoryWriter implements FormatWriter {
  leftOut = "";
  readonly #builder: StoryBuilder;
  readonly #isHtml: boolean;

  constructor(sessionId: string, isHtml: boolean) {
    this.#isHtml = isHtml;
    this.#builder = new StoryBuilder(sessionId, { requests: isHtml });
  }

  take(event: TurnEvent): string {
    this.#builder.take(event);
    return "";
  }

  problem(message: string): void {
    this.#builder.problem(message);
  }

  *finish(): Iterable<string> {
    const story = this.#builder.story();
    if (this.#isHtml) {
      const writer = new HtmlWriter(story);
      yield* writer.pieces();
      this.leftOut = writer.leftOut;
    } else {
      const { text, leftOut } = writeMarkdown(story);
      this.leftOut = leftOut;
      yield text;
    }
  }
}

/** The writer of a format. */
export function writerOf(format: ExportFormat, sessionId: string): FormatWriter {
  switch (format) {
    case "jsonl":
      return new LinesWriter(sessionId);
    case "otlp":
      return new SpansWriter();
    case "html":
      return new StoryWriter(sessionId, true);
    case "markdown":
      return new StoryWriter(sessionId, false);
  }
}
