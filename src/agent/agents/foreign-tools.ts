/** What a tool of another product comes to here: our tools for the same, in our words; none where there is none. */
export type ForeignTools = Readonly<Record<string, readonly string[]>>;

/** Tools by the names that VS Code's agent files give them, in lower case. */
export const VSCODE_TOOLS: ForeignTools = {
  read: ["read_file"],
  "read/readfile": ["read_file"],
  readfile: ["read_file"],
  search: ["search_files", "list_files"],
  codebase: ["search_files"],
  "search/codebase": ["search_files"],
  textsearch: ["search_files"],
  "search/textsearch": ["search_files"],
  filesearch: ["list_files"],
  "search/filesearch": ["list_files"],
  listdirectory: ["list_files"],
  "search/listdirectory": ["list_files"],
  problems: ["get_diagnostics"],
  "read/problems": ["get_diagnostics"],
  fetch: ["web_fetch"],
  "web/fetch": ["web_fetch"],
  web: ["web_search", "web_fetch"],
  agent: ["ask_agent"],
  runsubagent: ["ask_agent"],
  "agent/runsubagent": ["ask_agent"],
  ...none(
    "edit",
    "execute",
    "new",
    "todo",
    "todos",
    "usages",
    "changes",
    "testfailure",
    "extensions",
    "vscode",
  ),
  ...none(
    "runcommands",
    "runtasks",
    "runnotebooks",
    "runtests",
    "terminal",
    "editfiles",
    "githubrepo",
    "think",
  ),
  ...none("opensimplebrowser", "vscodeapi", "shell", "custom-agent"),
};

/** Tools by the names that Claude's agent files give them, in lower case. */
export const CLAUDE_TOOLS: ForeignTools = {
  read: ["read_file"],
  grep: ["search_files"],
  glob: ["list_files"],
  ls: ["list_files"],
  webfetch: ["web_fetch"],
  websearch: ["web_search"],
  task: ["ask_agent"],
  agent: ["ask_agent"],
  ...none("bash", "bashoutput", "killshell", "edit", "multiedit", "write", "notebookedit", "notebookread"),
  ...none("todowrite", "todoread", "exitplanmode", "slashcommand", "skill", "askuserquestion", "lsp"),
};

/** Our tools that tools of other products come to. */
export const TRANSLATED_TOOLS: readonly string[] = [...new Set(Object.values(CLAUDE_TOOLS).flat())];

/** Our tools for one of another product; undefined for a name that is not known there: it may be one of ours. */
export function ourTools(name: string, table: ForeignTools): readonly string[] | undefined {
  // `Bash(git:*)` is Bash, held to some commands.
  const plain = name
    .replace(/\(.*\)$/su, "")
    .trim()
    .toLowerCase();
  return Object.hasOwn(table, plain) ? table[plain] : undefined;
}

/** A tool of a server by the name that VS Code gives it, where the file has another spelling of it. */
export function serverTool(name: string): string {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/u.exec(name) ?? [];
  return server === undefined || tool === undefined ? name : `mcp_${server}_${tool}`;
}

function none(...names: readonly string[]): ForeignTools {
  return Object.fromEntries(names.map((name) => [name, []]));
}
