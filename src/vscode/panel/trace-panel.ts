import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import type { PanelPane } from "../../trace/panel-protocol.ts";
import { PANEL_VIEW } from "../contributions.ts";
import type { PanelHostDeps, PanelUi } from "./deps.ts";
import { panelHtml } from "./html.ts";
import { PanelHost, type TurnRef } from "./panel-host.ts";

const JSON_LINES = { "JSON Lines": ["jsonl"] };

/** The path of a place that was chosen; places that are not on the disk of this machine are refused in words. */
function pathOf(uri: vscode.Uri | undefined): string | undefined {
  if (uri === undefined || uri.scheme === "file") return uri?.fsPath;
  void vscode.window.showErrorMessage("Conclave: choose a file on disk for memory's export and import.");
  return undefined;
}

const ui: PanelUi = {
  openLink: async (uri) => {
    await vscode.env.openExternal(vscode.Uri.parse(uri, true));
  },
  confirm: async (message, detail, button) =>
    (await vscode.window.showWarningMessage(message, { modal: true, detail }, button)) === button,
  saveAs: async (name) => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    return pathOf(
      await vscode.window.showSaveDialog({
        title: "Export memory",
        filters: JSON_LINES,
        ...(folder?.scheme === "file" ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {}),
      }),
    );
  },
  chooseFile: async () => {
    const chosen = await vscode.window.showOpenDialog({
      title: "Import memory",
      openLabel: "Import",
      filters: JSON_LINES,
    });
    return pathOf(chosen?.[0]);
  },
};

/** One open panel: the webview and its host side. */
class OpenPanel {
  readonly panel: vscode.WebviewPanel;
  readonly host: PanelHost;
  private readonly listeners: vscode.Disposable[];

  constructor(
    panel: vscode.WebviewPanel,
    extensionUri: vscode.Uri,
    deps: PanelHostDeps,
    onClose: () => void,
  ) {
    this.panel = panel;
    const { webview } = panel;
    this.host = new PanelHost(deps, ui, (message) => void webview.postMessage(message));
    this.listeners = [
      webview.onDidReceiveMessage((message: unknown) => void this.host.receive(message)),
      panel.onDidChangeViewState(() => {
        // A hidden webview is torn down; it says `ready` when it is made again.
        if (!panel.visible) this.host.sleep();
      }),
      panel.onDidDispose(() => {
        this.dispose();
        onClose();
      }),
    ];
    const file = (...path: string[]) => vscode.Uri.joinPath(extensionUri, ...path);
    webview.options = { enableScripts: true, localResourceRoots: [file("dist"), file("media")] };
    panel.iconPath = file("media", "panel.svg");
    webview.html = panelHtml({
      script: webview.asWebviewUri(file("dist", "webview.js")).toString(),
      style: webview.asWebviewUri(file("dist", "webview.css")).toString(),
      cspSource: webview.cspSource,
      nonce: randomBytes(16).toString("hex"),
    });
  }

  dispose(): void {
    this.host.dispose();
    for (const listener of this.listeners) listener.dispose();
  }
}

/**
 * The trace panel: one per window, made on first use, brought back by VS Code after a reload. Closing it stops
 * nothing: turns go on.
 */
export class TracePanel implements vscode.Disposable {
  private readonly extensionUri: vscode.Uri;
  private readonly deps: PanelHostDeps;
  private readonly serializer: vscode.Disposable;
  private open: OpenPanel | undefined;

  constructor(extensionUri: vscode.Uri, deps: PanelHostDeps) {
    this.extensionUri = extensionUri;
    this.deps = deps;
    this.serializer = vscode.window.registerWebviewPanelSerializer(PANEL_VIEW, {
      deserializeWebviewPanel: (panel) => {
        this.adopt(panel);
        return Promise.resolve();
      },
    });
  }

  /** Opens the panel, or brings it to the front; with a turn or a view, shows that. */
  reveal(turn?: TurnRef, pane?: PanelPane, query?: string): void {
    if (this.open === undefined) {
      const column =
        vscode.window.activeTextEditor === undefined ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside;
      this.adopt(vscode.window.createWebviewPanel(PANEL_VIEW, "Conclave", column));
    } else {
      this.open.panel.reveal();
    }
    if (turn !== undefined) this.open?.host.show(turn);
    if (pane !== undefined) this.open?.host.showPane(pane, query);
  }

  /** An open panel begins a new session, the named one if any; a closed one has none to go on with. */
  newSession(sessionId?: string): void {
    this.open?.host.newSession(sessionId);
  }

  dispose(): void {
    this.serializer.dispose();
    this.open?.panel.dispose();
  }

  private adopt(panel: vscode.WebviewPanel): void {
    this.open?.panel.dispose();
    const opened = new OpenPanel(panel, this.extensionUri, this.deps, () => {
      if (this.open === opened) this.open = undefined;
    });
    this.open = opened;
  }
}
