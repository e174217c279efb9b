import { closestName } from "./closest.ts";
import type { ParsedAgentFile } from "./agent-file.ts";
import type { AgentDefinition, AgentProblem } from "./definition.ts";
import type { Place } from "./text-place.ts";
import { shown } from "./yaml-tree.ts";

/** What there is, as far as that is known: what is left out is not checked. */
export interface KnownNames {
  /** Names of the models that are installed. */
  readonly models?: readonly string[];
  /** Names of all tools, those that are off too. */
  readonly tools?: readonly string[];
}

/** An agent file's agent once it is known what there is. */
export interface CheckedAgent {
  readonly definition: AgentDefinition;
  readonly problems: readonly AgentProblem[];
  /** The model that is wished for is not installed: no other one may answer in its place unasked. */
  readonly modelMissing: boolean;
}

/**
 * Checks the models and tools that a file names against what there is. Of several models the first that is installed
 * is taken; where none is, the wish stays, so that asking fails with its name rather than another model answering.
 */
export function checkNames(
  { path, definition, models, places }: ParsedAgentFile,
  known: KnownNames,
): CheckedAgent | undefined {
  if (definition === undefined) return undefined;
  const problems: AgentProblem[] = [];
  const warn = (message: string, place: Place | undefined): void => {
    problems.push({ path, severity: "warning", message, ...place });
  };
  const installed =
    known.models === undefined ? undefined : models.find((name) => isInstalled(name, known.models ?? []));
  const modelMissing = known.models !== undefined && models.length > 0 && installed === undefined;
  if (modelMissing)
    for (const [at, name] of models.entries())
      warn(missingModel(name, known.models ?? []), places.models[at]);
  for (const [at, { name }] of (definition.tools ?? []).entries()) {
    if (known.tools !== undefined && !known.tools.includes(name))
      warn(missingTool(name, known.tools), places.tools[at]);
  }
  const { chainedTool } = definition;
  if (chainedTool !== undefined && known.tools !== undefined && !known.tools.includes(chainedTool))
    warn(missingTool(chainedTool, known.tools), places.chainedTool);
  return {
    definition: installed === undefined ? definition : { ...definition, model: installed },
    problems,
    modelMissing,
  };
}

/** Whether a model is among those installed: Ollama takes a name without a tag for `:latest`. */
function isInstalled(name: string, models: readonly string[]): boolean {
  const full = (one: string): string => (/:[^/]*$/u.test(one) ? one : `${one}:latest`).toLowerCase();
  return models.some((model) => full(model) === full(name));
}

function missingModel(name: string, models: readonly string[]): string {
  const near = closestName(name, models);
  const hint =
    near === undefined
      ? `Pull it, or name one that is installed${models.length === 0 ? "" : `: ${models.slice(0, 8).join(", ")}`}.`
      : `Did you mean \`${near}\`?`;
  return `The model \`${shown(name)}\` is not installed, so this agent can't answer; no other model takes its place. ${hint}`;
}

function missingTool(name: string, tools: readonly string[]): string {
  const near = closestName(name, tools);
  const hint = near === undefined ? `Known are ${tools.join(", ")}.` : `Did you mean \`${near}\`?`;
  return `There is no tool \`${shown(name)}\`; the agent does without. ${hint}`;
}
