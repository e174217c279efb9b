import { basename } from "node:path";
import * as vscode from "vscode";
import { TraceFile } from "../../trace/files/trace-file.ts";
import type { SourceAction } from "../../trace/panel-source.ts";
import { COMMANDS } from "../contributions.ts";
import { OpenPanel } from "../panel/open-panel.ts";
import { panelUi } from "../panel/trace-panel.ts";
import { fileDeps } from "./file-deps.ts";
import { FilePort } from "./file-port.ts";
import { uriSource } from "./uri-source.ts";

/** Changes of a file on disk are gathered for so long, in milliseconds. */
const GATHER_MS = 250;

/** A trace file that is open in one editor or several. */
export class TraceDocument implements vscode.CustomDocument {
  readonly uri: vscode.Uri;
  readonly file: TraceFile;
  private readonly watcher: vscode.Disposable;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isLoading = false;
  private isStale = false;

  constructor(uri: vscode.Uri) {
    this.uri = uri;
    this.file = new TraceFile(uriSource(uri));
    this.watcher = this.watch();
    void this.load();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.watcher.dispose();
    this.file.dispose();
  }

  /** A file that changes while it is read is read once more afterwards: one that grows all the time is shown all the same. */
  private async load(): Promise<void> {
    this.timer = undefined;
    this.isStale = true;
    if (this.isLoading) return;
    this.isLoading = true;
    while (this.isStale) {
      this.isStale = false;
      await this.file.load();
    }
    this.isLoading = false;
  }

  /** The folder is watched, not the file: its name may hold signs that mean something in a pattern. */
  private watch(): vscode.Disposable {
    const folder = vscode.Uri.joinPath(this.uri, "..");
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, "*"));
    const hear = ({ path }: vscode.Uri): void => {
      if (path !== this.uri.path) return;
      this.timer ??= setTimeout(() => void this.load(), GATHER_MS);
    };
    const listening = [watcher.onDidChange(hear), watcher.onDidCreate(hear), watcher.onDidDelete(hear)];
    return vscode.Disposable.from(watcher, ...listening);
  }
}

/** Shows a document in a panel of an editor. */
export function showDocument(
  document: TraceDocument,
  panel: vscode.WebviewPanel,
  extensionUri: vscode.Uri,
): void {
  const { uri, file } = document;
  const port = new FilePort(file, basename(uri.path), (action, sessionId) => act(action, uri, sessionId));
  const deps = fileDeps(file, port);
  new OpenPanel({ panel, extensionUri, deps, ui: panelUi, onClose: () => undefined });
}

async function act(action: SourceAction, uri: vscode.Uri, sessionId?: string): Promise<void> {
  const place = { file: uri.toString(), ...(sessionId === undefined ? {} : { sessionId }) };
  if (action === "import") await vscode.commands.executeCommand(COMMANDS.importTrace, uri);
  else if (action === "export") await vscode.commands.executeCommand(COMMANDS.exportSession, place);
  else await vscode.commands.executeCommand("vscode.openWith", uri, "default");
}
