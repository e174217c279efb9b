import { LRUCache } from "lru-cache";
import type { Failure } from "../failure.ts";
import type { Gate } from "../gate.ts";
import type { Identity } from "../ids.ts";
import type { ChatModel } from "../models/types.ts";
import type { Timer } from "../timer.ts";
import { askHelper, helperName } from "./ask-helper.ts";
import { extractionMessages } from "./extraction-prompt.ts";
import { EXTRACTION_FORMAT, readExtraction } from "./extraction-schema.ts";
import type { Reading } from "./learned-event.ts";
import type { Lesson } from "./lesson.ts";
import { SlowModels } from "./slow-models.ts";

/** One model reads at most one turn of an agent in so long, in milliseconds. */
export const REST_MS = 10_000;

/** A model that reads longer than this is given up, in milliseconds. */
const READ_TIMEOUT_MS = 60_000;

/**
 * Models with fewer parameters don't read: they are told nothing of what they would learn, and on a machine without a
 * graphics card the next question waits for seconds until the server lets go of a prompt (docs/evidence.md).
 */
const READS_FROM = 2.5e9;

/** Agents whose rest is kept track of. */
const MAX_AGENTS = 500;

/** What a model reads with. */
export interface ModelReaderDeps {
  readonly model: (name: string) => ChatModel | Failure;
  readonly gate: Gate;
  readonly identity: Identity;
  readonly timer: Timer;
}

/** Has models read turns, one at a time, of each agent one in ten seconds; slow ones are asked ever less often. */
export class ModelReader {
  readonly #deps: ModelReaderDeps;
  /** Until when no model reads another turn of an agent; milliseconds since the epoch. */
  readonly #restUntil = new LRUCache<string, number>({ max: MAX_AGENTS });
  readonly #slow = new SlowModels();
  #reading: AbortController | undefined;

  constructor(deps: ModelReaderDeps) {
    this.#deps = deps;
  }

  /** How long no model reads another turn of an agent, in milliseconds; 0 or less: one may read now. */
  restOf(agent: string): number {
    return (this.#restUntil.get(agent) ?? 0) - this.#deps.identity.now();
  }

  /** Has the reading under way give way. */
  giveWay(): void {
    this.#reading?.abort();
  }

  /** Has a model read the turn. Gives why it could not; `postponed` when it had to give way, or the signal fired. */
  async read(lesson: Lesson, signal: AbortSignal): Promise<Reading | "postponed"> {
    const { said, episode, settings, memory } = lesson;
    const { identity, timer, gate } = this.#deps;
    const name = helperName(settings, episode.model);
    const model = this.#deps.model(name);
    if ("code" in model) return { reason: model.message };
    const { parameters = READS_FROM } = model.known?.() ?? {};
    if (parameters < READS_FROM) return { reason: `${name} is too small for it`, model: name };
    const left = this.#slow.restOf(name, identity.now());
    if (left > 0) {
      const reason = `${name} took too long; it is tried again in ${Math.ceil(left / 1_000)} s`;
      return { reason, model: name };
    }
    this.#restUntil.set(episode.agent, identity.now() + REST_MS);
    const reading = new AbortController();
    this.#reading = reading;
    const stop = (): void => reading.abort();
    signal.addEventListener("abort", stop, { once: true });
    const time = { isUp: false };
    const cancel = timer(READ_TIMEOUT_MS, () => {
      time.isUp = true;
      reading.abort();
    });
    const messages = extractionMessages(said, episode.time, memory.timeZone);
    const job = { messages, format: EXTRACTION_FORMAT };
    const answer = await askHelper(model, job, { settings, gate }, reading.signal);
    cancel();
    signal.removeEventListener("abort", stop);
    this.#reading = undefined;
    if (time.isUp) {
      this.#slow.timedOut(name, identity.now());
      return { reason: `${name} took longer than ${READ_TIMEOUT_MS / 1_000} s`, model: name };
    }
    if (reading.signal.aborted) return "postponed";
    this.#slow.answered(name);
    if (!answer.ok) return { reason: answer.failure.message, model: name };
    const { text, usage } = answer.value;
    const extraction = readExtraction(text);
    if (extraction === undefined) return { reason: `${name} gave nothing of use`, model: name, usage };
    return { extraction, model: name, usage };
  }
}
