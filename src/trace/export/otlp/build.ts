import { SCHEMA_VERSION, type TurnEvent } from "../../../agent/events.ts";
import { TraceDraft } from "./draft.ts";
import { ATTRIBUTES } from "./names.ts";
import { project } from "./project.ts";
import { OTLP_LIMITS, Room, type OtlpLimits } from "./room.ts";

/** How spans are built. */
export interface OtlpOptions {
  readonly limits?: OtlpLimits;
  /** The spans of the turns were sent before: only what was added since is written, the roots are not. */
  readonly isLate?: boolean;
}

/**
 * Turns events into spans, a pure projection: the same events give the same spans. Events of several turns may come
 * mixed, as a session's log holds them. What does not fit the limits is left out, and counted.
 */
export class OtlpBuilder {
  readonly #room: Room;
  readonly #traces = new Map<string, TraceDraft>();

  readonly #isLate: boolean;

  constructor({ limits = OTLP_LIMITS, isLate = false }: OtlpOptions = {}) {
    this.#room = new Room(limits);
    this.#isLate = isLate;
  }

  /** Takes the next event. Never throws. */
  take(event: TurnEvent): void {
    let trace = this.#traces.get(event.turnId);
    if (trace === undefined) {
      trace = new TraceDraft(event.turnId, this.#room, this.#isLate);
      this.#traces.set(event.turnId, trace);
    }
    project(trace, event);
  }

  /** Whether there is no span to write. */
  isEmpty(): boolean {
    for (const trace of this.#traces.values()) {
      if (trace.spans().next().done !== true) return false;
    }
    return true;
  }

  /** In words, what was left out; empty when nothing was. */
  get leftOut(): string {
    return this.#room.remark();
  }

  /** The JSON of all that was taken, in pieces: joined, it is one request to a collector, and one file. */
  *json(): Generator<string, void, undefined> {
    const { leftOut } = this;
    const resource = {
      attributes: [
        { key: "service.name", value: { stringValue: "conclave" } },
        { key: ATTRIBUTES.schema, value: { intValue: String(SCHEMA_VERSION) } },
        ...(leftOut === "" ? [] : [{ key: ATTRIBUTES.leftOut, value: { stringValue: leftOut } }]),
      ],
    };
    yield `{"resourceSpans":[{"resource":${JSON.stringify(resource)},"scopeSpans":[{"scope":{"name":"conclave"},"spans":[`;
    let first = true;
    for (const trace of this.#traces.values()) {
      for (const span of trace.spans()) {
        yield `${first ? "" : ","}\n${JSON.stringify(span)}`;
        first = false;
      }
    }
    yield "\n]}]}]}\n";
  }
}

/** Events as one OTLP request, as JSON. For what is small; `OtlpBuilder` gives it in pieces. */
export function otlpJson(events: Iterable<TurnEvent>): string {
  const builder = new OtlpBuilder();
  for (const event of events) builder.take(event);
  return [...builder.json()].join("");
}
