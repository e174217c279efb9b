import { mkdir, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { trustedFolders } from "./watched-folders.ts";
import { pickOne } from "./pickers.ts";

/** How many files of the same name are tried before giving up. */
const MAX_SAME = 50;

/** The workspace's folder, or the one of several that is picked; the user's home where none is open or trusted. */
export async function chooseRoot(): Promise<string | undefined> {
  const folders = trustedFolders();
  if (folders.length <= 1) return folders[0]?.fsPath ?? homedir();
  const items = folders.map(({ fsPath }) => ({ label: fsPath }));
  return (await pickOne(items, { title: "In which folder?" }))?.label;
}

/** Writes a YAML file that isn't there yet, never over another one, and makes its folder; gives its path. Rejects when it can't. */
export async function writeNew(folder: string, name: string, text: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  for (let number = 1; ; number += 1) {
    const path = join(folder, `${name}${number === 1 ? "" : `-${number}`}.yaml`);
    try {
      await writeFile(path, text, { flag: "wx" });
      return path;
    } catch (error) {
      const taken = error instanceof Error && "code" in error && error.code === "EEXIST";
      if (!taken || number >= MAX_SAME) throw error;
    }
  }
}
