/** How a tool is drawn: its icon, the word of its badge, and what its colour means. */
export interface ToolLook {
  readonly icon: string;
  readonly word: string;
  readonly tone: "memory" | "tool";
}

const LOOKS: { readonly [name: string]: ToolLook } = {
  search_memory: { icon: "database", word: "memory", tone: "memory" },
  save_memory: { icon: "database", word: "memory", tone: "memory" },
  forget_memory: { icon: "database", word: "memory", tone: "memory" },
  search: { icon: "database", word: "memory", tone: "memory" },
  save_moments: { icon: "database", word: "moments", tone: "memory" },
  get_moments: { icon: "database", word: "moments", tone: "memory" },
  update_user_metadata: { icon: "database", word: "profile", tone: "memory" },
  search_knowledge_graph: { icon: "type-hierarchy", word: "graph", tone: "memory" },
  web_search: { icon: "search", word: "web", tone: "tool" },
  web_fetch: { icon: "globe", word: "page", tone: "tool" },
  ask_agent: { icon: "account", word: "asked", tone: "tool" },
  read_file: { icon: "file", word: "file", tone: "tool" },
  list_files: { icon: "file", word: "files", tone: "tool" },
  search_files: { icon: "search", word: "files", tone: "tool" },
  remind_me: { icon: "history", word: "reminder", tone: "tool" },
  get_diagnostics: { icon: "warning", word: "problems", tone: "tool" },
};

/** How a tool is drawn; one that is not the product's own by its name. */
export function toolLook(name: string): ToolLook {
  const known = Object.hasOwn(LOOKS, name) ? LOOKS[name] : undefined;
  return known ?? { icon: "tools", word: name, tone: "tool" };
}
