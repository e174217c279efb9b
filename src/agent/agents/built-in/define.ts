import type { AgentDefinition, AgentKind, AgentTool } from "../definition.ts";

/** Read-only tools over what was said and learnt before. */
export const MEMORY_TOOLS = tools("search", "search_memory", "search_knowledge_graph", "get_moments");

/** Read-only tools over memory, the workspace and, where it is on, the web. */
export const LOOKING_TOOLS = [
  ...MEMORY_TOOLS,
  ...tools("read_file", "search_files", "list_files", "get_diagnostics", "web_search", "web_fetch"),
];

/** What all built-in agents have in common; the lines of `prompt` are joined. */
export function builtIn(
  kind: AgentKind,
  name: string,
  description: string,
  prompt: readonly string[],
  more: Partial<AgentDefinition> = {},
): AgentDefinition {
  return {
    name,
    description,
    kind,
    prompt: prompt.join("\n"),
    limits: {},
    required: [],
    structuredOutput: false,
    source: { origin: "built-in" },
    ...more,
  };
}

function tools(...names: readonly string[]): readonly AgentTool[] {
  return names.map((name) => ({ name }));
}
