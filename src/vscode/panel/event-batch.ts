import type { TurnEvent } from "../../agent/events.ts";
import {
  isShort,
  lighten,
  POSTED_STRING_LIMIT,
  withoutRepeats,
  type PostedEvent,
} from "../../trace/posted.ts";

/** Two frames: what happens meanwhile is posted together. */
const FRAME_MS = 33;
/** A batch that grew to this many bytes is posted at once. */
const BATCH_BYTES = 128 * 1024;
/** No single event takes more than this; one that does is cut harder. */
const EVENT_BYTES = 96 * 1024;
const TIGHTER = [POSTED_STRING_LIMIT, 4096, 512, 64];

/** What an event's JSON is wrapped in, in bytes. */
const WRAPPING = Buffer.byteLength('{"event":,"cuts":[]}');

function bytesOf(posted: PostedEvent): number {
  return Buffer.byteLength(JSON.stringify(posted));
}

/** An event cut until it fits, and how many bytes it takes. */
function fit(event: TurnEvent): { readonly posted: PostedEvent; readonly bytes: number } {
  const whole = withoutRepeats(event);
  const json = JSON.stringify(whole);
  // Nearly all events are: they are gone through once.
  if (isShort(json)) return { posted: { event: whole, cuts: [] }, bytes: Buffer.byteLength(json) + WRAPPING };
  let posted = lighten(event);
  let bytes = bytesOf(posted);
  for (const limit of TIGHTER.slice(1)) {
    if (bytes <= EVENT_BYTES) break;
    posted = lighten(event, limit);
    bytes = bytesOf(posted);
  }
  return { posted, bytes };
}

/** Splits a delta that is too long for one post; everything else comes back as it is. */
function pieces(event: TurnEvent): readonly TurnEvent[] {
  if (event.type !== "model.delta" || event.data.text.length <= POSTED_STRING_LIMIT) return [event];
  const parts: TurnEvent[] = [];
  for (let at = 0; at < event.data.text.length; at += POSTED_STRING_LIMIT) {
    parts.push({
      ...event,
      data: { ...event.data, text: event.data.text.slice(at, at + POSTED_STRING_LIMIT) },
    });
  }
  return parts;
}

/**
 * Gathers events and posts them in batches of bounded size: at most one post per two frames while a turn streams, and
 * one whenever a batch is full. Deltas of one text are joined.
 */
export class EventBatch {
  private readonly send: (events: readonly PostedEvent[]) => void;
  private events: PostedEvent[] = [];
  private bytes = 0;
  private delta: (TurnEvent & { readonly type: "model.delta" }) | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(send: (events: readonly PostedEvent[]) => void) {
    this.send = send;
  }

  push(event: TurnEvent): void {
    for (const piece of pieces(event)) this.add(piece);
    this.timer ??= setTimeout(() => this.flush(), FRAME_MS);
  }

  /** Posts what waits, now. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.closeDelta();
    if (this.events.length > 0) this.send(this.events);
    this.events = [];
    this.bytes = 0;
  }

  /** Drops what waits. */
  clear(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.delta = undefined;
    this.events = [];
    this.bytes = 0;
  }

  private add(event: TurnEvent): void {
    if (event.type !== "model.delta" || event.data.retract === true) {
      this.closeDelta();
      this.queue(event);
      return;
    }
    const open = this.delta;
    const same = open?.id === event.id && open.data.channel === event.data.channel;
    const text = same ? open.data.text + event.data.text : event.data.text;
    if (same && text.length <= POSTED_STRING_LIMIT) {
      this.delta = { ...event, data: { ...event.data, text } };
      return;
    }
    this.closeDelta();
    this.delta = event;
  }

  private closeDelta(): void {
    if (this.delta !== undefined) this.queue(this.delta);
    this.delta = undefined;
  }

  private queue(event: TurnEvent): void {
    const { posted, bytes } = fit(event);
    if (this.events.length > 0 && this.bytes + bytes > BATCH_BYTES) {
      this.send(this.events);
      this.events = [];
      this.bytes = 0;
    }
    this.events.push(posted);
    this.bytes += bytes;
  }
}
