import type { EventOf, TurnEvent } from "../../agent/events.ts";
import { lengthOf, prefixDifference } from "./prefix.ts";
import { soundMessages } from "./sound.ts";
import type { PrefillView } from "./types.ts";

type ModelStart = EventOf<"model.start">;

/** Characters that make a token where no server counted, roughly. */
const PER_TOKEN = 3.5;

/** One prompt of the turn, and how much of it its server had read already. */
interface Prompt {
  readonly speaker: string;
  /** The share that is the same as in the request before it, 0 to 1; undefined where there was none. */
  readonly known: number | undefined;
  tokens: number;
}

/**
 * Works out how far the prompts of a turn begin alike: takes the events of a log in their order, those of earlier turns
 * first. Holds no more of them than the latest request to each model, and a few figures for each of the turn's.
 */
export class PrefillReader {
  readonly #turnId: string;
  readonly #latest = new Map<string, ModelStart>();
  readonly #hosts = new Map<string, string>();
  /** The agent that a step is of. */
  readonly #agents = new Map<string, string>();
  readonly #prompts = new Map<string, Prompt>();

  constructor(turnId: string) {
    this.#turnId = turnId;
  }

  /** Takes the next event; true once the turn is over and nothing more is needed. */
  take(event: TurnEvent): boolean {
    switch (event.type) {
      case "agent.start":
        this.#hosts.set(event.id, event.data["conclave.host"] ?? "");
        return false;
      case "step.start":
        if (event.parentId !== null) this.#agents.set(event.id, event.parentId);
        return false;
      case "model.start":
        this.#start(event);
        return false;
      case "model.end": {
        const prompt = event.turnId === this.#turnId ? this.#prompts.get(event.id) : undefined;
        const counted = event.data["gen_ai.usage.input_tokens"];
        if (prompt !== undefined && counted !== undefined) prompt.tokens = counted;
        return false;
      }
      default:
        return event.type === "turn.end" && event.turnId === this.#turnId;
    }
  }

  /** What came of it; undefined where the turn asked no model. */
  view(): PrefillView | undefined {
    const prompts = [...this.#prompts.values()];
    const last = prompts.at(-1);
    if (last === undefined) return undefined;
    const compared = prompts.filter(({ known }) => known !== undefined);
    const sum = (of: readonly Prompt[], value: (prompt: Prompt) => number): number =>
      of.reduce((total, prompt) => total + value(prompt), 0);
    const speakers = firstOfEach(prompts);
    const one = speakers[0]?.tokens ?? 0;
    // The first one is taken as read from its start: what others cost beside it is what is asked.
    const others = sum(speakers.slice(1), ({ tokens, known = 0 }) => tokens * (1 - known));
    return {
      prompts: prompts.length,
      tokens: Math.round(sum(compared, ({ tokens }) => tokens)),
      shared: Math.round(sum(compared, ({ tokens, known = 0 }) => tokens * known)),
      speakers: speakers.length,
      ...(last.known !== undefined && {
        latest: { tokens: Math.round(last.tokens), shared: Math.round(last.tokens * last.known) },
      }),
      ...(speakers.length > 1 && one > 0 && { times: (one + others) / one }),
    };
  }

  #start(event: ModelStart): void {
    const messages = soundMessages(event.data["conclave.messages"]);
    const start = { ...event, data: { ...event.data, "conclave.messages": messages } };
    const agent = this.#agents.get(event.parentId ?? "") ?? event.parentId ?? "";
    const key = JSON.stringify([this.#hosts.get(agent) ?? "", event.data["gen_ai.request.model"]]);
    const before = this.#latest.get(key);
    this.#latest.set(key, start);
    // What a branch took over was read in the turn that it comes from.
    if (event.turnId !== this.#turnId || event.replays !== undefined) return;
    let length = 0;
    for (const message of messages) length += lengthOf(message);
    this.#prompts.set(event.id, {
      speaker: agent,
      known: before === undefined ? undefined : knownShare(before, start),
      tokens: length / PER_TOKEN,
    });
  }
}

function knownShare(before: ModelStart, start: ModelStart): number {
  const { sameCharacters, characters } = prefixDifference(
    before.data["conclave.messages"],
    start.data["conclave.messages"],
  );
  return characters === 0 ? 0 : sameCharacters / characters;
}

function firstOfEach(prompts: readonly Prompt[]): readonly Prompt[] {
  const seen = new Set<string>();
  return prompts.filter(({ speaker }) => !seen.has(speaker) && seen.add(speaker));
}
