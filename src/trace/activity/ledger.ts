import type { TurnEvent } from "../../agent/events.ts";
import { Breath } from "../files/breath.ts";
import type { TraceLog } from "../log.ts";
import type { ActivityRecord, RewardRecord } from "./records.ts";
import { isTelling, SessionFold } from "./session-fold.ts";

/** Records that are held at most: the oldest sessions are left out. */
const MAX_RECORDS = 20_000;
const SESSIONS_A_READ = 20;

/** What is read of a log. */
export type ActivityLog = Pick<TraceLog, "sessions" | "lines" | "flush">;

interface HeldSession {
  /** When its log last changed, as the list of sessions says. */
  readonly updatedAt: number;
  readonly fold: SessionFold;
}

/** How a ledger is made. */
export interface LedgerOptions {
  readonly log: ActivityLog;
  /** Whether a turn runs in this window: what has not ended in any other was interrupted. */
  readonly isRunning: (sessionId: string, turnId: string) => boolean;
  /** Records that are held at most; 20,000 where it is left out. */
  readonly maxRecords?: number;
}

/**
 * The records of all sessions, read from the log newest session first and kept up to date by events. A session is read
 * again only when its log changed. Nothing here throws; what can't be read holds nothing.
 */
export class ActivityLedger {
  /** There are older sessions than those that are held. */
  older = false;
  private readonly options: LedgerOptions;
  private sessions = new Map<string, HeldSession>();
  private held: readonly ActivityRecord[] | undefined;
  /** What came while the log is read. */
  private heard: TurnEvent[] | undefined;

  constructor(options: LedgerOptions) {
    this.options = options;
  }

  /**
   * Reads what changed since it was read last. Stops within a moment of the signal; what was read until then is there.
   *
   * @param onMore called after each session that was read
   */
  async load(signal: AbortSignal, onMore: () => void): Promise<void> {
    const { log } = this.options;
    this.heard = [];
    const isOver = (): boolean => signal.aborted;
    await log.flush();
    const kept = new Map<string, HeldSession>();
    let offset = 0;
    let total = 1;
    let records = 0;
    while (offset < total && records < this.maxRecords && !isOver()) {
      const page = await log.sessions({ offset, limit: SESSIONS_A_READ });
      if (!page.ok) break;
      ({ total } = page.value);
      if (page.value.sessions.length === 0) break;
      for (const session of page.value.sessions) {
        if (records >= this.maxRecords) break;
        const known = this.sessions.get(session.sessionId);
        const held = known?.updatedAt === session.updatedAt ? known : await this.read(session, signal);
        if (isOver()) break;
        offset += 1;
        kept.set(session.sessionId, held);
        records += held.fold.records.size;
        if (held === known) continue;
        this.sessions.set(session.sessionId, held);
        this.held = undefined;
        onMore();
      }
    }
    this.settle(signal.aborted ? this.sessions : kept, offset < total);
  }

  /** Takes an event of this window; tells whether a record changed. */
  take(event: TurnEvent): boolean {
    if (!isTelling(event.type)) return false;
    this.heard?.push(event);
    const known = this.sessions.get(event.sessionId);
    // It is read once more when the log is looked at again: what came before it may not have been heard.
    const session = known ?? { updatedAt: 0, fold: new SessionFold() };
    if (known === undefined) this.sessions.set(event.sessionId, session);
    const changed = session.fold.take(event);
    if (changed) {
      this.held = undefined;
      this.trim();
    }
    return changed;
  }

  /** Forgets what was read, because some of it may be gone from the log. */
  clear(): void {
    this.older = false;
    this.sessions = new Map();
    this.held = undefined;
  }

  /** All records, newest first. */
  all(): readonly ActivityRecord[] {
    this.held ??= [...this.sessions.values()]
      .flatMap(({ fold }) => [...fold.records.values()])
      .map((record) => this.settled(record))
      .sort((one, other) => other.time - one.time || (one.id < other.id ? -1 : 1));
    return this.held;
  }

  /** What feedback is worth, answer by answer, over all sessions that are held. */
  rewards(): readonly RewardRecord[] {
    return [...this.sessions.values()].flatMap(({ fold }) => [...fold.rewards.values()]);
  }

  private get maxRecords(): number {
    return this.options.maxRecords ?? MAX_RECORDS;
  }

  private async read(
    { sessionId, updatedAt }: { readonly sessionId: string; readonly updatedAt: number },
    signal: AbortSignal,
  ): Promise<HeldSession> {
    const fold = new SessionFold();
    const breath = new Breath();
    for await (const line of this.options.log.lines(sessionId)) {
      if (signal.aborted) break;
      fold.takeLine(line);
      await breath.take();
    }
    return { updatedAt, fold };
  }

  /** All was read. What came while it was read may not have been in the log yet: it is taken once more. */
  private settle(kept: Map<string, HeldSession>, older: boolean): void {
    const heard = this.heard ?? [];
    this.heard = undefined;
    this.older = older;
    this.sessions = kept;
    this.held = undefined;
    for (const event of heard) this.take(event);
  }

  private settled(record: ActivityRecord): ActivityRecord {
    if (record.kind !== "call" || record.outcome !== "running") return record;
    return this.options.isRunning(record.sessionId, record.turnId)
      ? record
      : { ...record, outcome: "interrupted" };
  }

  /** Lets the oldest sessions go until there is room. */
  private trim(): void {
    let records = 0;
    for (const { fold } of this.sessions.values()) records += fold.records.size;
    if (records <= this.maxRecords) return;
    const oldest = [...this.sessions].sort(([, one], [, other]) => lastOf(one) - lastOf(other));
    for (const [sessionId, { fold }] of oldest.slice(0, -1)) {
      if (records <= this.maxRecords) break;
      records -= fold.records.size;
      this.sessions.delete(sessionId);
      this.older = true;
    }
  }
}

function lastOf({ fold }: HeldSession): number {
  let last = 0;
  for (const { time } of fold.records.values()) last = Math.max(last, time);
  return last;
}
