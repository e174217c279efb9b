import type { TurnEvent } from "../../../agent/events.ts";
import { failure, type Failure, type Result } from "../../../agent/failure.ts";
import type { MemoryHit } from "../../../agent/memory/port.ts";
import type { MemoryTable, MemoryTableQuery } from "../../../agent/memory/types.ts";
import { MEMORY_HITS, MEMORY_PAGE } from "../../../trace/panel-limits.ts";
import type { MemoryFound, MemoryLine, MemoryViewQuery } from "../../../trace/panel-memory.ts";
import type { HostMessage, PanelMessage } from "../../../trace/panel-protocol.ts";
import { oneLine } from "../../../trace/text.ts";
import type { PanelHostDeps, PanelUi } from "../deps.ts";
import type { HostPart } from "../part.ts";
import { Choosing } from "./choosing.ts";
import { EmbeddingWatch } from "./embedding-watch.ts";
import { Job } from "./job.ts";
import { hitLines, pageLines, wholeLine, withScore } from "./lines.ts";
import { LongWork } from "./long-work.ts";

/** The messages that the memory view sends. */
export type MemoryMessage = Extract<PanelMessage, { readonly type: `memory.${string}` }>;
type MessageOf<Type extends MemoryMessage["type"]> = Extract<MemoryMessage, { readonly type: Type }>;

const NOT_FOUND: MemoryFound = { searched: 0, dropped: 0, range: null, note: null };
const MAX_NOTE = 500;
const MAX_PLACE = 200;

/** What the view is part of. */
export interface MemoryHostParts {
  readonly deps: PanelHostDeps;
  readonly ui: PanelUi;
  readonly post: (message: HostMessage) => void;
  /** Says a failure where the whole panel says them, without its cause. */
  readonly notice: (problem: Failure) => void;
}

/** The host side of the memory view: pages, ranked searches, whole rows, edits, forgetting, export and import. */
export class MemoryHost implements HostPart {
  private readonly parts: MemoryHostParts;
  private readonly job: Job;
  private readonly embedding: EmbeddingWatch;
  private readonly work: LongWork;
  private current = new AbortController();
  private hits: readonly MemoryHit[] = [];

  constructor(parts: MemoryHostParts) {
    this.parts = parts;
    this.job = new Job(parts.post);
    this.embedding = new EmbeddingWatch(parts.deps.memory, parts.post);
    const tell = (text: string): void => parts.post({ type: "memory.told", text: oneLine(text, MAX_NOTE) });
    const changed = (): void => this.changed();
    const common = { deps: parts.deps, ui: parts.ui, job: this.job, tell, changed };
    this.work = new LongWork({
      ...common,
      choosing: new Choosing({ ...common, tableQuery: (query) => this.tableQuery(query, 0, 0) }),
      scopes: (here) => this.scopes(here),
      notice: parts.notice,
    });
  }

  /** Deals with a message. Rejects only on what nobody foresaw. */
  async receive(message: PanelMessage): Promise<void> {
    switch (message.type) {
      case "memory.page":
        await this.page(message);
        break;
      case "memory.search":
        await this.search(message);
        break;
      case "memory.row":
        await this.row(message);
        break;
      case "memory.edit":
        await this.edit(message);
        break;
      case "memory.forget":
        await this.work.forget(message.what);
        break;
      case "memory.export":
        await this.work.export(message.what);
        break;
      case "memory.pin":
        await this.work.pin(message.what);
        break;
      case "memory.import":
        await this.work.import();
        break;
      case "memory.embed":
        await this.embedding.set(message.action);
        break;
      case "memory.cancel":
        this.job.cancel();
        break;
      default:
        // The other parts' messages.
        break;
    }
  }

  /** A turn that was remembered or read brings new rows. */
  hear(event: TurnEvent): void {
    if (event.type === "memory.ingested" || event.type === "memory.learned") this.grew();
  }

  /** The page was made anew: says what is at work. */
  wake(): void {
    this.current = new AbortController();
    this.embedding.wake();
    this.job.tell();
    this.tellHere();
  }

  /** Stops what only a page that is there can use. Forgetting, export and import go on. */
  sleep(): void {
    this.current.abort();
    this.embedding.stop();
    this.hits = [];
  }

  /** Rows came, went or changed: the view reads what it shows anew. */
  changed(): void {
    this.parts.post({ type: "memory.changed" });
  }

  /** A turn was remembered or learnt from. */
  grew(): void {
    this.parts.post({ type: "memory.grew" });
  }

  dispose(): void {
    this.sleep();
    this.job.cancel();
  }

  /** Which folder is open: it may be another one by now. */
  private tellHere(): void {
    const { deps, post } = this.parts;
    const id = deps.memoryScopes?.()?.[0];
    post({ type: "memory.here", name: (id === undefined ? undefined : deps.scopeName?.(id)) ?? null });
  }

  /** A line with the name of the folder that it belongs to. */
  private placed(line: MemoryLine): MemoryLine {
    const { scope } = line.row;
    if (scope === undefined || scope === "") return line;
    return { ...line, place: oneLine(this.parts.deps.scopeName?.(scope) ?? "another workspace", MAX_PLACE) };
  }

  private scopes(here: boolean): { readonly scopes?: readonly string[] } {
    const scopes = here ? this.parts.deps.memoryScopes?.() : undefined;
    return scopes === undefined ? {} : { scopes };
  }

  private tableQuery(query: MemoryViewQuery, offset: number, limit: number): MemoryTableQuery {
    const filter = query.filter.trim();
    return {
      table: query.table,
      offset,
      limit,
      sort: query.sort,
      onlyCurrent: query.onlyCurrent,
      ...(query.table === "moments" && spanOf(query)),
      ...(filter === "" ? {} : { filter }),
      ...this.scopes(query.here),
    };
  }

  private async page({ request, query, offset }: MessageOf<"memory.page">): Promise<void> {
    const { signal } = this.current;
    const page = await this.parts.deps.memory.list(this.tableQuery(query, offset, MEMORY_PAGE), signal);
    if (signal.aborted) return;
    const answer = page.ok
      ? {
          total: page.value.total,
          lines: pageLines<MemoryTable>(query.table, page.value.rows.slice(0, MEMORY_PAGE)).map((line) =>
            this.placed(line),
          ),
          failure: null,
        }
      : { total: 0, lines: [], failure: shown(page.failure) };
    this.parts.post({ type: "memory.page", request, offset, ...answer });
    if (offset !== 0) return;
    this.tellHere();
    await this.embedding.look();
  }

  private async search({ request, query, here }: MessageOf<"memory.search">): Promise<void> {
    const { signal } = this.current;
    const asked = { query, limit: MEMORY_HITS, ...this.scopes(here) };
    const result = await this.parts.deps.memory.search(asked, signal);
    if (signal.aborted) return;
    if (!result.ok) {
      const problem = shown(result.failure);
      this.parts.post({ type: "memory.hits", request, lines: [], found: NOT_FOUND, failure: problem });
      return;
    }
    const { hits, searched, dropped, range, note } = result.value;
    this.hits = hits.slice(0, MEMORY_HITS);
    const found: MemoryFound = {
      searched,
      dropped: dropped ?? 0,
      range: range === undefined ? null : { from: range.from, to: range.to },
      note: note === undefined ? null : oneLine(note, MAX_NOTE),
    };
    this.parts.post({ type: "memory.hits", request, lines: hitLines(this.hits), found, failure: null });
  }

  private async row({ request, query, id, offset }: MessageOf<"memory.row">): Promise<void> {
    const { signal } = this.current;
    const hit = query.table === "episodes" ? this.hits.find(({ episode }) => episode.id === id) : undefined;
    const found =
      hit === undefined
        ? await this.listed(query, id, offset, signal)
        : { ok: true as const, value: hitLine(hit) };
    if (signal.aborted) return;
    const answer = found.ok
      ? { line: found.value === null ? null : this.placed(found.value), failure: null }
      : { line: null, failure: shown(found.failure) };
    this.parts.post({ type: "memory.row", request, ...answer });
  }

  /** A row by its place; when rows came or went since, by the rows around that place. */
  private async listed(
    query: MemoryViewQuery,
    id: string,
    offset: number,
    signal: AbortSignal,
  ): Promise<Result<MemoryLine | null>> {
    const from = Math.max(0, offset - MEMORY_PAGE / 2);
    for (const [start, limit] of [
      [offset, 1],
      [from, MEMORY_PAGE],
    ] as const) {
      const page = await this.parts.deps.memory.list(this.tableQuery(query, start, limit), signal);
      if (!page.ok) return page;
      const row = page.value.rows.find((one) => one.id === id);
      if (row !== undefined) return { ok: true, value: wholeLine<MemoryTable>(query.table, row) };
    }
    return { ok: true, value: null };
  }

  private async edit({ request, edit }: MessageOf<"memory.edit">): Promise<void> {
    const done = await this.parts.deps.memory.edit(edit, new AbortController().signal);
    const gone = failure("bad_input", "It was not changed: it is not in memory any more.");
    const problem = done.ok ? (done.value.changed ? null : gone) : shown(done.failure);
    this.parts.post({ type: "memory.edited", request, failure: problem });
  }
}

/** The time that a query of moments asks for. */
function spanOf({
  from,
  to,
}: MemoryViewQuery & { readonly table: "moments" }): Pick<MemoryTableQuery, "from" | "to"> {
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

function hitLine(hit: MemoryHit): MemoryLine {
  return withScore(wholeLine("episodes", { ...hit.episode, notes: hit.notes ?? {} }), hit);
}

/** A failure as the view says it; its cause stays in the log. */
function shown(problem: Failure): Failure {
  return {
    code: problem.code,
    message: oneLine(problem.message, 2000),
    ...(problem.action === undefined ? {} : { action: problem.action }),
    ...(problem.target === undefined ? {} : { target: oneLine(problem.target, 2000) }),
  };
}
