import type { Result } from "../../agent/failure.ts";
import type {
  GraphAnswer,
  GraphQuery,
  Learnt,
  MemoryEdit,
  MemoryTablePage,
  MemoryTableQuery,
  Relationship,
} from "../../agent/memory/types.ts";
import type { EmbeddingSource } from "../embed/embedding-source.ts";
import type { KnowledgeDeps } from "../knowledge-deps.ts";
import { answerGraph } from "./answer.ts";
import { editPerson, editRelation } from "./edit.ts";
import { relationshipsOf, searchGraph, type GraphSearchOptions, type RelationHit } from "./graph-search.ts";
import { entityEmbeddingSource } from "./entity-vectors.ts";
import { GraphStore } from "./graph-store.ts";
import { learnGraph, type GraphLearned } from "./learn.ts";
import { peoplePage, relationshipsPage } from "./pages.ts";
import { uniteSameNames } from "./unite.ts";

/** Who and what the conversations were about, and how they belong together. Nothing here throws. */
export class Graph {
  readonly #deps: KnowledgeDeps;
  readonly #store: GraphStore;

  constructor(deps: KnowledgeDeps) {
    this.#deps = deps;
    this.#store = new GraphStore(deps.database);
  }

  /** Stores what a turn tells of people, places, projects and things; gives how many rows are new or changed. */
  learn(learnt: Learnt, signal: AbortSignal): Promise<Result<GraphLearned>> {
    return learnGraph(this.#store, this.#deps, learnt, signal);
  }

  /** What is known within two hops of people and places. */
  answer(query: GraphQuery, signal: AbortSignal): Promise<Result<GraphAnswer>> {
    return answerGraph(this.#store, this.#deps, query, signal);
  }

  /** Relations that a text asks for, best first. */
  search(
    query: string,
    options: GraphSearchOptions,
    signal: AbortSignal,
  ): Promise<Result<readonly RelationHit[]>> {
    return searchGraph(this.#store, query, options, signal);
  }

  /** The relationships for an agent's card, at most two. */
  of(
    agent: string,
    question: string,
    scopes: readonly string[] | undefined,
    signal: AbortSignal,
  ): Promise<Result<readonly Relationship[]>> {
    return relationshipsOf(this.#store, agent, question, { scopes, now: this.#deps.now() }, signal);
  }

  /** A page of the table of people, places, projects and things. */
  people(query: MemoryTableQuery<"people">, signal: AbortSignal): Promise<Result<MemoryTablePage<"people">>> {
    return peoplePage(this.#store, query, signal);
  }

  /** A page of the table of relations. */
  relationships(
    query: MemoryTableQuery<"relationships">,
    signal: AbortSignal,
  ): Promise<Result<MemoryTablePage<"relationships">>> {
    return relationshipsPage(this.#store, query, this.#deps.now(), signal);
  }

  /** The user's own change of a row; false when there is no such row. */
  edit(
    edit: Extract<MemoryEdit, { table: "people" | "relationships" }>,
    signal: AbortSignal,
  ): Promise<Result<{ readonly changed: boolean }>> {
    return edit.table === "people"
      ? editPerson(this.#store, this.#deps, edit, signal)
      : editRelation(this.#store, this.#deps, edit, signal);
  }

  /** Merges rows of one name, as an import can leave them; gives how many went. */
  unite(signal: AbortSignal): Promise<Result<number>> {
    return uniteSameNames(this.#store, this.#deps, signal);
  }

  /** The names of all rows, to be embedded in the background. */
  embeddingSource(): EmbeddingSource {
    return entityEmbeddingSource(this.#store);
  }
}
