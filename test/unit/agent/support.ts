import { createClock, type Clock } from "@sinonjs/fake-timers";
import { z } from "zod";
import type { Engine, RunningTurn, AskRequest } from "../../../src/agent/engine-port.ts";
import { createEngine } from "../../../src/agent/engine.ts";
import type { EngineDeps } from "../../../src/agent/engine-deps.ts";
import type { EventOf, TurnEvent, TurnEventType } from "../../../src/agent/events.ts";
import { CANCELLED, failure, success, type FailureCode, type Result } from "../../../src/agent/failure.ts";
import type { Identity } from "../../../src/agent/ids.ts";
import { parseHost } from "../../../src/agent/models/host.ts";
import { OllamaChatModel, type OllamaChatOptions } from "../../../src/agent/models/ollama.ts";
import { withoutParts } from "../../../src/agent/message-parts.ts";
import type {
  Capability,
  ChatChunk,
  ChatModel,
  ChatRequest,
  FinishReason,
  Json,
  JsonObject,
  ModelInfo,
  ToolCall,
} from "../../../src/agent/models/types.ts";
import { DEFAULT_ENGINE_SETTINGS, type EngineSettings } from "../../../src/agent/settings.ts";
import type { Timer } from "../../../src/agent/timer.ts";
import type { Tool, ToolContext, ToolOutcome, ToolSet } from "../../../src/agent/tool.ts";

/** Ids that count up and a clock that goes one millisecond further at each look. */
export function seededIdentity(): Identity {
  let count = 0;
  let time = Date.UTC(2026, 0, 1);
  const hex = (length: number): string => (++count).toString(16).padStart(length, "0");
  return {
    turnId: () => hex(32),
    spanId: () => hex(16),
    uuid: () => `00000000-0000-4000-8000-${hex(12)}`,
    now: () => ++time,
  };
}

/** A clock that only the test moves, and a timer on it. */
export function fakeTimer(): { readonly clock: Clock; readonly timer: Timer } {
  const clock = createClock();
  const timer: Timer = (ms, fire) => {
    const handle = clock.setTimeout(fire, ms);
    return () => clock.clearTimeout(handle);
  };
  return { clock, timer };
}

/** What a scripted model does with one request. */
export type Reply =
  readonly ChatChunk[] | ((request: ChatRequest, signal: AbortSignal) => AsyncIterable<ChatChunk>);

/** A chunk of the answer. */
export function say(text: string): ChatChunk {
  return { type: "content", text };
}

/** A chunk of thinking. */
export function muse(text: string): ChatChunk {
  return { type: "thinking", text };
}

/** A chunk with native calls. */
export function callTools(...calls: readonly ToolCall[]): ChatChunk {
  return { type: "tool_calls", calls };
}

/** A native call. */
export function call(name: string, args: Json = {}, id = `id-${name}`): ToolCall {
  return { id, name, arguments: args };
}

/** The end of a reply. */
export function end(finishReason: FinishReason = "stop", inputTokens = 10, outputTokens = 5): ChatChunk {
  return { type: "end", finishReason, usage: { inputTokens, outputTokens }, model: "tiny" };
}

/** A reply that breaks off. */
export function broken(code: FailureCode, message = `it was ${code}`): ChatChunk {
  return { type: "failure", failure: failure(code, message), usage: {} };
}

/** A reply that only answers. */
export function answers(text: string): readonly ChatChunk[] {
  return [say(text), end()];
}

/** A reply that says something and then waits until it is cancelled. */
export function hangs(...first: readonly ChatChunk[]): Reply {
  return async function* (_request, signal) {
    yield* first;
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
    yield { type: "failure", failure: CANCELLED, usage: {} };
  };
}

/** A model that plays replies in order and keeps what it was asked. */
export interface PlayedModel extends ChatModel {
  /** The requests, as they are sent. */
  readonly requests: ChatRequest[];
}

/** How a played model differs from one that can do everything. */
export interface PlayedOptions {
  readonly name?: string;
  readonly capabilities?: readonly Capability[];
  readonly contextLength?: number;
  /** Default: 8e9, which is known to call tools well. */
  readonly parameters?: number;
  readonly describe?: () => Promise<Result<ModelInfo>>;
}

/** A model that plays `replies`, the last one for ever. */
export function playModel(replies: readonly Reply[], options: PlayedOptions = {}): PlayedModel {
  const {
    name = "tiny",
    capabilities = ["completion", "tools", "thinking"],
    contextLength,
    parameters = 8e9,
  } = options;
  const requests: ChatRequest[] = [];
  const info: ModelInfo = {
    name,
    capabilities,
    parameters,
    ...(contextLength !== undefined && { contextLength }),
  };
  return {
    provider: "played",
    name,
    requests,
    describe: options.describe ?? (() => Promise.resolve(success(info))),
    chat: (request, signal) => {
      const reply = replies[Math.min(requests.length, replies.length - 1)] ?? [];
      // Where the pieces of a message come from is never sent.
      requests.push({ ...request, messages: request.messages.map(withoutParts) });
      return typeof reply === "function" ? reply(request, signal) : play(reply);
    },
  };
}

async function* play(chunks: readonly ChatChunk[]): AsyncGenerator<ChatChunk> {
  for (const chunk of chunks) yield await Promise.resolve(chunk);
}

/** A tool for tests; by default read-only, taking `{query}`, answering with it. */
export function makeTool<A = { query: string }>(
  part: Partial<Omit<Tool<A>, "run">> & {
    readonly name: string;
    readonly run?: (args: A, context: ToolContext) => Promise<ToolOutcome>;
  },
): Tool {
  const tool = {
    description: `The tool ${part.name}.`,
    parameters: z.object({ query: z.string() }),
    readOnly: true,
    timeoutMs: 1_000,
    run: (args: A) => Promise.resolve(gives(`found ${JSON.stringify(args)}`)),
    ...part,
  };
  // The set of tools is untyped in its arguments, as the registry's is: the schema of each has checked them.
  return tool;
}

/** A good outcome of a tool. */
export function gives(content: string): ToolOutcome {
  return { ok: true, content, details: { summary: content.slice(0, 40) } };
}

/** The tools of a test. */
export function toolSet(...tools: readonly Tool[]): ToolSet {
  return {
    schemas: tools.map(({ name, description, parameters }) => ({
      name,
      description,
      parameters: z.toJSONSchema(parameters, { io: "input" }) as JsonObject,
    })),
    find: (name) => tools.find((tool) => tool.name === name || tool.aliases?.includes(name)),
  };
}

/** What a test's engine may be given. */
export type Setup = Partial<Omit<EngineDeps, "settings" | "model" | "tools">> & {
  readonly settings?: Partial<EngineSettings>;
  readonly tools?: ToolSet;
};

/** An engine over one model; settings and tools hold for all turns. */
export function engineOver(model: ChatModel, setup: Setup = {}): Engine {
  const { settings = {}, tools = toolSet(makeTool({ name: "look_up" })), ...rest } = setup;
  return createEngine({
    identity: seededIdentity(),
    ...rest,
    settings: () => ({
      ...DEFAULT_ENGINE_SETTINGS,
      model: model.name,
      // What a played model is asked is what its test asks.
      memory: { learning: "rules" },
      budget: { summary: false },
      ...settings,
    }),
    model: () => model,
    tools: () => tools,
  });
}

/** What an engine on a real address may be given. */
export type HttpSetup = Setup & Pick<OllamaChatOptions, "clock" | "limits">;

/** An engine over the product's own client; the models are those of the server at the address. */
export function engineAt(address: string, setup: HttpSetup = {}): Engine {
  const { settings = {}, tools = toolSet(makeTool({ name: "web_search" })), clock, limits, ...rest } = setup;
  const host = parseHost(address);
  if (!host.ok) throw new Error(host.failure.message);
  const client = { host: host.value, ...(clock && { clock }), ...(limits && { limits }) };
  return createEngine({
    identity: seededIdentity(),
    ...rest,
    settings: () => ({ ...DEFAULT_ENGINE_SETTINGS, model: "scripted:latest", ...settings }),
    model: (model) => new OllamaChatModel({ ...client, model }),
    tools: () => tools,
  });
}

/** Starts a turn that must not be refused. */
export async function start(
  engine: Engine,
  question = "What is it?",
  part: Partial<AskRequest> = {},
): Promise<RunningTurn> {
  const asked = await engine.ask({ question, door: "test", ...part });
  if (!asked.ok) throw new Error(`refused: ${asked.failure.message}`);
  return asked.value;
}

/** A whole turn: its events in order, and how it ended. */
export interface WholeTurn {
  readonly sessionId: string;
  readonly events: readonly TurnEvent[];
  readonly end: EventOf<"turn.end">;
}

/** Runs a turn to its end. */
export async function ask(
  engine: Engine,
  question?: string,
  part: Partial<AskRequest> = {},
): Promise<WholeTurn> {
  const turn = await start(engine, question, part);
  const events: TurnEvent[] = [];
  for await (const event of turn.events) events.push(event);
  return { sessionId: turn.sessionId, events, end: only(events, "turn.end") };
}

/** The events of one kind. */
export function all<Type extends TurnEventType>(events: readonly TurnEvent[], type: Type): EventOf<Type>[] {
  return events.filter((event): event is EventOf<Type> => event.type === type);
}

/** The one event of a kind. */
export function only<Type extends TurnEventType>(events: readonly TurnEvent[], type: Type): EventOf<Type> {
  const [first, ...others] = all(events, type);
  if (first === undefined || others.length > 0)
    throw new Error(`${first === undefined ? 0 : others.length + 1} events ${type}`);
  return first;
}

/** The codes of a turn's warnings. */
export function warnings(events: readonly TurnEvent[]): string[] {
  return all(events, "warning").map((event) => event.data.code);
}

/** All events of a turn, once it has ended. */
export async function read(events: AsyncIterable<TurnEvent>): Promise<TurnEvent[]> {
  const list: TurnEvent[] = [];
  for await (const event of events) list.push(event);
  return list;
}

/** Waits until the turn has come to an event of a kind. */
export async function until(events: AsyncIterable<TurnEvent>, type: TurnEvent["type"]): Promise<void> {
  for await (const event of events) if (event.type === type) return;
}

/** A text of about so many tokens in which nothing repeats. */
export function long(letter: string, tokens: number): string {
  return Array.from({ length: tokens }, (_, index) => letter + index.toString(36).padStart(3, "0"))
    .join("")
    .slice(0, Math.floor(tokens * 3.5));
}
