import { homedir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import type { RubricFiles, RubricPlaces } from "../../agent/critic/rubric-files.ts";
import { editorFiles, inTime, virtualFolder } from "../agents/editor-files.ts";
import type { VirtualFiles } from "../agents/virtual-files.ts";
import { trustedFolders, virtualFolders, WatchedFolders } from "../watched-folders.ts";
import { isRubricPath } from "./rubric-path.ts";

/** Rubric files of a workspace folder, as watchers write it. */
const WORKSPACE_FILES = ".conclave/rubrics/*";
/** Where the user's own rubrics are. */
const USER_FOLDER = join(homedir(), ".conclave", "rubrics");

/** Gives the rubrics there are, and says when their files, the workspace's folders or its trust have changed. */
export class RubricSource implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #watched = new WatchedFolders({
    workspace: WORKSPACE_FILES,
    user: USER_FOLDER,
    isOwn: isRubricPath,
  });
  /** Rubrics of folders that are not on this machine's disk. */
  #virtual: VirtualFiles<"workspace"> | undefined;
  #files: Promise<RubricFiles> | undefined;

  readonly onDidChange = this.#changed.event;

  constructor() {
    this.#watched.onDidSave(() => this.#changed.fire());
    this.#watched.onDidChange(() => {
      void this.#virtual?.refresh(virtualFolders().map(virtualFolder));
      this.#changed.fire();
    });
  }

  /** Reads rubric files; the code for it is loaded with the first call. */
  files(): Promise<RubricFiles> {
    this.#files ??= this.#load();
    return this.#files;
  }

  /** To be called when a file was written that may not be watched yet. */
  changed(): void {
    this.#watched.changed();
  }

  dispose(): void {
    for (const one of [this.#watched, this.#changed]) one.dispose();
  }

  async #load(): Promise<RubricFiles> {
    const [{ RubricFiles, RUBRIC_FOLDER }, { isRubricFile }, { VirtualFiles }] = await Promise.all([
      import("../../agent/critic/rubric-files.ts"),
      import("../../agent/critic/rubric-file-name.ts"),
      import("../agents/virtual-files.ts"),
    ]);
    const wanted = [{ origin: "workspace", folder: RUBRIC_FOLDER, isWanted: isRubricFile }] as const;
    const virtual = new VirtualFiles(editorFiles, wanted, () => this.#changed.fire());
    this.#virtual = virtual;
    const first = virtual.refresh(virtualFolders().map(virtualFolder));
    if (virtualFolders().length > 0) await inTime(first);
    return new RubricFiles((): RubricPlaces => {
      const workspaces = trustedFolders().map(({ fsPath }) => fsPath);
      // What was read before trust was withdrawn, or of a folder that was closed, counts no more.
      const given = virtualFolders().length === 0 ? [] : virtual.given;
      return { workspaces, home: homedir(), given };
    });
  }
}
