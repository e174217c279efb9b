import type { TurnEvent } from "../../agent/events.ts";
import type { HostMessage, PanelMessage } from "../../trace/panel-protocol.ts";
import type { PanelHostDeps } from "./deps.ts";

/** Characters a post; 64 KB even when each takes four bytes of JSON. */
const CHUNK = 32 * 1024;

type DetailRequest = Extract<PanelMessage, { readonly type: "detail" }>;

function valueAt(event: TurnEvent, path: readonly string[]): unknown {
  let value: unknown = event;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

function textOf(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** Where a part that starts at `offset` ends: never between the halves of a surrogate pair. */
function chunkEnd(text: string, offset: number): number {
  const end = Math.min(text.length, offset + CHUNK);
  const last = text.charCodeAt(end - 1);
  return end < text.length && last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}

/** Gives the panel what was cut from its posts, part by part, out of the log. */
export class Details {
  private readonly deps: PanelHostDeps;
  private readonly post: (message: HostMessage) => void;
  /** The text asked for last: its next part is asked for next. */
  private latest: { readonly key: string; readonly text: string } | undefined;

  constructor(deps: PanelHostDeps, post: (message: HostMessage) => void) {
    this.deps = deps;
    this.post = post;
  }

  async answer(message: DetailRequest): Promise<void> {
    const text = await this.text(message);
    const end = chunkEnd(text, message.offset);
    this.post({
      type: "detail",
      request: message.request,
      text: text.slice(message.offset, end),
      next: end < text.length ? end : null,
      length: text.length,
    });
    if (end >= text.length) this.latest = undefined;
  }

  private async text(message: DetailRequest): Promise<string> {
    const { ref } = message;
    const key = JSON.stringify([message.sessionId, message.turnId, ref.eventId, ref.eventType, ref.path]);
    if (this.latest?.key === key) return this.latest.text;
    const event = await this.find(message);
    const text = event === undefined ? "" : textOf(valueAt(event, ref.path));
    this.latest = { key, text };
    return text;
  }

  private async find(message: DetailRequest): Promise<TurnEvent | undefined> {
    await this.deps.log.flush();
    for await (const item of this.deps.log.read(message.sessionId)) {
      if (item.type !== "event" || item.event.turnId !== message.turnId) continue;
      if (item.event.id === message.ref.eventId && item.event.type === message.ref.eventType)
        return item.event;
    }
    return undefined;
  }
}
