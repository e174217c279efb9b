import * as vscode from "vscode";

/** Changes that come together, such as a branch that is checked out, count as one; milliseconds. */
const SETTLE_MS = 60;

/** Which files are watched. */
export interface WatchedFiles {
  /** Files of a workspace folder, as watchers write it. */
  readonly workspace: string;
  /** A folder of the user's own. Only this one is watched: the home folder may hold anything. */
  readonly user: string;
  /** Whether a file may be one of these. */
  readonly isOwn: (uri: vscode.Uri) => boolean;
}

/** Says when files in folders of the workspace or of the user, the workspace's folders, or its trust have changed. */
export class WatchedFolders implements vscode.Disposable {
  readonly #files: WatchedFiles;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #saved = new vscode.EventEmitter<void>();
  readonly #lasting: vscode.Disposable[];
  #watchers: vscode.Disposable[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** Something has changed, a moment ago. */
  readonly onDidChange = this.#changed.event;
  /** A file on this machine's disk was saved in this window, just now: watchers are told a moment late. */
  readonly onDidSave = this.#saved.event;

  constructor(files: WatchedFiles) {
    this.#files = files;
    const renew = (): void => {
      this.#watch();
      this.changed();
    };
    this.#lasting = [
      vscode.workspace.onDidChangeWorkspaceFolders(renew),
      vscode.workspace.onDidGrantWorkspaceTrust(renew),
      // Files may have changed where nobody watches, and models been pulled, while another window was used.
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) this.changed();
      }),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (!files.isOwn(uri)) return;
        if (uri.scheme === "file") this.#saved.fire();
        else this.changed();
      }),
    ];
    this.#watch();
  }

  /** Something may have changed; said once when it has settled. */
  changed(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#changed.fire(), SETTLE_MS);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const one of [...this.#lasting, ...this.#watchers, this.#changed, this.#saved]) one.dispose();
  }

  #watch(): void {
    for (const watcher of this.#watchers) watcher.dispose();
    const roots = [...trustedFolders(), ...virtualFolders().map(({ uri }) => uri)];
    const folders = roots.map((uri) => new vscode.RelativePattern(uri, this.#files.workspace));
    const own = new vscode.RelativePattern(vscode.Uri.file(this.#files.user), "*");
    this.#watchers = [...folders, own].flatMap((pattern) => {
      const watcher = vscode.workspace.createFileSystemWatcher(pattern);
      const tell = (): void => this.changed();
      return [watcher, watcher.onDidCreate(tell), watcher.onDidChange(tell), watcher.onDidDelete(tell)];
    });
  }
}

/** The workspace's folders on this machine; none while the workspace is not trusted. */
export function trustedFolders(): readonly vscode.Uri[] {
  const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
  return folders.map(({ uri }) => uri).filter(({ scheme }) => scheme === "file");
}

/** The workspace's folders elsewhere, such as a repository that is open without a clone; none without trust. */
export function virtualFolders(): readonly vscode.WorkspaceFolder[] {
  const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
  return folders.filter(({ uri }) => uri.scheme !== "file");
}
