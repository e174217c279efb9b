import type { EventOf, TurnEvent } from "../../agent/events.ts";
import type { Source } from "../../agent/tool.ts";
import { closingFence, plainMarkdown, shorten, toolLine } from "./words.ts";
import { WaitingClock } from "./waiting.ts";

/** Where a turn is shown: VS Code's chat stream, or a list in a test. */
export interface ChatOut {
  /** A passing line; the next one or the answer takes its place. */
  progress(line: string): void;
  /** Text that stays. */
  markdown(text: string): void;
  /** A source under the answer. */
  source(source: Source): void;
}

/** Milliseconds between two looks into the thinking. */
const THOUGHT_EVERY_MS = 4_000;
/** Looks into the thinking of one turn at most. */
const MAX_THOUGHTS = 60;
/** Sources shown under one answer at most. */
const MAX_SOURCES = 30;

/** Said when text that was shown turns out to have been thinking. */
const RETRACTED = "*(What stands above was the model thinking aloud. Its answer:)*";

/** Text without white space: what was streamed and what the turn ended with may differ in it. */
const bare = (text: string): string => text.replace(/\s+/g, "");

/**
 * Shows one turn in the chat as it happens: what it waits for, what it thinks (in one line), which tools it runs, and
 * its answer word for word. Call `show` for each event in order, then `end`; `stop` when nothing more comes.
 */
export class TurnPresenter {
  readonly #out: ChatOut;
  readonly #waiting: WaitingClock;
  readonly #sources = new Map<string, Source>();
  readonly #notes: string[] = [];
  #model = "";
  /** All that was shown. */
  #shown = "";
  /** Of that, what the model has not taken back. */
  #answer = "";
  #stepText = "";
  #thought = "";
  #thoughtAt = 0;
  #thoughts = 0;
  #heard = false;

  constructor(out: ChatOut) {
    this.#out = out;
    this.#waiting = new WaitingClock((line) => out.progress(line));
  }

  /** Takes the next event of the turn. */
  show(event: TurnEvent): void {
    switch (event.type) {
      case "agent.start":
        this.#model = event.data["gen_ai.request.model"];
        return;
      case "step.start":
        // The call itself begins once the server has a place for it.
        this.#waiting.start("In line for", this.#model);
        return;
      case "model.start":
        this.#stepText = "";
        this.#waiting.start(this.#heard ? "Waiting for" : "Loading", event.data["gen_ai.request.model"]);
        return;
      case "model.delta":
        this.#heard = true;
        this.#waiting.stop();
        this.#delta(event);
        return;
      case "model.end":
        this.#waiting.stop();
        this.#endThought();
        return;
      case "tool.request":
        this.#out.progress(toolLine(event.data.name, event.data.arguments));
        return;
      case "tool.result":
        this.#result(event);
        return;
      case "warning":
        this.#warning(event);
        return;
      case "answer.dialog":
        this.#addSources(event.data["conclave.sources"] ?? []);
        return;
      case "turn.end":
        this.stop();
        return;
      default:
        return;
    }
  }

  /** Stops the clock; may be called at any time. */
  stop(): void {
    this.#waiting.stop();
  }

  /**
   * Ends the turn: stops the clock, shows what of the answer has not been streamed, then notes and sources.
   *
   * @param answer the turn's whole answer; may be empty
   * @param notes what else is to be said under it, as plain text
   */
  end(answer: string, notes: readonly string[] = []): void {
    this.stop();
    if (!bare(this.#answer).includes(bare(answer))) this.#say(answer, "apart");
    for (const note of [...this.#notes, ...notes]) this.#say(`*${plainMarkdown(note)}*`, "apart");
    for (const source of this.#sources.values()) this.#out.source(source);
  }

  /** Shows text, `apart` as a paragraph of its own: not within a code block that was left open. */
  #say(text: string, how: "on" | "apart"): void {
    const apart = how === "apart" && this.#shown.trim() !== "";
    const all = apart ? `${closingFence(this.#shown)}\n\n${text}` : text;
    this.#shown += all;
    this.#out.markdown(all);
  }

  #delta({ data }: EventOf<"model.delta">): void {
    if (data.channel === "thinking") {
      this.#think(data.text);
      return;
    }
    this.#endThought();
    if (data.retract) {
      this.#retract();
      return;
    }
    this.#say(data.text, this.#stepText === "" ? "apart" : "on");
    this.#stepText += data.text;
    this.#answer += data.text;
  }

  /** The chat can't take text back: a line says that what stands above was not the answer. */
  #retract(): void {
    if (this.#stepText.trim() !== "") this.#say(RETRACTED, "apart");
    this.#answer = "";
    this.#stepText = "";
  }

  /** The latest whole sentence of the thinking, now and then: all of it stands in the trace. */
  #think(text: string): void {
    const first = this.#thought === "";
    this.#thought = (this.#thought + text).slice(-2_000);
    if (first) {
      this.#thoughtAt = Date.now();
      this.#out.progress("Thinking");
    } else if (Date.now() - this.#thoughtAt >= THOUGHT_EVERY_MS && this.#thoughts < MAX_THOUGHTS) {
      const sentence = /([^.!?\n]+[.!?])[^.!?]*$/.exec(this.#thought)?.[1]?.trim();
      if (!sentence) return;
      this.#thoughtAt = Date.now();
      this.#thoughts += 1;
      this.#out.progress(`Thinking: ${shorten(sentence, 100)}`);
    }
  }

  #endThought(): void {
    this.#thought = "";
  }

  #result({ data }: EventOf<"tool.result">): void {
    if (data.error) this.#out.progress(`${data.name}: ${shorten(data.error.message, 200)}`);
    else if (data.details) this.#out.progress(`${data.name}: ${shorten(data.details.summary, 200)}`);
    this.#addSources(data.details?.sources ?? []);
  }

  #addSources(sources: readonly Source[]): void {
    for (const source of sources) {
      if (this.#sources.size < MAX_SOURCES) this.#sources.set(source.uri, source);
    }
  }

  /** What changes how the answer is to be read stays under it; the rest passes by. */
  #warning({ data }: EventOf<"warning">): void {
    switch (data.code) {
      case "step_limit":
      case "token_budget":
      case "context_cut":
      case "answer_cut":
      case "references_cut":
      case "memory_unavailable":
        if (!this.#notes.includes(data.message)) this.#notes.push(data.message);
        return;
      case "web_off":
        // The participant has offered the button already, from the question alone.
        return;
      default: {
        this.#out.progress(shorten(data.message, 200));
        return;
      }
    }
  }
}
