import { homedir } from "node:os";
import { join } from "node:path";
import type * as vscode from "vscode";
import type { RubricFiles, RubricPlaces } from "../../agent/critic/rubric-files.ts";
import { WatchedDefinitions, type OpenDefinitions } from "../watched-definitions.ts";
import { trustedFolders, virtualFolders } from "../watched-folders.ts";
import { isRubricPath } from "./rubric-path.ts";

/** Rubric files of a workspace folder, as watchers write it. */
const WORKSPACE_FILES = ".conclave/rubrics/*";
/** Where the user's own rubrics are. */
const USER_FOLDER = join(homedir(), ".conclave", "rubrics");

/** Gives the rubrics there are, and says when their files, the workspace's folders or its trust have changed. */
export class RubricSource implements vscode.Disposable {
  readonly #definitions = new WatchedDefinitions(
    { workspace: WORKSPACE_FILES, user: USER_FOLDER, isOwn: isRubricPath },
    openRubrics,
  );

  readonly onDidChange = this.#definitions.onDidChange;

  /** Reads rubric files; the code for it is loaded with the first call. */
  files(): Promise<RubricFiles> {
    return this.#definitions.files();
  }

  /** To be called when a file was written that may not be watched yet. */
  changed(): void {
    this.#definitions.changed();
  }

  dispose(): void {
    this.#definitions.dispose();
  }
}

const openRubrics: OpenDefinitions<RubricFiles> = async (elsewhere, onChange) => {
  const [{ RubricFiles, RUBRIC_FOLDER }, { isRubricFile }, { VirtualFiles }] = await Promise.all([
    import("../../agent/critic/rubric-files.ts"),
    import("../../agent/critic/rubric-file-name.ts"),
    import("../agents/virtual-files.ts"),
  ]);
  const wanted = [{ origin: "workspace", folder: RUBRIC_FOLDER, isWanted: isRubricFile }] as const;
  const virtual = new VirtualFiles(elsewhere, wanted, onChange);
  const places = (): RubricPlaces => {
    const workspaces = trustedFolders().map(({ fsPath }) => fsPath);
    // What was read before trust was withdrawn, or of a folder that was closed, counts no more.
    const given = virtualFolders().length === 0 ? [] : virtual.given;
    return { workspaces, home: homedir(), given };
  };
  return { files: new RubricFiles(places), virtual };
};
