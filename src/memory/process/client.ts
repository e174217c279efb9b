import { failed, success, type Result } from "../../agent/failure.ts";
import type {
  Annotation,
  AnyHit,
  Embeddings,
  Episode,
  MemoryPort,
  MemoryQuery,
  MemorySearch,
  MemoryStatus,
} from "../../agent/memory/port.ts";
import type {
  ExportPage,
  Forgotten,
  ForgetPreview,
  ForgetWhat,
  GraphAnswer,
  GraphQuery,
  Imported,
  Learned,
  Learnt,
  MemoryCard,
  MemoryCardQuery,
  MemoryEdit,
  MemoryTable,
  MemoryTablePage,
  MemoryTableQuery,
  Moment,
  MomentPage,
  MomentQuery,
  Resource,
} from "../../agent/memory/types.ts";
import { MemoryChannel, type MemoryClientOptions } from "./channel.ts";

export type { MemoryClientOptions };

/** Memory by way of its own process; see `MemoryChannel` for its life. */
export class MemoryClient implements MemoryPort {
  readonly #channel: MemoryChannel;
  #known: Omit<MemoryStatus, "state"> = {};

  constructor(options: MemoryClientOptions) {
    this.#channel = new MemoryChannel(options);
  }

  search(query: MemoryQuery, signal: AbortSignal): Promise<Result<MemorySearch>> {
    return this.#channel.request("search", query, signal);
  }

  searchAll(query: MemoryQuery, signal: AbortSignal): Promise<Result<{ readonly hits: readonly AnyHit[] }>> {
    return this.#channel.request("searchAll", query, signal);
  }

  add(episodes: readonly Episode[], signal: AbortSignal): Promise<Result<{ readonly added: number }>> {
    return this.#channel.request("add", { episodes }, signal);
  }

  annotate(
    annotations: readonly Annotation[],
    signal: AbortSignal,
  ): Promise<Result<{ readonly added: number }>> {
    return this.#channel.request("annotate", { annotations }, signal);
  }

  learn(learnt: Learnt, signal: AbortSignal): Promise<Result<Learned>> {
    return this.#channel.request("learn", learnt, signal);
  }

  keep(resources: readonly Resource[], signal: AbortSignal): Promise<Result<{ readonly kept: number }>> {
    return this.#channel.request("keep", { resources }, signal);
  }

  saveMoments(moments: readonly Moment[], signal: AbortSignal): Promise<Result<{ readonly saved: number }>> {
    return this.#channel.request("saveMoments", { moments }, signal);
  }

  moments(query: MomentQuery, signal: AbortSignal): Promise<Result<MomentPage>> {
    return this.#channel.request("moments", query, signal);
  }

  graph(query: GraphQuery, signal: AbortSignal): Promise<Result<GraphAnswer>> {
    return this.#channel.request("graph", query, signal);
  }

  card(query: MemoryCardQuery, signal: AbortSignal): Promise<Result<MemoryCard>> {
    return this.#channel.request("card", query, signal);
  }

  async list<T extends MemoryTable>(
    query: MemoryTableQuery<T>,
    signal: AbortSignal,
  ): Promise<Result<MemoryTablePage<T>>> {
    const page = await this.#channel.request("list", query, signal);
    return page as Result<MemoryTablePage<T>>;
  }

  edit(edit: MemoryEdit, signal: AbortSignal): Promise<Result<{ readonly changed: boolean }>> {
    return this.#channel.request("edit", edit, signal);
  }

  previewForget(what: ForgetWhat, signal: AbortSignal): Promise<Result<ForgetPreview>> {
    return this.#channel.request("previewForget", what, signal);
  }

  forget(what: ForgetWhat, signal: AbortSignal): Promise<Result<Forgotten>> {
    return this.#channel.request("forget", what, signal);
  }

  exportPage(cursor: string | undefined, signal: AbortSignal): Promise<Result<ExportPage>> {
    return this.#channel.request("exportPage", cursor === undefined ? {} : { cursor }, signal);
  }

  importLines(lines: readonly string[], signal: AbortSignal): Promise<Result<Imported>> {
    return this.#channel.request("importLines", { lines }, signal);
  }

  embedding(action: "stop" | "start", signal: AbortSignal): Promise<Result<{ readonly changed: boolean }>> {
    return this.#channel.request("embedding", { action }, signal);
  }

  async embed(
    texts: readonly string[],
    kind: "query" | "document",
    signal: AbortSignal,
  ): Promise<Result<Embeddings>> {
    const embedded = await this.#channel.request("embed", { texts, kind }, signal);
    if (!embedded.ok) return embedded;
    const { model, embeddings } = embedded.value;
    if (embeddings.length !== texts.length) {
      return failed("internal", "The memory process embedded other texts than it was given.");
    }
    return success({ model, embeddings: embeddings.map((vector) => Float32Array.from(vector)) });
  }

  /** Says how memory is; never starts the process. */
  async status(signal: AbortSignal): Promise<MemoryStatus> {
    const { state, failure, pid } = this.#channel.state;
    const here = { storePath: this.#channel.uri, ...(pid === undefined ? {} : { pid }) };
    if (state !== "ready") {
      return {
        ...this.#known,
        ...here,
        state,
        ...(failure === undefined ? {} : { message: failure.message }),
      };
    }
    const asked = await this.#channel.request("status", {}, signal);
    if (!asked.ok) return { ...this.#known, ...here, state: "failed", message: asked.failure.message };
    const { message, doing, ...known } = asked.value;
    this.#known = known;
    const words = {
      ...(message === undefined ? {} : { message }),
      ...(doing === undefined ? {} : { doing }),
    };
    return { ...known, ...words, ...here, state: "ready" };
  }

  /** Ends the process, if there is one, and refuses what comes later. Resolves when the process is gone. */
  dispose(): Promise<void> {
    return this.#channel.dispose();
  }
}
