import type { FullCatalog, ShadowedFile } from "../../agent/agents/catalog.ts";
import type { AgentDefinition, AgentOrigin, AgentProblem } from "../../agent/agents/definition.ts";

/** One agent, or one file that can't be used, in the list. */
export interface AgentRow {
  readonly name: string;
  /** What stands dim behind the name: kind and model, or what is wrong. */
  readonly note: string;
  /** What is said when the pointer rests on it; lines. */
  readonly tooltip: readonly string[];
  /** A codicon. */
  readonly icon: string;
  /** The worst of what is wrong with its file. */
  readonly severity?: AgentProblem["severity"];
  /** Absent for what is built in. */
  readonly path?: string;
}

/** The agents of one source. */
export interface AgentGroup {
  readonly origin: AgentOrigin;
  readonly label: string;
  readonly rows: readonly AgentRow[];
}

const LABELS: Readonly<Record<AgentOrigin, string>> = {
  workspace: "Workspace",
  user: "User",
  github: ".github/agents",
  claude: ".claude/agents",
  "built-in": "Built in",
};

const KIND_ICONS: Readonly<Record<AgentDefinition["kind"], string>> = {
  persona: "person",
  agent: "hubot",
  synthesizer: "combine",
};

/** Lists agents by source, with what is wrong with their files; sources without agents are left out. */
export function agentGroups(catalog: FullCatalog): readonly AgentGroup[] {
  const rows = catalog.agents.map((agent) => ({
    origin: agent.source.origin,
    row: agentRow(agent, catalog),
  }));
  const broken = catalog.unusable.map(({ name, path, origin }) => ({
    origin,
    row: brokenRow(name, path, catalog.problems),
  }));
  const shadowed = catalog.shadowed.map((file) => ({ origin: file.origin, row: shadowedRow(file, catalog) }));
  return (Object.keys(LABELS) as AgentOrigin[]).flatMap((origin) => {
    const own = [...rows, ...broken, ...shadowed]
      .filter((one) => one.origin === origin)
      .map(({ row }) => row);
    if (own.length === 0) return [];
    if (origin !== "built-in") own.sort((a, b) => a.name.localeCompare(b.name));
    return [{ origin, label: LABELS[origin], rows: own }];
  });
}

function agentRow(agent: AgentDefinition, { problems, withoutModel, shadowed }: FullCatalog): AgentRow {
  const { name, kind, model, description, tools, source } = agent;
  // Where several files have the name, the folder says which of them answers.
  const shadows = source.path !== undefined && shadowed.some(({ by }) => by === source.path);
  const place = shadows ? ` · ${folderOf(source.path)}` : "";
  const own = source.path === undefined ? [] : problems.filter(({ path }) => path === source.path);
  const missing = withoutModel.includes(name.toLowerCase());
  const used = model === undefined ? "chat model" : missing ? `${model} is not installed` : model;
  const toolLine = tools === undefined ? "all that are on" : tools.map((tool) => tool.name).join(", ");
  return {
    name,
    note: (model === undefined ? kind : `${kind} · ${used}`) + place,
    tooltip: [
      ...(description === "" ? [name] : [description]),
      `Model: ${used}`,
      `Tools: ${toolLine === "" ? "none" : toolLine}`,
      ...(source.path === undefined ? ["Built in"] : [source.path]),
      ...own.map(problemLine),
    ],
    icon: own.length > 0 ? "warning" : KIND_ICONS[kind],
    ...(own.length > 0 && { severity: "warning" }),
    ...(source.path !== undefined && { path: source.path }),
  };
}

function shadowedRow({ name, path, by }: ShadowedFile, { problems }: FullCatalog): AgentRow {
  const own = problems.filter((problem) => problem.path === path);
  return {
    name,
    note: `not used · ${folderOf(path)}`,
    tooltip: [`Another file has this name, and its agent is used: ${by}`, path, ...own.map(problemLine)],
    icon: "warning",
    severity: "warning",
    path,
  };
}

/** The name of the folder whose agent a file is: agents are kept two folders deep in it. */
function folderOf(path: string): string {
  return path.split(/[\\/]/u).at(-4) ?? path;
}

function brokenRow(name: string, path: string, problems: readonly AgentProblem[]): AgentRow {
  const own = problems.filter((problem) => problem.path === path);
  return {
    name: name === "" ? (path.split(/[\\/]/u).at(-1) ?? path) : name,
    note: "can't be used",
    tooltip: ["This agent can't be used until its file is mended.", path, ...own.map(problemLine)],
    icon: "error",
    severity: "error",
    path,
  };
}

function problemLine({ line, message }: AgentProblem): string {
  return line === undefined ? message : `Line ${line}: ${message}`;
}
