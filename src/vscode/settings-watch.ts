import * as vscode from "vscode";
import { COMMANDS, CONTEXT_KEYS, SETTINGS_SECTION } from "./contributions.ts";
import { currentSettings } from "./settings.ts";

/** Says once for each value that a setting can't be used, and keeps what `when` clauses read of the settings. */
export class SettingsWatch implements vscode.Disposable {
  readonly #output: vscode.LogOutputChannel;
  readonly #listener: vscode.Disposable;
  #said: ReadonlySet<string> = new Set();

  /** `onChange` is called after any change of our settings. */
  constructor(output: vscode.LogOutputChannel, onChange: () => void) {
    this.#output = output;
    this.#listener = vscode.workspace.onDidChangeConfiguration((change) => {
      if (!change.affectsConfiguration(SETTINGS_SECTION)) return;
      this.#look();
      onChange();
    });
    this.#look();
  }

  dispose(): void {
    this.#listener.dispose();
  }

  #look(): void {
    const { settings, problems } = currentSettings();
    void vscode.commands.executeCommand("setContext", CONTEXT_KEYS.memoryEnabled, settings.memoryEnabled);
    void vscode.commands.executeCommand("setContext", CONTEXT_KEYS.webFetchEnabled, settings.webFetchEnabled);
    for (const { setting, message } of problems) {
      if (this.#said.has(message)) continue;
      this.#output.warn(message);
      void this.#show(setting, message);
    }
    this.#said = new Set(problems.map((problem) => problem.message));
  }

  async #show(setting: string, message: string): Promise<void> {
    const pressed = await vscode.window.showWarningMessage(message, "Open settings");
    if (pressed !== undefined) await vscode.commands.executeCommand(COMMANDS.openSettings, setting);
  }
}
