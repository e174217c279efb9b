import { createHmac, randomBytes } from "node:crypto";
import type { TurnEvent } from "../../agent/events.ts";
import { UNKNOWN_PARENT } from "../../agent/sessions/history-port.ts";
import { isJsonObject } from "../../agent/json.ts";
import type { Json, JsonObject } from "../../agent/models/types.ts";

/** Keys under which events name turns, sessions, spans and memories by their ids, alone or in a list. */
const ID_KEYS: ReadonlySet<string> = new Set([
  "id",
  "ids",
  "parentId",
  "turns",
  "turnId",
  "turnIds",
  "sessionId",
  "stepId",
  "episodeId",
  "episodes",
  "saidIn",
  "replays",
  "eventId",
  "compaction",
  "gen_ai.conversation.id",
  "conclave.parent_turn_id",
  "conclave.episode_ids",
]);
/** What was said is left as it was, whatever its keys are called. */
const WORDS: ReadonlySet<string> = new Set([
  "arguments",
  "result",
  "conclave.messages",
  "tool_calls",
  "tools",
  "parameters",
  "schema",
  "value",
]);
/** Which request the messages of another go on from. */
const CHAIN = "conclave.messages_after";
const SPAN = /^[0-9a-f]{16}$/i;
const TURN = /^[0-9a-f]{32}$/i;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MAX_DEPTH = 32;

/** Drops what an event of somebody else must not bring along: buttons that would do something here, and marks of ours. */
const DROPPED: ReadonlySet<string> = new Set(["conclave.private", "conclave.imported"]);

/**
 * Gives everything that somebody else's trace names an id of its own, the same for the same each time: what was imported
 * can never be taken for a turn, a session or a memory of this machine. Nothing is held: ids are made from a secret.
 */
export class NewIds {
  private readonly secret = randomBytes(32);

  /** A session's id; a UUID. */
  session(id: string): string {
    const hex = this.hex("uuid", id.toLowerCase());
    const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
    return [
      hex.slice(0, 8),
      hex.slice(8, 12),
      `4${hex.slice(13, 16)}`,
      `${variant}${hex.slice(17, 20)}`,
      hex.slice(20, 32),
    ].join("-");
  }

  /** A turn's id. */
  turn(id: string): string {
    return this.hex("turn", id);
  }

  /** An event's id; that of a turn's own events is the turn's. */
  span(id: string, turnId: string): string {
    return id === turnId || TURN.test(id) ? this.turn(id) : this.hex("span", id).slice(0, 16);
  }

  /** An event with ids of its own, those inside its data included. */
  event(event: TurnEvent): TurnEvent {
    const { id, parentId, stepId, sessionId, turnId, replays } = event;
    const of = (one: string): string => this.span(one, turnId);
    const data = this.data(event.data as unknown as JsonObject, 0);
    return {
      ...event,
      id: of(id),
      parentId: parentId === null ? null : of(parentId),
      ...(stepId === undefined ? {} : { stepId: of(stepId) }),
      ...(typeof replays === "string" ? { replays: of(replays) } : {}),
      sessionId: this.session(sessionId),
      turnId: this.turn(turnId),
      data,
    } as unknown as TurnEvent;
  }

  private data(data: JsonObject, depth: number): JsonObject {
    const kept = Object.entries(data).filter(([key]) => !DROPPED.has(key));
    return Object.fromEntries(kept.map(([key, value]) => [key, this.value(key, value, depth)]));
  }

  private value(key: string, value: Json | undefined, depth: number): Json {
    if (value === undefined || depth > MAX_DEPTH || WORDS.has(key)) return value ?? null;
    if (typeof value === "string") return ID_KEYS.has(key) ? this.named(value) : value;
    if (Array.isArray(value)) return value.map((item: Json) => this.value(key, item, depth + 1));
    if (!isJsonObject(value)) return value;
    if (key === CHAIN) return this.chain(value);
    return this.data(key === "error" ? withoutAction(value) : value, depth + 1);
  }

  /** A request is found by the new id of the one before it, whatever that looked like. */
  private chain({ id, ...rest }: JsonObject): JsonObject {
    return { ...rest, id: typeof id === "string" ? this.hex("span", id).slice(0, 16) : "" };
  }

  private named(id: string): string {
    if (id === UNKNOWN_PARENT) return id;
    if (UUID.test(id)) return this.session(id);
    if (TURN.test(id)) return this.turn(id);
    return SPAN.test(id) ? this.hex("span", id).slice(0, 16) : id;
  }

  private hex(kind: string, id: string): string {
    return createHmac("sha256", this.secret).update(`${kind} ${id}`).digest("hex").slice(0, 32);
  }
}

/** A failure of somebody else's says what went wrong there; what would mend it here is not for it to say. */
function withoutAction({ action: _action, target: _target, ...error }: JsonObject): JsonObject {
  return error;
}
