import type { OfferedTool } from "../contributions.ts";
import { jsonText } from "./json-text.ts";

/** What the user is told and asked before another agent gets something of ours. */
export interface Confirmation {
  readonly invocationMessage: string;
  readonly confirmationMessages: { readonly title: string; readonly message: string };
}

const WORDS: Readonly<Record<OfferedTool, readonly [doing: string, title: string, message: string]>> = {
  search_memory: [
    "Searching Conclave's memory",
    "Search Conclave's memory?",
    "The agent that asks, and its model, will read what is found of your earlier conversations",
  ],
  search_knowledge_graph: [
    "Looking in Conclave's knowledge graph",
    "Look in Conclave's knowledge graph?",
    "The agent that asks, and its model, will read what is known of these people and places",
  ],
  get_moments: [
    "Getting moments from Conclave",
    "Get moments from Conclave?",
    "The agent that asks, and its model, will read the moments that are found",
  ],
  web_fetch: ["Reading a page", "Read this page?", "Conclave asks the page's server for it"],
};

/** Longest input that the question shows, in UTF-16 units. */
const MAX_INPUT = 500;

/** The question before a call, with what the call asks for. */
export function confirmationOf(name: OfferedTool, input: unknown): Confirmation {
  const [doing, title, message] = WORDS[name];
  const json = jsonText(input);
  const shown = json.length > MAX_INPUT ? `${json.slice(0, MAX_INPUT - 1)}…` : json;
  // As code: what another agent's model wrote makes no links and pictures in the question.
  const quoted = `\`${shown.replaceAll("`", "'")}\``;
  return { invocationMessage: doing, confirmationMessages: { title, message: `${message}: ${quoted}` } };
}
