import { opendir } from "node:fs/promises";
import { join } from "node:path";
import { CANCELLED, success, type Result } from "../../agent/failure.ts";
import { coveredBy, globTest, type PathTest } from "./glob.ts";
import { isGitInternal, shownPath } from "./places.ts";
import type { WorkspaceFolder, WorkspacePort } from "./port.ts";

/** Files and folders that one walk looks at. */
const MAX_SEEN = 50_000;

/** Where a walk goes, and what it gives. */
export interface WalkOptions {
  readonly folder: WorkspaceFolder;
  /** A folder in it to begin at; empty: the whole folder. */
  readonly inner: string;
  /** Only files that match. */
  readonly wanted?: PathTest;
  /** Leaves out what searches leave out, beside what is hidden. */
  readonly asSearch: boolean;
}

/** A file that a walk found. */
export interface FoundFile {
  readonly path: string;
  /** In its folder. */
  readonly inner: string;
  readonly shown: string;
}

/** What a model asks for: `*.ts` means such files anywhere, `src/*.ts` those in that folder. */
export function wantedTest(glob: string | undefined): PathTest | undefined {
  const plain =
    glob
      ?.trim()
      .replaceAll("\\", "/")
      .replace(/^\.?\//, "") ?? "";
  if (plain === "") return undefined;
  return globTest(plain.includes("/") ? plain : `**/${plain}`);
}

/**
 * Goes through the files below a folder in the order of their names and hands each to `visit`, until it gives false.
 * Links are not followed; git's own files and what is hidden are left out. Gives false when there was more than one
 * walk looks at.
 */
export async function walk(
  port: WorkspacePort,
  { folder, inner, wanted, asSearch }: WalkOptions,
  visit: (file: FoundFile) => Promise<boolean> | boolean,
  signal: AbortSignal,
): Promise<Result<boolean>> {
  const globs = [...port.hidden(folder.path), ...(asSearch ? port.unsearched(folder.path) : [])];
  const leftOut = coveredBy(globs);
  const open = [inner];
  let seen = 0;
  while (open.length > 0) {
    const next = open.pop() ?? "";
    if (signal.aborted) return { ok: false, failure: CANCELLED };
    const below: string[] = [];
    for (const { name, kind } of await entriesOf(join(folder.path, next))) {
      const path = next === "" ? name : `${next}/${name}`;
      seen += 1;
      if (seen > MAX_SEEN) return success(false);
      if (isGitInternal(path) || leftOut(path)) continue;
      if (kind === "folder") below.push(path);
      else if (wanted === undefined || wanted(path)) {
        const file = { path: join(folder.path, path), inner: path, shown: shownPath(port, folder, path) };
        if (!(await visit(file))) return success(true);
        if (isStopped(signal)) return { ok: false, failure: CANCELLED };
      }
    }
    open.push(...below.reverse());
  }
  return success(true);
}

/** Whether a signal has fired by now; the compiler takes it for something that never changes. */
function isStopped(signal: AbortSignal): boolean {
  return signal.aborted;
}

/** What is in a folder, by name; a folder that can't be read is empty. Links and devices are left out. */
async function entriesOf(path: string): Promise<readonly { name: string; kind: "file" | "folder" }[]> {
  const entries: { name: string; kind: "file" | "folder" }[] = [];
  try {
    for await (const entry of await opendir(path)) {
      if (entry.isFile()) entries.push({ name: entry.name, kind: "file" });
      else if (entry.isDirectory()) entries.push({ name: entry.name, kind: "folder" });
      if (entries.length > MAX_SEEN) break;
    }
  } catch {
    return entries;
  }
  return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
}
