import { homedir } from "node:os";
import { join, sep } from "node:path";
import * as vscode from "vscode";
import type { KnownNames } from "../../agent/agents/check-names.ts";
import type { AgentFiles, AgentFilesOptions, AgentPlaces } from "../../agent/agents/files.ts";

/** Gives the names of models and tools there are. */
type AskNames = NonNullable<AgentFilesOptions["known"]>;

/** Agent files of a workspace folder, as watchers and document selectors write it. */
const WORKSPACE_FILES = "{.conclave/agents/*,.github/agents/*,.claude/agents/*,AGENTS.md}";
/** Where the user's own agent files are. Only this folder is watched: the home folder may hold anything. */
const USER_FOLDER = join(homedir(), ".conclave", "agents");
/** Changes that come together, such as a branch that is checked out, count as one; milliseconds. */
const SETTLE_MS = 60;

/** Gives the agents there are, and says when their files, the workspace's folders or its trust have changed. */
export class AgentSource implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #lasting: vscode.Disposable[];
  #watchers: vscode.Disposable[] = [];
  #files: Promise<AgentFiles> | undefined;
  #known: AskNames = () => ({});
  #timer: NodeJS.Timeout | undefined;

  readonly onDidChange = this.#changed.event;

  constructor() {
    const renew = (): void => {
      this.#watch();
      this.changed();
    };
    this.#lasting = [
      vscode.workspace.onDidChangeWorkspaceFolders(renew),
      vscode.workspace.onDidGrantWorkspaceTrust(renew),
      // Models may have been pulled, and files changed where nobody watches, while another window was used.
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) this.changed();
      }),
      // Watchers are told a moment late; what was saved here holds at once.
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (isAgentPath(uri)) this.#changed.fire();
      }),
    ];
    this.#watch();
  }

  /** Reads agent files; the code for it is loaded with the first call. */
  files(): Promise<AgentFiles> {
    this.#files ??= import("../../agent/agents/files.ts").then(
      ({ AgentFiles }) => new AgentFiles({ places: agentPlaces, known: (wanted) => this.#known(wanted) }),
    );
    return this.#files;
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
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#changed.fire(), SETTLE_MS);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const one of [...this.#lasting, ...this.#watchers, this.#changed]) one.dispose();
  }

  #watch(): void {
    for (const watcher of this.#watchers) watcher.dispose();
    const folders = trustedFolders().map((uri) => new vscode.RelativePattern(uri, WORKSPACE_FILES));
    const home = new vscode.RelativePattern(vscode.Uri.file(USER_FOLDER), "*");
    this.#watchers = [...folders, home].flatMap((pattern) => {
      const watcher = vscode.workspace.createFileSystemWatcher(pattern);
      const tell = (): void => this.changed();
      return [watcher, watcher.onDidCreate(tell), watcher.onDidChange(tell), watcher.onDidDelete(tell)];
    });
  }
}

/** Where agents are looked for: the workspace's folders, once it is trusted, and the user's home. */
function agentPlaces(): AgentPlaces {
  return { workspaces: trustedFolders().map(({ fsPath }) => fsPath), home: homedir() };
}

/** The workspace's folders on this machine; none while the workspace is not trusted. */
export function trustedFolders(): readonly vscode.Uri[] {
  const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
  return folders.map(({ uri }) => uri).filter(({ scheme }) => scheme === "file");
}

/** Whether a file may be one that agents are read from. */
export function isAgentPath({ scheme, fsPath }: vscode.Uri): boolean {
  if (scheme !== "file") return false;
  const parts = fsPath.split(sep).slice(-3);
  return (
    parts.at(-1) === "AGENTS.md" ||
    (parts[1] === "agents" && /^\.(?:conclave|github|claude)$/u.test(parts[0] ?? ""))
  );
}
