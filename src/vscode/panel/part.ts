import type { TurnEvent } from "../../agent/events.ts";
import type { PanelMessage } from "../../trace/panel-protocol.ts";

/** A part of the panel's host side that has messages of its own. */
export interface HostPart {
  /** Deals with a message of its own; passes over all others. What it throws is said in the panel. */
  receive(message: PanelMessage): Promise<void>;
  /** Takes an event of any session, while the panel is there. */
  hear?(event: TurnEvent): void;
  /** The panel is there again. */
  wake?(): void;
  /** The panel is hidden or gone: nothing more is posted. */
  sleep?(): void;
  dispose?(): void;
}
