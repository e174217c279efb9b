import { connect } from "@lancedb/lancedb";
import type { Table } from "@lancedb/lancedb";
import type { Episode } from "../../../src/agent/memory/port.ts";
import type { Embedder } from "../../../src/memory/embed/embedder.ts";
import { AnnotationTable } from "../../../src/memory/store/annotations.ts";
import type { DatabaseOptions } from "../../../src/memory/store/database.ts";
import { Database } from "../../../src/memory/store/database.ts";
import { EpisodeTable } from "../../../src/memory/store/episodes.ts";
import { searchedText } from "../../../src/memory/store/rows.ts";
import { Vectors } from "../../../src/memory/store/vectors.ts";
import { later, never, temporaryFolder, valueOf } from "./support.ts";

/** A store as one window has it, in this process. */
export interface Store {
  readonly folder: string;
  readonly database: Database;
  readonly episodes: EpisodeTable;
  readonly annotations: AnnotationTable;
  readonly vectors: Vectors;
  /** Adds episodes, with embeddings where an embedder is given. */
  readonly add: (episodes: readonly Episode[], embedder?: Embedder) => Promise<void>;
}

/** Opens a store, in a new folder unless one is given; closed after the test. */
export async function openStore(
  options: Partial<DatabaseOptions> & { readonly folder?: string } = {},
): Promise<Store> {
  const folder = options.uri ?? options.folder ?? (await temporaryFolder());
  const database = new Database({ ...options, uri: folder });
  const episodes = new EpisodeTable(database);
  const annotations = new AnnotationTable(database);
  const vectors = new Vectors(database);
  later(() => {
    database.close();
    return Promise.resolve();
  });
  const add = async (rows: readonly Episode[], embedder?: Embedder): Promise<void> => {
    valueOf(await episodes.append(rows, never));
    if (embedder === undefined) return;
    const embedded = valueOf(await embedder.embed(rows.map(searchedText), "document", never));
    valueOf(
      await vectors.put(
        embedder.model,
        rows.map(({ id, sessionId, turnId, time, scope = "" }, index) => ({
          id,
          kind: "episode",
          sessionId,
          turnId,
          time,
          scope,
          embedding: embedded[index] ?? new Float32Array(),
        })),
        never,
      ),
    );
  };
  return { folder, database, episodes, annotations, vectors, add };
}

/** A table itself, as another program would open it. */
export async function rawTable(folder: string, name = "episodes"): Promise<Table> {
  const connection = await connect(folder, { readConsistencyInterval: 0 });
  const table = await connection.openTable(name);
  later(() => {
    table.close();
    connection.close();
    return Promise.resolve();
  });
  return table;
}
