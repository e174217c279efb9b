import type { JsonObject } from "../models/types.ts";
import type { ToolSet } from "../tool.ts";
import type { OutputCheck } from "./check.ts";

/** What a structured agent has to give. */
export interface OutputSpec {
  readonly schema: JsonObject;
  /** The schema with only what servers turn into a grammar. */
  readonly format: JsonObject;
  readonly check: OutputCheck;
  /** It uses no tools: it is told of them, so that its prompt begins like others', and gives its object at once. */
  readonly atOnce?: true;
  /** The tool that is called with the output. */
  readonly chained?: {
    readonly tool: string;
    /** Where it is looked for: the turn's tools, whichever of them the agent itself is told of. */
    readonly tools: ToolSet;
  };
}

/** How far a structured agent is; owned by the run of its loop. */
export interface OutputState {
  readonly spec: OutputSpec;
  /** It has had its tools: only the object is still to come. */
  final: boolean;
  /** What its output is constrained to; nothing once the server could not. */
  format: JsonObject | undefined;
  /** It was told what is wrong, once. */
  repaired: boolean;
}

/** The object that a structured agent gave. */
export interface StructuredOutput {
  readonly schema: JsonObject;
  readonly value: JsonObject;
  /** It was asked once more, with the validator's words. */
  readonly repaired: boolean;
}

/** What the chained tool gave. */
export interface ChainedResult {
  readonly tool: string;
  /** As a model would be given it, an error's sentence included. */
  readonly result: string;
  /** It failed; a warning says so too. */
  readonly failed?: true;
}
