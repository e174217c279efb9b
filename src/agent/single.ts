import { findAgent, type AgentCatalog, type AgentDefinition } from "./agents/definition.ts";
import type { Emitter } from "./emitter.ts";
import type { AskRequest } from "./ask-types.ts";
import { failure, type Failure } from "./failure.ts";
import { nearestName } from "./nearest-name.ts";
import { runAgent } from "./run-agent.ts";
import { agentTools } from "./select-tools.ts";
import { DEFAULT_ENGINE_SETTINGS, type EngineSettings } from "./settings.ts";
import type { TurnAnswer, TurnDeps, TurnInput } from "./turn-types.ts";

/** The agent that answers a turn alone. */
export interface AnsweringAgent {
  readonly name: string;
  readonly definition?: AgentDefinition;
}

/** The agent that the turn names, else that of the settings; without a file it answers as the product does. */
export function answeringAgent({
  request,
  settings,
  agents,
}: Pick<TurnInput, "request" | "settings" | "agents">): AnsweringAgent {
  const name = request.options?.agent ?? settings.agent;
  const definition = findAgent(agents, name);
  return definition === undefined ? { name } : { name: definition.name, definition };
}

/** Why the agent that a turn names can't answer it, with the nearest name; nothing when it can, or none is named. */
export function missingAgent(
  { options }: AskRequest,
  { agent }: EngineSettings,
  agents: AgentCatalog,
): Failure | undefined {
  const name = options?.agent;
  if (name === undefined || options?.committee !== undefined || findAgent(agents, name)) return undefined;
  if (name === agent || name === DEFAULT_ENGINE_SETTINGS.agent) return undefined;
  return failure("bad_input", `There is no agent "${name}".${hintFor(name, agents)}`, { target: name });
}

/** Lets one agent answer the turn. Never throws. */
export function runSingle(input: TurnInput, deps: TurnDeps, turn: Emitter): Promise<TurnAnswer> {
  const { name, definition } = answeringAgent(input);
  if (definition === undefined) warnWithoutFile(name, input, turn);
  const job = {
    name,
    parentId: turn.origin.turnId,
    tools: agentTools(input.tools, definition),
    ...(definition && { definition, tail: definition.prompt }),
    ...(input.fork?.root && { tape: input.fork.root }),
  };
  return runAgent(job, input, deps);
}

/** A name in the settings that no file has may be a slip: the product's own way to answer is not what was asked for. */
function warnWithoutFile(name: string, { settings, agents }: TurnInput, turn: Emitter): void {
  if (name === DEFAULT_ENGINE_SETTINGS.agent || settings.persona || agents.agents.length === 0) return;
  const message = `There is no agent "${name}"; Conclave answers as it does without one.${hintFor(name, agents)}`;
  turn.emit("warning", { parentId: turn.origin.turnId }, { code: "agent_unknown", message });
}

/** The nearest name, or the file that was to define the agent and can't be used. */
function hintFor(name: string, { agents, problems }: AgentCatalog): string {
  const wanted = name.trim().toLowerCase();
  const broken = problems.find(({ path, severity }) => severity === "error" && fileName(path) === wanted);
  if (broken !== undefined) return ` Its file ${broken.path} can't be used: ${broken.message}`;
  const near = nearestName(
    name,
    agents.map((agent) => agent.name),
  );
  return near === undefined ? "" : ` Did you mean ${near}?`;
}

/** `skeptic` of `/home/me/.conclave/agents/Skeptic.agent.md`. */
function fileName(path: string): string {
  const last = path.split(/[\\/]/).at(-1) ?? "";
  return last.toLowerCase().replace(/(?:\.agent)?\.[^.]+$/, "");
}
