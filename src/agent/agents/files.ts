import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describeError } from "../failure.ts";
import { cutAtGrapheme } from "../text.ts";
import { parseAgentFile, type ParsedAgentFile } from "./agent-file.ts";
import { BUILT_IN_AGENTS } from "./built-in/index.ts";
import { makeCatalog, type FullCatalog, type SourcedFile } from "./catalog.ts";
import { checkNames, type KnownNames } from "./check-names.ts";
import { decodeText } from "./decode.ts";
import type { AgentProblem } from "./definition.ts";
import { agentFileForm, originOf } from "./file-form.ts";
import { findFile, namesIn, type FoundFile } from "./find-files.ts";

/** Folders of agent files, by where they come from; below a workspace folder, or the user's home. */
export const AGENT_FOLDERS = {
  workspace: join(".conclave", "agents"),
  github: join(".github", "agents"),
  claude: join(".claude", "agents"),
  user: join(".conclave", "agents"),
} as const;
/** The file of a project's rules, at the top of a workspace folder. */
export const RULES_FILE = "AGENTS.md";

/** Most agent files of one folder. */
export const MAX_FILES = 100;
/** Text (UTF-16 units) of rules that every agent is told: some four thousand tokens. */
const MAX_RULES = 16_000;

/** A file of a workspace folder that is not on this machine's disk: who can reach it has read it. */
export interface GivenFile {
  /** Its address, which ends with its name. */
  readonly path: string;
  readonly origin: Exclude<Origin, "user"> | "rules";
  /** Name of its workspace folder. */
  readonly folder: string;
  /** Another one whenever the file has changed. */
  readonly stamp: string;
  /** What it holds, or in words why it was not read. */
  readonly content: Uint8Array | string;
}

/** Where agents are looked for. */
export interface AgentPlaces {
  /** Absolute paths of workspace folders; none while the workspace is not trusted. */
  readonly workspaces: readonly string[];
  /** The user's home folder; left out: there is none. */
  readonly home?: string;
  /** What was read of workspace folders elsewhere, in the order of the folders; left out: there are none. */
  readonly given?: readonly GivenFile[];
}

/** What agent files are read for. */
export interface AgentFilesOptions {
  /** Asked anew each time. */
  readonly places: () => AgentPlaces;
  /** What models (where any agent names one) and tools there are, as far as that is known; asked anew each time. */
  readonly known?: (wanted: { readonly models: boolean }) => KnownNames;
}

interface Read<T> {
  readonly stamp: string;
  readonly value: T;
}

type Origin = keyof typeof AGENT_FOLDERS;

/**
 * The agents there are. Files are looked at whenever the catalogue is asked for and read when they have changed: they
 * are small and few, and what was just saved holds at once. Never throws.
 */
export class AgentFiles {
  readonly #options: AgentFilesOptions;
  #files = new Map<string, Read<SourcedFile>>();
  #rules = new Map<string, Read<Rules>>();
  #last: { readonly key: string; readonly catalog: FullCatalog } | undefined;

  constructor(options: AgentFilesOptions) {
    this.#options = options;
  }

  /** The agents as they are now; the same object as long as nothing has changed. */
  catalog(): FullCatalog {
    const { workspaces, home, given = [] } = this.#options.places();
    const problems: AgentProblem[] = [];
    const files = [
      ...(["workspace", "github", "claude"] as const).flatMap((origin) => [
        ...workspaces.flatMap((root) => this.#folder(root, origin, problems)),
        ...given.filter((file) => file.origin === origin).map((file) => this.#given(file, origin)),
      ]),
      ...(home === undefined ? [] : this.#folder(home, "user", problems)),
    ];
    const rules = [
      ...workspaces.flatMap((root) => this.#rulesOf(root)),
      ...given.filter(({ origin }) => origin === "rules").map((file) => this.#givenRules(file)),
    ];
    const known = this.#known(files.map(({ value }) => value));
    const key = JSON.stringify([files, rules, problems, known, workspaces].map(stampOf));
    if (this.#last?.key === key) return this.#last.catalog;
    const catalog = makeCatalog({
      files: files.map(({ value }) => value),
      builtIn: BUILT_IN_AGENTS,
      rules: joinRules(rules.map(({ value }) => value)),
      known,
      problems: [...problems, ...rules.flatMap(({ value }) => value.problems)],
    });
    this.#forget(files, rules);
    this.#last = { key, catalog };
    return catalog;
  }

  /** What is wrong with the text of an agent file as it stands in an editor, saved or not; none for other files. */
  problemsOf(path: string, text: string): readonly AgentProblem[] {
    const origin = originOf(path);
    if (agentFileForm(path, origin) === undefined) return [];
    const parsed = parseAgentFile(path, text, origin);
    return [...parsed.problems, ...(checkNames(parsed, this.#known([parsed]))?.problems ?? [])];
  }

  /** The names of models and tools there are, as far as some files need them. */
  #known(files: readonly ParsedAgentFile[]): KnownNames {
    if (files.length === 0) return {};
    return this.#options.known?.({ models: files.some(({ models }) => models.length > 0) }) ?? {};
  }

  #folder(root: string, origin: Origin, problems: AgentProblem[]): readonly Read<SourcedFile>[] {
    const folder = join(root, AGENT_FOLDERS[origin]);
    const names = namesIn(folder).filter((name) => agentFileForm(name, origin) !== undefined);
    if (names.length > MAX_FILES)
      problems.push(
        problem(folder, `The folder holds ${names.length} agent files; the first ${MAX_FILES} are read.`),
      );
    return names.slice(0, MAX_FILES).flatMap((name) => {
      const path = join(folder, name);
      const found = findFile(path, origin === "user" ? undefined : root, teller(path, problems));
      return found === undefined ? [] : [this.#read(found, origin)];
    });
  }

  #read({ path, stamp }: FoundFile, origin: Origin): Read<SourcedFile> {
    return this.#kept(this.#files, path, stamp, () => readAgent(path, origin, () => readFileSync(path)));
  }

  #given({ path, stamp, content }: GivenFile, origin: Origin): Read<SourcedFile> {
    return this.#kept(this.#files, path, `${path} ${stamp}`, () =>
      readAgent(path, origin, () => bytesOf(content)),
    );
  }

  #givenRules({ path, folder, stamp, content }: GivenFile): Read<Rules> {
    return this.#kept(this.#rules, path, `${path} ${stamp}`, () =>
      readRules(path, folder, () => bytesOf(content)),
    );
  }

  #kept<T>(reads: Map<string, Read<T>>, path: string, stamp: string, read: () => T): Read<T> {
    const known = reads.get(path);
    if (known?.stamp === stamp) return known;
    const fresh = { stamp, value: read() };
    reads.set(path, fresh);
    return fresh;
  }

  #rulesOf(root: string): readonly Read<Rules>[] {
    const path = join(root, RULES_FILE);
    const problems: AgentProblem[] = [];
    const found = findFile(path, root, teller(path, problems));
    if (found === undefined) {
      return problems.length === 0
        ? []
        : [{ stamp: "", value: { name: basename(root), text: "", problems } }];
    }
    const read = (): Rules => readRules(path, basename(root), () => readFileSync(path));
    return [this.#kept(this.#rules, path, found.stamp, read)];
  }

  /** Lets go of files that are no longer there. */
  #forget(files: readonly Read<SourcedFile>[], rules: readonly Read<Rules>[]): void {
    this.#files = new Map(files.map((read) => [read.value.path, read]));
    const kept = new Set(rules);
    this.#rules = new Map([...this.#rules].filter(([, read]) => kept.has(read)));
  }
}

function stampOf(part: unknown): unknown {
  return Array.isArray(part) ? part.map((one: unknown) => (isRead(one) ? one.stamp : one)) : part;
}

function isRead(value: unknown): value is Read<unknown> {
  return typeof value === "object" && value !== null && "stamp" in value;
}

function teller(path: string, problems: AgentProblem[]): (message: string) => void {
  return (message) => void problems.push(problem(path, message));
}

function problem(path: string, message: string): AgentProblem {
  return { path, severity: "warning", message };
}

/** What was given instead of a file's bytes says why there are none. */
function bytesOf(content: Uint8Array | string): Uint8Array {
  if (typeof content === "string") throw new Error(content);
  return content;
}

function readAgent(path: string, origin: Origin, bytes: () => Uint8Array): SourcedFile {
  try {
    const { text, problem: fault } = decodeText(bytes());
    const parsed = parseAgentFile(path, text, origin);
    const told = fault === undefined ? [] : [problem(path, fault)];
    return { ...parsed, origin, problems: [...told, ...parsed.problems] };
  } catch (error) {
    const message = `The file can't be read: ${describeError(error)}`;
    const places = { models: [], tools: [] };
    return { path, origin, problems: [{ path, severity: "error", message }], models: [], places };
  }
}

interface Rules {
  /** Name of the workspace folder. */
  readonly name: string;
  readonly text: string;
  readonly problems: readonly AgentProblem[];
}

function readRules(path: string, name: string, bytes: () => Uint8Array): Rules {
  try {
    const { text, problem: fault } = decodeText(bytes());
    const whole = text.replaceAll("\r\n", "\n").trim().toWellFormed();
    const problems = fault === undefined ? [] : [problem(path, fault)];
    if (whole.length <= MAX_RULES) return { name, text: whole, problems };
    const cut = cutAtGrapheme(whole, MAX_RULES);
    const lines = cut.slice(0, Math.max(cut.lastIndexOf("\n"), MAX_RULES / 2)).trimEnd();
    const message = `Of these rules agents are told the first ${lines.length} of ${whole.length} characters, for want of room.`;
    return { name, text: lines, problems: [...problems, problem(path, message)] };
  } catch (error) {
    return { name, text: "", problems: [problem(path, `The rules can't be read: ${describeError(error)}`)] };
  }
}

/** The rules of one folder as they are; of several each under the folder's name, cut alike. */
function joinRules(all: readonly Rules[]): string {
  const present = all.filter(({ text }) => text !== "");
  if (present.length <= 1) return present[0]?.text ?? "";
  const each = Math.floor(MAX_RULES / present.length);
  return present.map(({ name, text }) => `# ${name}\n\n${cutAtGrapheme(text, each)}`).join("\n\n");
}
