import type { Lesson } from "./loop/types.ts";
import type { ModelInfo } from "./models/types.ts";

/** Models from this size on, in parameters, are known to call tools well. */
const CALLS_WELL_FROM = 7e9;
/** Smaller ones call a tool at nearly every question, or at none: what was measured is in docs/evidence.md. */
const CALLS_AT_ALL_FROM = 2.5e9;
/** Turns in a row with wrong calls alone after which a model is no longer trusted to look by itself. */
const WRONG_TURNS = 3;

/**
 * How a model calls tools. `well`: it decides for itself what to look up. `unproven`: it may, but memory is searched
 * before it is asked. `poorly`: it is offered only the tools that the question's own form asks for.
 */
export type CallingSkill = "well" | "unproven" | "poorly";

/** What a model is trusted with, and why in words for people. */
export interface CallingProfile {
  readonly skill: CallingSkill;
  readonly reason: string;
}

/**
 * How well a model calls tools, by what its server says of it and then by what it did. Where the server can't say
 * anything the model is trusted, as it was before anybody asked.
 */
export function callingProfile(info: ModelInfo | undefined, lesson: Lesson): CallingProfile {
  const size = info === undefined ? "" : sizeWords(info);
  if (info !== undefined && info.parameters !== undefined && info.parameters < CALLS_AT_ALL_FROM) {
    return { skill: "poorly", reason: `${info.name} is small (${size}).` };
  }
  if (info !== undefined && !info.capabilities.includes("tools")) {
    return { skill: "unproven", reason: `${info.name} has no tools of its own.` };
  }
  if (info !== undefined && (info.parameters ?? 0) < CALLS_WELL_FROM) {
    return { skill: "unproven", reason: `${info.name} is not known to call tools well (${size}).` };
  }
  const wrong = lesson.wrongTurns ?? 0;
  if (wrong >= WRONG_TURNS) {
    return {
      skill: "unproven",
      reason: `It made no right call in the last ${wrong} turns in which it called.`,
    };
  }
  return {
    skill: "well",
    reason: info === undefined ? "" : `${info.name} is known to call tools (${size}).`,
  };
}

/** Whether a model is so small that it is asked whether it needs a tool before it may choose one. */
export function isGated({ parameters = Infinity }: Partial<ModelInfo> = {}): boolean {
  return parameters < CALLS_WELL_FROM;
}

function sizeWords({ parameterSize, parameters }: ModelInfo): string {
  if (parameterSize !== undefined) return parameterSize;
  return parameters === undefined ? "of unknown size" : `${(parameters / 1e9).toFixed(1)}B`;
}
