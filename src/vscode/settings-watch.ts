import * as vscode from "vscode";
import { COMMANDS, CONTEXT_KEYS, SETTINGS_SECTION } from "./contributions.ts";
import { currentSettings } from "./settings.ts";
import { warningOf, type SettingsWarning } from "./settings-warning.ts";

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
    const fresh = problems.filter(({ message }) => !this.#said.has(message));
    for (const { message } of fresh) this.#output.warn(message);
    const warning = warningOf(fresh);
    if (warning !== undefined) void this.#show(warning);
    this.#said = new Set(problems.map((problem) => problem.message));
  }

  async #show({ message, setting }: SettingsWarning): Promise<void> {
    const pressed = await vscode.window.showWarningMessage(message, "Open settings");
    if (pressed === undefined) return;
    await vscode.commands.executeCommand(COMMANDS.openSettings, ...(setting === undefined ? [] : [setting]));
  }
}
