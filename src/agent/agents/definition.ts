import type { JsonObject, Think } from "../models/types.ts";
import type { Persona } from "../persona.ts";

/** What an agent is for: a voice in a committee, an agent of its own, or the one who sums a committee up. */
export const AGENT_KINDS = ["persona", "agent", "synthesizer"] as const;
/** What an agent is for. */
export type AgentKind = (typeof AGENT_KINDS)[number];

/** A tool that an agent may use; `description` takes the place of the tool's own. */
export interface AgentTool {
  readonly name: string;
  readonly description?: string;
}

/** How much an agent may use; what is left out has the limit of the settings. */
export interface AgentLimits {
  /** Steps with tools. */
  readonly steps?: number;
  /** Input and output tokens together. */
  readonly tokens?: number;
  /** Seconds from its start to its end. */
  readonly seconds?: number;
}

/** Where an agent comes from; those that come first win over others of the same name. */
export const AGENT_ORIGINS = ["workspace", "user", "github", "claude", "built-in"] as const;
/** Where an agent comes from. */
export type AgentOrigin = (typeof AGENT_ORIGINS)[number];

/** The source of a definition: its kind, and the file where it has one. */
export interface AgentSource {
  readonly origin: AgentOrigin;
  /** Absolute path of the file; absent for what is built in. */
  readonly path?: string;
}

/** An agent as its file, or the product, defines it. */
export interface AgentDefinition {
  /** One line; unique in a catalogue whatever its case. */
  readonly name: string;
  /** One line for people and for other agents; may be empty. */
  readonly description: string;
  readonly kind: AgentKind;
  /** Its instruction: stands at the very end of its prompts. `description` stands in where a file has none. */
  readonly prompt: string;
  /** Left out: all tools that are on. An empty list: none. */
  readonly tools?: readonly AgentTool[];
  /** Left out: the chat model. */
  readonly model?: string;
  readonly temperature?: number;
  readonly think?: Think;
  readonly limits: AgentLimits;
  /** Fields of its answer by name, each a JSON schema: thinking aides, or the output's own with `structuredOutput`. */
  readonly properties?: JsonObject;
  /** Names of fields that must be there. */
  readonly required: readonly string[];
  /** The answer is an object that is valid for `properties` and `required`. */
  readonly structuredOutput: boolean;
  /** Called with the output once that is valid; means something only together with `structuredOutput`. */
  readonly chainedTool?: string;
  /** Who it is, where its file says so. */
  readonly persona?: Persona;
  readonly source: AgentSource;
}

/** Something about an agent file that its writer should know. */
export interface AgentProblem {
  readonly path: string;
  /** An error: the agent can't be used. A warning: it can, but not quite as it was written. */
  readonly severity: "error" | "warning";
  /** What is wrong and what to do, for people. */
  readonly message: string;
  /** From 1; absent where the file as a whole is meant. */
  readonly line?: number;
  readonly column?: number;
  /** From 1 and on the same line: where the place ends, exclusive. */
  readonly endColumn?: number;
}

/** An agent file that can't be used, and the name it takes all the same. */
export interface UnusableAgent {
  readonly name: string;
  readonly path: string;
}

/** The agents as they are at one moment. */
export interface AgentCatalog {
  /** By origin, then by name; the built-in ones last. */
  readonly agents: readonly AgentDefinition[];
  /** Rules of the project (`AGENTS.md`) for every agent; empty without. */
  readonly rules: string;
  /** What is wrong with files, the unusable ones included. */
  readonly problems: readonly AgentProblem[];
  /** Files that can't be used: nobody else, not even a built-in agent, may answer to their names. */
  readonly unusable?: readonly UnusableAgent[];
}

/** Finds an agent by its name, whatever the case. */
export function findAgent({ agents }: AgentCatalog, name: string): AgentDefinition | undefined {
  const wanted = name.trim().toLowerCase();
  return agents.find((agent) => agent.name.toLowerCase() === wanted);
}

/** The file that was to define an agent and can't be used, by the agent's name, whatever the case. */
export function findUnusable({ unusable = [] }: AgentCatalog, name: string): UnusableAgent | undefined {
  const wanted = name.trim().toLowerCase();
  return unusable.find((one) => one.name.toLowerCase() === wanted);
}

/** No agents at all. */
export const NO_AGENTS: AgentCatalog = { agents: [], rules: "", problems: [] };
