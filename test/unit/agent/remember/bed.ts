import type { Engine } from "../../../../src/agent/engine-port.ts";
import { createEngine } from "../../../../src/agent/engine.ts";
import type { EventOf } from "../../../../src/agent/events.ts";
import { failure, success } from "../../../../src/agent/failure.ts";
import type { Annotation, Episode, MemoryPort } from "../../../../src/agent/memory/port.ts";
import type { Learnt, Resource } from "../../../../src/agent/memory/types.ts";
import type { Identity } from "../../../../src/agent/ids.ts";
import type { ChatModel } from "../../../../src/agent/models/types.ts";
import {
  DEFAULT_ENGINE_SETTINGS,
  type EngineSettings,
  type MemorySettings,
} from "../../../../src/agent/settings.ts";
import type { Tool } from "../../../../src/agent/tool.ts";
import { emptyMemory, NOTHING_LEARNED } from "../memory.ts";
import { answers, fakeTimer, playModel, seededIdentity, toolSet, type Reply } from "../support.ts";

/** What the bed's engine is made of. */
export interface BedOptions {
  /** What the chat model answers; the last one for ever. */
  readonly chat?: readonly Reply[];
  /** What the helper model answers; without it there is no such model. */
  readonly helper?: readonly Reply[];
  /** How many parameters the helper model has, as far as that is known. */
  readonly helperParameters?: number;
  readonly settings?: Partial<EngineSettings>;
  readonly memorySettings?: Partial<MemorySettings>;
  readonly memory?: Partial<MemoryPort>;
  readonly tools?: readonly Tool[];
  /** When all turns are asked; milliseconds since the epoch. */
  readonly now?: number;
}

/** An engine with a chat model `tiny`, a helper model `helper`, and a memory that keeps what it is given. */
export function bed(options: BedOptions = {}) {
  const { clock, timer } = fakeTimer();
  const added: Episode[] = [];
  const notes: Annotation[] = [];
  const learnt: Learnt[] = [];
  const kept: Resource[] = [];
  const ingested: EventOf<"memory.ingested">[] = [];
  const learned: EventOf<"memory.learned">[] = [];
  const memory = emptyMemory({
    add: (episodes) => (added.push(...episodes), Promise.resolve(success({ added: episodes.length }))),
    annotate: (more) => (notes.push(...more), Promise.resolve(success({ added: more.length }))),
    keep: (more) => (kept.push(...more), Promise.resolve(success({ kept: more.length }))),
    learn: (more) => {
      learnt.push(more);
      const added = more.facts.map(({ text }, at) => ({ id: `f${at}`, text }));
      return Promise.resolve(success({ ...NOTHING_LEARNED, added }));
    },
    ...options.memory,
  });
  const chat = playModel(options.chat ?? [answers("Forty-two.")]);
  const { helperParameters: parameters } = options;
  const played = options.helper && playModel(options.helper, { name: "helper" });
  const info = parameters === undefined ? undefined : { name: "helper", capabilities: [], parameters };
  const helper = played && { ...played, known: () => info };
  const seeded = seededIdentity();
  // The bed's clock is the one that its timers run on.
  const base = options.now ?? Date.UTC(2026, 0, 1);
  const identity: Identity = { ...seeded, now: () => base + clock.now };
  const engine: Engine = createEngine({
    settings: () => ({
      ...DEFAULT_ENGINE_SETTINGS,
      model: "tiny",
      helperModel: "helper",
      memory: { timeZone: "America/Los_Angeles", ...options.memorySettings },
      ...options.settings,
    }),
    model: (name): ChatModel | ReturnType<typeof failure> => {
      if (name === "tiny") return chat;
      return helper ?? failure("model_missing", `The model ${name} is not there.`);
    },
    tools: () => toolSet(...(options.tools ?? [])),
    ...{ memory, identity, timer },
  });
  engine.onEvent((event) => {
    if (event.type === "memory.ingested") ingested.push(event);
    else if (event.type === "memory.learned") learned.push(event);
  });
  return { engine, clock, chat, helper, added, notes, learnt, kept, ingested, learned };
}

/** What a helper answers when it finds nothing; `part` is what it does find. */
export function extraction(part: Readonly<Record<string, unknown>> = {}): string {
  const nothing = {
    intent: "other",
    sentiment: "neutral",
    entities: [],
    facts: [],
    relations: [],
    interests: [],
  };
  return JSON.stringify({ ...nothing, ...part });
}

/** A fact as a helper answers it. */
export function fact(quote: string, text: string, part: Readonly<Record<string, unknown>> = {}) {
  return { quote, text, kind: "fact", about: "user", certain: true, ...part };
}

/** Lets everything that is ready happen. */
export async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
