import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { decodeText } from "../agents/decode.ts";
import type { AgentProblem } from "../agents/definition.ts";
import type { GivenFile } from "../agents/files.ts";
import { findFile, namesIn, type FoundFile } from "../agents/find-files.ts";
import { describeError, failure } from "../failure.ts";
import { BUILT_IN_RUBRICS } from "./built-in.ts";
import { isRubricFile } from "./rubric-file-name.ts";
import { parseRubric, type ParsedRubric } from "./rubric-file.ts";
import type { Rubric, RubricCatalog } from "./types.ts";

/** Where rubric files are, below a workspace folder or the user's home. */
export const RUBRIC_FOLDER = join(".conclave", "rubrics");
/** Most rubric files of one folder. */
export const MAX_RUBRIC_FILES = 100;

/** A rubric file of a workspace folder that is not on this machine's disk: who can reach it has read it. */
export type GivenRubric = Pick<GivenFile, "path" | "stamp" | "content">;

/** Where rubrics are looked for. */
export interface RubricPlaces {
  /** Absolute paths of workspace folders; none while the workspace is not trusted. */
  readonly workspaces: readonly string[];
  /** The user's home folder; left out: there is none. */
  readonly home?: string;
  /** What was read of workspace folders elsewhere; left out: there are none. */
  readonly given?: readonly GivenRubric[];
}

/** A catalogue with what is wrong with files, at its places. */
export interface FullRubricCatalog extends RubricCatalog {
  readonly faults: readonly AgentProblem[];
}

interface Read {
  readonly path: string;
  /** Whose it is: two of one name in one place are a mistake. */
  readonly place: "workspace" | "user";
  readonly stamp: string;
  readonly parsed: ParsedRubric;
}

/**
 * The rubrics there are. Files are looked at whenever the catalogue is asked for and read when they have changed, so
 * that what was just saved holds at once. Never throws.
 */
export class RubricFiles {
  readonly #places: () => RubricPlaces;
  #reads = new Map<string, Read>();
  #last: { readonly key: string; readonly catalog: FullRubricCatalog } | undefined;

  /** `places` is asked anew each time. */
  constructor(places: () => RubricPlaces) {
    this.#places = places;
  }

  /**
   * The rubrics as they are now; the same object as long as nothing has changed. Those of the workspace go before the
   * user's of the same name, and these before the built-in ones; a file that can't be used stands in nobody's way.
   */
  catalog(): FullRubricCatalog {
    const { workspaces, home, given = [] } = this.#places();
    const faults: AgentProblem[] = [];
    const reads = [
      ...workspaces.flatMap((root) => this.#folder(root, root, faults)),
      ...given.map((file) => this.#given(file)),
      ...(home === undefined ? [] : this.#folder(home, undefined, faults)),
    ];
    const key = JSON.stringify([reads.map(({ path, stamp }) => [path, stamp]), faults]);
    if (this.#last?.key === key) return this.#last.catalog;
    this.#reads = new Map(reads.map((read) => [read.path, read]));
    const catalog = catalogOf(reads, faults);
    this.#last = { key, catalog };
    return catalog;
  }

  #folder(base: string, root: string | undefined, faults: AgentProblem[]): readonly Read[] {
    const folder = join(base, RUBRIC_FOLDER);
    const names = namesIn(folder).filter(isRubricFile);
    const tell = (path: string, message: string): void =>
      void faults.push({ path, severity: "warning", message });
    if (names.length > MAX_RUBRIC_FILES)
      tell(folder, `The folder holds ${names.length} rubric files; the first ${MAX_RUBRIC_FILES} are read.`);
    return names.slice(0, MAX_RUBRIC_FILES).flatMap((name) => {
      const path = join(folder, name);
      const found = findFile(path, root, (message) => tell(path, message));
      if (found === undefined) return [];
      const place = root === undefined ? "user" : "workspace";
      return [this.#read(found, place, () => readFileSync(path))];
    });
  }

  #given({ path, stamp, content }: GivenRubric): Read {
    return this.#read({ path, stamp: `${path} ${stamp}` }, "workspace", () => {
      if (typeof content === "string") throw new Error(content);
      return content;
    });
  }

  #read({ path, stamp }: FoundFile, place: Read["place"], bytes: () => Uint8Array): Read {
    const known = this.#reads.get(path);
    return known?.stamp === stamp ? known : { path, stamp, place, parsed: readRubric(path, bytes) };
  }
}

function readRubric(path: string, bytes: () => Uint8Array): ParsedRubric {
  try {
    const { text, problem } = decodeText(bytes());
    const parsed = parseRubric(text, path);
    if (problem === undefined) return parsed;
    return { ...parsed, problems: [{ path, severity: "warning", message: problem }, ...parsed.problems] };
  } catch (error) {
    const message = `The file can't be read: ${describeError(error)}`;
    return { problems: [{ path, severity: "error", message }] };
  }
}

function catalogOf(reads: readonly Read[], told: readonly AgentProblem[]): FullRubricCatalog {
  const byName = new Map<string, { readonly rubric: Rubric; readonly read?: Read }>();
  const faults = [...told];
  for (const read of reads) {
    const { path, place, parsed } = read;
    faults.push(...parsed.problems);
    const { rubric } = parsed;
    if (rubric === undefined) continue;
    const other = byName.get(rubric.name)?.read;
    if (other === undefined) byName.set(rubric.name, { rubric: { ...rubric, source: uriOf(path) }, read });
    else if (other.place === place) {
      const message = `There is a rubric named ${rubric.name} in ${other.path} already, and that one is used.`;
      faults.push({ path, severity: "warning", message, line: 1, column: 1, endColumn: 2 });
    }
  }
  for (const rubric of BUILT_IN_RUBRICS) if (!byName.has(rubric.name)) byName.set(rubric.name, { rubric });
  const problems = faults.map(({ path, message }) => {
    return { source: uriOf(path), problem: failure("bad_input", message) };
  });
  return { rubrics: [...byName.values()].map(({ rubric }) => rubric), problems, faults };
}

/** The address of a file, which may be one already. */
function uriOf(path: string): string {
  return /^[a-z][\w+.-]+:\//iu.test(path) ? path : pathToFileURL(path).href;
}
