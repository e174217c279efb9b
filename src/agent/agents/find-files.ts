import { lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, relative } from "node:path";

/** A larger file is none of ours; bytes. */
export const MAX_BYTES = 512 * 1024;

/** A file that may be read. */
export interface FoundFile {
  readonly path: string;
  /** Another one whenever the file has changed. */
  readonly stamp: string;
}

/** Names in a folder, in an order that does not hang on the machine; none where there is no such folder. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/**
 * Finds a file that may be read; a link must not lead out of the root, where there is one. `tell` takes in words why
 * one is not read that is there; what is no file is passed over. Never throws.
 */
export function findFile(
  path: string,
  root: string | undefined,
  tell: (message: string) => void,
): FoundFile | undefined {
  try {
    const linked = lstatSync(path);
    if (root !== undefined && !isWithin(realpathSync(path), realpathSync(root))) {
      tell("The file is a link that leads out of the workspace folder; it is not read.");
      return undefined;
    }
    const { mtimeMs, ctimeMs, size, ino } = linked.isSymbolicLink() ? statSync(path) : linked;
    if (!statSync(path).isFile()) return undefined;
    if (size <= MAX_BYTES) return { path, stamp: `${path} ${mtimeMs} ${ctimeMs} ${size} ${ino}` };
    tell(`The file has more than ${MAX_BYTES / 1024} KB and is not read. Make it shorter.`);
  } catch {
    // Gone since the folder was listed, or a link to nothing.
  }
  return undefined;
}

function isWithin(path: string, root: string): boolean {
  const way = relative(root, path);
  return way !== "" && !way.startsWith("..") && !isAbsolute(way);
}
