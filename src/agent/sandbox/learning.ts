import { within } from "../committee/within.ts";
import type { MemoryLearned } from "../events-after.ts";
import { failure, type Failure } from "../failure.ts";
import type { MemoryPort } from "../memory/port.ts";
import type { Learned } from "../memory/types.ts";
import type { ModelUsage } from "../models/types.ts";
import { askHelper, helperName } from "../remember/ask-helper.ts";
import { extractionMessages } from "../remember/extraction-prompt.ts";
import { EXTRACTION_FORMAT, readExtraction, type Extraction } from "../remember/extraction-schema.ts";
import { REST_MS } from "../remember/model-reader.ts";
import { proposeByModel, proposeByRules } from "../remember/propose.ts";
import { isSmallTalk } from "../remember/rules/small-talk.ts";
import { safely } from "../remember/safely.ts";
import { saidIn } from "../remember/said.ts";
import { memorySettings, type EngineSettings } from "../settings.ts";
import type { TurnDeps } from "../turn-types.ts";
import { asOwnWords } from "./own-words.ts";
import { speakerPersona } from "./recall.ts";
import type { Speaker } from "./types.ts";
import { usageData } from "../usage-data.ts";

/** A model that reads longer than this is given up, in milliseconds; rules read from then on. */
const READ_MS = 60_000;
/** How long memory may take to store what was read. */
const STORE_MS = 20_000;

/** What a persona said and what stood on its card then. */
export interface Told {
  readonly content: string;
  readonly recalled: readonly string[];
}

/** What learning works with. */
export interface LearningDeps extends Pick<TurnDeps, "signal" | "timer" | "identity" | "model" | "gate"> {
  readonly memory: MemoryPort | undefined;
  readonly settings: EngineSettings;
  readonly sessionId: string;
  readonly turnId: string;
}

/** The data of the event that tells what was learnt. */
export type LearnedData = MemoryLearned["data"];

interface Waiting {
  readonly told: Told[];
  /** When a model read it last; milliseconds since the epoch. */
  readAt?: number;
}

interface Reading {
  readonly extraction?: Extraction;
  readonly reason?: string;
  readonly model?: string;
  readonly usage?: ModelUsage;
}

/** Reads what personas say for facts of their own: a model at most once in ten seconds for each of them. */
export class SandboxLearning {
  readonly #deps: LearningDeps;
  readonly #waiting = new Map<string, Waiting>();
  #isSlow = false;

  constructor(deps: LearningDeps) {
    this.#deps = deps;
  }

  /**
   * Takes what a persona said; gives what was learnt, or nothing when it waits: then the next reading takes it along.
   * `atEnd`: whatever waits is read now, by rules where a model may not read again yet. Never throws.
   */
  async take(speaker: Speaker, told: Told | undefined, atEnd = false): Promise<LearnedData | undefined> {
    const { learning, enabled } = memorySettings(this.#deps.settings);
    if (!enabled || learning === "off" || this.#deps.memory === undefined) return undefined;
    if (this.#deps.signal.aborted) return undefined;
    const waiting = this.#waiting.get(speaker.name) ?? { told: [] };
    this.#waiting.set(speaker.name, waiting);
    if (told !== undefined) waiting.told.push(told);
    const now = this.#deps.identity.now();
    const isResting = waiting.readAt !== undefined && now - waiting.readAt < REST_MS;
    const byModel = learning === "model" && !this.#isSlow && !isResting;
    if (waiting.told.length === 0 || (learning === "model" && isResting && !atEnd)) return undefined;
    const all = waiting.told.splice(0);
    const said = saidIn(all.map(({ content }) => content).join("\n"));
    if (said === "" || isSmallTalk(said)) return undefined;
    if (byModel) waiting.readAt = now;
    const recalled = [...new Set(all.flatMap((one) => one.recalled))];
    return this.#read(speaker, { said, recalled, time: now, byModel });
  }

  async #read(
    speaker: Speaker,
    { said, recalled, time, byModel }: Lesson & { readonly byModel: boolean },
  ): Promise<LearnedData | undefined> {
    const { identity, settings, signal } = this.#deps;
    const { timeZone } = memorySettings(settings);
    const reading = byModel ? await this.#ask(speaker, said, time) : {};
    if (signal.aborted) return undefined;
    const turn = { said, agent: speaker.name, time, hasRecalled: recalled.length > 0 };
    const read = { ...turn, ...(timeZone !== undefined && { timeZone }) };
    const proposed =
      reading.extraction === undefined ? proposeByRules(read) : proposeByModel(reading.extraction, read);
    const proposal = asOwnWords(proposed, speaker.name);
    const { learned, error } = await this.#store(speaker, { said, recalled, time }, proposal.learnt);
    const rejected = [...proposal.rejected, ...(learned?.rejected ?? [])];
    return {
      "conclave.episode_ids": [],
      "conclave.extracted": learned?.added.length ?? 0,
      "conclave.updated": (learned?.repeated.length ?? 0) + (learned?.closed.length ?? 0),
      "conclave.by": proposal.learnt.by,
      ...(learned && { "conclave.learned": { ...learned, rejected } }),
      ...(reading.model !== undefined && { "gen_ai.request.model": reading.model }),
      ...usageData(reading.usage ?? {}),
      ...(reading.reason !== undefined && { "conclave.skipped": reading.reason }),
      "conclave.duration_ms": identity.now() - time,
      ...(error && { error }),
    };
  }

  /** Has a model read it; in words why it did not. */
  async #ask(speaker: Speaker, said: string, time: number): Promise<Reading> {
    const { settings, gate } = this.#deps;
    const name = helperName(settings, speaker.model);
    const model = this.#deps.model(name);
    if ("code" in model) return { reason: model.message };
    const { timeZone } = memorySettings(settings);
    const job = { messages: extractionMessages(said, time, timeZone), format: EXTRACTION_FORMAT };
    const answer = await within(READ_MS, this.#deps, (signal) =>
      askHelper(model, job, { settings, gate: gate() }, signal),
    );
    if (answer === undefined) {
      if (this.#deps.signal.aborted) return {};
      this.#isSlow = true;
      return { reason: `${name} took longer than ${READ_MS / 1_000} s`, model: name };
    }
    if (!answer.ok) return { reason: answer.failure.message, model: name };
    const { text, usage } = answer.value;
    const extraction = readExtraction(text);
    if (extraction === undefined) return { reason: `${name} gave nothing of use`, model: name, usage };
    return { extraction, model: name, usage };
  }

  async #store(
    speaker: Speaker,
    { said, recalled, time }: Lesson,
    learnt: ReturnType<typeof asOwnWords>["learnt"],
  ): Promise<{ readonly learned?: Learned; readonly error?: Failure }> {
    const { memory, sessionId, turnId } = this.#deps;
    const { facts, edges, entities, interests = [] } = learnt;
    if (memory === undefined || facts.length + edges.length + entities.length + interests.length === 0) {
      return {};
    }
    const source = { sessionId, turnId, time };
    const { scope } = memorySettings(this.#deps.settings);
    const persona = speakerPersona(speaker);
    const whole = { source, agent: speaker.name, scope, said, recalled, persona, ...learnt };
    const stored = await within(STORE_MS, this.#deps, (own) => safely(own, () => memory.learn(whole, own)));
    if (stored === undefined) return { error: SILENT };
    return stored.ok ? { learned: stored.value } : { error: stored.failure };
  }
}

interface Lesson {
  readonly said: string;
  readonly recalled: readonly string[];
  /** Milliseconds since the epoch. */
  readonly time: number;
}

const SILENT = failure("memory_unavailable", "Nothing was learnt: memory gave no answer in time.");
