import { failed, success, type Failure } from "../../../../src/agent/failure.ts";
import type { Episode, MemoryPort } from "../../../../src/agent/memory/port.ts";
import type {
  EpisodeRow,
  Fact,
  ForgetWhat,
  MemoryEdit,
  MemoryRows,
  MemoryTable,
  MemoryTableQuery,
} from "../../../../src/agent/memory/types.ts";

type Rows = { [T in MemoryTable]: readonly MemoryRows[T][] };
const TABLES = ["episodes", "facts", "people", "relationships", "resources", "moments"] as const;
const EXPORT_PAGE = 50;

/** The text of a row that filters look at. */
function textOf(row: object): string {
  return Object.values(row)
    .filter((value) => typeof value === "string" || Array.isArray(value))
    .join(" ")
    .toLowerCase();
}

function valueOf(row: object, column: string): unknown {
  if (column === "score") return (row as EpisodeRow).notes.score;
  if (column === "time" && "from" in row) return row.from;
  return (row as Record<string, unknown>)[column];
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === "string" && typeof b === "string") return a.localeCompare(b);
  return Number(a ?? -1) - Number(b ?? -1);
}

/** Memory in lists, told by the test: filters by a text's words, sorts, edits, forgets; ranks by common words. */
export class ScriptedMemory implements MemoryPort {
  rows: Rows = { episodes: [], facts: [], people: [], relationships: [], resources: [], moments: [] };
  /** What every call answers instead, when it is set. */
  failure: Failure | undefined;
  readonly asked: MemoryTableQuery[] = [];
  readonly edits: MemoryEdit[] = [];
  readonly forgets: ForgetWhat[] = [];
  /** Waited for before forgetting, each page of an export, and each part of an import. */
  gate: () => Promise<void> = () => Promise.resolve();
  dropped = 0;
  note: string | undefined;

  get episodes(): readonly EpisodeRow[] {
    return this.rows.episodes;
  }

  set episodes(rows: readonly (Episode & Partial<EpisodeRow>)[]) {
    this.rows.episodes = rows.map((row) => ({ ...row, notes: row.notes ?? {} }));
  }

  search: MemoryPort["search"] = ({ query, limit, scopes }) => {
    if (this.failure) return Promise.resolve({ ok: false, failure: this.failure });
    const words = query.toLowerCase().split(/\W+/);
    const hits = this.rows.episodes
      .filter((row) => scopes === undefined || scopes.includes(row.scope ?? ""))
      .map(({ notes, ...episode }) => {
        const text = `${episode.question} ${episode.answer}`.toLowerCase();
        const fit = words.filter((word) => text.includes(word)).length / words.length;
        const score = notes.score === undefined ? 0 : (notes.score - 3) * 0.05;
        const parts = { text: fit, vector: fit * 0.8, relevance: fit * 0.9, score, recency: 0.02 };
        return { episode, notes, score: fit * 0.9 + score + 0.02, parts };
      })
      .sort((a, b) => b.score - a.score)
      .slice(0, limit);
    const found = { hits, searched: this.rows.episodes.length, dropped: this.dropped };
    return Promise.resolve(success({ ...found, ...(this.note === undefined ? {} : { note: this.note }) }));
  };

  list: MemoryPort["list"] = (query) => {
    if (this.failure) return Promise.resolve({ ok: false, failure: this.failure });
    this.asked.push(query);
    const words = (query.filter ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    let rows = this.rows[query.table].filter((row) => {
      const scope = "scope" in row ? row.scope : "";
      if (query.scopes !== undefined && !query.scopes.includes(scope)) return false;
      if (query.onlyCurrent === true && "validTo" in row && row.validTo !== null) return false;
      if (query.from !== undefined && "to" in row && Number(row.to) < query.from) return false;
      if (query.to !== undefined && "from" in row && Number(row.from) > query.to) return false;
      const text = words.length === 0 ? "" : textOf(row);
      return words.every((word) => text.includes(word));
    });
    const { sort } = query;
    if (sort !== undefined) {
      const sign = sort.ascending ? 1 : -1;
      rows = rows.sort((a, b) => sign * compare(valueOf(a, sort.column), valueOf(b, sort.column)));
    }
    const page = rows.slice(query.offset, query.offset + query.limit);
    return Promise.resolve(success({ rows: page, total: rows.length }));
  };

  edit: MemoryPort["edit"] = (edit) => {
    if (this.failure) return Promise.resolve({ ok: false, failure: this.failure });
    this.edits.push(edit);
    const { table, id, ...change } = edit;
    const known = this.rows[table].some((row) => row.id === id);
    const changed = (row: MemoryRows[MemoryTable]) => {
      if (row.id !== id) return row;
      if (!("notes" in row)) return { ...row, ...change };
      const { pinned, ...words } = change as { readonly pinned?: boolean };
      const edited = { ...row.notes.edit, ...words };
      const notes = { ...row.notes, edit: edited, ...(pinned === undefined ? {} : { pinned }) };
      return { ...row, notes };
    };
    this.rows = { ...this.rows, [table]: this.rows[table].map(changed) };
    return Promise.resolve(success({ changed: known }));
  };

  previewForget: MemoryPort["previewForget"] = (what) => {
    if (this.failure) return Promise.resolve({ ok: false, failure: this.failure });
    const going = this.going(what);
    const samples = TABLES.flatMap((table) => going[table].map((row) => ({ table, text: nameOf(row) })));
    return Promise.resolve(success({ counts: countsOf(going), samples: samples.slice(0, 20) }));
  };

  forget: MemoryPort["forget"] = async (what, signal) => {
    this.forgets.push(what);
    await this.gate();
    if (signal.aborted) return failed("cancelled", "Cancelled.");
    const going = this.going(what);
    const gone = new Set(TABLES.flatMap((table) => going[table].map(({ id }) => id)));
    const stays = TABLES.map((table) => [table, this.rows[table].filter(({ id }) => !gone.has(id))]);
    this.rows = Object.fromEntries(stays) as Rows;
    const turns = going.episodes.map(({ sessionId, turnId }) => ({ sessionId, turnId }));
    return success({ removed: gone.size, counts: countsOf(going), turns });
  };

  exportPage: MemoryPort["exportPage"] = async (cursor, signal) => {
    if (this.failure) return { ok: false, failure: this.failure };
    await this.gate();
    if (signal.aborted) return failed("cancelled", "Cancelled.");
    const all = TABLES.flatMap((table) => this.rows[table].map((row) => JSON.stringify({ table, row })));
    const from = Number(cursor ?? 0);
    const next = from + EXPORT_PAGE;
    const lines = all.slice(from, next);
    return success(next < all.length ? { lines, next: String(next) } : { lines });
  };

  importLines: MemoryPort["importLines"] = async (lines, signal) => {
    await this.gate();
    if (signal.aborted) return failed("cancelled", "Cancelled.");
    const bad = lines.flatMap((line, index) =>
      line.startsWith("{") ? [] : [{ line: index + 1, reason: "not JSON" }],
    );
    const known = new Set(this.rows.facts.map(({ id }) => id));
    const facts = lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line) as Fact);
    const added = facts.filter(({ id }) => !known.has(id));
    this.rows = { ...this.rows, facts: [...this.rows.facts, ...added] };
    return success({ added: added.length, known: facts.length - added.length, bad });
  };

  add: MemoryPort["add"] = (episodes) => {
    this.episodes = [...this.rows.episodes, ...episodes];
    return Promise.resolve(success({ added: episodes.length }));
  };

  status: MemoryPort["status"] = () =>
    Promise.resolve({ state: "ready", episodes: this.rows.episodes.length });

  saveMoments: MemoryPort["saveMoments"] = () => Promise.resolve(success({ saved: 0 }));
  moments: MemoryPort["moments"] = () => Promise.resolve(success({ moments: [], total: 0 }));
  embedding: MemoryPort["embedding"] = () => Promise.resolve(success({ changed: false }));
  searchAll: MemoryPort["searchAll"] = () => Promise.resolve(success({ hits: [] }));
  annotate: MemoryPort["annotate"] = () => Promise.resolve(success({ added: 0 }));
  learn: MemoryPort["learn"] = () =>
    Promise.resolve(success({ added: [], repeated: [], closed: [], rejected: [], entities: 0, edges: 0 }));
  keep: MemoryPort["keep"] = () => Promise.resolve(success({ kept: 0 }));
  graph: MemoryPort["graph"] = () => Promise.resolve(success({ lines: [], unknown: [] }));
  card: MemoryPort["card"] = () =>
    Promise.resolve(success({ relationships: [], facts: [], pinned: [], interests: [] }));

  private going(what: ForgetWhat): Rows {
    const goes = (table: MemoryTable, row: MemoryRows[MemoryTable]): boolean => {
      if (what.by === "ids") return what.table === table && what.ids.includes(row.id);
      return what.by === "about" && textOf(row).includes(what.about.toLowerCase());
    };
    const rows = TABLES.map((table) => [table, this.rows[table].filter((row) => goes(table, row))]);
    return Object.fromEntries(rows) as Rows;
  }
}

function countsOf(rows: Rows): { readonly [T in MemoryTable]: number } {
  return Object.fromEntries(TABLES.map((table) => [table, rows[table].length])) as {
    [T in MemoryTable]: number;
  };
}

function nameOf(row: MemoryRows[MemoryTable]): string {
  if ("question" in row) return row.question === "" ? row.answer : row.question;
  if ("title" in row) return row.title;
  return "text" in row ? row.text : row.name;
}
