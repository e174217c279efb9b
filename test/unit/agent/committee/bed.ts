import type { AgentDefinition, UnusableAgent } from "../../../../src/agent/agents/definition.ts";
import type { CommitteeSettings } from "../../../../src/agent/committee/settings.ts";
import type { AskOptions, Engine } from "../../../../src/agent/engine-port.ts";
import { createEngine } from "../../../../src/agent/engine.ts";
import type { TurnEvent } from "../../../../src/agent/events.ts";
import { failure } from "../../../../src/agent/failure.ts";
import type { ChatRequest } from "../../../../src/agent/models/types.ts";
import { DEFAULT_ENGINE_SETTINGS, type EngineSettings } from "../../../../src/agent/settings.ts";
import {
  all,
  answers,
  ask,
  makeTool,
  playModel,
  seededIdentity,
  toolSet,
  type PlayedModel,
  type Reply,
  type Setup,
  type WholeTurn,
} from "../support.ts";

/** A persona of a test; it may use no tools unless the test says so. */
export function persona(name: string, more: Partial<AgentDefinition> = {}): AgentDefinition {
  return {
    name,
    description: "",
    kind: "persona",
    prompt: `You are ${name}.`,
    tools: [],
    limits: {},
    required: [],
    structuredOutput: false,
    source: { origin: "workspace", path: `/w/.conclave/agents/${name}.yaml` },
    ...more,
  };
}

/** What each speaker says, one reply after the other, the last one for ever; a text is an answer. */
export type Script = Readonly<Record<string, readonly (Reply | string)[]>>;

/** Who a request is for: `Your part in this is NAME:` stands last, and judges have their task there. */
export function speakerOf(request: ChatRequest): string {
  const tail = tailOf(request);
  if (tail.includes("Judge whether these members agree")) return "Agreement";
  const name = [...tail.matchAll(/^Your part in this is (.*):$/gmu)].at(-1)?.[1] ?? "single";
  return tail.includes("Rank the answers of the members") ? `${name} ranks` : name;
}

/** The message of a request that holds question and tail. */
export function tailOf({ messages }: ChatRequest): string {
  const marked = messages.filter(({ role, content }) => role === "user" && content.includes("committee"));
  return marked.at(-1)?.content ?? messages.findLast(({ role }) => role === "user")?.content ?? "";
}

/** A model that answers each speaker from its own script. */
export function castModel(script: Script, name = "tiny", contextLength?: number): PlayedModel {
  const heard = new Map<string, number>();
  return playModel(
    [
      (request, signal) => {
        const speaker = speakerOf(request);
        const count = heard.get(speaker) ?? 0;
        heard.set(speaker, count + 1);
        const replies = script[speaker] ?? [`${speaker} has nothing to say.`];
        const reply = replies[Math.min(count, replies.length - 1)] ?? "";
        return playReply(typeof reply === "string" ? answers(reply) : reply, request, signal);
      },
    ],
    { name, ...(contextLength !== undefined && { contextLength }) },
  );
}

async function* playReply(reply: Reply, request: ChatRequest, signal: AbortSignal) {
  if (typeof reply === "function") yield* reply(request, signal);
  else for (const chunk of reply) yield await Promise.resolve(chunk);
}

/** What a committee of a test is made of. */
export interface Bed extends Setup {
  readonly personas: readonly AgentDefinition[];
  /** Models by name, or by `host name`. */
  readonly models: readonly PlayedModel[] | ReadonlyMap<string, PlayedModel>;
  readonly committee?: Partial<CommitteeSettings>;
  readonly settings?: Partial<EngineSettings>;
  readonly unusable?: readonly UnusableAgent[];
}

/** An engine for committees over played models. */
export function committeeEngine(bed: Bed): Engine {
  const { personas, models, committee, settings, tools, unusable = [], ...rest } = bed;
  const byName = new Map<string, PlayedModel>(
    "get" in models ? models : models.map((model): [string, PlayedModel] => [model.name, model]),
  );
  const offered = tools ?? toolSet(makeTool({ name: "look_up" }));
  return createEngine({
    identity: seededIdentity(),
    agents: () => ({ agents: personas, rules: "", problems: [], unusable }),
    ...rest,
    settings: () => ({
      ...DEFAULT_ENGINE_SETTINGS,
      model: "tiny",
      memory: { learning: "rules" },
      budget: { summary: false },
      committee: {
        personas: personas.filter(({ kind }) => kind === "persona").map(({ name }) => name),
        agreement: "off",
        ...committee,
      },
      ...settings,
    }),
    model: (name, host) =>
      byName.get(host === undefined ? name : `${host} ${name}`) ??
      failure("model_missing", `There is no model ${name}.`, { action: "pull_model", target: name }),
    tools: () => offered,
  });
}

/** A whole turn of a committee. */
export function convene(
  engine: Engine,
  own: Partial<CommitteeSettings> = {},
  options: AskOptions = {},
  question = "Tuesday or Thursday?",
): Promise<WholeTurn> {
  return ask(engine, question, { options: { ...options, committee: own } });
}

/** The speakers of a model's requests, in order. */
export function speakers({ requests }: PlayedModel): readonly string[] {
  return requests.map(speakerOf);
}

/** The messages of the warnings of one kind. */
export function warned(events: readonly TurnEvent[], code: string): readonly string[] {
  return all(events, "warning").flatMap(({ data }) => (data.code === code ? [data.message] : []));
}
