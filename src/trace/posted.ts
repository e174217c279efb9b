import type { EventOf, TurnEvent, TurnEventType } from "../agent/events.ts";
import type { ChatMessage } from "../agent/models/types.ts";
import { foldEvent, modelOf } from "./fold.ts";
import { answerCell, type TurnModel } from "./model.ts";
import { cutAtGrapheme } from "../agent/text.ts";

/** The longest string that is posted to the panel whole, in UTF-16 units. */
export const POSTED_STRING_LIMIT = 16 * 1024;

/** All strings of one posted event together. */
const EVENT_BUDGET = 4 * POSTED_STRING_LIMIT;
const MAX_ITEMS = 500;

/** Where the whole of something that was cut is found: a place in an event of the log. */
export interface CutRef {
  readonly eventId: string;
  readonly eventType: TurnEventType;
  /** Keys from the event down, such as `["data", "result"]`. */
  readonly path: readonly string[];
  /** How long the whole is. */
  readonly length: number;
  readonly unit: "characters" | "items";
}

/** An event as it is posted: short enough, with what was cut from it. */
export interface PostedEvent {
  readonly event: TurnEvent;
  readonly cuts: readonly CutRef[];
}

/** Messages with their roles only: nobody draws them, and whoever wants to read them asks for them. */
function rolesOnly(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  return messages.map((message) => ({ ...emptyMessage(message.role) }));
}

function emptyMessage(role: ChatMessage["role"]): ChatMessage {
  return role === "tool" ? { role, content: "", toolName: "", toolCallId: "" } : { role, content: "" };
}

/** Leaves out what repeats other events. */
export function withoutRepeats(event: TurnEvent): TurnEvent {
  switch (event.type) {
    case "model.start":
      return {
        ...event,
        data: { ...event.data, "conclave.messages": rolesOnly(event.data["conclave.messages"]) },
      };
    case "turn.end":
      return { ...event, data: { ...event.data, "conclave.messages": [] } };
    case "response.generation":
      return { ...event, data: { ...event.data, thinking: "", tool_calls: [] } };
    case "answer.dialog":
      return { ...event, data: { ...event.data, query: "" } };
    case "round.end":
      return {
        ...event,
        data: { ...event.data, positions: event.data.positions.map((one) => ({ ...one, answer: "" })) },
      };
    default:
      return event;
  }
}

/** Walks an event's data and cuts what is too long, noting each cut. */
class Cutter {
  readonly cuts: CutRef[] = [];
  private left: number;
  private readonly event: TurnEvent;
  private readonly limit: number;

  constructor(event: TurnEvent, limit: number) {
    this.event = event;
    this.limit = limit;
    this.left = Math.min(EVENT_BUDGET, limit * 4);
  }

  visit(value: unknown, path: readonly string[]): unknown {
    if (typeof value === "string") return this.text(value, path);
    if (Array.isArray(value)) return this.list(value, path);
    if (typeof value === "object" && value !== null) return this.record(value, path);
    return value;
  }

  private note(path: readonly string[], length: number, unit: CutRef["unit"]): void {
    this.cuts.push({ eventId: this.event.id, eventType: this.event.type, path, length, unit });
  }

  private text(value: string, path: readonly string[]): string {
    const room = Math.max(0, Math.min(this.limit, this.left));
    const kept = cutAtGrapheme(value, room);
    this.left -= kept.length;
    if (kept.length < value.length) this.note(path, value.length, "characters");
    return kept;
  }

  private list(value: readonly unknown[], path: readonly string[]): unknown {
    const kept: unknown[] = [];
    for (const [index, item] of value.slice(0, MAX_ITEMS).entries()) {
      if (this.left <= 0) break;
      this.left -= 4;
      kept.push(this.visit(item, [...path, String(index)]));
    }
    if (kept.length < value.length) this.note(path, value.length, "items");
    return kept;
  }

  private record(value: object, path: readonly string[]): unknown {
    const entries = Object.entries(value);
    const kept: [string, unknown][] = [];
    for (const [key, item] of entries.slice(0, MAX_ITEMS)) {
      if (this.left <= 0 && typeof item === "object") continue;
      this.left -= key.length + 4;
      kept.push([key, this.visit(item, [...path, key])]);
    }
    if (kept.length < entries.length) this.note(path, entries.length, "items");
    return Object.fromEntries(kept);
  }
}

/**
 * Whether an event with such a JSON, without what repeats others, is posted as it is: a quick look, which never takes
 * one for short that `lighten` cuts.
 */
export function isShort(json: string): boolean {
  if (json.length > POSTED_STRING_LIMIT) return false;
  let items = 1;
  for (let at = json.indexOf(","); at !== -1 && items <= MAX_ITEMS; at = json.indexOf(",", at + 1))
    items += 1;
  return items <= MAX_ITEMS;
}

/** An event made short enough to post: no string over `limit`, all strings together within four times that. */
export function lighten(event: TurnEvent, limit: number = POSTED_STRING_LIMIT): PostedEvent {
  const light = withoutRepeats(event);
  // The pieces of a stream are short already, and are joined by the batch: cutting one would lose text.
  if (light.type === "model.delta") return { event: light, cuts: [] };
  const cutter = new Cutter(light, limit);
  const data = cutter.visit(light.data, ["data"]);
  return { event: cutter.cuts.length === 0 ? light : ({ ...light, data } as TurnEvent), cuts: cutter.cuts };
}

/** Cuts by the cell and field they belong to, as `cutKey` makes it. */
export type Cuts = Map<string, CutRef>;

/** The key of a field of a cell: `text`, `arguments`, `result` or `details`. */
export function cutKey(cellId: string, field: string): string {
  return `${cellId} ${field}`;
}

function noteCut(cuts: Cuts, ref: CutRef): void {
  const [, field = ""] = ref.path;
  if (ref.eventType === "model.end" && field === "content")
    cuts.set(cutKey(`${ref.eventId}/text`, "text"), ref);
  else if (ref.eventType === "model.end" && field === "thinking")
    cuts.set(cutKey(`${ref.eventId}/thinking`, "text"), ref);
  else if (field === "query" || field === "answer") cuts.set(cutKey(ref.eventId, "text"), ref);
  // Several cuts inside one field are asked for as one: the whole field.
  else cuts.set(cutKey(ref.eventId, field), { ...ref, path: ref.path.slice(0, 2) });
}

/** Gives a cut text of a model call back what had streamed in already. */
function withStreamed(turn: TurnModel, event: EventOf<"model.end">, cuts: Cuts): EventOf<"model.end"> {
  const data = { ...event.data };
  for (const [name, part] of [
    ["content", "text"],
    ["thinking", "thinking"],
  ] as const) {
    const id = `${event.id}/${part}`;
    const cell = turn.cells.get(id);
    const ref = cuts.get(cutKey(id, "text"));
    if (ref === undefined || (cell?.kind !== "thinking" && cell?.kind !== "answer")) continue;
    if (!cell.text.startsWith(data[name])) continue;
    data[name] = cell.text;
    if (cell.text.length >= ref.length) cuts.delete(cutKey(id, "text"));
  }
  return { ...event, data };
}

/**
 * Folds a posted event, and notes what was cut from it. A text that streamed in whole is not shortened again when its
 * end comes cut.
 */
export function foldPosted(turn: TurnModel, cuts: Cuts, posted: PostedEvent): void {
  const { event } = posted;
  for (const ref of posted.cuts) noteCut(cuts, ref);
  if (posted.cuts.length > 0 && event.type === "model.end") {
    foldEvent(turn, withStreamed(modelOf(turn, event), event, cuts));
    return;
  }
  const shown =
    posted.cuts.length > 0 && event.type === "response.generation"
      ? answerCell(modelOf(turn, event))
      : undefined;
  if (event.type === "response.generation" && shown?.text.startsWith(event.data.answer) === true) {
    cuts.delete(cutKey(event.id, "text"));
    return;
  }
  foldEvent(turn, event);
}
