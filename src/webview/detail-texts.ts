import type { HostMessage, PanelMessage } from "../trace/panel-protocol.ts";
import type { CutRef } from "../trace/posted.ts";

/** Texts that were fetched are dropped, oldest first, beyond this many characters together. */
const MAX_HELD = 8 * 1024 * 1024;

/** A text that was too long to post, as far as it was fetched. */
export interface DetailText {
  readonly text: string;
  readonly next: number | null;
  readonly length: number;
  readonly waiting: boolean;
}

function keyOf(ref: CutRef): string {
  return JSON.stringify([ref.eventId, ref.eventType, ref.path]);
}

/** Fetches, part by part and on demand, what was cut from the posts. */
export class DetailTexts {
  private readonly send: (message: PanelMessage) => void;
  private readonly changed: () => void;
  private readonly texts = new Map<string, DetailText>();
  private readonly requests = new Map<number, string>();
  private request = 0;
  /** Counts the changes, so that a view knows when to draw again. */
  revision = 0;

  constructor(send: (message: PanelMessage) => void, changed: () => void) {
    this.send = send;
    this.changed = changed;
  }

  get(ref: CutRef): DetailText | undefined {
    return this.texts.get(keyOf(ref));
  }

  /** Asks for the first part, or for the one after those that have come. */
  fetch(turn: { readonly sessionId: string; readonly turnId: string }, ref: CutRef): void {
    const key = keyOf(ref);
    const known = this.texts.get(key);
    if (known !== undefined && (known.waiting || known.next === null)) return;
    this.request += 1;
    this.requests.set(this.request, key);
    this.texts.set(key, { text: "", length: ref.length, next: 0, ...known, waiting: true });
    const { sessionId, turnId } = turn;
    this.revision += 1;
    this.send({ type: "detail", request: this.request, sessionId, turnId, ref, offset: known?.next ?? 0 });
    this.changed();
  }

  receive(message: HostMessage): void {
    if (message.type !== "detail") return;
    const key = this.requests.get(message.request);
    this.requests.delete(message.request);
    const known = key === undefined ? undefined : this.texts.get(key);
    if (key === undefined || known === undefined) return;
    const { next, length } = message;
    this.revision += 1;
    this.texts.delete(key);
    this.texts.set(key, { text: known.text + message.text, next, length, waiting: false });
    this.trim();
  }

  clear(): void {
    this.revision += 1;
    this.texts.clear();
    this.requests.clear();
  }

  private trim(): void {
    let held = 0;
    for (const { text } of this.texts.values()) held += text.length;
    for (const [key, { text }] of this.texts) {
      if (held <= MAX_HELD || this.texts.size === 1) return;
      this.texts.delete(key);
      held -= text.length;
    }
  }
}
