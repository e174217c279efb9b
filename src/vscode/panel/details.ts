import type { TurnEvent } from "../../agent/events.ts";
import type { HostMessage, PanelMessage } from "../../trace/panel-protocol.ts";
import { chunkEnd } from "./chunks.ts";
import { turnOf, type PanelHostDeps } from "./deps.ts";
import type { HostPart } from "./part.ts";

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

/** Gives the panel what was cut from its posts, part by part, out of the log. */
export class Details implements HostPart {
  private readonly deps: PanelHostDeps;
  private readonly post: (message: HostMessage) => void;
  /** The text asked for last: its next part is asked for next. */
  private latest: { readonly key: string; readonly text: string } | undefined;

  constructor(deps: PanelHostDeps, post: (message: HostMessage) => void) {
    this.deps = deps;
    this.post = post;
  }

  async receive(message: PanelMessage): Promise<void> {
    if (message.type !== "detail") return;
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
    for await (const item of turnOf(this.deps.log, message.sessionId, message.turnId)) {
      if (item.type !== "event" || item.event.turnId !== message.turnId) continue;
      if (item.event.id === message.ref.eventId && item.event.type === message.ref.eventType)
        return item.event;
    }
    return undefined;
  }
}
