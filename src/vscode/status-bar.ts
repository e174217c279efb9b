import * as vscode from "vscode";
import { COMMANDS, SETTINGS, SETTINGS_SECTION } from "./contributions.ts";
import { statusLabel, type ActivityView } from "./status-model.ts";

const IDLE: ActivityView = { activity: { state: "idle" }, running: [] };

/** The item in the status bar: which model, and what it is at. A click opens the menu. */
export class StatusBar implements vscode.Disposable {
  readonly #item: vscode.StatusBarItem;
  readonly #listener: vscode.Disposable;
  #view = IDLE;

  constructor() {
    this.#item = vscode.window.createStatusBarItem("conclave.status", vscode.StatusBarAlignment.Right, 90);
    this.#item.name = "Conclave";
    this.#item.command = COMMANDS.showMenu;
    this.#listener = vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(`${SETTINGS_SECTION}.${SETTINGS.model.key}`)) this.#draw();
    });
    this.#draw();
    this.#item.show();
  }

  /** Shows what goes on now. */
  show(view: ActivityView): void {
    this.#view = view;
    this.#draw();
  }

  dispose(): void {
    this.#listener.dispose();
    this.#item.dispose();
  }

  #draw(): void {
    // Read without the checked settings: this runs at activation, which loads nothing heavy.
    const model: unknown = vscode.workspace.getConfiguration(SETTINGS_SECTION).get(SETTINGS.model.key);
    const label = statusLabel(typeof model === "string" ? model : "", this.#view);
    this.#item.text = label.text;
    this.#item.tooltip = label.tooltip;
    this.#item.accessibilityInformation = { label: label.tooltip };
    this.#item.backgroundColor = label.error
      ? new vscode.ThemeColor("statusBarItem.errorBackground")
      : undefined;
  }
}
