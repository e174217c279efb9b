import { realpath } from "node:fs/promises";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { failed, success, type Result } from "../../agent/failure.ts";
import { coveredBy } from "./glob.ts";
import type { WorkspaceFolder, WorkspacePort } from "./port.ts";

/** A place in the user's folders that may be read. */
export interface Place {
  readonly folder: WorkspaceFolder;
  /** Absolute, without links. */
  readonly path: string;
  /** In the folder, parts parted by `/`; empty for the folder itself. */
  readonly inner: string;
  /** What it is called to models and people: with the folder's name where several are open. */
  readonly shown: string;
}

/** Whether a path leads into what git keeps for itself. */
export function isGitInternal(inner: string): boolean {
  return inner.split("/").some((part) => part.toLowerCase() === ".git");
}

/** How a place in a folder is called. */
export function shownPath(port: WorkspacePort, folder: WorkspaceFolder, inner: string): string {
  if (port.folders().length < 2) return inner === "" ? "." : inner;
  return inner === "" ? folder.name : `${folder.name}/${inner}`;
}

/**
 * Finds a path that a model gave: relative to a folder, with or without its name, or absolute. Refuses with a sentence
 * what is not there, what leads out of the folders (by `..` or by links), what is hidden, and git's own files.
 */
export async function findPlace(port: WorkspacePort, given: string): Promise<Result<Place>> {
  const name = given.slice(0, 200);
  const path = plainPath(given);
  if (path === undefined) return refused(`"${name}" is no path.`);
  const folders = port.folders();
  if (folders.length === 0) return refused("No folder is open.");
  let outside = false;
  for (const { folder, target } of candidates(folders, path)) {
    if (!isInside(folder.path, target)) {
      outside = true;
      continue;
    }
    const real = await realOf(folder, target);
    if (real === "missing") continue;
    if (real === "outside") return refused(`"${name}" leads out of the open folders by a link.`);
    const place = placeOf(port, folder, relativePath(folder.path, target), real);
    const hidden = coveredBy(port.hidden(folder.path));
    for (const inner of [place.inner, real.inner]) {
      if (isGitInternal(inner)) return refused(`"${name}" is among git's own files, which are not read.`);
      if (inner !== "" && hidden(inner)) return refused(`"${name}" is hidden by the setting files.exclude.`);
    }
    return success(place);
  }
  if (outside) return refused(`"${name}" is not in the open folders.`);
  return refused(`There is no "${name}" in the open folders. list_files shows what there is.`);
}

interface Real {
  readonly path: string;
  readonly inner: string;
}

async function realOf(folder: WorkspaceFolder, target: string): Promise<Real | "missing" | "outside"> {
  try {
    const [root, path] = await Promise.all([realpath(folder.path), realpath(target)]);
    return isInside(root, path) ? { path, inner: relativePath(root, path) } : "outside";
  } catch {
    return "missing";
  }
}

function placeOf(port: WorkspacePort, folder: WorkspaceFolder, inner: string, real: Real): Place {
  return { folder, path: real.path, inner, shown: shownPath(port, folder, inner) };
}

/** Models write `file://` addresses and leading `./`; signs that no path has are refused. */
function plainPath(given: string): string | undefined {
  const trimmed = given.trim();
  if (trimmed.includes("\0") || trimmed.length > 4_000) return undefined;
  if (!/^file:/i.test(trimmed)) return trimmed === "" ? "." : trimmed;
  try {
    return fileURLToPath(trimmed);
  } catch {
    return undefined;
  }
}

function candidates(
  folders: readonly WorkspaceFolder[],
  path: string,
): readonly { readonly folder: WorkspaceFolder; readonly target: string }[] {
  if (isAbsolute(path)) {
    const target = resolve(path);
    const own = folders.filter((folder) => isInside(folder.path, target));
    return (own.length > 0 ? own : folders.slice(0, 1)).map((folder) => ({ folder, target }));
  }
  const [first = "", ...rest] = path.split(/[\\/]/);
  const named = folders
    .filter(({ name }) => name === first && folders.length > 1)
    .map((folder) => ({ folder, target: join(folder.path, ...rest) }));
  return [...named, ...folders.map((folder) => ({ folder, target: join(folder.path, path) }))];
}

function isInside(root: string, path: string): boolean {
  const inner = relative(root, path);
  return inner === "" || (!inner.startsWith(`..${sep}`) && inner !== ".." && !isAbsolute(inner));
}

function relativePath(root: string, path: string): string {
  return relative(root, path).split(sep).join("/");
}

function refused(message: string): Result<never> {
  return failed("bad_input", message);
}
