import type { TurnEvent } from "../../../agent/events.ts";
import type { Failure } from "../../../agent/failure.ts";
import { wellFormed } from "../../../agent/text.ts";
import { nanoseconds, rootSpanIdOf, spanIdOf, traceIdOf } from "./ids.ts";
import { ATTRIBUTES, OPERATIONS } from "./names.ts";
import type { Attributes, Room } from "./room.ts";
import type { OtlpAttribute, OtlpSpan, OtlpSpanEvent, OtlpStatus } from "./types.ts";

/** What of an event places it: enough to begin, end or mark a span. */
export type Placed = Pick<
  TurnEvent,
  "id" | "parentId" | "time" | "stepId" | "agent" | "respondent" | "replays" | "sessionId" | "turnId"
>;

/** How a piece of work ended. */
export interface Ending {
  readonly outcome?: string;
  readonly error?: Failure;
}

/** A span that is being put together. Times in milliseconds since the epoch. */
interface Draft {
  readonly spanId: string;
  readonly parent?: string;
  readonly name: string;
  readonly kind: 1 | 3;
  start: number;
  end?: number;
  /** By their names: a later value takes an earlier one's place. */
  readonly attributes: Map<string, OtlpAttribute>;
  readonly events: OtlpSpanEvent[];
  status: OtlpStatus;
  dropped: number;
}

/** A step: no span of its own, what happens in it belongs to the span above. */
interface Step {
  readonly above: string | null;
  readonly attributes: Attributes;
}

/** How a span is to be called. */
export interface SpanHead {
  readonly name: string;
  readonly kind?: 3;
  /** Of the span, where the event has several; left out: the event's. */
  readonly spanId?: string;
  /** The event that the span stands under; left out: the event's parent. */
  readonly under?: string | null;
}

/** The spans of one turn. */
export class TraceDraft {
  readonly #traceId: string;
  readonly #rootId: string;
  readonly #turnId: string;
  readonly #room: Room;
  readonly #steps = new Map<string, Step>();
  /** By the id of the event that began them; the turn's own stands under the turn's id. */
  readonly #spans = new Map<string, Draft>();
  readonly #isLate: boolean;
  #last = 0;
  #forgotten = false;

  /** `isLate`: its root was written before, and what is to stand on it gets a span of its own. */
  constructor(turnId: string, room: Room, isLate: boolean) {
    this.#isLate = isLate;
    this.#turnId = turnId;
    this.#traceId = traceIdOf(turnId);
    this.#rootId = rootSpanIdOf(turnId);
    this.#room = room;
  }

  /** Notes that the turn went on until then: what has no end in the log ends with what came last. */
  seen(time: number): void {
    if (Number.isFinite(time)) this.#last = Math.max(this.#last, time);
  }

  /** Notes that texts of the turn were forgotten: the time, in milliseconds since the epoch. */
  forgotten(time: number): void {
    if (this.#forgotten) return;
    this.#forgotten = true;
    this.add(this.#turnId, { [ATTRIBUTES.forgotten]: time });
  }

  /** Begins the turn's own span, once; the first event does where the log has no beginning. */
  root(event: Placed, attributes: Attributes): void {
    const known = this.#spans.get(this.#turnId);
    if (known !== undefined) {
      known.start = Math.min(known.start, event.time);
      this.add(this.#turnId, attributes);
      return;
    }
    if (!this.#room.span()) return;
    this.#open(this.#turnId, {
      spanId: this.#rootId,
      name: `${OPERATIONS.workflow} ${event.agent}`,
      kind: 1,
      start: event.time,
    });
    const isOwn = traceIdOf(event.turnId) !== event.turnId.toLowerCase();
    this.add(this.#turnId, {
      [ATTRIBUTES.operation]: OPERATIONS.workflow,
      [ATTRIBUTES.workflow]: event.agent,
      [ATTRIBUTES.conversation]: event.sessionId,
      ...(isOwn && { [ATTRIBUTES.id]: event.turnId }),
      ...attributes,
    });
  }

  /** Begins the span of an event. A repeated one begins nothing. */
  begin(event: Placed, head: SpanHead, attributes: Attributes): void {
    const key = head.spanId ?? event.id;
    if (this.#spans.has(key) || !this.#room.span()) return;
    const above = this.#above(head.under === undefined ? event.parentId : head.under, event.stepId);
    this.#open(key, {
      spanId: head.spanId ?? spanIdOf(event.id),
      parent: this.#spans.get(above)?.spanId ?? this.#rootId,
      name: wellFormed(head.name),
      kind: head.kind ?? 1,
      start: event.time,
    });
    const own = head.spanId === undefined && spanIdOf(event.id) !== event.id.toLowerCase();
    this.add(key, {
      ...attributes,
      ...(event.stepId === undefined ? {} : this.#steps.get(event.stepId)?.attributes),
      ...(event.respondent !== "A" && { [ATTRIBUTES.respondent]: event.respondent }),
      [ATTRIBUTES.replays]: event.replays,
      ...(own && { [ATTRIBUTES.id]: event.id }),
    });
  }

  /** Whether the span of an event was begun. */
  has(key: string): boolean {
    return this.#spans.has(key);
  }

  /** Adds to a span; nothing happens where it was not begun. */
  add(key: string, attributes: Attributes): void {
    const span = this.#spans.get(key);
    if (span === undefined) return;
    const { kept, dropped } = this.#room.attributes(attributes);
    for (const attribute of kept) span.attributes.set(attribute.key, attribute);
    span.dropped += dropped;
  }

  /** Ends a span, once. */
  end(key: string, time: number, ending: Ending, attributes: Attributes): void {
    const span = this.#spans.get(key);
    if (span === undefined || span.end !== undefined) return;
    const { error } = ending;
    const outcome = ending.outcome ?? (error === undefined ? "answered" : "failed");
    span.end = time;
    span.status = statusOf(outcome, error);
    this.add(key, {
      ...attributes,
      [ATTRIBUTES.outcome]: ending.outcome,
      ...(outcome === "answered" ? {} : { [ATTRIBUTES.errorType]: error?.code ?? outcome }),
      ...(error !== undefined && { [ATTRIBUTES.error]: JSON.stringify(error) }),
    });
  }

  /** Puts an event onto the span that it belongs to. */
  mark(event: Placed, name: string, attributes: Attributes): void {
    const key = this.#above(event.parentId, event.stepId);
    const span = this.#spans.get(key) ?? this.#spans.get(this.#turnId);
    if (this.#isLate && key === this.#turnId) {
      this.begin(event, { name }, attributes);
      this.end(event.id, event.time, {}, {});
      return;
    }
    if (span === undefined || !this.#room.event()) return;
    const frame = { timeUnixNano: nanoseconds(event.time), name: wellFormed(name) };
    this.#room.frame(frame);
    const { kept, dropped } = this.#room.attributes({
      ...attributes,
      [ATTRIBUTES.id]: event.id,
      ...(event.respondent !== "A" && { [ATTRIBUTES.respondent]: event.respondent }),
    });
    span.dropped += dropped;
    span.events.push({ ...frame, attributes: kept });
  }

  /** Notes a step: what happens in it stands under the span above. */
  step(event: Placed, attributes: Attributes): void {
    this.#steps.set(event.id, { above: event.parentId, attributes });
  }

  /** The spans as they are written, the root first. */
  *spans(): Generator<OtlpSpan, void, undefined> {
    for (const [key, draft] of this.#spans) {
      if (!this.#isLate || key !== this.#turnId) yield this.#written(draft);
    }
  }

  #written(draft: Draft): OtlpSpan {
    const end = Math.max(draft.end ?? this.#last, draft.start);
    const isOpen = draft.end === undefined;
    return {
      traceId: this.#traceId,
      spanId: draft.spanId,
      ...(draft.parent !== undefined && { parentSpanId: draft.parent }),
      name: draft.name,
      kind: draft.kind,
      startTimeUnixNano: nanoseconds(draft.start),
      endTimeUnixNano: nanoseconds(end),
      attributes: [...draft.attributes.values(), ...(isOpen ? [INTERRUPTED] : [])],
      events: draft.events,
      status: isOpen ? { code: 2, message: "Its end is not in the log." } : draft.status,
      ...(draft.dropped > 0 && { droppedAttributesCount: draft.dropped }),
    };
  }

  #open(key: string, draft: Pick<Draft, "spanId" | "parent" | "name" | "kind" | "start">): void {
    this.#room.frame({ ...draft, traceId: this.#traceId, times: nanoseconds(draft.start).repeat(2) });
    this.#spans.set(key, { ...draft, attributes: new Map(), events: [], status: { code: 0 }, dropped: 0 });
  }

  /** The key of the span that something stands under: through steps, and at last the root. */
  #above(parentId: string | null, stepId: string | undefined): string {
    let id = parentId ?? this.#turnId;
    const passed = new Set<string>();
    while (!this.#spans.has(id) && !passed.has(id)) {
      passed.add(id);
      id = this.#steps.get(id)?.above ?? (passed.size === 1 && stepId !== undefined ? stepId : this.#turnId);
    }
    return this.#spans.has(id) ? id : this.#turnId;
  }
}

const INTERRUPTED: OtlpAttribute = { key: ATTRIBUTES.outcome, value: { stringValue: "interrupted" } };

function statusOf(outcome: string, error: Failure | undefined): OtlpStatus {
  if (outcome === "answered") return { code: 1 };
  return { code: 2, message: wellFormed(error?.message ?? outcome) };
}
