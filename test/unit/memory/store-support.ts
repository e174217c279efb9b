import { connect } from "@lancedb/lancedb";
import type { Table } from "@lancedb/lancedb";
import { EpisodeChanges } from "../../../src/memory/store/changes.ts";
import type { Embedder } from "../../../src/memory/embed/embedder.ts";
import { Indexes } from "../../../src/memory/store/indexes.ts";
import { EpisodeReader } from "../../../src/memory/store/reader.ts";
import type { Episode } from "../../../src/agent/memory-port.ts";
import { searchedText } from "../../../src/memory/store/rows.ts";
import type { StoreOptions } from "../../../src/memory/store/store.ts";
import { StoreHandle } from "../../../src/memory/store/store.ts";
import { later, never, temporaryFolder, valueOf } from "./support.ts";

/** A store as one window has it, in this process. */
export interface Store {
  readonly folder: string;
  readonly handle: StoreHandle;
  readonly reader: EpisodeReader;
  readonly changes: EpisodeChanges;
  readonly indexes: Indexes;
  /** Adds episodes, with embeddings where an embedder is given. */
  readonly add: (episodes: readonly Episode[], embedder?: Embedder) => Promise<void>;
}

/** Opens a store, in a new folder unless one is given; closed after the test. */
export async function openStore(options: Partial<StoreOptions> = {}): Promise<Store> {
  const folder = options.folder ?? (await temporaryFolder());
  const handle = new StoreHandle({ ...options, folder });
  const indexes = new Indexes(handle);
  const reader = new EpisodeReader(handle, indexes);
  const changes = new EpisodeChanges(handle, reader, indexes);
  later(() => {
    handle.close();
    return Promise.resolve();
  });
  const add = async (episodes: readonly Episode[], embedder?: Embedder): Promise<void> => {
    const vectors =
      embedder === undefined ? [] : valueOf(await embedder.embed(episodes.map(searchedText), never));
    const rows = episodes.map((episode, index) => {
      const embedding = vectors[index];
      return embedding === undefined || embedder === undefined
        ? { episode }
        : { episode, embedding, embeddingModel: embedder.model };
    });
    valueOf(await changes.append(rows, never));
  };
  return { folder, handle, reader, changes, indexes, add };
}

/** The table itself, as another program would open it. */
export async function rawTable(folder: string): Promise<Table> {
  const connection = await connect(folder, { readConsistencyInterval: 0 });
  const table = await connection.openTable("episodes");
  later(() => {
    table.close();
    connection.close();
    return Promise.resolve();
  });
  return table;
}
