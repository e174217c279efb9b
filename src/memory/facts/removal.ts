import type { Table } from "@lancedb/lancedb";
import type { Result } from "../../agent/failure.ts";
import { success } from "../../agent/failure.ts";
import type { Moment, Resource } from "../../agent/memory/types.ts";
import {
  edgeRow,
  edgesSpec,
  entitiesSpec,
  entityRow,
  resourceRow,
  resourcesSpec,
  type StoredEdge,
} from "../graph/tables.ts";
import { momentRow, momentsSpec } from "../moments/table.ts";
import type { Database } from "../store/database.ts";
import { EPISODES } from "../store/episodes.ts";
import type { StoredRow } from "../store/spec.ts";
import type { StoreTable } from "../store/table.ts";
import { wipeRows } from "../store/wipe.ts";
import type { Doom, Parted } from "./doom.ts";
import {
  doomedEdges,
  doomedEntities,
  doomedFacts,
  doomedInterests,
  doomedMoments,
  doomedResources,
  heldEntities,
  renamedEdges,
  type PartedEntities,
} from "./doomed-rows.ts";
import type { Interest } from "./interests.ts";
import { interestRow, interestsSpec } from "./interests.ts";
import { Unread, filtersFor, pickRows, rowsOf, textOf, textsIn } from "./scan.ts";
import type { StoredFact } from "./table.ts";
import { factRow, factsSpec } from "./table.ts";

/** What becomes of the graph. */
export interface PartedGraph {
  readonly edges: Parted<StoredEdge>;
  readonly entities: PartedEntities;
}

/** Whether rows are only looked for, or removed and taken from the disk at once. */
export type Mode = "look" | "remove";

const NOTHING = { gone: [], kept: [] };

/**
 * Finds, and in the mode `remove` removes, what was drawn from doomed turns and what is doomed itself. What is removed
 * is found under the lock that whoever writes holds, so that nothing is written in between. Nothing here throws.
 */
export class Removal {
  readonly #database: Database;
  readonly #doom: Doom;
  readonly #signal: AbortSignal;

  constructor(database: Database, doom: Doom, signal: AbortSignal) {
    this.#database = database;
    this.#doom = doom;
    this.#signal = signal;
  }

  facts(mode: Mode): Promise<Result<Parted<StoredFact>>> {
    return this.#part(factsSpec, mode, (table) => doomedFacts(table, this.#doom), factRow);
  }

  interests(mode: Mode): Promise<Result<Parted<Interest>>> {
    return this.#part(interestsSpec, mode, (table) => doomedInterests(table, this.#doom), interestRow);
  }

  moments(mode: Mode): Promise<Result<Parted<Moment>>> {
    return this.#part(momentsSpec, mode, (table) => doomedMoments(table, this.#doom), momentRow);
  }

  resources(mode: Mode): Promise<Result<Parted<Resource>>> {
    const find = (table: Table): Promise<Parted<Resource>> =>
      doomedResources(table, this.#doom, (uris) => this.#usersOf(uris));
    return this.#part(resourcesSpec, mode, find, resourceRow);
  }

  /** Relations first: an entity goes when none that stays leads to it. */
  async graph(mode: Mode): Promise<Result<PartedGraph>> {
    const entities = this.#database.table(entitiesSpec);
    const edges = this.#database.table(edgesSpec);
    let parted: PartedGraph = { edges: NOTHING, entities: { ...NOTHING, renamed: new Map() } };
    const work = async (table: Table | undefined): Promise<void> => {
      const gone = valueOf(await this.#edges("look", new Map()));
      const held = valueOf(
        await edges.read<ReadonlySet<string>>(
          new Set<string>(),
          (opened) => heldEntities(opened, new Set(gone.gone.map(({ id }) => id))),
          this.#signal,
        ),
      );
      const ends =
        table === undefined
          ? { ...NOTHING, renamed: new Map() }
          : await doomedEntities(table, this.#doom, gone.gone, held);
      if (mode === "remove") {
        valueOf(await this.#edges("remove", ends.renamed));
        if (table !== undefined) await this.#rewrite(table, entities, ends, entityRow);
      }
      parted = { edges: gone, entities: ends };
    };
    // Who learns holds the lock of the entities while it writes relations.
    const done = await this.#open(entities, mode, work);
    return done.ok ? success(parted) : done;
  }

  #edges(mode: Mode, renamed: PartedEntities["renamed"]): Promise<Result<Parted<StoredEdge>>> {
    const find = async (table: Table): Promise<Parted<StoredEdge>> => {
      const parted = await doomedEdges(table, this.#doom, (turnIds) => this.#sessionsOf(turnIds));
      return renamedEdges(table, parted, renamed);
    };
    return this.#part(edgesSpec, mode, find, edgeRow);
  }

  async #part<T extends { readonly id: string }>(
    spec: Parameters<Database["table"]>[0],
    mode: Mode,
    find: (table: Table) => Promise<Parted<T>>,
    toRow: (row: T) => StoredRow,
  ): Promise<Result<Parted<T>>> {
    const store = this.#database.table(spec);
    let parted: Parted<T> = NOTHING;
    const done = await this.#open(store, mode, async (table) => {
      if (table === undefined) return;
      parted = await find(table);
      if (mode === "remove") await this.#rewrite(table, store, parted, toRow);
    });
    return done.ok ? success(parted) : done;
  }

  /** Reads the table, or opens it under its lock; no table is made to remove something from it. */
  async #open(
    store: StoreTable,
    mode: Mode,
    work: (table: Table | undefined) => Promise<void>,
  ): Promise<Result<void>> {
    const there = await store.read(false, () => Promise.resolve(true), this.#signal);
    if (!there.ok) return there;
    try {
      if (!there.value) {
        await work(undefined);
        return success(undefined);
      }
      return mode === "remove"
        ? await store.change(work, this.#signal)
        : await store.read(undefined, work, this.#signal);
    } catch (error) {
      if (error instanceof Unread) return error.result;
      throw error;
    }
  }

  async #rewrite<T extends { readonly id: string }>(
    table: Table,
    store: StoreTable,
    { gone, kept }: Parted<T>,
    toRow: (row: T) => StoredRow,
  ): Promise<void> {
    if (gone.length + kept.length === 0) return;
    if (kept.length > 0) {
      await table
        .mergeInsert("id")
        .whenMatchedUpdateAll()
        .execute(kept.map((row) => ({ ...toRow(row) })));
    }
    const ids = gone.map(({ id }) => id);
    await wipeRows(table, filtersFor("id", ids), this.#database, store.indexes);
  }

  /** The sessions of turns that stay, as their episodes have them. */
  async #sessionsOf(turnIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = valueOf(
      await rowsOf(
        this.#database.table(EPISODES),
        "turn_id",
        turnIds,
        ["turn_id", "session_id"],
        (row) => [textOf(row, "turn_id"), textOf(row, "session_id")] as const,
        this.#signal,
      ),
    );
    return new Map(found);
  }

  /** For each address a turn that stays and used it, where there is one. */
  async #usersOf(
    uris: readonly string[],
  ): Promise<ReadonlyMap<string, { readonly turnId: string; readonly sessionId: string }>> {
    const users = new Map<string, { readonly turnId: string; readonly sessionId: string }>();
    if (uris.length === 0) return users;
    const wanted = new Set(uris);
    const columns = ["turn_id", "session_id", "sources", "refs"];
    const used = await pickRows(
      this.#database.table(EPISODES),
      columns,
      "sources IS NOT NULL OR refs IS NOT NULL",
      (row) => {
        const turnId = textOf(row, "turn_id");
        if (turnId === "" || this.#doom.turns.has(turnId)) return undefined;
        const own = [...textsIn(textOf(row, "sources")), ...textsIn(textOf(row, "refs"))];
        const hits = own.filter((text) => wanted.has(text));
        return hits.length === 0
          ? undefined
          : { hits, user: { turnId, sessionId: textOf(row, "session_id") } };
      },
      this.#signal,
    );
    for (const { hits, user } of valueOf(used)) hits.forEach((uri) => users.set(uri, user));
    return users;
  }
}

function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Unread(result);
  return result.value;
}
