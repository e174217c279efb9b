import type { SourceShare } from "../../trace/request/types.ts";

/** How a source is drawn: its word, its colour, and what it is in a sentence. */
export interface SourceLook {
  readonly word: string;
  /** The ending of a class: `src-<tone>`. */
  readonly tone: string;
  readonly about: string;
}

const LOOKS: { readonly [source in SourceShare["source"]]: SourceLook } = {
  rules: { word: "rules", tone: "rules", about: "The base prompt: what every agent is told first" },
  project_rules: { word: "project rules", tone: "rules", about: "Rules that the workspace brings along" },
  trust: { word: "trust", tone: "rules", about: "That material is no instruction" },
  tools: { word: "tools in words", tone: "tools", about: "Which tools there are and how they are called" },
  offered_tools: { word: "tools", tone: "tools", about: "The tools' schemas, sent apart from the messages" },
  summary: { word: "summary", tone: "history", about: "What stands in the place of earlier turns" },
  history: { word: "history", tone: "history", about: "Earlier turns of the conversation" },
  memory: { word: "memory", tone: "memory", about: "What was recalled from memory" },
  references: { word: "attached", tone: "attached", about: "Files and selections put beside the question" },
  question: { word: "question", tone: "question", about: "What was asked" },
  others: { word: "others", tone: "others", about: "What other agents said" },
  task: { word: "task", tone: "persona", about: "What the committee wants of its members" },
  persona: { word: "persona", tone: "persona", about: "The agent's own instruction" },
  form: { word: "form", tone: "persona", about: "The form that the answer is to have" },
  reply: { word: "model", tone: "reply", about: "What the model said earlier in this turn" },
  result: { word: "result", tone: "result", about: "What tools gave in this turn" },
  note: { word: "note", tone: "note", about: "What the model was told on the way" },
};

/** How a source is drawn. */
export function sourceLook(source: SourceShare["source"]): SourceLook {
  return LOOKS[source];
}
