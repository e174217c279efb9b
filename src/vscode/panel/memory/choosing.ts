import { success, type Failure, type Result } from "../../../agent/failure.ts";
import type { Forgotten, MemoryTable, MemoryTableQuery } from "../../../agent/memory/types.ts";
import type { MemoryChosen, MemoryViewQuery } from "../../../trace/panel-memory.ts";
import type { PanelHostDeps, PanelUi } from "../deps.ts";
import { FORGET_AT_ONCE, idsOf, isLineOf, isPinnable, pinAll } from "./chosen.ts";
import type { Job } from "./job.ts";
import { exportTo } from "./transfer.ts";
import { forgottenInWords, rowsInWords } from "./words.ts";

/** What is needed to do something with many rows. */
export interface ChoosingParts {
  readonly deps: Pick<PanelHostDeps, "memory">;
  readonly ui: Pick<PanelUi, "confirm" | "saveAs">;
  readonly job: Pick<Job, "become" | "progress">;
  /** The rows of a query of the view. */
  readonly tableQuery: (query: MemoryViewQuery) => MemoryTableQuery;
  readonly tell: (text: string) => void;
  readonly changed: () => void;
}

interface Rows {
  readonly table: MemoryTable;
  readonly ids: readonly string[];
}

/** What the user does with all rows that match, seen or not: each asks first and names how many there are. */
export class Choosing {
  private readonly parts: ChoosingParts;

  constructor(parts: ChoosingParts) {
    this.parts = parts;
  }

  /** Forgets rows after a yes. Gives what went wrong. */
  async forget(what: MemoryChosen, signal: AbortSignal): Promise<Failure | undefined> {
    const { deps, ui, job, tell, changed } = this.parts;
    const rows = await this.rows(what, signal);
    if (!rows.ok) return rows.failure;
    const { table, ids } = rows.value;
    const detail =
      "With them goes what was learnt from them alone. It is removed from the disk and can't be brought back.";
    if (!(await this.sure(rows.value, ui, "Forget", `${detail} A note stays in the trace.`, signal)))
      return undefined;
    job.become({ what: "forgetting", done: 0 });
    let counts: Forgotten["counts"] = { episodes: 0, facts: 0, people: 0, relationships: 0, resources: 0 };
    let removed = 0;
    for (let start = 0; start < ids.length; start += FORGET_AT_ONCE) {
      const part = ids.slice(start, start + FORGET_AT_ONCE);
      const done = await deps.memory.forget({ by: "ids", table, ids: part }, signal);
      if (!done.ok) {
        if (removed > 0) changed();
        return done.failure;
      }
      counts = added(counts, done.value.counts);
      removed += done.value.removed;
      job.progress(start + part.length);
    }
    changed();
    tell(forgottenInWords({ removed, counts, turns: [] }));
    return undefined;
  }

  /** Pins rows after a yes. Gives what went wrong. */
  async pin(what: MemoryChosen, signal: AbortSignal): Promise<Failure | undefined> {
    const { deps, ui, job, tell, changed } = this.parts;
    const rows = await this.rows(what, signal);
    if (!rows.ok) return rows.failure;
    const { table, ids } = rows.value;
    if (!isPinnable(table)) return undefined;
    if (!(await this.sure(rows.value, ui, "Pin", "Pinned memories are always at hand.", signal)))
      return undefined;
    job.become({ what: "pinning", done: 0 });
    const done = await pinAll(deps.memory, table, ids, (count) => job.progress(count), signal);
    changed();
    if (!done.ok) return done.failure;
    tell(`Pinned: ${rowsInWords(table, done.value)}.`);
    return undefined;
  }

  /** Exports rows, in the form of an export of everything, after a yes. Gives what went wrong. */
  async export(path: string, what: MemoryChosen, signal: AbortSignal): Promise<Failure | undefined> {
    const { deps, ui, job, tell } = this.parts;
    const rows = await this.rows(what, signal);
    if (!rows.ok) return rows.failure;
    const { table, ids } = rows.value;
    if (!(await this.sure(rows.value, ui, "Export", `They are written to ${path}.`, signal)))
      return undefined;
    const keep = isLineOf(table, new Set(ids));
    const done = await exportTo(path, deps.memory, (count) => job.progress(count), signal, keep);
    if (!done.ok) return done.failure;
    tell(`Exported ${rowsInWords(table, ids.length)} to ${path}.`);
    return undefined;
  }

  private async rows(what: MemoryChosen, signal: AbortSignal): Promise<Result<Rows>> {
    const { deps, job, tableQuery } = this.parts;
    if (what.by === "ids") return success({ table: what.table, ids: what.ids });
    const ids = await idsOf(deps.memory, tableQuery(what.query), (count) => job.progress(count), signal);
    return ids.ok ? success({ table: what.query.table, ids: ids.value }) : ids;
  }

  /** Whether the user means it; with nothing to do nobody is asked. */
  private async sure(
    { table, ids }: Rows,
    ui: Pick<PanelUi, "confirm">,
    action: "Forget" | "Pin" | "Export",
    detail: string,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (ids.length === 0) {
      this.parts.tell("Nothing matches any more.");
      return false;
    }
    const lasting = action === "Forget" ? " for good" : "";
    const yes = await ui.confirm(`${action} ${rowsInWords(table, ids.length)}${lasting}?`, detail, action);
    return yes && !signal.aborted;
  }
}

function added(one: Forgotten["counts"], other: Forgotten["counts"]): Forgotten["counts"] {
  const moments = (one.moments ?? 0) + (other.moments ?? 0);
  return {
    episodes: one.episodes + other.episodes,
    facts: one.facts + other.facts,
    people: one.people + other.people,
    relationships: one.relationships + other.relationships,
    resources: one.resources + other.resources,
    ...(moments > 0 && { moments }),
  };
}
