import { homedir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import type { KnownNames } from "../../agent/agents/check-names.ts";
import type { AgentFiles, AgentFilesOptions, AgentPlaces } from "../../agent/agents/files.ts";
import { isAgentPath } from "./agent-path.ts";
import type { VirtualAgentFiles, VirtualFileSystem, VirtualFolder } from "./virtual-files.ts";

/** Gives the names of models and tools there are. */
type AskNames = NonNullable<AgentFilesOptions["known"]>;

/** Agent files of a workspace folder, as watchers and document selectors write it. */
const WORKSPACE_FILES = "{.conclave/agents/*,.github/agents/*,.claude/agents/*,AGENTS.md}";
/** Where the user's own agent files are. Only this folder is watched: the home folder may hold anything. */
const USER_FOLDER = join(homedir(), ".conclave", "agents");
/** Changes that come together, such as a branch that is checked out, count as one; milliseconds. */
const SETTLE_MS = 60;
/** How long the first question waits for the agents of folders elsewhere, in milliseconds. */
const FIRST_MS = 3_000;

/** Gives the agents there are, and says when their files, the workspace's folders or its trust have changed. */
export class AgentSource implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #lasting: vscode.Disposable[];
  /** Agents of folders that are not on this machine's disk. */
  #virtual: VirtualAgentFiles | undefined;
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
        if (!isAgentPath(uri)) return;
        if (uri.scheme === "file") this.#changed.fire();
        else this.changed();
      }),
    ];
    this.#watch();
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
    const first = virtual.refresh(virtualFolders().map(named));
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
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      void this.#virtual?.refresh(virtualFolders().map(named));
      this.#changed.fire();
    }, SETTLE_MS);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const one of [...this.#lasting, ...this.#watchers, this.#changed]) one.dispose();
  }

  #watch(): void {
    for (const watcher of this.#watchers) watcher.dispose();
    const roots = [...trustedFolders(), ...virtualFolders().map(({ uri }) => uri)];
    const folders = roots.map((uri) => new vscode.RelativePattern(uri, WORKSPACE_FILES));
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

/** The workspace's folders elsewhere, such as a repository that is open without a clone; none without trust. */
function virtualFolders(): readonly vscode.WorkspaceFolder[] {
  const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
  return folders.filter(({ uri }) => uri.scheme !== "file");
}

function named({ name, uri }: vscode.WorkspaceFolder): VirtualFolder {
  return { name, address: uri.toString() };
}

/** Files as the editor reaches them, wherever they are. */
const editorFiles: VirtualFileSystem = {
  join: (address, ...names) => vscode.Uri.joinPath(vscode.Uri.parse(address), ...names).toString(),
  list: async (address) => {
    const entries = await vscode.workspace.fs.readDirectory(vscode.Uri.parse(address));
    return entries.flatMap(([name, type]) => ((type & vscode.FileType.File) === 0 ? [] : [name]));
  },
  stat: async (address) => await vscode.workspace.fs.stat(vscode.Uri.parse(address)),
  read: async (address) => await vscode.workspace.fs.readFile(vscode.Uri.parse(address)),
};

/** Waits for work, but not for ever: what comes later is told as a change. */
async function inTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, FIRST_MS)));
  await Promise.race([work, late]);
  clearTimeout(timer);
}
