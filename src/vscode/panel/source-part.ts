import type { PanelMessage } from "../../trace/panel-protocol.ts";
import type { PanelHostDeps } from "./deps.ts";
import type { HostPart } from "./part.ts";

/** What the panel asks for the file that it shows, and for whole sessions of the log. */
export class SourcePart implements HostPart {
  private readonly deps: Pick<PanelHostDeps, "source" | "deleteSession">;

  constructor(deps: Pick<PanelHostDeps, "source" | "deleteSession">) {
    this.deps = deps;
  }

  async receive(message: PanelMessage): Promise<void> {
    if (message.type === "source") await this.deps.source?.act(message.action, message.sessionId);
    if (message.type === "delete_session") await this.deps.deleteSession?.(message.sessionId);
  }
}
