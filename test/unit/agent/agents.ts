import type { AgentCatalog, AgentDefinition } from "../../../src/agent/agents/definition.ts";
import type { EngineSettings } from "../../../src/agent/settings.ts";
import type { Timer } from "../../../src/agent/timer.ts";
import type { Tool } from "../../../src/agent/tool.ts";
import type { Engine } from "../../../src/agent/engine-port.ts";
import { askAgent } from "../../../src/tools/ask-agent.ts";
import { engineAt, makeTool, toolSet } from "./support.ts";

/** An agent as a file might define it. */
export function agent(part: Partial<AgentDefinition> & { readonly name: string }): AgentDefinition {
  return {
    description: `Knows all about ${part.name}.`,
    kind: "agent",
    prompt: `You are ${part.name}.`,
    limits: {},
    required: [],
    structuredOutput: false,
    source: { origin: "workspace" },
    ...part,
  };
}

/** A structured agent whose output is `{title, stars?}`. */
export function reviewer(part: Partial<AgentDefinition> = {}): AgentDefinition {
  return agent({
    name: "Reviewer",
    tools: [],
    structuredOutput: true,
    properties: {
      title: { type: "string", description: "What it is called" },
      stars: { type: "integer", minimum: 1, maximum: 5 },
    },
    required: ["title"],
    ...part,
  });
}

/** The agents of a test. */
export function catalog(...agents: readonly AgentDefinition[]): AgentCatalog {
  return { agents, rules: "", problems: [] };
}

/** What a test's engine is to have. */
export interface AgentsSetup {
  readonly agents: readonly AgentDefinition[];
  /** Beside `ask_agent`; left out: `look_up`. */
  readonly tools?: readonly Tool[];
  readonly settings?: Partial<EngineSettings>;
  readonly timer?: Timer;
}

/** An engine over a scripted server that knows agents. It does not think: what is sent is what a test asks about. */
export function engineWith(host: string, { agents, tools, settings, timer }: AgentsSetup): Engine {
  return engineAt(host, {
    agents: () => catalog(...agents),
    ...(timer && { timer }),
    tools: toolSet(...(tools ?? [makeTool({ name: "look_up" })]), askAgent()),
    settings: { think: false, memory: { learning: "rules" }, ...settings },
  });
}
