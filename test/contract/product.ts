import assert from "node:assert/strict";
import { z } from "zod";
import type { AgentDefinition } from "../../src/agent/agents/definition.ts";
import type { AskRequest } from "../../src/agent/engine-port.ts";
import { createEngine } from "../../src/agent/engine.ts";
import type { EventOf, TurnEvent } from "../../src/agent/events.ts";
import { systemIdentity } from "../../src/agent/ids.ts";
import { parseHost } from "../../src/agent/models/host.ts";
import { OllamaChatModel } from "../../src/agent/models/ollama.ts";
import type { ChatModel, ChatRequest } from "../../src/agent/models/types.ts";
import { toWire } from "../../src/agent/models/wire.ts";
import { DEFAULT_ENGINE_SETTINGS, type EngineSettings } from "../../src/agent/settings.ts";
import type { Tool, ToolSet } from "../../src/agent/tool.ts";
import { argumentsSchema } from "../../src/tools/json-schema.ts";
import type { Target } from "./targets.ts";
import { post } from "./wire.ts";

/** What a turn of the product is made of. */
export interface Product {
  readonly agents?: readonly AgentDefinition[];
  readonly tools?: ToolSet;
  readonly settings?: Partial<EngineSettings>;
}

/** A turn that is over. */
export interface Ended {
  readonly events: readonly TurnEvent[];
  /** What the model was asked, in order. */
  readonly requests: readonly ChatRequest[];
  readonly end: EventOf<"turn.end">;
}

/** The set of tools that a registry would make. */
export function toolSet(...tools: readonly Tool[]): ToolSet {
  return {
    schemas: tools.map((tool) => {
      return { name: tool.name, description: tool.description, parameters: argumentsSchema(tool) };
    }),
    find: (name) => tools.find((tool) => tool.name === name),
  };
}

/** An agent as a file of the workspace would define it. */
export function agent(name: string, more: Partial<AgentDefinition> = {}): AgentDefinition {
  return {
    name,
    description: "",
    kind: "agent",
    prompt: `Answer as ${name}, in one short sentence.`,
    tools: [],
    limits: {},
    required: [],
    structuredOutput: false,
    source: { origin: "workspace", path: `/w/.conclave/agents/${name}.yaml` },
    ...more,
  };
}

/** Asks the product a question and waits for the end. Answers are short and the same each time. */
export async function turnOn(
  target: Target,
  { agents = [], tools = toolSet(), settings }: Product,
  request: Partial<AskRequest> = {},
): Promise<Ended> {
  const host = parseHost(target.host);
  assert.ok(host.ok);
  const requests: ChatRequest[] = [];
  const engine = createEngine({
    settings: () => ({
      ...DEFAULT_ENGINE_SETTINGS,
      model: target.full,
      contextLength: 2_048,
      maxOutputTokens: 48,
      maxSteps: 1,
      temperature: 0,
      think: false,
      // Left to itself the product offers a model of this size no tools.
      toolProtocol: "native",
      ...settings,
    }),
    agents: () => ({ agents, rules: "", problems: [] }),
    model: (model) => noting(new OllamaChatModel({ host: host.value, model }), requests),
    tools: () => tools,
    identity: systemIdentity,
  });
  try {
    const turn = await engine.ask({ question: "Shall we keep the cache?", door: "test", ...request });
    assert.ok(turn.ok);
    const events: TurnEvent[] = [];
    for await (const event of turn.value.events) events.push(event);
    const end = of(events, "turn.end").at(-1);
    assert.ok(end);
    return { events, requests, end };
  } finally {
    await engine.dispose();
  }
}

function noting(model: ChatModel, requests: ChatRequest[]): ChatModel {
  return {
    provider: model.provider,
    name: model.name,
    describe: (signal) => model.describe(signal),
    chat: (request, signal) => {
      requests.push(request);
      return model.chat(request, signal);
    },
  };
}

/** The events of one type. */
export function of<T extends TurnEvent["type"]>(
  events: readonly TurnEvent[],
  type: T,
): readonly EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}

/** The messages of the warnings of one kind. */
export function warned(events: readonly TurnEvent[], code: string): readonly string[] {
  return of(events, "warning").flatMap(({ data }) => (data.code === code ? [data.message] : []));
}

const Debug = z.looseObject({ _debug_info: z.looseObject({ rendered_template: z.string() }) });

/** The prompt that the server makes of a request, as the product's client sends it. */
export async function rendered(target: Target, request: ChatRequest): Promise<string> {
  const info = { name: target.full, capabilities: ["completion", "tools", "thinking"] as const };
  const body = toWire(target.full, request, info);
  const answer = await post(target, "/api/chat", { ...body, _debug_render_only: true });
  return Debug.parse(JSON.parse(answer.text))._debug_info.rendered_template;
}

/** How many characters two texts have in common from their beginning. */
export function commonStart(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}
