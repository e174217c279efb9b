import { readdir, stat } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { describeError } from "../../../agent/failure.ts";
import { readCase, type CaseProblem } from "./file.ts";
import type { EvalCase } from "./types.ts";

/** Most cases of one evaluation. */
const MAX_CASES = 2_000;
/** Folders within folders. */
const MAX_DEPTH = 8;
const CASE_FILE = /\.(?:ya?ml|json)$/iu;

/** The cases that were found, and what is wrong with files. */
export interface FoundCases {
  /** By their paths. */
  readonly cases: readonly EvalCase[];
  readonly problems: readonly CaseProblem[];
  /** What was named and is not there, one sentence each. */
  readonly missing: readonly string[];
}

/**
 * Reads the cases of files and folders, with the folders in them. Files are named relative to `cwd`. Names of cases are
 * unique: a second one of a name is a problem. Never throws.
 */
export async function findCases(paths: readonly string[], cwd: string): Promise<FoundCases> {
  const missing: string[] = [];
  const files = new Set<string>();
  for (const path of paths) {
    const found = await filesOf(resolve(cwd, path), 0).catch((error: unknown) => whyNot(path, error));
    if (typeof found === "string") missing.push(found);
    else if (found.length === 0) missing.push(`There are no cases in ${path}.`);
    else for (const file of found) files.add(file);
  }
  const cases: EvalCase[] = [];
  const problems: CaseProblem[] = [];
  const taken = new Map<string, string>();
  for (const file of [...files].slice(0, MAX_CASES)) {
    const shown = shownPath(cwd, file);
    const parsed = await readCase(file, shown);
    problems.push(...parsed.problems);
    if (parsed.case === undefined) continue;
    // Traces are files that are named by their cases, and many file systems know no case of letters.
    const key = parsed.case.name.normalize("NFC").toLowerCase();
    const other = taken.get(key);
    if (other === undefined) {
      taken.set(key, shown);
      cases.push(parsed.case);
    } else problems.push(sameName(shown, parsed.case.name, other));
  }
  return { cases, problems, missing };
}

/** Why nothing could be read from a path, in a sentence. */
function whyNot(path: string, error: unknown): string {
  const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
  return isMissing
    ? `There is nothing at ${path}. Name a case file, or a folder with cases.`
    : `${path} can't be read: ${describeError(error)}`;
}

/** How a file is named: from the folder at hand, with slashes. */
function shownPath(cwd: string, file: string): string {
  const path = relative(cwd, file);
  return (path.startsWith("..") ? file : path).replaceAll("\\", "/");
}

function sameName(file: string, name: string, other: string): CaseProblem {
  const message = `Another case is named "${name}", in ${other}. Rename one of them.`;
  return { file, severity: "error", message, line: 1, column: 1, endColumn: 2 };
}

/** A file itself; of a folder the files of cases in it, in the order of their names. */
async function filesOf(path: string, depth: number): Promise<readonly string[]> {
  const found = await stat(path);
  if (!found.isDirectory()) return [path];
  if (depth > MAX_DEPTH) return [];
  const entries = await readdir(path, { withFileTypes: true });
  const files: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const inner = join(path, entry.name);
    // Pages and agents beside cases are in folders of their own, which say so.
    if (entry.isDirectory() && !/^(?:\.|_)/u.test(entry.name))
      files.push(...(await filesOf(inner, depth + 1)));
    else if (entry.isFile() && CASE_FILE.test(entry.name) && !/^(?:\.|_)/u.test(entry.name))
      files.push(inner);
  }
  return files;
}
