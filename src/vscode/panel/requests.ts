import { ConversationReader } from "../../trace/request/conversation.ts";
import { openRequest, within, type OpenRequest } from "../../trace/request/view.ts";
import { PrefillReader } from "../../trace/request/prefill.ts";
import type { LogItem } from "../../trace/log-reader.ts";
import { RequestFinder } from "../../trace/request/source.ts";
import type { HostMessage, PanelMessage } from "../../trace/panel-protocol.ts";
import { chunkEnd } from "./chunks.ts";
import { turnOf, type PanelHostDeps, type PanelUi } from "./deps.ts";
import type { HostPart } from "./part.ts";

type MessageOf<Type extends PanelMessage["type"]> = Extract<PanelMessage, { readonly type: Type }>;

/** Lines of a page at most, and bytes of those of a request. */
const PAGE = 40;
const PAGE_BYTES = 80 * 1024;

/** What the requests of a panel work with. */
export interface RequestsDeps {
  readonly deps: PanelHostDeps;
  readonly ui: Pick<PanelUi, "copy">;
  readonly post: (message: HostMessage) => void;
}

interface Place {
  readonly sessionId: string;
  readonly turnId: string;
  readonly eventId: string;
}

/** Lays requests to models open for the panel, out of the log, and the conversation as it stands. */
export class Requests implements HostPart {
  private readonly host: RequestsDeps;
  /** The one asked for last: its next pages are asked for next. */
  private latest: { readonly key: string; readonly opened: OpenRequest } | undefined;

  /** Counts how often what was read may have gone from the log. */
  private dropped = 0;
  private readonly stops: readonly (() => void)[];

  constructor(host: RequestsDeps) {
    this.host = host;
    const { deps } = host;
    const drop = (): void => {
      this.dropped += 1;
      this.latest = undefined;
    };
    // What was forgotten is not shown again out of here.
    const stops = [deps.onForgotten?.(drop), deps.onLogChange?.(drop), deps.source?.onChange(drop)];
    this.stops = stops.flatMap((stop) => stop ?? []);
  }

  async receive(message: PanelMessage): Promise<void> {
    switch (message.type) {
      case "request": {
        await this.open(message);
        return;
      }
      case "request.raw": {
        await this.raw(message);
        return;
      }
      case "request.copy": {
        const opened = await this.find(message);
        if (opened === undefined) return;
        await this.host.ui.copy(opened.json);
        this.host.post({ type: "request.copied", eventId: message.eventId });
        return;
      }
      case "conversation": {
        await this.conversation(message);
        return;
      }
      case "prefill": {
        await this.prefill(message);
        return;
      }
      default:
        // The other parts' messages.
        return;
    }
  }

  sleep(): void {
    this.latest = undefined;
  }

  dispose(): void {
    for (const stop of this.stops) stop();
  }

  private async open({ request, from, ...place }: MessageOf<"request">): Promise<void> {
    const { turnId, eventId } = place;
    const opened = await this.find(place);
    const heads = within(opened?.heads.slice(from, from + PAGE) ?? [], PAGE_BYTES);
    const end = from + heads.length;
    this.host.post({
      type: "request",
      ...{ request, turnId, eventId, from, heads },
      ...(opened && { view: opened.view }),
      next: opened !== undefined && end < opened.heads.length && heads.length > 0 ? end : null,
    });
  }

  private async raw({ request, offset, ...place }: MessageOf<"request.raw">): Promise<void> {
    const json = (await this.find(place))?.json ?? "";
    const end = chunkEnd(json, offset);
    this.host.post({
      type: "request.raw",
      ...{ request, offset, eventId: place.eventId, length: json.length },
      text: json.slice(offset, end),
      next: end < json.length ? end : null,
    });
  }

  private async conversation({ request, sessionId, turnId, from }: MessageOf<"conversation">): Promise<void> {
    const { log } = this.host.deps;
    await log.flush();
    const reader = new ConversationReader(turnId);
    for await (const item of log.read(sessionId)) if (item.type === "event") reader.take(item.event);
    this.host.post({ type: "conversation", request, turnId, from, ...reader.page(from, PAGE) });
  }

  private async prefill({ sessionId, turnId }: MessageOf<"prefill">): Promise<void> {
    const { log } = this.host.deps;
    await log.flush();
    const reader = new PrefillReader(turnId);
    for await (const item of turnOf(log, sessionId, turnId))
      if (item.type === "event" && reader.take(item.event)) break;
    const view = reader.view();
    this.host.post({ type: "prefill", turnId, ...(view && { view }) });
  }

  /** What the log holds of a turn, after what it holds of the one before: there the request stands that came before. */
  private async *withTurnBefore(sessionId: string, turnId: string): AsyncGenerator<LogItem, void, undefined> {
    const { log } = this.host.deps;
    if (log.readTurn === undefined) {
      yield* log.read(sessionId);
      return;
    }
    let before: string | null = null;
    for await (const item of turnOf(log, sessionId, turnId)) {
      if (item.type !== "event" || item.event.type !== "turn.start") continue;
      before = item.event.data["conclave.parent_turn_id"];
      break;
    }
    if (before !== null && before !== turnId) yield* turnOf(log, sessionId, before);
    yield* turnOf(log, sessionId, turnId);
  }

  private async find({ sessionId, turnId, eventId }: Place): Promise<OpenRequest | undefined> {
    const key = JSON.stringify([sessionId, turnId, eventId]);
    // While the call runs its end may have come meanwhile.
    if (this.latest?.key === key && this.latest.opened.view.ended) return this.latest.opened;
    const { log } = this.host.deps;
    await log.flush();
    const { dropped } = this;
    const finder = new RequestFinder(turnId, eventId);
    for await (const item of this.withTurnBefore(sessionId, turnId))
      if (item.type === "event" && finder.take(item.event)) break;
    const found = finder.found();
    if (found === undefined) return undefined;
    const opened = openRequest(found);
    if (dropped === this.dropped) this.latest = { key, opened };
    return opened;
  }
}
