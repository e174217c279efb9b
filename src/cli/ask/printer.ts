import type { TurnOutcome } from "../../agent/engine-port.ts";
import type { TurnEvent } from "../../agent/events.ts";
import { harmless, type Terminal } from "../terminal.ts";
import { WaitingClock } from "./waiting.ts";

/** Text of a tool's arguments on one line. */
const SHOWN = 200;

/** What is printed of a turn. */
export interface PrintedParts {
  /** The answer, on standard output, as it is written. */
  readonly answer: boolean;
  /** Thinking, tools, members of a committee and warnings, on standard error. */
  readonly rest: boolean;
}

/** Prints a turn as it happens: the answer to one stream, all else to the other. */
export class AnswerPrinter {
  /** What came so far, without deltas. */
  readonly events: TurnEvent[] = [];
  readonly #terminal: Terminal;
  readonly #parts: PrintedParts;
  /** Roles by the spans of their agents, and the agents of model calls. */
  readonly #answering = new Set<string>();
  readonly #calls = new Map<string, boolean>();
  #printed = "";
  /** What was printed last on standard error did not end its line. */
  #isOpen = false;
  /** The answer's last line is not ended; on a terminal both streams share it. */
  #isAnswerOpen = false;
  readonly #waiting: WaitingClock;
  /** A model has said something in this turn: it needs not be loaded any more. */
  #hasHeard = false;

  constructor(terminal: Terminal, parts: PrintedParts) {
    this.#terminal = terminal;
    this.#parts = parts;
    this.#waiting = new WaitingClock((line) => this.#line(`... ${line}`));
  }

  /** Takes the next event of the turn. */
  take(event: TurnEvent): void {
    if (event.type === "model.delta") this.#delta(event);
    else {
      this.events.push(event);
      this.#note(event);
    }
  }

  /** The turn is over: what was not printed as it came is printed now. */
  end({ answer, outcome, error }: TurnOutcome): void {
    this.#waiting.stop();
    this.#closeLine();
    if (this.#parts.answer) {
      const rest = this.#rest(harmless(answer));
      if (rest !== "") this.#out(rest);
      if (this.#printed !== "" || rest !== "") this.#out("\n");
    }
    if (error !== undefined && outcome !== "answered") this.#terminal.err(`${harmless(error.message)}\n`);
  }

  /** What of the whole answer is not yet printed. */
  #rest(answer: string): string {
    const printed = this.#printed.trim();
    if (answer.trim() === "" || printed.endsWith(answer.trim())) return "";
    if (answer.startsWith(this.#printed)) return answer.slice(this.#printed.length);
    return `${this.#printed === "" ? "" : "\n\n"}${answer}`;
  }

  #delta(event: Extract<TurnEvent, { type: "model.delta" }>): void {
    this.#hasHeard = true;
    this.#waiting.stop();
    const { channel, text, retract } = event.data;
    if (channel === "thinking") {
      this.#say(text, true);
      return;
    }
    if (retract === true) {
      // What is printed can't be taken back; the answer begins anew below it.
      if (this.#parts.answer && this.#printed !== "") this.#out("\n\n");
      this.#printed = "";
      return;
    }
    if (!this.#parts.answer || this.#calls.get(event.id) !== true) return;
    this.#closeLine();
    const shown = harmless(text);
    this.#printed += shown;
    this.#out(shown);
  }

  #note(event: TurnEvent): void {
    switch (event.type) {
      case "agent.start":
        if (isAnswering(event.data["conclave.role"])) this.#answering.add(event.id);
        else this.#line(`${event.agent} (${event.data["gen_ai.request.model"]})`);
        break;
      case "model.start":
        this.#calls.set(event.id, this.#isOfAnswering(event));
        this.#waiting.start(this.#hasHeard ? "Waiting for" : "Loading", event.data["gen_ai.request.model"]);
        break;
      case "model.end":
        this.#waiting.stop();
        if (event.data.tool_calls.length > 0 && this.#printed !== "") this.#break();
        break;
      case "tool.request":
        this.#line(`> ${event.data.name} ${short(JSON.stringify(event.data.arguments))}`);
        break;
      case "tool.result":
        this.#line(`< ${short(event.data.error?.message ?? event.data.details?.summary ?? "done")}`);
        break;
      case "warning":
        this.#line(`! ${event.data.message}`);
        break;
      default:
    }
  }

  /** Whether a call is of the agent whose words are the answer. */
  #isOfAnswering({ parentId, stepId }: TurnEvent): boolean {
    if (this.#answering.size === 0) return false;
    const step = this.events.find(
      ({ id, type }) => type === "step.start" && (id === stepId || id === parentId),
    );
    return [parentId, step?.parentId].some(
      (id) => id !== undefined && id !== null && this.#answering.has(id),
    );
  }

  /** A remark before tools are called is no part of what follows. */
  #break(): void {
    if (this.#parts.answer) this.#out("\n\n");
    this.#printed = "";
  }

  #out(text: string): void {
    this.#terminal.out(text);
    if (text !== "") this.#isAnswerOpen = !text.endsWith("\n");
  }

  #line(text: string): void {
    this.#closeLine();
    this.#say(`${short(text, 4 * SHOWN)}\n`, false);
  }

  #say(text: string, isOpen: boolean): void {
    if (!this.#parts.rest) return;
    if (this.#isAnswerOpen) this.#terminal.err("\n");
    this.#isAnswerOpen = false;
    this.#terminal.err(harmless(text));
    this.#isOpen = isOpen && !text.endsWith("\n");
  }

  #closeLine(): void {
    if (this.#isOpen && this.#parts.rest) this.#terminal.err("\n");
    this.#isOpen = false;
  }
}

function isAnswering(role: string | undefined): boolean {
  return role === undefined || role === "answerer" || role === "synthesizer";
}

function short(text: string, most = SHOWN): string {
  const line = text.replace(/\s+/gu, " ").trim();
  return line.length > most ? `${line.slice(0, most - 3).toWellFormed()}...` : line;
}
