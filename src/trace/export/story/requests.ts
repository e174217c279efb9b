import type { EventOf } from "../../../agent/events.ts";
import type { ChatMessage } from "../../../agent/models/types.ts";
import type { StoryPart } from "./types.ts";
import { counted, joined } from "./words.ts";

/** All messages of all requests that are kept together, in UTF-16 units. */
const MAX_KEPT = 32 * 1024 * 1024;

interface Kept {
  /** How many messages of the request before it this one repeats. */
  readonly repeated: number;
  readonly messages: readonly ChatMessage[];
}

/** What models were given: of each request the messages that the one before it did not have. */
export class Requests {
  readonly #kept = new Map<string, Kept>();
  readonly #whole: boolean;
  #last: { readonly turnId: string; readonly messages: readonly ChatMessage[] } | undefined;
  #size = 0;

  /** `whole`: whether messages are kept at all. */
  constructor(whole: boolean) {
    this.#whole = whole;
  }

  /** Takes a request. */
  take(event: EventOf<"model.start">): void {
    if (!this.#whole) return;
    const messages = event.data["conclave.messages"];
    const before = this.#last?.turnId === event.turnId ? this.#last.messages : [];
    let repeated = 0;
    while (repeated < before.length && before[repeated] === messages[repeated]) repeated += 1;
    this.#last = { turnId: event.turnId, messages };
    const own = messages.slice(repeated);
    this.#size += own.reduce((sum, { content }) => sum + content.length, 0);
    if (this.#size <= MAX_KEPT) this.#kept.set(event.id, { repeated, messages: own });
  }

  /** What is told of a request. */
  partsOf(id: string): readonly StoryPart[] {
    const kept = this.#kept.get(id);
    if (kept === undefined) return [];
    const { repeated, messages } = kept;
    const before =
      repeated === 0
        ? []
        : [
            {
              kind: "facts",
              facts: [["sent again before these", counted(repeated, "message")]],
            } as const,
          ];
    return [...before, ...messages.map(told)];
  }
}

function told(message: ChatMessage): StoryPart {
  const calls = message.role === "assistant" ? (message.toolCalls ?? []) : [];
  const label = joined(message.role, message.role === "tool" ? message.toolName : "");
  const asked = Array.isArray(calls) ? calls.map((call) => JSON.stringify(call)) : [];
  return { kind: "text", label, text: [message.content, ...asked].filter((text) => text !== "").join("\n") };
}
