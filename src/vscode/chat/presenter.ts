import type { EventOf, TurnEvent } from "../../agent/events.ts";
import type { Source } from "../../agent/tool.ts";
import { CommitteeShow } from "./committee-show.ts";
import { answers, Speakers, type Speaker } from "./speakers.ts";
import { closingFence, plainMarkdown, shorten, toolLine } from "./words.ts";
import { keptWarning } from "./warnings.ts";
import { WaitingClock } from "../../cli/ask/waiting.ts";

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
/** Paragraphs that are looked for behind what was streamed. */
const MAX_ADDED = 40;
/** Sources shown under one answer at most. */
const MAX_SOURCES = 30;

/** Said when text that was shown turns out to have been thinking. */
const RETRACTED = "*(What stands above was the model thinking aloud. Its answer:)*";

/** Said when a synthesizer broke off after its first words. */
const BROKE_OFF = "*(What stands above broke off. The committee is summed up once more:)*";

/** How an object begins: it is shown whole, as code, once it is there. */
const OBJECT = /^\s*(?:```(?:json)?\s*)?\{/u;
/** What may still become that. */
const OBJECT_YET = /^\s*`{0,3}(?:j(?:s(?:o(?:n)?)?)?)?\s*$/u;

/** Text without white space: what was streamed and what the turn ended with may differ in it. */
const bare = (text: string): string => text.replace(/\s+/g, "");

/**
 * Shows one turn in the chat as it happens: what it waits for, what it thinks (in one line), which tools it runs, and
 * its answer word for word. Of a committee's members and of agents that are asked in between only passing lines are
 * shown: the answer is the synthesis. Call `show` for each event in order, then `end`; `stop` when nothing more comes.
 */
export class TurnPresenter {
  readonly #out: ChatOut;
  readonly #waiting: WaitingClock;
  readonly #sources = new Map<string, Source>();
  readonly #notes: string[] = [];
  readonly #speakers = new Speakers();
  readonly #committee = new CommitteeShow();
  /** Calls that were made with a structured output. */
  readonly #chained = new Set<string>();
  /** Of the agent that began last. */
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
  /** Text that may be the beginning of an object. */
  #held = "";
  #lacksSynthesis = false;

  constructor(out: ChatOut) {
    this.#out = out;
    this.#waiting = new WaitingClock((line) => out.progress(line));
  }

  /** Whether a committee's turn was answered without a synthesis, which may be tried again. */
  get lacksSynthesis(): boolean {
    return this.#lacksSynthesis;
  }

  /** Takes the next event of the turn. */
  show(event: TurnEvent): void {
    const speaker = this.#speakers.of(event);
    const line = this.#committee.take(event, speaker);
    if (line !== undefined) this.#out.progress(line);
    switch (event.type) {
      case "step.start":
        // The call itself begins once the server has a place for it.
        this.#waiting.start(named(speaker, "In line for"), speaker?.model ?? this.#model);
        return;
      case "agent.start":
        this.#model = event.data["gen_ai.request.model"];
        return;
      case "model.start":
        this.#begin(event, speaker);
        return;
      case "model.delta":
        this.#heard = true;
        this.#waiting.stop();
        if (answers(speaker)) this.#delta(event);
        return;
      case "model.end":
        this.#waiting.stop();
        this.#endThought();
        return;
      case "tool.request":
        if (event.data["conclave.chained"] === true && answers(speaker)) this.#chained.add(event.id);
        this.#out.progress(named(speaker, toolLine(event.data.name, event.data.arguments)));
        return;
      case "tool.result":
        this.#result(event, speaker);
        return;
      case "warning":
        this.#warning(event, speaker);
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
    this.#release(answer);
    if (!bare(this.#answer).includes(bare(answer))) this.#say(unseen(answer, this.#answer), "apart");
    // Where nobody summed up, the answer itself holds what each said.
    const beside = this.#lacksSynthesis ? "" : this.#committee.summary();
    if (beside !== "") this.#say(beside, "apart");
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

  #begin({ data }: EventOf<"model.start">, speaker: Speaker | undefined): void {
    const model = data["gen_ai.request.model"];
    this.#waiting.start(named(speaker, this.#heard ? "Waiting for" : "Loading"), model);
    if (!answers(speaker)) return;
    this.#stepText = "";
    this.#held = "";
    if (!this.#committee.takeRestart() || this.#answer.trim() === "") return;
    this.#say(BROKE_OFF, "apart");
    this.#answer = "";
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
    this.#answerText(data.text);
  }

  /** Shows what is said; what begins like an object waits until it is whole. */
  #answerText(text: string): void {
    if (this.#stepText === "") {
      const held = this.#held + text;
      if (OBJECT.test(held) || OBJECT_YET.test(held)) {
        if (this.#held === "") this.#out.progress("Writing");
        this.#held = held;
        return;
      }
      this.#held = "";
      this.#say(held, "apart");
      this.#stepText = held;
      this.#answer += held;
      return;
    }
    this.#say(text, "on");
    this.#stepText += text;
    this.#answer += text;
  }

  /** Text that waited, and that the turn's answer does not hold: the turn broke off within it. */
  #release(answer: string): void {
    const held = this.#held;
    this.#held = "";
    if (held.trim() !== "" && answer.trim() === "") this.#say(held, "apart");
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

  #result({ id, data }: EventOf<"tool.result">, speaker: Speaker | undefined): void {
    const what = data.error?.message ?? data.details?.summary;
    if (what !== undefined) this.#out.progress(`${lead(speaker)}${data.name}: ${shorten(what, 200)}`);
    // A chained tool that failed is told by a warning.
    if (this.#chained.has(id) && data.error === undefined)
      this.#notes.push(`The object was given to ${data.name}${what === undefined ? "" : `: ${what}`}`);
    this.#addSources(data.details?.sources ?? []);
  }

  #addSources(sources: readonly Source[]): void {
    for (const source of sources) {
      if (this.#sources.size < MAX_SOURCES) this.#sources.set(source.uri, source);
    }
  }

  /** What changes how the answer is to be read stays under it; the rest passes by. */
  #warning({ data }: EventOf<"warning">, speaker: Speaker | undefined): void {
    const { code, message } = data;
    // What stands in for the synthesis begins with its words.
    if (code === "no_synthesis") this.#lacksSynthesis = true;
    // Of the web the participant has offered the button already, from the question alone.
    if (code === "no_synthesis" || code === "web_off") return;
    if (!keptWarning(code, answers(speaker))) this.#out.progress(lead(speaker) + shorten(message, 200));
    else if (!this.#notes.includes(message)) this.#notes.push(message);
  }
}

/** What an answer adds to what was streamed of it, from a paragraph on; all of it where it begins in another way. */
function unseen(answer: string, streamed: string): string {
  const seen = bare(streamed);
  let at = answer.length;
  for (let paragraphs = 0; paragraphs < MAX_ADDED && at > 0; paragraphs += 1) {
    at = answer.lastIndexOf("\n\n", at - 1);
    const before = at < 0 ? "" : bare(answer.slice(0, at));
    if (before !== "" && seen.endsWith(before)) return answer.slice(at).trim();
  }
  return answer;
}

/** Says who it is of, where that is not who answers. */
function lead(speaker: Speaker | undefined): string {
  return answers(speaker) ? "" : `${speaker?.name ?? ""}: `;
}

function named(speaker: Speaker | undefined, line: string): string {
  const who = lead(speaker);
  return who === "" ? line : who + line.charAt(0).toLowerCase() + line.slice(1);
}
