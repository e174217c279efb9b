import type { AgentOrigin } from "./definition.ts";

/** How agent files are written: our own form, VS Code's `*.agent.md`, Claude's `*.md`. */
export type AgentFileForm = "yaml" | "json" | "agent.md" | "claude.md";

/** How a file of this name is written; nothing when it is no agent file. */
export function agentFileForm(path: string, origin: AgentOrigin): AgentFileForm | undefined {
  const name = path.toLowerCase();
  switch (origin) {
    case "github":
      return name.endsWith(".agent.md") ? "agent.md" : undefined;
    case "claude":
      return name.endsWith(".md") ? "claude.md" : undefined;
    case "workspace":
    case "user":
      if (name.endsWith(".agent.md")) return "agent.md";
      return /\.ya?ml$/u.test(name) ? "yaml" : name.endsWith(".json") ? "json" : undefined;
    case "built-in":
      return undefined;
  }
}

/** Where an agent file in one of the known folders comes from, by its path; the user's own when it is in none. */
export function originOf(path: string): AgentOrigin {
  const plain = path.replaceAll("\\", "/");
  if (plain.includes("/.github/agents/")) return "github";
  return plain.includes("/.claude/agents/") ? "claude" : "workspace";
}

/** What a file's own name calls its agent. */
export function nameOfFile(path: string, form: AgentFileForm): { readonly name?: string } {
  const last = path.replaceAll("\\", "/").split("/").at(-1) ?? "";
  const base = /^[a-z][\w+.-]+:\//iu.test(path) ? decoded(last) : last;
  const stem = base.replace(form === "agent.md" ? /\.agent\.md$/iu : /\.[^.]*$/u, "").trim();
  return stem === "" ? {} : { name: stem.slice(0, 100) };
}

/** A part of an address as it was written before it became one. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
