import * as vscode from "vscode";
import { z } from "zod";
import { SETTINGS, SETTINGS_SECTION, TEST_ALLOWED_HOSTS_KEY, type SettingName } from "./contributions.ts";
import { readSettings, type SettingsReading } from "./settings-schema.ts";

/** The settings in force, checked, read anew at each call. */
export function currentSettings(): SettingsReading {
  const configuration = vscode.workspace.getConfiguration(SETTINGS_SECTION);
  return readSettings((key) => configuration.get(key));
}

/** Writes a setting where it takes effect: in the workspace if that has a value of its own in force, else for the user. */
export async function writeSetting(
  name: SettingName,
  value: string | boolean | readonly string[],
): Promise<void> {
  const configuration = vscode.workspace.getConfiguration(SETTINGS_SECTION);
  const { key, scope } = SETTINGS[name];
  const own = scope === "window" ? configuration.inspect(key)?.workspaceValue : undefined;
  const { Global, Workspace } = vscode.ConfigurationTarget;
  await configuration.update(key, value, own === undefined ? Global : Workspace);
}

/** Whether a change touches one of these settings. */
export function touches(change: vscode.ConfigurationChangeEvent, ...names: readonly SettingName[]): boolean {
  return names.some((name) => change.affectsConfiguration(`${SETTINGS_SECTION}.${SETTINGS[name].key}`));
}

/**
 * Hosts (`127.0.0.1:8080`) that tests let `web_fetch` reach on loopback. Always empty in an installed extension: the
 * list is read only while VS Code runs it for tests or development.
 */
export function testAllowedHosts(mode: vscode.ExtensionMode): readonly string[] {
  if (mode === vscode.ExtensionMode.Production) return [];
  const configured = vscode.workspace.getConfiguration(SETTINGS_SECTION).inspect(TEST_ALLOWED_HOSTS_KEY);
  const hosts = z.array(z.string()).safeParse(configured?.globalValue);
  const fromEnvironment = (process.env["CONCLAVE_TEST_ALLOWED_HOSTS"] ?? "").split(",");
  return [...(hosts.success ? hosts.data : []), ...fromEnvironment].filter((host) => host !== "");
}

/** The proxy that the user's own setting of VS Code (`http.proxy`) names; a folder can't name one. */
export function proxySetting(): string | undefined {
  const proxy = vscode.workspace.getConfiguration("http").inspect<string>("proxy")?.globalValue;
  return typeof proxy === "string" && proxy !== "" ? proxy : undefined;
}
