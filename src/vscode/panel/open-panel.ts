import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import type { PanelHostDeps, PanelUi } from "./deps.ts";
import { panelHtml } from "./html.ts";
import { PanelHost } from "./panel-host.ts";

/** A page that has not said within so many milliseconds that it is there never will: its process has died. */
const PAGE_LIMIT_MS = 8_000;

/** What an open panel is made of. */
export interface OpenPanelParts {
  readonly panel: vscode.WebviewPanel;
  readonly extensionUri: vscode.Uri;
  readonly deps: PanelHostDeps;
  readonly ui: PanelUi;
  readonly onClose: () => void;
}

/** One open panel: the webview and its host side. */
export class OpenPanel {
  readonly panel: vscode.WebviewPanel;
  readonly host: PanelHost;
  private readonly extensionUri: vscode.Uri;
  private readonly listeners: vscode.Disposable[];
  private waiting: NodeJS.Timeout | undefined;

  constructor({ panel, extensionUri, deps, ui, onClose }: OpenPanelParts) {
    this.panel = panel;
    const { webview } = panel;
    this.host = new PanelHost(deps, ui, (message) => void webview.postMessage(message));
    this.listeners = [
      webview.onDidReceiveMessage((message: unknown) => {
        // Whatever it says: it lives.
        clearTimeout(this.waiting);
        void this.host.receive(message);
      }),
      panel.onDidChangeViewState(() => {
        // A hidden webview is torn down; it says `ready` when it is made again.
        if (!panel.visible) this.host.sleep();
      }),
      panel.onDidDispose(() => {
        this.dispose();
        onClose();
      }),
    ];
    this.extensionUri = extensionUri;
    const file = (...path: string[]) => vscode.Uri.joinPath(extensionUri, ...path);
    webview.options = { enableScripts: true, localResourceRoots: [file("dist"), file("media")] };
    panel.iconPath = file("media", "panel.svg");
    this.load();
  }

  /**
   * Makes the page, or makes it anew: it says `ready` when it is there, and is told all that it shows. `onDead` is called
   * when it never does.
   */
  load(onDead?: () => void): void {
    const { webview } = this.panel;
    clearTimeout(this.waiting);
    if (onDead !== undefined) this.waiting = setTimeout(onDead, PAGE_LIMIT_MS);
    const file = (...path: string[]) => vscode.Uri.joinPath(this.extensionUri, ...path);
    this.host.sleep();
    webview.html = panelHtml({
      script: webview.asWebviewUri(file("dist", "webview.js")).toString(),
      style: webview.asWebviewUri(file("dist", "webview.css")).toString(),
      cspSource: webview.cspSource,
      nonce: randomBytes(16).toString("hex"),
    });
  }

  dispose(): void {
    clearTimeout(this.waiting);
    this.host.dispose();
    for (const listener of this.listeners) listener.dispose();
  }
}
