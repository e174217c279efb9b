import * as vscode from "vscode";
import { z } from "zod";
import { SETTINGS, SETTINGS_SECTION, TEST_ALLOWED_HOSTS_KEY, type SettingName } from "./contributions.ts";
import { readSettings, type SettingsReading } from "./settings-schema.ts";

/** The settings in force, checked, read anew at each call. */
export function currentSettings(): SettingsReading {
  const configuration = vscode.workspace.getConfiguration(SETTINGS_SECTION);
  return readSettings((key) => configuration.get(key));
}

/** Writes a setting of the user's own; null takes it away, so that the default counts again. */
export async function writeSetting(name: SettingName, value: string | boolean | null): Promise<void> {
  const configuration = vscode.workspace.getConfiguration(SETTINGS_SECTION);
  const target = vscode.ConfigurationTarget.Global;
  await configuration.update(SETTINGS[name].key, value ?? undefined, target);
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
