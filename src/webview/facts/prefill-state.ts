import type { HostMessage, PanelMessage } from "../../trace/panel-protocol.ts";
import type { PrefillView } from "../../trace/request/types.ts";

/** How far the prompts of the turn that is shown begin alike; asked for once, when the turn is over and looked at. */
export class PrefillState {
  readonly #send: (message: PanelMessage) => void;
  #asked = "";
  #view: PrefillView | undefined;

  constructor(send: (message: PanelMessage) => void) {
    this.#send = send;
  }

  /** What is known of a turn; undefined until it has come, and where the turn asked no model. */
  get(turnId: string): PrefillView | undefined {
    return this.#asked === turnId ? this.#view : undefined;
  }

  /** Asks the host, unless it was asked already. */
  fetch({ sessionId, turnId }: { readonly sessionId: string; readonly turnId: string }): void {
    if (this.#asked === turnId) return;
    this.#asked = turnId;
    this.#view = undefined;
    this.#send({ type: "prefill", sessionId, turnId });
  }

  receive(message: HostMessage): void {
    if (message.type === "prefill" && message.turnId === this.#asked) this.#view = message.view;
  }

  /** Another turn is shown, or the same one again. */
  clear(): void {
    this.#asked = "";
    this.#view = undefined;
  }
}
