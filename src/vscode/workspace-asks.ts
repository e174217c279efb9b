import { SETTINGS, settingId, type SettingName } from "./contributions.ts";

/** A settings file of a folder or workspace, as text. */
export interface SettingsFile {
  /** What people call it: `boat/.vscode/settings.json`. */
  readonly label: string;
  readonly text: string;
}

/** A setting that a folder sets and that is not used. */
export interface RefusedSetting {
  readonly setting: string;
  readonly file: string;
}

const names = Object.keys(SETTINGS) as SettingName[];

/** Which settings of ours a file names, comments aside. VS Code hides refused values from extensions: so the text. */
function settingsIn(text: string): SettingName[] {
  const withoutComments = text.replace(
    /("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[^]*?\*\//g,
    (_whole, string: string | undefined) => string ?? "",
  );
  const keys = new Set([...withoutComments.matchAll(/"((?:[^"\\\n]|\\.)*)"\s*:/g)].map((match) => match[1]));
  return names.filter((name) => keys.has(settingId(name)));
}

/**
 * What the workspace's own settings ask for and don't get: machine settings never, restricted ones not while the
 * folder isn't trusted.
 */
export function refusedSettings(files: readonly SettingsFile[], trusted: boolean): readonly RefusedSetting[] {
  return files.flatMap(({ label, text }) =>
    settingsIn(text)
      .filter((name) => SETTINGS[name].scope === "machine" || (SETTINGS[name].restricted && !trusted))
      .map((name) => ({ setting: settingId(name), file: label })),
  );
}

/** The one line that says so; undefined when nothing was refused. */
export function refusedLine(refused: readonly RefusedSetting[], trusted: boolean): string | undefined {
  if (refused.length === 0) return undefined;
  const settings = [...new Set(refused.map((one) => one.setting))].join(", ");
  const files = [...new Set(refused.map((one) => one.file))].join(", ");
  const why = trusted ? "these can only be set in your user settings" : "this folder is not trusted";
  return `Not used from ${files}: ${settings} (${why}). Your own values are in force.`;
}
