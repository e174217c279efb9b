import type { EventOf, TurnEvent } from "../agent/events.ts";
import { sharedStart } from "../agent/models/wire.ts";

/*
 * Each request of a turn repeats the messages of the one before it and adds some. In the log a request holds only what
 * it adds and says after which request and how many of its messages that comes, so that a long turn's log grows with
 * the turn and not with its square. Chains stay within a turn: a damaged line costs no other turn.
 */
type ModelStart = EventOf<"model.start">;
type Messages = ModelStart["data"]["conclave.messages"];

/** Sessions whose last request is remembered; those that wait longest are forgotten. */
const MAX_SESSIONS = 16;
/** A request of a hostile log is put together to no more messages than these. */
const MAX_MESSAGES = 20_000;

interface Request {
  readonly id: string;
  readonly turnId: string;
  readonly messages: Messages;
}

/** Takes out of requests what the log holds already. */
export class PromptShortener {
  readonly #last = new Map<string, Request>();

  /** The event as the log holds it. Messages count as the same when they are the same objects. */
  shorten(event: TurnEvent): TurnEvent {
    if (event.type !== "model.start") return event;
    const before = this.#last.get(event.sessionId);
    const messages = event.data["conclave.messages"];
    this.#remember(event.sessionId, { id: event.id, turnId: event.turnId, messages });
    if (before?.turnId !== event.turnId) return event;
    const count = sharedStart(before.messages, messages);
    if (count === 0) return event;
    const after = { id: before.id, count };
    const data = {
      ...event.data,
      "conclave.messages": messages.slice(count),
      "conclave.messages_after": after,
    };
    return { ...event, data };
  }

  /** Has the next request of a session be written whole: what was written before may not be there. */
  forget(sessionId: string): void {
    this.#last.delete(sessionId);
  }

  #remember(sessionId: string, request: Request): void {
    this.#last.delete(sessionId);
    this.#last.set(sessionId, request);
    const oldest = this.#last.keys().next();
    if (this.#last.size > MAX_SESSIONS && oldest.done === false) this.#last.delete(oldest.value);
  }
}

/** Puts the requests of a log together again, read from its beginning. */
export class PromptRestorer {
  #last: { readonly id: string; readonly messages: Messages } | undefined;

  /** The event with all its messages; `isWhole` is false when those before its own can't be found. */
  restore(event: TurnEvent): { readonly event: TurnEvent; readonly isWhole: boolean } {
    if (event.type !== "model.start") return { event, isWhole: true };
    const { "conclave.messages_after": after, "conclave.messages": own, ...rest } = event.data;
    const before = after === undefined ? [] : this.#before(after);
    const messages = before === undefined ? own : [...before, ...own];
    if (before !== undefined) this.#last = { id: event.id, messages };
    const restored: ModelStart = { ...event, data: { ...rest, "conclave.messages": messages } };
    return { event: restored, isWhole: before !== undefined };
  }

  #before({ id, count }: { readonly id: string; readonly count: number }): Messages | undefined {
    const last = this.#last;
    const isThere = last?.id === id && count <= last.messages.length && count <= MAX_MESSAGES;
    return isThere ? last.messages.slice(0, count) : undefined;
  }
}
