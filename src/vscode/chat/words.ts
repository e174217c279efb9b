import type { Json } from "../../agent/models/types.ts";

/** Text on one line, cut to `most` characters at a whole one. */
export function shorten(text: string, most: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= most) return line;
  const head = line.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "");
  return `${head.trimEnd()}…`;
}

/** Which argument of a tool says most, and how the line begins. */
const TOOL_LINES: Readonly<Record<string, { readonly verb: string; readonly argument?: string }>> = {
  web_search: { verb: "Searching the web for", argument: "query" },
  web_fetch: { verb: "Reading", argument: "url" },
  search_memory: { verb: "Searching memory for", argument: "query" },
  search_knowledge_graph: { verb: "Looking up people and places" },
  search: { verb: "Searching all that is remembered for", argument: "query" },
  forget_memory: { verb: "Asking you before it forgets", argument: "query" },
  save_memory: { verb: "Saving to memory", argument: "text" },
  save_moments: { verb: "Keeping moments" },
  get_moments: { verb: "Looking through kept moments for", argument: "query" },
  remind_me: { verb: "Setting a reminder:", argument: "text" },
  update_user_metadata: { verb: "Noting about you:", argument: "key" },
  action: { verb: "Asking you before it runs", argument: "command" },
  ask_agent: { verb: "Asking", argument: "agent" },
  read_file: { verb: "Reading", argument: "path" },
  search_files: { verb: "Searching the files for", argument: "query" },
  list_files: { verb: "Listing files" },
  get_diagnostics: { verb: "Looking at the problems in", argument: "path" },
};

/** A count with thousands apart. */
export function countText(value: number): string {
  return new Intl.NumberFormat("en-US").format(Math.round(value));
}

/** What is said while a tool runs, such as `Searching memory for "cache"`. */
export function toolLine(name: string, args: Json): string {
  const line = Object.hasOwn(TOOL_LINES, name) ? TOOL_LINES[name] : undefined;
  if (!line) return `Running ${shorten(name, 80)}`;
  const value = argument(args, line.argument);
  if (value === undefined) return line.verb.replace(/ (?:for|in)$|:$/u, "");
  return `${line.verb} ${line.argument === "url" ? shorten(value, 120) : `"${shorten(value, 100)}"`}`;
}

function argument(args: Json, name: string | undefined): string | undefined {
  if (name === undefined || typeof args !== "object" || args === null || Array.isArray(args))
    return undefined;
  const entry = Object.entries(args).find(([key]) => key === name);
  return typeof entry?.[1] === "string" ? entry[1] : undefined;
}

/** Text for the middle of a Markdown line, shown as it is: nothing in it is markup, a link or a tag. On one line. */
export function plainMarkdown(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.replace(/[\\`*_{}[\]|<>~$&]/g, (sign) => ENTITIES[sign] ?? `\\${sign}`);
}

const ENTITIES: Readonly<Record<string, string>> = { "<": "&lt;", ">": "&gt;", "&": "&amp;" };

/** Bytes for people, in the decimal units that Ollama itself prints: `4.7 GB`. */
export function sizeText(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${value >= 100 || unit === 0 ? Math.round(value) : value.toFixed(1)} ${units[unit] ?? ""}`;
}

/**
 * What closes the code block that a piece of Markdown leaves open, so that what follows is not read as code; empty when
 * all are closed. Answers that were cut often end inside one.
 */
export function closingFence(markdown: string): string {
  let open = "";
  for (const line of markdown.split("\n")) {
    const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    const [, marks = "", rest = ""] = fence ?? [];
    if (open === "") open = marks.startsWith("`") && rest.includes("`") ? "" : marks;
    else if (marks.startsWith(open) && rest.trim() === "") open = "";
  }
  return open === "" ? "" : `\n${open}\n`;
}
