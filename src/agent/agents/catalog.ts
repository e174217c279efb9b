import { checkNames, type KnownNames } from "./check-names.ts";
import type { ParsedAgentFile } from "./agent-file.ts";
import {
  AGENT_ORIGINS,
  type AgentCatalog,
  type AgentDefinition,
  type AgentProblem,
  type UnusableAgent,
} from "./definition.ts";

/** What a catalogue is made of. */
export interface CatalogParts {
  /** The agent files, read; those that come first win over others of the same origin. */
  readonly files: readonly SourcedFile[];
  /** The product's own agents. */
  readonly builtIn: readonly AgentDefinition[];
  /** Rules of the project. */
  readonly rules: string;
  readonly known: KnownNames;
  /** Problems that belong to no agent file. */
  readonly problems?: readonly AgentProblem[];
}

/** An agent file and where it comes from. */
export interface SourcedFile extends ParsedAgentFile {
  readonly origin: Exclude<(typeof AGENT_ORIGINS)[number], "built-in">;
}

/** A file that can't be used, and the name it takes. */
export interface UnusableFile extends UnusableAgent {
  readonly origin: SourcedFile["origin"];
}

/** A file that nothing is wrong with but its name, which an agent of another file has. */
export interface ShadowedFile extends UnusableFile {
  /** The file whose agent is used. */
  readonly by: string;
}

/** A catalogue as the views need it. */
export interface FullCatalog extends AgentCatalog {
  readonly unusable: readonly UnusableFile[];
  readonly shadowed: readonly ShadowedFile[];
  /** Names of agents, in lower case, whose model is not installed. */
  readonly withoutModel: readonly string[];
}

/**
 * Puts agents of all sources together: by origin, then by name. Of two with one name the first wins, and the other's
 * file says so; built-in agents give way without a word. A file that can't be used still takes its name: asking for it
 * must not be answered by another agent.
 */
export function makeCatalog({ files, builtIn, rules, known, problems = [] }: CatalogParts): FullCatalog {
  const sorted = [...files].sort((a, b) => rank(a) - rank(b));
  const taken = new Map<string, SourcedFile>();
  const agents: AgentDefinition[] = [];
  const told: AgentProblem[] = [...problems];
  const unusable: UnusableFile[] = [];
  const shadowed: ShadowedFile[] = [];
  const withoutModel: string[] = [];
  for (const file of sorted) {
    told.push(...file.problems);
    const name = file.name ?? "";
    const key = name.toLowerCase();
    const other = taken.get(key);
    const checked = checkNames(file, known);
    told.push(...(checked?.problems ?? []));
    if (other !== undefined && name !== "") told.push(sameName(file, other));
    const { path, origin } = file;
    if (checked === undefined) unusable.push({ name, path, origin });
    else if (other !== undefined) shadowed.push({ name, path, origin, by: other.path });
    if (other !== undefined) continue;
    if (name !== "") taken.set(key, file);
    if (checked === undefined) continue;
    agents.push(checked.definition);
    if (checked.modelMissing) withoutModel.push(key);
  }
  const byName = agents.sort((a, b) => rank(a.source) - rank(b.source) || a.name.localeCompare(b.name));
  const own = builtIn.filter(({ name }) => !taken.has(name.toLowerCase()));
  return { agents: [...byName, ...own], rules, problems: told, unusable, shadowed, withoutModel };
}

function rank({ origin }: { readonly origin: (typeof AGENT_ORIGINS)[number] }): number {
  return AGENT_ORIGINS.indexOf(origin);
}

function sameName(file: SourcedFile, other: SourcedFile): AgentProblem {
  const message = `There is another agent named ${file.name ?? ""}, in ${other.path}, and that one is used. Rename one of them.`;
  return { path: file.path, severity: "warning", message, ...file.places.name };
}
