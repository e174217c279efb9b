import * as vscode from "vscode";
import type { PanelPane } from "../../trace/panel-protocol.ts";
import { PANEL_VIEW } from "../contributions.ts";
import type { PanelHostDeps, PanelUi, TurnRef } from "./deps.ts";
import { OpenPanel } from "./open-panel.ts";

const JSON_LINES = { "JSON Lines": ["jsonl"] };

/** The path of a place that was chosen; places that are not on the disk of this machine are refused in words. */
function pathOf(uri: vscode.Uri | undefined): string | undefined {
  if (uri === undefined || uri.scheme === "file") return uri?.fsPath;
  void vscode.window.showErrorMessage("Conclave: choose a file on disk for memory's export and import.");
  return undefined;
}

/** What the window does for a panel. */
export const panelUi: PanelUi = {
  openLink: async (uri) => {
    await vscode.env.openExternal(vscode.Uri.parse(uri, true));
  },
  copy: async (text) => {
    await vscode.env.clipboard.writeText(text);
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

  /** Makes the page of the open panel anew; opens the panel when there is none. What it shows is not lost. */
  reload(): void {
    if (this.open === undefined) this.reveal();
    else {
      const turn = this.open.host.shownTurn();
      this.open.panel.reveal();
      this.open.load(() => this.replace(turn));
    }
  }

  /** The session that the open panel shows, or showed before it was hidden; empty when there is none. */
  shownSession(): string {
    return this.open?.host.shownSession() ?? "";
  }

  /** An open panel begins a new session, the named one if any; a closed one has none to go on with. */
  newSession(sessionId?: string): void {
    this.open?.host.newSession(sessionId);
  }

  dispose(): void {
    this.serializer.dispose();
    this.open?.panel.dispose();
  }

  /** Opens another panel in the place of one whose page can't be made any more. */
  private replace(turn: TurnRef | undefined): void {
    if (this.open === undefined) return;
    const column = this.open.panel.viewColumn ?? vscode.ViewColumn.Active;
    this.adopt(vscode.window.createWebviewPanel(PANEL_VIEW, "Conclave", column));
    this.reveal(turn);
  }

  private adopt(panel: vscode.WebviewPanel): void {
    this.open?.panel.dispose();
    const { extensionUri, deps } = this;
    const onClose = (): void => {
      if (this.open === opened) this.open = undefined;
    };
    const opened = new OpenPanel({ panel, extensionUri, deps, ui: panelUi, onClose });
    this.open = opened;
  }
}
