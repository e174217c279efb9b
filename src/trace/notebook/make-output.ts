import type { TurnEvent, TurnEventType } from "../../agent/events.ts";
import { parseEvent } from "../event-schema.ts";
import { lighten, POSTED_STRING_LIMIT, type PostedEvent } from "../posted.ts";
import { TURN_OUTPUT_VERSION, type TurnOutput } from "./turn-output.ts";

/** The most that one turn's output takes, in UTF-16 units of JSON. */
export const TURN_OUTPUT_LIMIT = 160 * 1024;

/** No event takes less, in UTF-16 units of JSON. */
const LEAST_EVENT = 200;
const LIMITS = [POSTED_STRING_LIMIT, 4_096, 1_024, 256, 64];
/** What no view of a notebook draws. */
const UNDRAWN: ReadonlySet<TurnEventType> = new Set(["agent.transition", "context.budget"]);
/** What stays when there is not room for all: what was asked, what came of it. */
const FIRM: ReadonlySet<TurnEventType> = new Set([
  ...["turn.start", "query.received", "answer.dialog", "turn.end"],
  ...["critique.result", "critique.corrected", "pairwise.result", "shadow.answer"],
  ...["shadow.taken", "user.feedback", "memory.ingested"],
] as TurnEventType[]);

/** Takes out what repeats, or is never drawn: the messages of requests, the schemas of tools. */
function drawn(event: TurnEvent): TurnEvent {
  if (event.type === "model.start") return { ...event, data: { ...event.data, "conclave.messages": [] } };
  if (event.type !== "tool.schema") return event;
  const tools = event.data.tools.map(({ name }) => ({ name, description: "", parameters: {} }));
  return { ...event, data: { ...event.data, tools } };
}

/** A turn's events as an output of bounded size: texts are cut first, then events in the middle are left out. */
export function turnOutput(turn: {
  readonly sessionId: string;
  readonly turnId: string;
  readonly events: readonly TurnEvent[];
  /** It still runs. */
  readonly running?: boolean;
  readonly asked?: string;
  /** In UTF-16 units of JSON. */
  readonly limit?: number;
}): TurnOutput {
  const limit = turn.limit ?? TURN_OUTPUT_LIMIT;
  const events = turn.events.filter(({ type }) => !UNDRAWN.has(type));
  const { posted, omitted } = fitted(events, limit);
  const ended = turn.events.some(({ type }) => type === "turn.end");
  return {
    version: TURN_OUTPUT_VERSION,
    sessionId: turn.sessionId,
    turnId: turn.turnId,
    interrupted: !ended && turn.running !== true,
    ...(turn.asked === undefined ? {} : { asked: turn.asked }),
    omitted,
    events: posted,
  };
}

interface Fitted {
  readonly posted: readonly PostedEvent[];
  readonly omitted: number;
}

interface Sized {
  readonly posted: PostedEvent;
  /** In UTF-16 units of JSON. */
  readonly size: number;
}

/** What was made of an event with strings of some length: a turn that runs is drawn again and again. */
const made = new WeakMap<TurnEvent, { readonly strings: number; readonly sized: Sized }>();

function sizedOf(event: TurnEvent, strings: number): Sized {
  const known = made.get(event);
  if (known?.strings === strings) return known.sized;
  const posted = lighten(drawn(event), strings);
  const sized = { posted, size: JSON.stringify(posted).length + 1 };
  made.set(event, { strings, sized });
  return sized;
}

function fitted(events: readonly TurnEvent[], limit: number): Fitted {
  const shortest = LIMITS.slice(-1);
  let sized: readonly Sized[] = [];
  for (const strings of events.length * LEAST_EVENT > limit ? shortest : LIMITS) {
    sized = events.map((event) => sizedOf(event, strings));
    if (sized.reduce((sum, { size }) => sum + size, 0) <= limit)
      return { posted: sized.map(({ posted }) => posted), omitted: 0 };
  }
  let room = limit;
  const kept = new Set<PostedEvent>();
  for (const firm of [true, false]) {
    for (const { posted, size } of sized) {
      if (FIRM.has(posted.event.type) !== firm || size > room) continue;
      room -= size;
      kept.add(posted);
    }
  }
  const posted = sized.flatMap((one) => (kept.has(one.posted) ? [one.posted] : []));
  return { posted, omitted: sized.length - posted.length };
}

/** The events of a turn out of its lines; lines that can't be read are passed over. */
export function eventsOf(lines: readonly string[]): readonly TurnEvent[] {
  return lines.flatMap((line) => {
    try {
      const parsed = parseEvent(JSON.parse(line));
      return "event" in parsed ? [parsed.event] : [];
    } catch {
      return [];
    }
  });
}
