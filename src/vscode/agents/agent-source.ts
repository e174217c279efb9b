import { homedir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import type { KnownNames } from "../../agent/agents/check-names.ts";
import type { AgentFiles, AgentFilesOptions, AgentPlaces } from "../../agent/agents/files.ts";
import { isAgentPath } from "./agent-path.ts";
import { trustedFolders, virtualFolders, WatchedFolders } from "../watched-folders.ts";
import { editorFiles, inTime, virtualFolder } from "./editor-files.ts";
import type { VirtualAgentFiles } from "./virtual-files.ts";

/** Gives the names of models and tools there are. */
type AskNames = NonNullable<AgentFilesOptions["known"]>;

/** Agent files of a workspace folder, as watchers and document selectors write it. */
const WORKSPACE_FILES = "{.conclave/agents/*,.github/agents/*,.claude/agents/*,AGENTS.md}";
/** Where the user's own agent files are. */
const USER_FOLDER = join(homedir(), ".conclave", "agents");

/** Gives the agents there are, and says when their files, the workspace's folders or its trust have changed. */
export class AgentSource implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #watched = new WatchedFolders({
    workspace: WORKSPACE_FILES,
    user: USER_FOLDER,
    isOwn: isAgentPath,
  });
  /** Agents of folders that are not on this machine's disk. */
  #virtual: VirtualAgentFiles | undefined;
  #files: Promise<AgentFiles> | undefined;
  #known: AskNames = () => ({});

  readonly onDidChange = this.#changed.event;

  constructor() {
    this.#watched.onDidSave(() => this.#changed.fire());
    this.#watched.onDidChange(() => {
      void this.#virtual?.refresh(virtualFolders().map(virtualFolder));
      this.#changed.fire();
    });
  }

  /** Reads agent files; the code for it is loaded with the first call. */
  files(): Promise<AgentFiles> {
    this.#files ??= this.#load();
    return this.#files;
  }

  async #load(): Promise<AgentFiles> {
    const [{ AgentFiles }, { VirtualAgentFiles }] = await Promise.all([
      import("../../agent/agents/files.ts"),
      import("./virtual-files.ts"),
    ]);
    const virtual = new VirtualAgentFiles(editorFiles, () => this.#changed.fire());
    this.#virtual = virtual;
    const first = virtual.refresh(virtualFolders().map(virtualFolder));
    if (virtualFolders().length > 0) await inTime(first);
    return new AgentFiles({
      places: () => ({ ...agentPlaces(), given: virtual.given }),
      known: (wanted) => this.#known(wanted),
    });
  }

  /** Says what models and tools there are, once there is somebody who knows. */
  know(known: AskNames): void {
    this.#known = known;
    this.changed();
  }

  /** The names of models and tools there are, as far as is known. */
  names(): KnownNames {
    return this.#known({ models: true });
  }

  /** To be called when something else than a file has changed what the agents are. */
  changed(): void {
    this.#watched.changed();
  }

  dispose(): void {
    for (const one of [this.#watched, this.#changed]) one.dispose();
  }
}

/** Where agents are looked for: the workspace's folders, once it is trusted, and the user's home. */
function agentPlaces(): AgentPlaces {
  return { workspaces: trustedFolders().map(({ fsPath }) => fsPath), home: homedir() };
}
