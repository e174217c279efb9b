import type { TurnEvent } from "../../agent/events.ts";
import { missingWeb, type WebSettings } from "./web-wish.ts";

/**
 * Notices questions from the Command Palette and the panel that seem to need a web tool which can't be used. The chat
 * says so under its answers; here each thing that is missing is told once, because it takes a notification.
 */
export class WebWishWatch {
  readonly #settings: () => WebSettings;
  /** The questions of turns that run, by turn; empty before a question is known. */
  readonly #asked = new Map<string, string>();
  readonly #told = new Set<string>();

  /** @param settings as they are now; asked at the end of a turn */
  constructor(settings: () => WebSettings) {
    this.#settings = settings;
  }

  /** Takes an event of any session; gives what is missing when that is to be told now. */
  take(event: TurnEvent): string | undefined {
    const { turnId } = event;
    if (event.type === "turn.start") {
      const door = event.data["conclave.door"];
      const isAsked = door === "command" || door === "panel";
      if (isAsked && event.data["conclave.background"] !== true) this.#asked.set(turnId, "");
    } else if (event.type === "query.received") {
      if (this.#asked.has(turnId)) this.#asked.set(turnId, event.data.query);
    } else if (event.type === "turn.end") {
      const question = this.#asked.get(turnId);
      this.#asked.delete(turnId);
      if (question !== undefined && event.data.outcome === "answered") return this.#missing(question);
    }
    return undefined;
  }

  #missing(question: string): string | undefined {
    const missing = missingWeb(question, this.#settings());
    if (missing === undefined || this.#told.has(missing)) return undefined;
    this.#told.add(missing);
    return missing;
  }
}
