import { UNKNOWN_PARENT } from "../agent/sessions/history-port.ts";
import type { HostMessage } from "../trace/panel-protocol.ts";
import type { TurnSummary } from "../trace/summary.ts";
import { dayOf } from "./format.ts";

/** Names that the menu of filters offers of each kind. */
const MAX_FACETS = 100;

/** A line of the list of turns: the head of a session, or one of its turns. */
export type ListItem =
  /** Says the day alone (`lone`), or with it what a session of several turns is about. */
  | { readonly kind: "head"; readonly key: string; readonly label: string; readonly lone: boolean }
  | { readonly kind: "row"; readonly key: string; readonly row: TurnSummary; readonly branch: boolean };

/** The rows that have come, in sessions: the one that was asked last first, their turns oldest first. */
export class TurnRows {
  filter = "";
  /** Whether the first page has come. */
  loaded = false;
  /** What was searched for has not been looked through yet. */
  searching = false;
  private next: number | null = null;
  private readonly sessions = new Map<string, Map<string, TurnSummary>>();
  private order: string[] = [];
  /** When each session was asked last. Its log may be newer: old answers are graded, too. */
  private readonly askedAt = new Map<string, number>();
  private readonly tools = new Set<string>();
  private readonly personas = new Set<string>();
  private cached: readonly ListItem[] | undefined;
  /** The lines of sessions that have not changed since. */
  private readonly lines = new Map<string, readonly ListItem[]>();

  /** Turns that fit this are listed from now on, as soon as their first page has come. */
  find(filter: string): void {
    this.filter = filter;
    this.searching = true;
  }

  /** Takes a page. One that answers an older search is passed over. */
  page(message: Extract<HostMessage, { type: "turns" }>): void {
    if (message.filter !== this.filter) return;
    if (message.cursor === 0) {
      this.sessions.clear();
      this.lines.clear();
      this.askedAt.clear();
      this.order = [];
    }
    this.loaded = true;
    this.searching = false;
    this.next = message.next;
    for (const row of message.rows) this.put(row);
    this.sort();
  }

  /** Takes rows that changed. */
  change(rows: readonly TurnSummary[]): void {
    for (const row of rows) if (this.has(row) || this.filter === "") this.put(row);
    this.sort();
  }

  /** Whether the turn of a row is known. */
  has({ sessionId, turnId }: TurnSummary): boolean {
    return this.sessions.get(sessionId)?.has(turnId) === true;
  }

  /** Whether there are more pages; one that is on its way is none of them. */
  get hasNext(): boolean {
    return this.next !== null;
  }

  /** Where the next page starts, once; null at the end, or while it is on its way. */
  takeNext(): number | null {
    const { next } = this;
    this.next = null;
    return next;
  }

  /** The newest turn of a session. */
  lastOf(sessionId: string | undefined): TurnSummary | undefined {
    if (sessionId === undefined) return undefined;
    return [...(this.sessions.get(sessionId)?.values() ?? [])].at(-1);
  }

  /** The first question of a session. */
  titleOf(sessionId: string): string {
    const first = this.sessions.get(sessionId)?.values().next();
    return first?.done === false ? first.value.question : "";
  }

  /** What a session is called: by its first question where that has come, else by the beginning of its id. */
  sessionName(sessionId: string): string {
    const title = this.titleOf(sessionId);
    return title === "" ? sessionId.slice(0, 8) : title;
  }

  /** The question of a turn; empty where it has not come. */
  questionOf({ sessionId, turnId }: Pick<TurnSummary, "sessionId" | "turnId">): string {
    return this.sessions.get(sessionId)?.get(turnId)?.question ?? "";
  }

  /** The branches that leave a turn at one of its events; at its question where none is named. */
  branchesOf({ sessionId, turnId }: Pick<TurnSummary, "sessionId" | "turnId">, eventId?: string) {
    const rows = [...(this.sessions.get(sessionId)?.values() ?? [])];
    return rows.filter(({ fork, forkAt }) => fork === turnId && forkAt === eventId);
  }

  /** Tools and personas of the turns that were shown so far, by name. */
  facets(): { readonly tools: readonly string[]; readonly personas: readonly string[] } {
    const sorted = (names: ReadonlySet<string>) => [...names].sort((a, b) => a.localeCompare(b));
    return { tools: sorted(this.tools), personas: sorted(this.personas) };
  }

  /** The list as it is drawn. */
  items(now: number): readonly ListItem[] {
    this.cached ??= withoutRepeatedHeads(this.order.flatMap((sessionId) => this.itemsOf(sessionId, now)));
    return this.cached;
  }

  /** The row below (1) or above (-1) a turn in the list; the first one where that turn is not in it. */
  beside(turnId: string | undefined, step: 1 | -1): TurnSummary | undefined {
    const rows = this.order.flatMap((sessionId) => [...(this.sessions.get(sessionId)?.values() ?? [])]);
    const at = rows.findIndex((row) => row.turnId === turnId);
    return at < 0 ? rows[0] : rows[at + step];
  }

  private itemsOf(sessionId: string, now: number): readonly ListItem[] {
    const rows = [...(this.sessions.get(sessionId)?.values() ?? [])];
    const first = rows[0];
    if (first === undefined) return [];
    const day = dayOf(this.timeOf(sessionId), now);
    // A lone turn says for itself what its session is about.
    const lone = rows.length === 1;
    const label = lone ? day : `${day} · ${first.question}`;
    const lines = this.lines.get(sessionId) ?? linesOf(rows);
    this.lines.set(sessionId, lines);
    return [{ kind: "head", key: sessionId, label, lone }, ...lines];
  }

  private timeOf(sessionId: string): number {
    return this.askedAt.get(sessionId) ?? 0;
  }

  /** The session that was asked last comes first. */
  private sort(): void {
    this.order.sort((one, other) => this.timeOf(other) - this.timeOf(one));
    this.cached = undefined;
  }

  private put(row: TurnSummary): void {
    let session = this.sessions.get(row.sessionId);
    if (session === undefined) {
      session = new Map();
      this.sessions.set(row.sessionId, session);
      this.order.push(row.sessionId);
    }
    session.set(row.turnId, row);
    this.askedAt.set(row.sessionId, Math.max(this.timeOf(row.sessionId), row.time));
    this.lines.delete(row.sessionId);
    noteNames(this.tools, row.tools);
    noteNames(this.personas, [row.agent, ...row.agents]);
  }
}

/** The lines of a session's turns, oldest first. */
function linesOf(rows: readonly TurnSummary[]): readonly ListItem[] {
  const parents = new Set<string>();
  return rows.map((row) => {
    const known = row.parentTurnId !== null && row.parentTurnId !== UNKNOWN_PARENT;
    const branch = row.fork !== undefined || (known && parents.has(row.parentTurnId));
    if (known) parents.add(row.parentTurnId);
    return { kind: "row", key: row.turnId, row, branch };
  });
}

/** Keeps names for the menu of filters, a bounded number of them. */
function noteNames(known: Set<string>, names: readonly string[]): void {
  for (const name of names) if (known.size < MAX_FACETS && name !== "") known.add(name);
}

/** Lone turns of one day stand under one head; sessions that begin with the same question each have their own. */
function withoutRepeatedHeads(items: readonly ListItem[]): readonly ListItem[] {
  let last = "";
  return items.filter((item) => {
    if (item.kind !== "head") return true;
    const repeated = item.lone && item.label === last;
    last = item.label;
    return !repeated;
  });
}
