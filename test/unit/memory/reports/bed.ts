import { createEngine } from "../../../../src/agent/engine.ts";
import type { Engine } from "../../../../src/agent/engine-port.ts";
import type { EventOf, TurnEvent } from "../../../../src/agent/events.ts";
import { success, type Result } from "../../../../src/agent/failure.ts";
import { systemIdentity } from "../../../../src/agent/ids.ts";
import type { MemoryPort } from "../../../../src/agent/memory/port.ts";
import type { Entity, Fact, MemoryTable, Relationship } from "../../../../src/agent/memory/types.ts";
import type { MemoryTablePage } from "../../../../src/agent/memory/types.ts";
import { parseHost } from "../../../../src/agent/models/host.ts";
import { OllamaChatModel } from "../../../../src/agent/models/ollama.ts";
import {
  DEFAULT_ENGINE_SETTINGS,
  type EngineSettings,
  type MemorySettings,
} from "../../../../src/agent/settings.ts";
import type { Method } from "../../../../src/memory/process/params.ts";
import type { Values } from "../../../../src/memory/process/values.ts";
import { MemoryService } from "../../../../src/memory/process/service.ts";
import { createTools, DEFAULT_TOOL_SETTINGS, type Confirm } from "../../../../src/tools/index.ts";
import { inlineReader } from "../../../../src/tools/web/read-document.ts";
import * as ollama from "../../../support/ollama/index.ts";
import type { ChatBody, ReplySteps } from "../../../support/ollama/index.ts";
import { all, ask } from "../../agent/support.ts";
import { fakeEmbedder, later, never, temporaryFolder, valueOf } from "../support.ts";

/** What a test's conversation is made of. */
export interface BedOptions {
  readonly folder?: string;
  /** What the chat model does with a request. */
  readonly chat: (body: ChatBody) => ReplySteps;
  /** What the model answers that reads a turn, given the whole text it is shown; nothing found when left out. */
  readonly read?: (shown: string) => Readonly<Record<string, unknown>>;
  readonly settings?: Partial<EngineSettings>;
  readonly memory?: Partial<MemorySettings>;
  readonly confirm?: Confirm;
  /** The clock at the first question; milliseconds since the epoch. */
  readonly now?: number;
}

/** A turn as a user meets it. */
export interface Turn {
  readonly sessionId: string;
  readonly events: readonly TurnEvent[];
  readonly answer: string;
  /** What became of it in memory; undefined when nothing was remembered. */
  readonly learned: EventOf<"memory.learned"> | undefined;
  /** What the tools gave the model. */
  readonly results: readonly string[];
}

/** A whole conversation over a real store: engine, server, tools, learner and memory, in one process. */
export interface Bed {
  readonly engine: Engine;
  readonly memory: MemoryPort;
  readonly server: ollama.ScriptedOllama;
  /** The chats that a question led to: those that read turns are left out. */
  readonly chats: () => readonly ChatBody[];
  /** Asks in a session of its own unless one is given, and waits until the turn was read for memory. */
  readonly turn: (question: string, sessionId?: string) => Promise<Turn>;
  readonly facts: () => Promise<readonly Fact[]>;
  readonly people: () => Promise<readonly Entity[]>;
  readonly relationships: () => Promise<readonly Relationship[]>;
  /** Sets the clock; milliseconds since the epoch. */
  readonly at: (time: number) => void;
}

/** Between two questions: longer than a model rests between two readings. */
const PAUSE_MS = 20_000;

/** Opens a conversation; all of it is gone after the test. */
export async function openBed(options: BedOptions): Promise<Bed> {
  let now = options.now ?? Date.UTC(2026, 10, 2, 12);
  const server = await ollama.startScriptedOllama({
    script: ({ body }) => (isReading(body) ? reading(body, options) : options.chat(body)),
  });
  later(() => server.close());
  const service = new MemoryService({
    store: { uri: options.folder ?? (await temporaryFolder()) },
    embedder: () => Promise.resolve(success(fakeEmbedder())),
    onProgress: () => undefined,
    onLog: () => undefined,
    now: () => now,
  });
  later(() => service.close());
  const memory = asPort(service);
  const engine = engineOn(server, memory, options, () => now);
  later(() => engine.dispose());
  const rows = async <T extends MemoryTable>(table: T): Promise<MemoryTablePage<T>["rows"]> =>
    valueOf(await memory.list({ table, offset: 0, limit: 200 }, never)).rows;
  return {
    ...{ engine, memory, server },
    chats: () => server.chats.filter((body) => !isReading(body)),
    turn: async (question, sessionId) => {
      now += PAUSE_MS;
      return wholeTurn(engine, question, sessionId);
    },
    facts: () => rows("facts"),
    people: () => rows("people"),
    relationships: () => rows("relationships"),
    at: (time) => {
      now = time;
    },
  };
}

function engineOn(
  server: ollama.ScriptedOllama,
  memory: MemoryPort,
  options: BedOptions,
  now: () => number,
): Engine {
  const host = valueOf(parseHost(server.host));
  const tools = createTools({
    memory,
    settings: () => DEFAULT_TOOL_SETTINGS,
    searchAccess: () => ({}),
    reader: inlineReader,
    now,
    ...(options.confirm && { confirm: options.confirm }),
  });
  return createEngine({
    settings: () => ({
      ...DEFAULT_ENGINE_SETTINGS,
      model: "scripted:latest",
      memory: { ...options.memory },
      ...options.settings,
    }),
    model: (model) => new OllamaChatModel({ host: host, model }),
    tools: () => tools.toolSet(),
    identity: { ...systemIdentity, now },
    memory,
  });
}

async function wholeTurn(engine: Engine, question: string, sessionId: string | undefined): Promise<Turn> {
  let stop = (): void => undefined;
  const settled = new Promise<EventOf<"memory.learned"> | undefined>((resolve) => {
    stop = engine.onEvent((event) => {
      if (event.type === "memory.learned") resolve(event);
      else if (event.type === "memory.ingested" && event.data["conclave.episode_ids"].length === 0) {
        resolve(undefined);
      }
    });
  });
  const { events, sessionId: session } = await ask(
    engine,
    question,
    sessionId === undefined ? {} : { sessionId },
  );
  const learned = await settled;
  stop();
  return {
    sessionId: session,
    events,
    answer: all(events, "answer.dialog").at(-1)?.data.answer ?? "",
    learned,
    results: all(events, "tool.result").map(({ data }) => data.result ?? ""),
  };
}

function isReading(body: ChatBody): boolean {
  return body.format !== undefined;
}

function reading(body: ChatBody, { read }: BedOptions): ReplySteps {
  const shown = body.messages.map(({ content }) => content).join("\n");
  const nothing = {
    intent: "other",
    sentiment: "neutral",
    entities: [],
    facts: [],
    relations: [],
    interests: [],
  };
  return [ollama.text(JSON.stringify({ ...nothing, ...read?.(shown) }))];
}

/** A fact as the model that reads a turn answers it. */
export function fact(quote: string, text: string, part: Readonly<Record<string, unknown>> = {}) {
  return { quote, text, kind: "fact", about: "user", certain: true, ...part };
}

/** The user's message in what the reader of a turn is shown. */
export function messageIn(shown: string): string {
  return /<message>\n([\s\S]*)\n<\/message>/.exec(shown)?.[1] ?? "";
}

/** Answers with a text, after the calls that are still to be made. */
export function answers(content: string): ReplySteps {
  return [...ollama.words(content)];
}

/** Whether a request comes with a tool's result for this question. */
export function hasResult({ messages }: ChatBody): boolean {
  return messages.at(-1)?.role === "tool";
}

/** The service without its process, as the rest of the product asks memory. */
export function asPort(service: MemoryService): MemoryPort {
  const request = async <M extends Method>(
    method: M,
    params: unknown,
    signal: AbortSignal,
  ): Promise<Result<Values[M]>> => {
    // What crosses to the process is JSON.
    const sent: unknown = JSON.parse(JSON.stringify(params));
    return (await service.handle(method, sent, signal)) as Result<Values[M]>;
  };
  return {
    search: (query, signal) => request("search", query, signal),
    searchAll: (query, signal) => request("searchAll", query, signal),
    add: (episodes, signal) => request("add", { episodes }, signal),
    annotate: (annotations, signal) => request("annotate", { annotations }, signal),
    learn: (learnt, signal) => request("learn", learnt, signal),
    keep: (resources, signal) => request("keep", { resources }, signal),
    saveMoments: (moments, signal) => request("saveMoments", { moments }, signal),
    moments: (query, signal) => request("moments", query, signal),
    graph: (query, signal) => request("graph", query, signal),
    card: (query, signal) => request("card", query, signal),
    list: async <T extends MemoryTable>(query: object, signal: AbortSignal) =>
      (await request("list", query, signal)) as Result<MemoryTablePage<T>>,
    edit: (edit, signal) => request("edit", edit, signal),
    previewForget: (what, signal) => request("previewForget", what, signal),
    forget: (what, signal) => request("forget", what, signal),
    exportPage: (cursor, signal) => request("exportPage", cursor === undefined ? {} : { cursor }, signal),
    importLines: (lines, signal) => request("importLines", { lines }, signal),
    embedding: (action, signal) => request("embedding", { action }, signal),
    status: () => Promise.resolve({ state: "ready" }),
  };
}
