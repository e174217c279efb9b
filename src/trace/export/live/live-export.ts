import { SHADOW_RESPONDENT } from "../../../agent/event-base.ts";
import type { TurnEvent } from "../../../agent/events.ts";
import { OtlpBuilder } from "../otlp/build.ts";
import { Cleaner, type CleanContext } from "../redact/cleaner.ts";
import type { CleanOptions } from "../redact/options.ts";
import { tracesAddress } from "./endpoint.ts";
import { SpanSender, type SenderDeps } from "./sender.ts";

/** Events of one turn that are kept until it ends. What comes beyond is left out of what is sent. */
const MAX_EVENTS = 20_000;

/** Turns that are followed at once, running or just over; the oldest are let go. */
const MAX_TURNS = 20;

/** What the settings say of the live export. */
export interface LiveSettings {
  /** Empty: nothing is sent. */
  readonly endpoint: string;
  readonly cleaning: CleanOptions;
}

/** What the live export works with. */
export interface LiveDeps extends SenderDeps {
  /** The settings as they are now. */
  readonly settings: () => LiveSettings;
  /** Whether a session lives in its window alone: nothing of it is ever sent. */
  readonly isPrivate: (sessionId: string) => boolean;
  readonly context: () => CleanContext;
}

/** Whether it is a part of respondent B's work, which is sent as a whole with its answer. */
function isUnderWay({ respondent, type }: TurnEvent): boolean {
  return respondent === SHADOW_RESPONDENT && !/^(?:shadow|critique|pairwise|reward|user)\./u.test(type);
}

interface Followed {
  readonly events: TurnEvent[];
  /** Its spans are on their way: what comes now is sent behind them. */
  isSent: boolean;
}

/**
 * Sends the spans of each turn to a collector once it has ended, and what memory and people add to it later. Turns of
 * private sessions, and those that began while nothing was to be sent, are passed over.
 */
export class LiveExport {
  readonly #deps: LiveDeps;
  readonly #sender: SpanSender;
  readonly #turns = new Map<string, Followed>();
  #warned = "";

  constructor(deps: LiveDeps) {
    this.#deps = deps;
    this.#sender = new SpanSender(deps);
  }

  /** Takes an event as it happens. Returns at once, never throws. */
  take(event: TurnEvent): void {
    if (event.type === "model.delta") return;
    const turn = this.#followed(event);
    if (turn === undefined) return;
    if (turn.events.length < MAX_EVENTS) turn.events.push(event);
    if (event.type !== "turn.end" && (!turn.isSent || isUnderWay(event))) return;
    const events = turn.events.splice(0);
    const isLate = turn.isSent;
    turn.isSent = true;
    // Away from whoever tells of the event: making spans of a long turn takes a moment.
    setImmediate(() => this.#send(events, isLate));
  }

  /** Resolves when nothing waits to be sent any more. */
  async idle(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    await this.#sender.idle();
  }

  /** Stops; what waits is not sent. */
  async dispose(): Promise<void> {
    this.#turns.clear();
    await this.#sender.dispose();
  }

  #followed(event: TurnEvent): Followed | undefined {
    const known = this.#turns.get(event.turnId);
    if (this.#deps.isPrivate(event.sessionId)) {
      this.#turns.delete(event.turnId);
      return undefined;
    }
    // The settings are read where a turn begins and where it is sent: events are many.
    if (known !== undefined || event.type !== "turn.start") return known;
    if (event.data["conclave.private"] === true || !this.#isOn()) return undefined;
    const turn: Followed = { events: [], isSent: false };
    this.#turns.set(event.turnId, turn);
    const oldest = this.#turns.keys().next().value;
    if (this.#turns.size > MAX_TURNS && oldest !== undefined) this.#turns.delete(oldest);
    return turn;
  }

  #isOn(): boolean {
    const isOn = this.#deps.settings().endpoint.trim() !== "";
    if (!isOn) {
      this.#turns.clear();
      this.#sender.clear();
    }
    return isOn;
  }

  #send(events: readonly TurnEvent[], isLate: boolean): void {
    const { settings, context, isPrivate, warn } = this.#deps;
    const [first] = events;
    const { endpoint, cleaning } = settings();
    if (first === undefined || endpoint.trim() === "" || isPrivate(first.sessionId)) return;
    const address = tracesAddress(endpoint);
    if (!address.ok) {
      if (this.#warned !== endpoint) warn(address.failure.message);
      this.#warned = endpoint;
      return;
    }
    const cleaner = new Cleaner(cleaning, context());
    const builder = new OtlpBuilder({ isLate });
    for (const event of events) cleaner.look(event);
    for (const event of events) builder.take(cleaner.clean(event));
    if (builder.leftOut !== "") warn(`A trace is sent in part: ${builder.leftOut}.`);
    if (!builder.isEmpty()) this.#sender.send({ url: address.value, body: [...builder.json()].join("") });
  }
}
