import { readSpeech } from "../../agent/committee/speech.ts";
import type { EventOf, TurnEvent } from "../../agent/events.ts";
import type { Position, Verdict } from "../../agent/events-committee.ts";
import type { Speaker } from "./speakers.ts";
import { countText, plainMarkdown, shorten } from "./words.ts";

/** Characters of a position that a line holds. */
const POSITION = 160;
/** Tools that a member's line names at most. */
const MAX_TOOLS = 4;

const STOPPED: { readonly [why in EventOf<"committee.end">["data"]["conclave.stopped"]]: string } = {
  rounds: "",
  agreed: "the members agreed",
  nothing_new: "nothing new came",
  cancelled: "it was cancelled",
  failed: "it failed",
};

/** What one member used so far. */
interface Used {
  readonly tools: Set<string>;
  input: number;
  output: number;
}

/**
 * A committee's turn in the chat: a passing line for whatever happens while its members work, and at the end what
 * stands beside the synthesis. Give it every event, in order.
 */
export class CommitteeShow {
  #personas: readonly string[] = [];
  #done = 0;
  readonly #used = new Map<string, Used>();
  readonly #positions = new Map<string, Position>();
  #rounds = 0;
  #end: EventOf<"committee.end">["data"] | undefined;
  #synthesizerFailed = false;

  /** Takes the next event and gives the line to say of it; undefined where there is nothing to say. */
  take(event: TurnEvent, speaker: Speaker | undefined): string | undefined {
    switch (event.type) {
      case "committee.start":
        return this.#begin(event);
      case "round.start":
        this.#done = 0;
        return event.data.of > 1 ? `Round ${event.data.index} of ${event.data.of}` : undefined;
      case "round.end":
        return this.#roundEnd(event);
      case "agent.start":
        return begins(speaker);
      case "agent.end":
        return this.#agentEnd(event, speaker);
      case "tool.request":
        this.#usedBy(speaker?.name).tools.add(event.data.name);
        return undefined;
      case "model.end": {
        const used = this.#usedBy(speaker?.name);
        used.input += event.data["gen_ai.usage.input_tokens"] ?? 0;
        used.output += event.data["gen_ai.usage.output_tokens"] ?? 0;
        return undefined;
      }
      case "committee.end":
        this.#end = event.data;
        return undefined;
      default:
        return undefined;
    }
  }

  /** Whether a synthesizer broke off, so that what follows begins anew; asking takes note of it. */
  takeRestart(): boolean {
    const failed = this.#synthesizerFailed;
    this.#synthesizerFailed = false;
    return failed;
  }

  /** What stands beside the synthesis, as Markdown in which what members said stays text; empty without a committee. */
  summary(): string {
    const end = this.#end;
    if (end === undefined || this.#positions.size === 0) return "";
    const line = verdictLine(end["conclave.verdict"], this.#personas.length);
    const stopped = STOPPED[end["conclave.stopped"]];
    const tokens = this.#tokens();
    const cost = [
      `${end.rounds} ${end.rounds === 1 ? "round" : "rounds"}${stopped === "" ? "" : `: ${stopped}`}`,
      ...(tokens.input + tokens.output === 0
        ? []
        : [`${countText(tokens.input)} tokens in, ${countText(tokens.output)} out`]),
    ];
    return [line, this.#standings(), `*${cost.join(" · ")}*`].filter((part) => part !== "").join("\n\n");
  }

  #begin({ data }: EventOf<"committee.start">): string {
    this.#personas = data["conclave.personas"].map(({ name }) => name);
    const words = [
      `${this.#personas.length} members: ${shorten(this.#personas.join(", "), 200)}`,
      data["conclave.strategy"],
      ...(data["conclave.estimated_tokens"] > 0
        ? [`about ${countText(data["conclave.estimated_tokens"])} tokens at most`]
        : []),
    ];
    return words.join(" · ");
  }

  #roundEnd({ data }: EventOf<"round.end">): string | undefined {
    this.#rounds = data.index;
    for (const position of data.positions) {
      // Who failed in a later round still stands where it stood.
      if (position.error === undefined || !this.#positions.has(position.agent))
        this.#positions.set(position.agent, position);
    }
    const agreed = data["conclave.agreed"];
    if (agreed === undefined) return undefined;
    return agreed ? "The members agree" : "The members differ";
  }

  #agentEnd({ data }: EventOf<"agent.end">, speaker: Speaker | undefined): string | undefined {
    const { outcome, error } = data;
    if (speaker === undefined || outcome === "cancelled") return undefined;
    if (speaker.role === "synthesizer" && outcome === "failed") this.#synthesizerFailed = true;
    if (outcome === "failed") return `${speaker.name} gave no answer: ${shorten(error?.message ?? "", 200)}`;
    if (speaker.role !== "persona") return undefined;
    this.#done += 1;
    const { input, output } = this.#tokens();
    const far = input + output === 0 ? "" : ` · ${countText(input + output)} tokens so far`;
    return `${speaker.name} answered, ${this.#done} of ${this.#personas.length}${far}`;
  }

  #usedBy(name = ""): Used {
    const used = this.#used.get(name) ?? { tools: new Set<string>(), input: 0, output: 0 };
    this.#used.set(name, used);
    return used;
  }

  #tokens(): { readonly input: number; readonly output: number } {
    let [input, output] = [0, 0];
    for (const used of this.#used.values()) {
      input += used.input;
      output += used.output;
    }
    return { input, output };
  }

  /** Where everybody stands, as a list: the Chat view is too narrow for a table. */
  #standings(): string {
    const lines = [...this.#positions.values()].map((position) => {
      const used = this.#usedBy(position.agent);
      const words = [
        ...[...used.tools].slice(0, MAX_TOOLS).map((name) => plainMarkdown(name)),
        ...(used.output === 0 ? [] : [`${countText(used.output)} tokens`]),
      ];
      const after = words.length === 0 ? "" : ` *(${words.join(", ")})*`;
      return `- **${plainMarkdown(position.agent)}:** ${standing(position, this.#rounds)}${after}`;
    });
    return lines.join("\n");
  }
}

function begins(speaker: Speaker | undefined): string | undefined {
  if (speaker === undefined) return undefined;
  const { name, role } = speaker;
  switch (role) {
    case "persona":
      return `${name} is at work`;
    case "judge":
      return `${name} weighs the answers`;
    case "synthesizer":
      return `${name} sums up`;
    case "delegate":
      return `${name} was asked, and is at work`;
    case "summariser":
      return "Summing up earlier turns";
    default:
      return undefined;
  }
}

/** Where a member stands, on one line. */
function standing({ answer, error, changed, reason }: Position, rounds: number): string {
  if (error !== undefined) return `*no answer: ${plainMarkdown(shorten(error.message, POSITION))}*`;
  const view = plainMarkdown(shorten(readSpeech(answer).view, POSITION));
  if (changed !== true || rounds < 2) return view;
  return `${view} *(changed: ${plainMarkdown(shorten(reason ?? "no reason was given", POSITION))})*`;
}

/** Best single answer, majority and other views, on one line. */
function verdictLine({ best, majority, minority }: Verdict, members: number): string {
  const words = [
    ...(best === undefined
      ? []
      : [`**Best single answer:** ${plainMarkdown(best.agent)} (${plainMarkdown(best.by)})`]),
    majority === undefined
      ? `**${best === undefined ? "No" : "no"} majority**`
      : `**majority, ${majority.agents.length} of ${members}:** ${plainMarkdown(
          shorten(readSpeech(majority.answer).view, POSITION),
        )}`,
    ...(minority.length === 0
      ? []
      : [`**another view:** ${minority.map(({ agent }) => plainMarkdown(agent)).join(", ")}`]),
  ];
  return words.join(" · ");
}
