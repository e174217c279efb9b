import { createHash, randomUUID } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { TurnEvent } from "../../agent/events.ts";
import type { LiveTurn } from "../../trace/notebook/live-turn.ts";
import { turnLines, type LogBytes } from "../../trace/notebook/log-bytes.ts";
import { eventsOf } from "../../trace/notebook/make-output.ts";
import { movedLines } from "../../trace/notebook/moved-lines.ts";
import type { AddedTurn } from "../../trace/notebook/write.ts";

/** Logs that are read and belong to no open notebook, such as one side of a comparison that is being made. */
const MAX_UNUSED = 4;
const HASH_BYTES = 4 * 1024 * 1024;
const KEY_LENGTH = 16;

/** What a notebook's metadata says: which log it was read from, and whose log it is. */
export interface NotebookKey {
  readonly base: string;
  readonly session: string;
}

/** A log that a notebook was read from. */
export interface KeptLog extends NotebookKey {
  readonly log: LogBytes;
  /** When the notebook was begun, for one without a log. Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** A turn that an open notebook ran. */
interface Ran {
  readonly base: string;
  /** The address of the notebook. */
  readonly notebook: string;
  readonly turn: LiveTurn;
}

/** Names a log by its content, a piece at a time. */
async function hash(bytes: Uint8Array): Promise<string> {
  const made = createHash("sha256");
  for (let at = 0; at < bytes.length; at += HASH_BYTES) {
    made.update(bytes.subarray(at, at + HASH_BYTES));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return made.digest("hex").slice(0, KEY_LENGTH);
}

/**
 * Holds what notebooks can't: the lines of the logs they were read from, and those of the turns they run. A notebook
 * names its log by the content, so that the same file read twice is told by the same words.
 */
export class KeptLogs {
  readonly #used = new Map<string, KeptLog>();
  readonly #unused = new LRUCache<string, KeptLog>({ max: MAX_UNUSED });
  readonly #ran = new Map<string, Ran>();

  /** Keeps a log; gives how notebooks name it. */
  async keep(log: LogBytes): Promise<KeptLog> {
    const session = log.sessionId ?? [...log.turns.values()][0]?.sessionId ?? randomUUID();
    const base = log.bytes.length === 0 ? `new-${session.slice(0, KEY_LENGTH)}` : await hash(log.bytes);
    return this.restore({ base, session, log, createdAt: Date.now() });
  }

  /** Keeps a log under the name that a notebook has for it already. */
  restore(kept: KeptLog): KeptLog {
    const known = this.get(kept.base);
    if (known !== undefined) return known;
    this.#unused.set(kept.base, kept);
    return kept;
  }

  get(base: string): KeptLog | undefined {
    return this.#used.get(base) ?? this.#unused.get(base);
  }

  /** Says which logs belong to open notebooks: the others are let go of sooner or later, with the turns run on them. */
  use(bases: ReadonlySet<string>): void {
    for (const [base, kept] of this.#used) {
      if (bases.has(base)) continue;
      this.#used.delete(base);
      this.#unused.set(base, kept);
    }
    for (const base of bases) {
      const kept = this.#unused.get(base);
      if (kept === undefined) continue;
      this.#unused.delete(base);
      this.#used.set(base, kept);
    }
    for (const [turnId, { base }] of this.#ran) if (this.get(base) === undefined) this.#ran.delete(turnId);
  }

  /** Keeps a turn that a notebook runs. */
  run(turn: LiveTurn, base: string, notebook: string): void {
    this.#ran.set(turn.turnId, { base, notebook, turn });
  }

  /** A turn that some notebook of this window ran. */
  ran(turnId: string): LiveTurn | undefined {
    return this.#ran.get(turnId)?.turn;
  }

  /** The turns that a notebook ran, in the order in which they began. */
  ranIn(notebook: string, base: string): readonly LiveTurn[] {
    const all = [...this.#ran.values()];
    return all.filter((one) => one.notebook === notebook && one.base === base).map(({ turn }) => turn);
  }

  /** A turn that a notebook shows and its own log lacks: run here, or pasted from another notebook. */
  lacking(turnId: string, sessionId: string): AddedTurn | undefined {
    const live = this.ran(turnId);
    if (live !== undefined) return live;
    const log = this.#logOf(turnId);
    const question = log?.turns.get(turnId)?.question ?? "";
    return log === undefined
      ? undefined
      : { turnId, question, lines: movedLines(turnLines(log, turnId), sessionId) };
  }

  /** The events of a turn, wherever it is held, first of all in a notebook's own log; none when nobody knows it. */
  events(base: string, turnId: string): readonly TurnEvent[] {
    const live = this.ran(turnId);
    if (live !== undefined) return live.events;
    const own = this.get(base)?.log;
    const log = own?.turns.has(turnId) === true ? own : this.#logOf(turnId);
    return log === undefined ? [] : eventsOf(turnLines(log, turnId));
  }

  /** A log of any notebook that holds a turn. */
  #logOf(turnId: string): LogBytes | undefined {
    const all = [...this.#used.values(), ...this.#unused.values()];
    return all.find(({ log }) => log.turns.get(turnId)?.began === true)?.log;
  }
}
