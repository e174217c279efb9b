import type { HostMessage, PanelMessage } from "../../trace/panel-protocol.ts";
import type { Folds } from "../folds.ts";
import type {
  ConversationTurn,
  ConversationView,
  MessageHead,
  RequestView,
} from "../../trace/request/types.ts";

/** Requests that are kept open; those looked at longest ago are forgotten. */
const MAX_OPEN = 20;

/** Characters of a raw body that are held at most: what is longer is for the clipboard. */
const MAX_RAW = 4 * 1024 * 1024;

interface TurnRef {
  readonly sessionId: string;
  readonly turnId: string;
}

/** A request as far as it has come. */
export interface OpenedRequest {
  readonly view: RequestView | undefined;
  readonly heads: readonly MessageHead[];
  readonly next: number | null;
  readonly waiting: boolean;
}

/** A raw body as far as it has come. */
export interface RawText {
  readonly text: string;
  readonly length: number;
  readonly next: number | null;
  readonly waiting: boolean;
}

/** The conversation after a turn, as far as it has come. */
export interface OpenedConversation {
  readonly turnId: string;
  readonly view: ConversationView | undefined;
  readonly turns: readonly ConversationTurn[];
  readonly next: number | null;
  readonly waiting: boolean;
}

/** What the models saw, fetched when somebody looks. */
export class RequestsState {
  readonly #send: (message: PanelMessage) => void;
  readonly #changed: () => void;
  readonly #folded: () => void;
  readonly #requests = new Map<string, OpenedRequest>();
  readonly #raws = new Map<string, RawText>();
  readonly #folds: Folds;
  /** What each number that was sent asks for. */
  readonly #asked = new Map<number, string>();
  #number = 0;
  #conversation: OpenedConversation | undefined;
  /** The request whose body was copied last. */
  copied: string | undefined;
  /** Counts the changes, so that a view knows when to draw again. */
  revision = 0;

  constructor(
    folds: Folds,
    send: (message: PanelMessage) => void,
    on: { readonly changed: () => void; readonly folded: () => void },
  ) {
    this.#folds = folds;
    this.#send = send;
    this.#changed = on.changed;
    this.#folded = on.folded;
  }

  get(eventId: string): OpenedRequest | undefined {
    return this.#requests.get(eventId);
  }

  raw(eventId: string): RawText | undefined {
    return this.#raws.get(eventId);
  }

  conversation(turnId: string): OpenedConversation | undefined {
    return this.#conversation?.turnId === turnId ? this.#conversation : undefined;
  }

  /** Lays a request open; again when its call has ended since. */
  open(turn: TurnRef, eventId: string, ended: boolean): void {
    const known = this.#requests.get(eventId);
    if (known !== undefined && (known.waiting || !ended || known.view?.ended === true)) return;
    this.#requests.set(eventId, { view: known?.view, heads: known?.heads ?? [], next: null, waiting: true });
    this.#ask(turn, eventId, 0);
  }

  /** Asks for more of a request's messages. */
  more(turn: TurnRef, eventId: string): void {
    const known = this.#requests.get(eventId);
    if (known === undefined || known.waiting || known.next === null) return;
    this.#requests.set(eventId, { ...known, waiting: true });
    this.#ask(turn, eventId, known.next);
  }

  /** Asks for the first part of a body, or for the one after those that have come. */
  fetchRaw(turn: TurnRef, eventId: string): void {
    const known = this.#raws.get(eventId);
    if (known !== undefined && (known.waiting || known.next === null)) return;
    const offset = known?.next ?? 0;
    this.#raws.set(eventId, { text: "", length: 0, next: 0, ...known, waiting: true });
    const request = this.#note(eventId);
    this.#send({
      type: "request.raw",
      request,
      sessionId: turn.sessionId,
      turnId: turn.turnId,
      eventId,
      offset,
    });
    this.#touch();
  }

  copy({ sessionId, turnId }: TurnRef, eventId: string): void {
    this.#send({ type: "request.copy", sessionId, turnId, eventId });
  }

  /** Asks for the conversation after a turn, or for more of it. */
  fetchConversation({ sessionId, turnId }: TurnRef, from = 0): void {
    const known = this.conversation(turnId);
    if (known?.waiting === true) return;
    const begun = { turnId, view: undefined, turns: [], next: null };
    this.#conversation = { ...begun, ...known, waiting: true };
    this.#send({ type: "conversation", request: this.#note(turnId), sessionId, turnId, from });
    this.#touch();
  }

  /** Whether a part of a request was opened; it stays so while the page is hidden. */
  isOpen(key: string): boolean {
    return this.#folds.isOpened(key);
  }

  toggle(key: string): void {
    this.#folds.set(key, !this.isOpen(key));
    this.#folded();
    this.#touch();
  }

  receive(message: HostMessage): void {
    if (message.type === "request.copied") {
      this.copied = message.eventId;
      this.revision += 1;
      return;
    }
    if (message.type !== "request" && message.type !== "request.raw" && message.type !== "conversation")
      return;
    const asked = this.#asked.get(message.request);
    this.#asked.delete(message.request);
    if (asked === undefined) return;
    this.revision += 1;
    if (message.type === "request") this.#take(message);
    else if (message.type === "request.raw") this.#takeRaw(message);
    else this.#takeConversation(message);
  }

  /** Another turn is shown, or the same one again. */
  clear(): void {
    this.revision += 1;
    this.#requests.clear();
    this.#raws.clear();
    this.#asked.clear();
    this.#conversation = undefined;
    this.copied = undefined;
  }

  #take({ eventId, view, from, heads, next }: Extract<HostMessage, { type: "request" }>): void {
    const before = this.#requests.get(eventId)?.heads ?? [];
    this.#requests.delete(eventId);
    this.#requests.set(eventId, { view, heads: [...before.slice(0, from), ...heads], next, waiting: false });
    const [oldest] = this.#requests.keys();
    if (this.#requests.size <= MAX_OPEN || oldest === undefined) return;
    this.#requests.delete(oldest);
    this.#raws.delete(oldest);
  }

  #takeRaw({ eventId, offset, text, next, length }: Extract<HostMessage, { type: "request.raw" }>): void {
    const before = this.#raws.get(eventId)?.text.slice(0, offset) ?? "";
    const all = before + text;
    this.#raws.set(eventId, { text: all, length, next: all.length > MAX_RAW ? null : next, waiting: false });
  }

  #takeConversation({ turnId, view, from, next }: Extract<HostMessage, { type: "conversation" }>): void {
    const before = from === 0 ? [] : (this.conversation(turnId)?.turns ?? []);
    this.#conversation = { turnId, view, turns: joined(before, view.turns), next, waiting: false };
  }

  #ask({ sessionId, turnId }: TurnRef, eventId: string, from: number): void {
    this.#send({ type: "request", request: this.#note(eventId), sessionId, turnId, eventId, from });
    this.#touch();
  }

  #note(what: string): number {
    this.#number += 1;
    this.#asked.set(this.#number, what);
    return this.#number;
  }

  #touch(): void {
    this.revision += 1;
    this.#changed();
  }
}

/** Pages may part a turn: its lines go on in the next one. */
function joined(
  before: readonly ConversationTurn[],
  more: readonly ConversationTurn[],
): readonly ConversationTurn[] {
  const last = before.at(-1);
  const [first, ...rest] = more;
  if (last === undefined || first === undefined || last.turnId !== first.turnId) return [...before, ...more];
  return [...before.slice(0, -1), { ...first, lines: [...last.lines, ...first.lines] }, ...rest];
}
