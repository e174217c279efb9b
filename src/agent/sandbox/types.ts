import type { AgentDefinition } from "../agents/definition.ts";
import type { RunningTurn, TurnOutcome } from "../ask-types.ts";
import type { Door } from "../events.ts";
import type { SandboxCounters, SandboxStop } from "../events-sandbox.ts";
import type { SandboxSettings } from "./settings.ts";

/** Who is to speak in a talk. */
export interface SandboxPersona {
  /** Name of an agent. */
  readonly name: string;
  /** Left out: its file's, else the chat model. */
  readonly model?: string;
  /** Address of its server; left out: the first one. */
  readonly host?: string;
}

/** What a talk is begun with. */
export interface SandboxRequest {
  /** Two or more, each once; the order is that in which they speak. */
  readonly personas: readonly SandboxPersona[];
  /** What is said to the first persona. */
  readonly opening: string;
  /** Where and why they talk. */
  readonly scenario?: string;
  /** What is left out has the product's default. */
  readonly settings?: Partial<SandboxSettings>;
  readonly door: Door;
}

/** A persona of a talk, found among the agents. */
export interface Speaker {
  readonly name: string;
  readonly definition: AgentDefinition;
  readonly model: string;
  readonly host?: string;
}

/** Something that was said, as it is stored. */
export interface SandboxLine {
  /** From 1; 0 for the opening line. */
  readonly round: number;
  readonly speaker: string;
  readonly model: string;
  readonly role: "user" | "assistant";
  readonly content: string;
}

/** How a talk ended. `answer` is what was said last. */
export interface SandboxOutcome extends TurnOutcome {
  readonly stopped: SandboxStop;
  /** All that was said, the opening line first. */
  readonly messages: readonly SandboxLine[];
  /** The figures of each round. */
  readonly rounds: readonly SandboxCounters[];
  /** The persona that failed. */
  readonly failed?: string;
}

/** A running talk. It is a turn of a session of its own. */
export interface RunningSandbox extends RunningTurn {
  readonly done: Promise<SandboxOutcome>;
}
