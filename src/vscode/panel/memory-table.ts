import type { Failure, Result } from "../../agent/failure.ts";
import type { Episode, MemoryHit } from "../../agent/memory-port.ts";
import { MEMORY_PAGE } from "../../trace/panel-limits.ts";
import { type HostMessage, type MemoryRow, type PanelMessage } from "../../trace/panel-protocol.ts";
import { oneLine } from "../../trace/text.ts";
import { forgetQuestion } from "../forget-question.ts";
import type { PanelHostDeps, PanelUi } from "./deps.ts";

const TEXT_LENGTH = 300;
const MAX_PARTS = 10;

type MemoryRequest = Extract<PanelMessage, { readonly type: "memory" }>;

interface Page {
  readonly total: number;
  readonly rows: readonly MemoryRow[];
  readonly note: string | null;
}

function rowOf(episode: Episode): MemoryRow {
  return {
    id: episode.id,
    time: episode.time,
    kind: oneLine(episode.kind, 40),
    question: oneLine(episode.question, TEXT_LENGTH),
    answer: oneLine(episode.answer, TEXT_LENGTH),
    agent: oneLine(episode.agent, 80),
    model: oneLine(episode.model, 120),
    sessionId: episode.sessionId,
    turnId: episode.turnId,
  };
}

function rankedRow(hit: MemoryHit): MemoryRow {
  const parts = Object.entries(hit.parts).filter((part): part is [string, number] => part[1] !== undefined);
  return { ...rowOf(hit.episode), score: hit.score, parts: Object.fromEntries(parts.slice(0, MAX_PARTS)) };
}

/** The table of what is remembered: pages of it, ranked searches, and forgetting. */
export class MemoryTable {
  private readonly deps: PanelHostDeps;
  private readonly ui: PanelUi;
  private readonly post: (message: HostMessage) => void;
  private current = new AbortController();
  /** What the rows of the page say, to name what is about to be forgotten. */
  private titles: ReadonlyMap<string, string> = new Map();

  constructor(deps: PanelHostDeps, ui: PanelUi, post: (message: HostMessage) => void) {
    this.deps = deps;
    this.ui = ui;
    this.post = post;
  }

  /** Posts a page; a later request takes the place of one that still runs. */
  async page(request: MemoryRequest): Promise<void> {
    this.stop();
    this.current = new AbortController();
    const { signal } = this.current;
    const { offset, filter, ranked } = request;
    const page = await (ranked && filter.trim() !== ""
      ? this.search(filter, signal)
      : this.list(request, signal));
    if (signal.aborted) return;
    const failure: Failure | null = page.ok ? null : page.failure;
    const shown = page.ok ? page.value : { total: 0, rows: [], note: null };
    this.titles = new Map(shown.rows.map(({ id, question, answer }) => [id, question || answer]));
    this.post({ type: "memory", offset, filter, ranked, failure, ...shown });
  }

  /** Forgets memories, once the user has said yes. */
  async forget(ids: readonly string[]): Promise<void> {
    const { message, detail } = forgetQuestion(ids.map((id) => this.titles.get(id) ?? id));
    if (!(await this.ui.confirm(message, detail, "Forget"))) return;
    const forgotten = await this.deps.memory.forget(ids, new AbortController().signal);
    if (forgotten.ok) this.post({ type: "forgot", removed: forgotten.value.removed });
    else this.post({ type: "notice", failure: forgotten.failure, asked: false });
  }

  /** Cancels what runs. */
  stop(): void {
    this.current.abort();
  }

  private async search(query: string, signal: AbortSignal): Promise<Result<Page>> {
    const found = await this.deps.memory.search({ query, limit: MEMORY_PAGE }, signal);
    if (!found.ok) return found;
    const rows = found.value.hits.map(rankedRow);
    return { ok: true, value: { total: rows.length, rows, note: found.value.note ?? null } };
  }

  private async list(request: MemoryRequest, signal: AbortSignal): Promise<Result<Page>> {
    const filter = request.filter.trim();
    const page = await this.deps.memory.list(
      { offset: request.offset, limit: MEMORY_PAGE, ...(filter === "" ? {} : { filter }) },
      signal,
    );
    if (!page.ok) return page;
    const rows = page.value.rows.slice(0, MEMORY_PAGE).map(rowOf);
    return { ok: true, value: { total: page.value.total, rows, note: null } };
  }
}
