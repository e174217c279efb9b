import { stringify } from "yaml";
import { cutAtGrapheme } from "../text.ts";
import type { AgentDefinition, AgentKind } from "./definition.ts";
import { WHO_FIELDS } from "./fields.ts";

/** What a new agent may be: one of the kinds, or an agent whose answer has fields. */
export type NewAgentKind = AgentKind | "structured";

const PROMPTS: Readonly<Record<NewAgentKind, string>> = {
  persona:
    "You look at a question from one side. Say what you see from there that others may miss.\n  Be short, and say why.",
  agent: "Answer the question. Look things up when you need facts, and say where they are from.",
  synthesizer:
    "Sum up what the others said: where they agree, where they don't, and what follows.\n  Keep the view of the minority.",
  structured: "Read the question and fill in the fields of the answer.",
};

const DESCRIPTIONS: Readonly<Record<NewAgentKind, string>> = {
  persona: "What this persona looks for",
  agent: "What this agent is for",
  synthesizer: "Sums up what a committee said",
  structured: "What this agent fills in",
};

const PERSONA_PART = `
# Who the persona is: all of it may go. What it learns later is kept in memory.
# bio: Grew up by the sea.
# job: marine biologist
# traits: [dry, patient]
# interests: [whales, jazz]
# relationships:
#   - to: Milo
#     type: rival of
`;

const STRUCTURED_PART = `
# The fields of the answer, each a JSON schema. The answer is checked against them.
structured_output: true
properties:
  summary:
    type: string
    description: One sentence.
required: [summary]
# A tool that is called with the answer once that is valid.
# chained_tool: save_moments
`;

/** The text of a new agent's file: valid as it stands, with comments on what else there may be. */
export function newAgentText(name: string, kind: NewAgentKind): string {
  return `# An agent of Conclave. It can be used as soon as the file is saved; problems are underlined.
name: ${JSON.stringify(name)}
kind: ${kind === "structured" ? "agent" : kind}
description: ${DESCRIPTIONS[kind]}
prompt: |
  ${PROMPTS[kind]}

# The tools it may use. Left out: all that are on. []: none.
# tools: [search_memory, web_search]

# The model that answers, by its name in Ollama. Left out: the chat model.
# model: qwen3:8b
# temperature: 0.7
# think: true
# limits: { steps: 3, seconds: 300 }
${kind === "persona" ? PERSONA_PART : kind === "structured" ? STRUCTURED_PART : ""}`;
}

/** An agent as the text of a file, such as a built-in one that somebody wants to read or to change. */
export function agentText(agent: AgentDefinition): string {
  const { name, kind, description, prompt, tools, model, temperature, think, limits, properties } = agent;
  const { required, structuredOutput, chainedTool, persona } = agent;
  const who = Object.entries(persona ?? {}).filter(([field]) => WHO_FIELDS.includes(field));
  const told = who.filter(([, value]) => !Array.isArray(value) || value.length > 0);
  const fields = {
    ...{ name, kind, description, prompt },
    ...(tools && { tools: tools.map((tool) => (tool.description === undefined ? tool.name : tool)) }),
    ...{ model, temperature, think },
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(properties && { properties }),
    ...(required.length > 0 && { required }),
    ...(structuredOutput && { structured_output: true }),
    ...(chainedTool !== undefined && { chained_tool: chainedTool }),
    ...Object.fromEntries(told),
  };
  const present = Object.entries(fields).filter(([, value]) => value !== undefined && value !== "");
  return stringify(Object.fromEntries(present), { lineWidth: 100, aliasDuplicateObjects: false });
}

/** The name of the file of a new agent, without its ending: letters, digits and dashes, at most 60. */
export function agentFileName(name: string): string {
  const plain = name
    .toLowerCase()
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/gu, "");
  return plain === "" ? "agent" : cutAtGrapheme(plain, 60);
}
