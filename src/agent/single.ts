import { findAgent, type AgentDefinition } from "./agents/definition.ts";
import type { Emitter } from "./emitter.ts";
import { runAgent } from "./run-agent.ts";
import type { TurnAnswer, TurnDeps, TurnInput } from "./turn-types.ts";

/** The agent that answers a turn alone. */
export interface AnsweringAgent {
  readonly name: string;
  readonly definition?: AgentDefinition;
}

/** The agent that the turn names, else that of the settings; without a file it answers as the product does. */
export function answeringAgent({ request, settings, agents }: TurnInput): AnsweringAgent {
  const name = request.options?.agent ?? settings.agent;
  const definition = findAgent(agents, name);
  return definition === undefined ? { name } : { name: definition.name, definition };
}

/** Lets one agent answer the turn. Never throws. */
export function runSingle(input: TurnInput, deps: TurnDeps, turn: Emitter): Promise<TurnAnswer> {
  const { name, definition } = answeringAgent(input);
  const job = {
    name,
    parentId: turn.origin.turnId,
    tools: input.tools,
    ...(definition && { definition, tail: definition.prompt }),
  };
  return runAgent(job, input, deps);
}
