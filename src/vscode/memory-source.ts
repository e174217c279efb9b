import { LRUCache } from "lru-cache";
import { failure, success, type Failure, type Result } from "../agent/failure.ts";
import type { Annotation, Episode, MemoryPort, MemoryQuery, MemoryStatus } from "../agent/memory/port.ts";
import type {
  ForgetPreview,
  ForgetWhat,
  Forgotten,
  GraphQuery,
  Learned,
  Learnt,
  MemoryCardQuery,
  MemoryEdit,
  MemoryTable,
  MemoryTablePage,
  MemoryTableQuery,
  Moment,
  MomentQuery,
  Resource,
} from "../agent/memory/types.ts";
import { settingId } from "./contributions.ts";
import { clientOptions, type MemoryClientSettings } from "./memory/client-options.ts";
import { forgetEverywhere, previewForget, type ForgetParts } from "./memory/forget.ts";
import type { Settings } from "./settings-schema.ts";

/** A memory that can be ended: the client of the memory process. */
export interface OwnedMemory extends MemoryPort {
  dispose(): Promise<void>;
}

/** Settings are told apart without places, which never change. */
const NOWHERE = { storage: "", extension: "" };

/** How memories are made; the product makes clients of the memory process. */
export type MakeMemory = (settings: MemoryClientSettings) => OwnedMemory;

/** What a memory source is made of. */
export interface MemorySourceDeps {
  readonly settings: () => MemoryClientSettings & Pick<Settings, "memoryEnabled">;
  readonly make: MakeMemory;
  /** The traces, which forget with memory. */
  readonly traces: Omit<ForgetParts, "memory">;
  /** Whether a session lives in the window alone: nothing of it gets into memory, whoever tries. */
  readonly isPrivate?: (sessionId: string) => boolean;
  /** Settles when what `make` needs is there, such as keys of an object store. Must not reject. */
  readonly ready?: () => Promise<void>;
}

/** Forgotten turns that are known to a window; one that still runs then is not remembered when it ends. */
const MAX_GONE = 10_000;

const NOTHING_LEARNED: Learned = {
  added: [],
  repeated: [],
  closed: [],
  rejected: [],
  entities: 0,
  edges: 0,
};

/** The turn that something comes from. */
interface FromTurn {
  readonly sessionId: string;
  readonly turnId: string;
}

const OFF: Failure = failure(
  "memory_unavailable",
  `Memory is off. Turn on ${settingId("memoryEnabled")} to use it.`,
  {
    action: "open_settings",
    target: settingId("memoryEnabled"),
  },
);

const NO_EMBEDDER: Failure = failure("memory_unavailable", "This memory embeds no texts.");

/**
 * Memory as the settings want it: nothing is made before it is used, nothing at all while memory is off, and another
 * store or embedder means another client. What it forgets, the traces forget too, whoever asked. Never throws.
 */
export class MemorySource implements OwnedMemory {
  readonly #deps: MemorySourceDeps;
  readonly #gone = new LRUCache<string, true>({ max: MAX_GONE });
  readonly #listeners = new Set<(forgotten: Forgotten) => void>();
  #key = "";
  #disposed = false;
  #memory: OwnedMemory | undefined;
  #ending: Promise<void> = Promise.resolve();

  constructor(deps: MemorySourceDeps) {
    this.#deps = deps;
  }

  search(query: MemoryQuery, signal: AbortSignal) {
    return this.#ask((memory) => memory.search(query, signal));
  }

  searchAll(query: MemoryQuery, signal: AbortSignal) {
    return this.#ask((memory) => memory.searchAll(query, signal));
  }

  add(episodes: readonly Episode[], signal: AbortSignal): Promise<Result<{ readonly added: number }>> {
    const kept = episodes.filter((episode) => this.#mayKeep(episode));
    return kept.length === 0 && episodes.length > 0
      ? Promise.resolve(success({ added: 0 }))
      : this.#ask((memory) => memory.add(kept, signal));
  }

  annotate(annotations: readonly Annotation[], signal: AbortSignal) {
    return this.#ask((memory) => memory.annotate(annotations, signal));
  }

  learn(learnt: Learnt, signal: AbortSignal): Promise<Result<Learned>> {
    return this.#mayKeep(learnt.source)
      ? this.#ask((memory) => memory.learn(learnt, signal))
      : Promise.resolve(success(NOTHING_LEARNED));
  }

  keep(resources: readonly Resource[], signal: AbortSignal): Promise<Result<{ readonly kept: number }>> {
    const kept = resources.filter((resource) => this.#mayKeep(resource));
    return kept.length === 0 && resources.length > 0
      ? Promise.resolve(success({ kept: 0 }))
      : this.#ask((memory) => memory.keep(kept, signal));
  }

  saveMoments(moments: readonly Moment[], signal: AbortSignal): Promise<Result<{ readonly saved: number }>> {
    const kept = moments.filter(({ source, turns }) => [source, ...turns].every((one) => this.#mayKeep(one)));
    return kept.length === 0 && moments.length > 0
      ? Promise.resolve(success({ saved: 0 }))
      : this.#ask((memory) => memory.saveMoments(kept, signal));
  }

  moments(query: MomentQuery, signal: AbortSignal) {
    return this.#ask((memory) => memory.moments(query, signal));
  }

  graph(query: GraphQuery, signal: AbortSignal) {
    return this.#ask((memory) => memory.graph(query, signal));
  }

  card(query: MemoryCardQuery, signal: AbortSignal) {
    return this.#ask((memory) => memory.card(query, signal));
  }

  list<T extends MemoryTable>(
    query: MemoryTableQuery<T>,
    signal: AbortSignal,
  ): Promise<Result<MemoryTablePage<T>>> {
    return this.#ask((memory) => memory.list(query, signal));
  }

  edit(edit: MemoryEdit, signal: AbortSignal) {
    return this.#ask((memory) => memory.edit(edit, signal));
  }

  /** What would go of memory and of the traces. */
  previewForget(what: ForgetWhat, signal: AbortSignal): Promise<Result<ForgetPreview>> {
    return this.#ask((memory) => previewForget({ ...this.#deps.traces, memory }, what, signal));
  }

  /** Forgets in memory and in the traces. */
  async forget(what: ForgetWhat, signal: AbortSignal): Promise<Result<Forgotten>> {
    const done = await this.#ask((memory) =>
      forgetEverywhere({ ...this.#deps.traces, memory }, what, signal),
    );
    if (!done.ok) return done;
    for (const { turnId } of done.value.turns) this.#gone.set(turnId, true);
    for (const listener of this.#listeners) listener(done.value);
    return done;
  }

  exportPage(cursor: string | undefined, signal: AbortSignal) {
    return this.#ask((memory) => memory.exportPage(cursor, signal));
  }

  importLines(lines: readonly string[], signal: AbortSignal) {
    return this.#ask((memory) => memory.importLines(lines, signal));
  }

  embedding(action: "stop" | "start", signal: AbortSignal) {
    return this.#ask((memory) => memory.embedding(action, signal));
  }

  embed(texts: readonly string[], kind: "query" | "document", signal: AbortSignal) {
    return this.#ask(
      (memory) => memory.embed?.(texts, kind, signal) ?? Promise.resolve({ ok: false, failure: NO_EMBEDDER }),
    );
  }

  async status(signal: AbortSignal): Promise<MemoryStatus> {
    return (await this.#current()?.status(signal)) ?? { state: "off", message: OFF.message };
  }

  /** Tells of everything that is forgotten; returns the way to stop listening. */
  onForgotten(listener: (forgotten: Forgotten) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The next use makes another client, because what the last one was made of has changed. */
  renew(): void {
    this.#end();
  }

  /** Ends the memory process, if there is one. */
  async dispose(): Promise<void> {
    this.#disposed = true;
    this.#end();
    await this.#ending;
  }

  /** What was forgotten stays so, also when its turn ends only now; what is private stays out. */
  #mayKeep({ sessionId, turnId }: FromTurn): boolean {
    return !this.#gone.has(turnId) && this.#deps.isPrivate?.(sessionId) !== true;
  }

  async #ask<T>(work: (memory: OwnedMemory) => Promise<Result<T>>): Promise<Result<T>> {
    if (this.#memory === undefined) await this.#deps.ready?.();
    const memory = this.#current();
    if (memory === undefined) return { ok: false, failure: OFF };
    const result = await work(memory);
    // Settings that changed meanwhile ended that client, not the caller: what it was asked is asked of the next one.
    const isCutOff = !result.ok && result.failure.code === "cancelled" && this.#memory !== memory;
    return isCutOff && !this.#disposed ? await this.#ask(work) : result;
  }

  #current(): OwnedMemory | undefined {
    const settings = this.#deps.settings();
    if (!settings.memoryEnabled) {
      this.#end();
      return undefined;
    }
    const key = JSON.stringify(clientOptions(settings, NOWHERE));
    if (this.#memory !== undefined && key !== this.#key) this.#end();
    this.#key = key;
    this.#memory ??= this.#deps.make(settings);
    return this.#memory;
  }

  #end(): void {
    const memory = this.#memory;
    this.#memory = undefined;
    if (memory === undefined) return;
    this.#ending = Promise.all([this.#ending, memory.dispose()]).then(() => undefined);
  }
}
