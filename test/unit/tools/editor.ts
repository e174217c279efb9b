import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { success } from "../../../src/agent/failure.ts";
import type { ActionsPort } from "../../../src/tools/action.ts";
import type { NewReminder, RemindersPort } from "../../../src/tools/reminders/port.ts";
import type { FoundProblem, WorkspacePort } from "../../../src/tools/workspace/port.ts";

/** A folder as an editor has it open, on the disk. */
export class OpenFolders implements WorkspacePort {
  trusted = true;
  paths: readonly string[];
  excluded: readonly string[] = [];
  searchExcluded: readonly string[] = [];
  found: readonly FoundProblem[] = [];
  readonly changed = new Map<string, string>();

  constructor(...paths: readonly string[]) {
    this.paths = paths;
  }

  isTrusted() {
    return this.trusted;
  }
  folders() {
    return this.paths.map((path) => ({ name: basename(path), path }));
  }
  hidden() {
    return this.excluded;
  }
  unsearched() {
    return this.searchExcluded;
  }
  unsaved(path: string) {
    return this.changed.get(path);
  }
  problems() {
    return this.found;
  }
}

/** Makes a folder with files in it; `undo` removes it. */
export async function folderWith(
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<{ readonly path: string; readonly undo: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), "conclave-folder-"));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), content);
  }
  return { path, undo: () => rm(path, { recursive: true, force: true }) };
}

/** Keeps what it is given. */
export class KeptReminders implements RemindersPort {
  readonly kept: NewReminder[] = [];

  add(reminder: NewReminder) {
    this.kept.push(reminder);
    return Promise.resolve(success({ id: `r${this.kept.length}` }));
  }
}

/** Runs nothing, and notes what it was asked to run. */
export class NotedActions implements ActionsPort {
  list: readonly string[] = ["view.show", "view.hide"];
  readonly ran: (readonly [string, readonly unknown[]])[] = [];
  gives = "";

  allowed() {
    return this.list;
  }
  run(command: string, args: readonly unknown[]) {
    this.ran.push([command, args]);
    return Promise.resolve(success(this.gives));
  }
}

/** What an editor has beside memory and the web, for tests that only look at the tools there are. */
export const EDITOR = {
  reminders: new KeptReminders(),
  actions: new NotedActions(),
  workspace: new OpenFolders(tmpdir()),
};
