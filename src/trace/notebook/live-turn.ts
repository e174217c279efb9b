import type { EventOf, TurnEvent } from "../../agent/events.ts";
import { cutAtGrapheme } from "../../agent/text.ts";
import { jsonForLog } from "../bounded.ts";
import { PromptShortener } from "../prompt-chain.ts";
import { shownText } from "./shown-text.ts";
import type { AddedTurn } from "./write.ts";

/** Of a text that still streams in, this much is shown, in UTF-16 units. */
const STREAMED_LIMIT = 16 * 1024;

type Delta = EventOf<"model.delta">;

/** Where a turn stands that a notebook runs: the session of the notebook's log, and the turn of the cell above. */
export interface LivePlace {
  readonly sessionId: string;
  readonly parentTurnId: string | null;
}

/**
 * A turn that a notebook runs, as lines of the notebook's own log: it ran in a session of its own, and stands here as a
 * branch from the turn of the cell above.
 */
export class LiveTurn implements AddedTurn {
  readonly turnId: string;
  readonly question: string;
  readonly events: TurnEvent[] = [];
  readonly #lines: string[] = [];
  readonly #place: LivePlace;
  readonly #prompts = new PromptShortener();
  /** What streams in, by its channel. */
  #streaming: readonly Delta[] = [];
  /** What was said of the turn after its end, before its end was taken. */
  #late: TurnEvent[] = [];
  #isOver = false;
  #hasEnded = false;

  constructor(turnId: string, question: string, place: LivePlace) {
    this.turnId = turnId;
    this.question = shownText(question);
    this.#place = place;
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  /** What can be shown of the turn: its events, and the text that streams in at the moment. */
  get shown(): readonly TurnEvent[] {
    return [...this.events, ...this.#streaming];
  }

  /** Takes the next event of the turn's own stream. Text that streams in is shown, and not kept. */
  take(event: TurnEvent): void {
    if (event.type === "model.delta") {
      this.#stream(event);
      return;
    }
    if (event.type === "model.start" || event.type === "model.end") this.#streaming = [];
    this.#keep(event);
  }

  /** Hears an event of the engine: what comes after the end of the turn belongs to it as well. */
  hear(event: TurnEvent): void {
    if (event.turnId !== this.turnId) return;
    if (this.#hasEnded) this.#keep(event);
    else if (this.#isOver) this.#late.push(event);
    if (event.type === "turn.end") this.#isOver = true;
  }

  /** The turn's own stream was read to its end. */
  end(): void {
    this.#isOver = true;
    this.#hasEnded = true;
    this.#streaming = [];
    for (const event of this.#late.splice(0)) this.#keep(event);
  }

  #keep(event: TurnEvent): void {
    const placed = this.#placed(event);
    this.events.push(placed);
    this.#lines.push(jsonForLog(this.#prompts.shorten(placed)));
  }

  #placed(event: TurnEvent): TurnEvent {
    const { sessionId, parentTurnId } = this.#place;
    if (event.type !== "turn.start") return { ...event, sessionId };
    const place = { "gen_ai.conversation.id": sessionId, "conclave.parent_turn_id": parentTurnId };
    return { ...event, sessionId, data: { ...event.data, ...place } };
  }

  #stream(event: Delta): void {
    const { channel, text, retract } = event.data;
    const others = this.#streaming.filter(({ id, data }) => id !== event.id || data.channel !== channel);
    const before = this.#streaming.find(({ id, data }) => id === event.id && data.channel === channel);
    const said = retract === true ? "" : (before?.data.text ?? "");
    if (said.length >= STREAMED_LIMIT) return;
    const data = { channel, text: cutAtGrapheme(said + text, STREAMED_LIMIT) };
    this.#streaming = data.text === "" ? others : [...others, { ...event, data }];
  }
}
