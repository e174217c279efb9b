import type { CompareHostMessage, Side } from "../../trace/panel-compare.ts";
import type { PanelMessage } from "../../trace/panel-protocol.ts";
import { turnOf, type PanelHostDeps, type TurnRef } from "./deps.ts";
import { EventBatch } from "./event-batch.ts";
import type { HostPart } from "./part.ts";

/** Posts two turns out of the log, for the panel to set them side by side. */
export class Comparison implements HostPart {
  private readonly deps: Pick<PanelHostDeps, "log" | "engine">;
  private readonly post: (message: CompareHostMessage) => void;
  /** The latest comparison that was asked for; an older one is read no further. */
  private latest = -1;

  constructor(deps: Pick<PanelHostDeps, "log" | "engine">, post: (message: CompareHostMessage) => void) {
    this.deps = deps;
    this.post = post;
  }

  async receive(message: PanelMessage): Promise<void> {
    if (message.type !== "compare") return;
    const { request } = message;
    this.latest = request;
    await this.deps.log.flush();
    for (const side of ["left", "right"] as const) await this.turn(request, side, message[side]);
  }

  sleep(): void {
    this.latest = -1;
  }

  private async turn(request: number, side: Side, { sessionId, turnId }: TurnRef): Promise<void> {
    const batch = new EventBatch((events) => this.post({ type: "compare.events", request, side, events }));
    let ended = false;
    for await (const item of turnOf(this.deps.log, sessionId, turnId)) {
      if (request !== this.latest) {
        batch.clear();
        return;
      }
      if (item.type !== "event" || item.event.turnId !== turnId) continue;
      ended ||= item.event.type === "turn.end";
      batch.push(item.event);
    }
    if (request !== this.latest) {
      batch.clear();
      return;
    }
    batch.flush();
    // What runs here goes on: nothing interrupted it.
    ended ||= this.deps.engine.running(sessionId)?.turnId === turnId;
    this.post({ type: "compare.loaded", request, side, ended });
  }
}
