import type { TurnEvent } from "./events.ts";

interface Reader {
  readonly waiting: TurnEvent[];
  wake: (() => void) | undefined;
}

/**
 * The events of one turn, for any number of readers at any time: each gets all of them from the first. Text that
 * waits for a slow or late reader is joined, so that what is held grows with the turn's steps and text only.
 */
export class EventBuffer implements AsyncIterable<TurnEvent> {
  readonly #all: TurnEvent[] = [];
  readonly #readers = new Set<Reader>();
  #closed = false;

  /** Adds an event. */
  push(event: TurnEvent): void {
    join(this.#all, event);
    for (const reader of this.#readers) {
      join(reader.waiting, event);
      reader.wake?.();
    }
  }

  /** Ends the stream for all readers, after what they have yet to read. */
  close(): void {
    this.#closed = true;
    for (const reader of this.#readers) reader.wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<TurnEvent, void, undefined> {
    const reader: Reader = { waiting: [...this.#all], wake: undefined };
    this.#readers.add(reader);
    try {
      for (;;) {
        for (const event of reader.waiting.splice(0)) yield event;
        if (reader.waiting.length > 0) continue;
        if (this.#closed) return;
        await new Promise<void>((resolve) => (reader.wake = resolve));
        reader.wake = undefined;
      }
    } finally {
      this.#readers.delete(reader);
    }
  }
}

/** Adds an event to a list; text of the same call and channel as the last one is joined to it. */
function join(list: TurnEvent[], event: TurnEvent): void {
  const last = list.at(-1);
  const joins =
    event.type === "model.delta" &&
    last?.type === "model.delta" &&
    last.id === event.id &&
    last.data.channel === event.data.channel &&
    event.data.retract === undefined &&
    last.data.retract === undefined;
  if (!joins) {
    list.push(event);
    return;
  }
  const { channel, text } = last.data;
  list[list.length - 1] = { ...last, data: { channel, text: text + event.data.text } };
}
