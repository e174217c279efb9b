import { randomUUID } from "node:crypto";
import type { Learnt } from "../../../src/agent/memory/types.ts";
import type { Embedder } from "../../../src/memory/embed/embedder.ts";
import type { KnowledgeDeps } from "../../../src/memory/knowledge-deps.ts";
import { Database } from "../../../src/memory/store/database.ts";
import { Vectors } from "../../../src/memory/store/vectors.ts";
import { later, temporaryFolder } from "./support.ts";

/** How a test's store of facts and graph is opened. */
export interface KnowledgeOptions {
  /** Left out: a new one, gone after the test. */
  readonly folder?: string;
  readonly embedder?: Embedder;
  readonly now: () => number;
}

/** What facts and graph are made of, and where they lie. */
export type OpenKnowledge = KnowledgeDeps & { readonly folder: string };

/** Opens a store; closed after the test. */
export async function openKnowledge(options: KnowledgeOptions): Promise<OpenKnowledge> {
  const folder = options.folder ?? (await temporaryFolder());
  const database = new Database({ uri: folder });
  later(() => {
    database.close();
    return Promise.resolve();
  });
  return {
    folder,
    database,
    vectors: new Vectors(database),
    embedder: () => options.embedder,
    now: options.now,
    newId: randomUUID,
  };
}

/** What was learnt from a turn: nothing unless `fields` says so. */
export function learntFrom(source: Learnt["source"], said: string, fields: Partial<Learnt>): Learnt {
  return {
    source,
    agent: "conclave",
    scope: "",
    by: "model",
    said,
    recalled: [],
    facts: [],
    entities: [],
    edges: [],
    ...fields,
  };
}
