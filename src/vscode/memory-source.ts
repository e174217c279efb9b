import { failure, type Failure, type Result } from "../agent/failure.ts";
import type {
  Episode,
  Forgotten,
  MemoryPage,
  MemoryPort,
  MemoryQuery,
  MemorySearch,
  MemoryStatus,
} from "../agent/memory-port.ts";
import { settingId } from "./contributions.ts";
import type { Settings } from "./settings-schema.ts";

/** A memory that can be ended: the client of the memory process. */
export interface OwnedMemory extends MemoryPort {
  dispose(): Promise<void>;
}

type MemorySettings = Pick<Settings, "memoryEnabled" | "embedderFolder" | "embedderDownload">;

/** How memories are made; the product makes clients of the memory process. */
export type MakeMemory = (settings: MemorySettings) => OwnedMemory;

const OFF: Failure = failure(
  "memory_unavailable",
  `Memory is off. Turn on ${settingId("memoryEnabled")} to use it.`,
  {
    action: "open_settings",
    target: settingId("memoryEnabled"),
  },
);

/**
 * Memory as the settings want it: nothing is made before it is used, nothing at all while memory is off, and another
 * embedder means another client. Never throws.
 */
export class MemorySource implements OwnedMemory {
  readonly #settings: () => MemorySettings;
  readonly #make: MakeMemory;
  #key = "";
  #memory: OwnedMemory | undefined;
  #ending: Promise<void> = Promise.resolve();

  constructor(settings: () => MemorySettings, make: MakeMemory) {
    this.#settings = settings;
    this.#make = make;
  }

  async search(query: MemoryQuery, signal: AbortSignal): Promise<Result<MemorySearch>> {
    return (await this.#current()?.search(query, signal)) ?? { ok: false, failure: OFF };
  }

  async add(episodes: readonly Episode[], signal: AbortSignal): Promise<Result<{ readonly added: number }>> {
    return (await this.#current()?.add(episodes, signal)) ?? { ok: false, failure: OFF };
  }

  async list(page: Parameters<MemoryPort["list"]>[0], signal: AbortSignal): Promise<Result<MemoryPage>> {
    return (await this.#current()?.list(page, signal)) ?? { ok: false, failure: OFF };
  }

  async forget(ids: readonly string[], signal: AbortSignal): Promise<Result<Forgotten>> {
    return (await this.#current()?.forget(ids, signal)) ?? { ok: false, failure: OFF };
  }

  async status(signal: AbortSignal): Promise<MemoryStatus> {
    return (await this.#current()?.status(signal)) ?? { state: "off", message: OFF.message };
  }

  /** Ends the memory process, if there is one. */
  async dispose(): Promise<void> {
    this.#end();
    await this.#ending;
  }

  #current(): OwnedMemory | undefined {
    const settings = this.#settings();
    if (!settings.memoryEnabled) {
      this.#end();
      return undefined;
    }
    const key = JSON.stringify([settings.embedderFolder, settings.embedderDownload]);
    if (this.#memory !== undefined && key !== this.#key) this.#end();
    this.#key = key;
    this.#memory ??= this.#make(settings);
    return this.#memory;
  }

  #end(): void {
    const memory = this.#memory;
    this.#memory = undefined;
    if (memory === undefined) return;
    this.#ending = Promise.all([this.#ending, memory.dispose()]).then(() => undefined);
  }
}
