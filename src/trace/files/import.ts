import type { TurnEvent } from "../../agent/events.ts";
import { CANCELLED, describeError, failed, success, type Result } from "../../agent/failure.ts";
import { oneLine } from "../text.ts";
import { NewIds } from "./new-ids.ts";
import { SessionWriter } from "./session-writer.ts";

/** Sessions and events that one import takes. */
const MAX_SESSIONS = 200;
const MAX_EVENTS = 1_000_000;
const MAX_TURNS = 20_000;
const MAX_NAME = 120;

/** Events of somebody else's trace, each checked, in the order of their turns. */
export interface ForeignEvents {
  /** Rejects when it can't be read. */
  events(signal: AbortSignal): AsyncIterable<TurnEvent>;
  /** How much was read so far, 0 to 1. */
  progress(): number;
  /** In sentences, what could not be taken; few. */
  notes(): readonly string[];
}

/** An import, and where it goes. */
export interface ImportParts {
  readonly from: ForeignEvents;
  /** The name of the file. */
  readonly name: string;
  /** Where the logs are. */
  readonly folder: string;
  /** When it is imported, in milliseconds since the epoch. */
  readonly now: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (share: number) => void;
}

/** What came of an import. */
export interface ImportedTrace {
  /** The new sessions, in the order of the file. */
  readonly sessionIds: readonly string[];
  readonly turns: number;
  readonly events: number;
  /** In sentences, what could not be taken; few. */
  readonly notes: readonly string[];
}

/** Writes somebody else's events as sessions of one's own. */
class Import {
  readonly notes = new Set<string>();
  readonly writers = new Map<string, SessionWriter>();
  readonly turns = new Set<string>();
  events = 0;
  private readonly ids = new NewIds();
  private readonly parts: ImportParts;
  private readonly name: string;

  constructor(parts: ImportParts) {
    this.parts = parts;
    this.name = oneLine(parts.name, MAX_NAME);
  }

  /** Takes an event; false once there is no more room. */
  async take(foreign: TurnEvent): Promise<boolean> {
    if (this.events >= MAX_EVENTS) {
      this.notes.add("The file holds more events than one import takes. Its beginning was taken.");
      return false;
    }
    const event = this.ids.event(foreign);
    const writer = this.writerOf(event);
    if (writer === undefined) return true;
    if (!this.turns.has(event.turnId)) {
      if (this.turns.size >= MAX_TURNS) {
        this.notes.add("The file holds more turns than one import takes. The first ones were taken.");
        return true;
      }
      this.turns.add(event.turnId);
      if (event.type !== "turn.start") await writer.add(this.marked(beginningOf(event)));
    }
    this.events += 1;
    await writer.add(this.marked(event));
    return true;
  }

  private writerOf({ sessionId, time }: TurnEvent): SessionWriter | undefined {
    const known = this.writers.get(sessionId);
    if (known !== undefined) return known;
    if (this.writers.size >= MAX_SESSIONS) {
      this.notes.add("The file holds more sessions than one import takes. The first ones were taken.");
      return undefined;
    }
    const writer = new SessionWriter(this.parts.folder, sessionId, time);
    this.writers.set(sessionId, writer);
    return writer;
  }

  /** A turn says where it comes from, so that everybody who reads it knows. */
  private marked(event: TurnEvent): TurnEvent {
    if (event.type !== "turn.start") return event;
    const imported = { from: this.name, at: this.parts.now };
    return { ...event, data: { ...event.data, "conclave.imported": imported } };
  }
}

/** The beginning of a turn that the file lacks. */
function beginningOf(event: TurnEvent): TurnEvent {
  const { turnId, sessionId, time, agent, respondent } = event;
  return {
    ...{ id: turnId, parentId: null, time, sessionId, turnId, agent, respondent },
    type: "turn.start",
    data: {
      "gen_ai.conversation.id": sessionId,
      "conclave.parent_turn_id": null,
      "conclave.door": "command",
    },
  };
}

/**
 * Takes somebody else's trace into one's own logs: new ids, marked as imported, and nothing of it remembered. All of it
 * or nothing: what was written is taken back when it can't be finished, or the signal fires.
 */
export async function importTrace(parts: ImportParts): Promise<Result<ImportedTrace>> {
  const { from, signal } = parts;
  const work = new Import(parts);
  try {
    for await (const event of from.events(signal)) {
      if (signal.aborted) break;
      if (!(await work.take(event))) break;
      parts.onProgress?.(from.progress());
    }
    if (!signal.aborted && work.events > 0) {
      for (const writer of work.writers.values()) await writer.finish();
      const { events, turns } = work;
      const notes = [...work.notes, ...from.notes()];
      return success({ sessionIds: [...work.writers.keys()], turns: turns.size, events, notes });
    }
    await abandon(work);
    if (signal.aborted) return { ok: false, failure: CANCELLED };
    return failed("bad_input", nothingIn(parts.name, from.notes()));
  } catch (error) {
    await abandon(work);
    return failed("bad_input", `${oneLine(parts.name, MAX_NAME)} can't be imported.`, {
      cause: describeError(error),
    });
  }
}

async function abandon({ writers }: Import): Promise<void> {
  for (const writer of writers.values()) await writer.abandon().catch(() => undefined);
}

function nothingIn(name: string, notes: readonly string[]): string {
  const why = notes[0] === undefined ? "" : ` ${notes[0]}`;
  return `${oneLine(name, MAX_NAME)} holds no event of a trace.${why}`;
}
