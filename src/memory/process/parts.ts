import { randomUUID } from "node:crypto";
import type { Embedder } from "../embed/embedder.ts";
import { Facts } from "../facts/facts.ts";
import { Forgetting } from "../facts/forgetting.ts";
import { Transfer } from "../facts/transfer.ts";
import { Graph } from "../graph/graph.ts";
import { Resources } from "../graph/resources.ts";
import { Moments } from "../moments/moments.ts";
import { AnnotationTable } from "../store/annotations.ts";
import { Database, type DatabaseOptions } from "../store/database.ts";
import { EpisodeTable } from "../store/episodes.ts";
import { Vectors } from "../store/vectors.ts";
import type { KnowledgeDeps } from "../knowledge-deps.ts";

/** All that memory is made of, on one store. */
export interface Parts extends KnowledgeDeps {
  readonly episodes: EpisodeTable;
  readonly annotations: AnnotationTable;
  readonly facts: Facts;
  readonly graph: Graph;
  readonly resources: Resources;
  readonly moments: Moments;
  readonly forgetting: Forgetting;
  readonly transfer: Transfer;
}

/** What the parts are told. */
export interface PartsOptions {
  readonly store: DatabaseOptions;
  /** The embedder that is ready now. */
  readonly embedder: () => Embedder | undefined;
  /** Milliseconds since the epoch; the system's when left out. */
  readonly now?: () => number;
}

/** Makes the parts of memory. Opens nothing. */
export function makeParts({ store, embedder, now = Date.now }: PartsOptions): Parts {
  const database = new Database(store);
  const deps: KnowledgeDeps = { database, vectors: new Vectors(database), embedder, now, newId: randomUUID };
  const tables = {
    ...deps,
    episodes: new EpisodeTable(database),
    annotations: new AnnotationTable(database),
    facts: new Facts(deps),
    graph: new Graph(deps),
    resources: new Resources(deps),
    moments: new Moments(deps),
  };
  return { ...tables, forgetting: new Forgetting({ deps }), transfer: new Transfer(deps) };
}
