import * as vscode from "vscode";
import { EXTENSION_ID, SETTINGS, SETTINGS_SECTION } from "./contributions.ts";
import type { SettingsPort } from "./panel/settings-port.ts";
import { currentSettings } from "./settings.ts";

/** What of the manifest is read. */
interface Manifest {
  readonly contributes?: { readonly configuration?: { readonly properties?: Record<string, unknown> } };
}

/** VS Code's settings as the panel shows and writes them. */
export function settingsPort(): SettingsPort {
  const configuration = () => vscode.workspace.getConfiguration(SETTINGS_SECTION);
  const manifest = vscode.extensions.getExtension(EXTENSION_ID)?.packageJSON as Manifest | undefined;
  const properties = manifest?.contributes?.configuration?.properties ?? {};
  return {
    properties: () => properties,
    inspect: (name) => {
      const found = configuration().inspect(SETTINGS[name].key);
      return {
        user: found?.globalValue,
        workspace: found?.workspaceValue,
        folder: found?.workspaceFolderValue,
      };
    },
    reading: currentSettings,
    write: async (name, value, place) => {
      const { Global, Workspace } = vscode.ConfigurationTarget;
      await configuration().update(SETTINGS[name].key, value, place === "user" ? Global : Workspace);
    },
    place: () => ({
      workspace:
        vscode.workspace.workspaceFolders !== undefined || vscode.workspace.workspaceFile !== undefined,
      trusted: vscode.workspace.isTrusted,
    }),
    open: async (id, place) => {
      const command =
        place === "user" ? "workbench.action.openSettings" : "workbench.action.openWorkspaceSettings";
      await vscode.commands.executeCommand(command, { query: `@id:${id}` });
    },
    run: async (command) => {
      await vscode.commands.executeCommand(command);
    },
    onChange: (listener) => {
      const listening = vscode.Disposable.from(
        vscode.workspace.onDidChangeConfiguration((change) => {
          if (change.affectsConfiguration(SETTINGS_SECTION)) listener();
        }),
        vscode.workspace.onDidGrantWorkspaceTrust(listener),
        vscode.workspace.onDidChangeWorkspaceFolders(listener),
      );
      return () => void listening.dispose();
    },
  };
}
