import type { Json } from "../../agent/models/types.ts";
import { readSettings, settingProblem, type Settings } from "./schema.ts";
import { SETTINGS, settingId, type SettingName } from "./table.ts";

/**
 * Settings that whoever runs something decides and a file of somebody else does not: which servers are asked, where
 * things are kept, what is read or sent from this machine.
 */
const NOT_FOR_FILES: readonly SettingName[] = [
  "ollamaHost",
  "committeeHosts",
  "memoryUri",
  "embedderProvider",
  "embedderFolder",
  "embedderHost",
  "embedderDownload",
  "embedderModel",
  "webSearchProvider",
  "webSearchUrl",
  "toolsActions",
  "toolsWorkspace",
  "otlpEndpoint",
  "otlpRedact",
  "otlpLeaveOut",
  "traceKeepDays",
  "traceMaxSizeMb",
];

const BY_ID = new Map((Object.keys(SETTINGS) as SettingName[]).map((name) => [settingId(name), name]));

/** Full names of the settings that a case may have. */
export const CASE_SETTINGS: readonly string[] = [...BY_ID]
  .filter(([, name]) => !NOT_FOR_FILES.includes(name))
  .map(([id]) => id);

/** Full names of all settings. */
export const ALL_SETTINGS: readonly string[] = [...BY_ID.keys()];

/** What is wrong with a setting's value, following its name in a sentence; undefined where it fits. */
export function settingFault(id: string, value: Json): string | undefined {
  const name = BY_ID.get(id);
  if (name === undefined) return "is no setting";
  const problem = settingProblem(name, value);
  return problem?.slice(settingId(name).length + 1).replace(/\.$/u, "");
}

/** Settings with others in their place, by full names. What is no setting, or does not fit, is left as it was. */
export function settingsWith(base: Settings, values: Readonly<Record<string, unknown>>): Settings {
  const names = Object.keys(SETTINGS) as SettingName[];
  const byKey = new Map(names.map((name) => [SETTINGS[name].key as string, name]));
  const fits = (name: SettingName, value: unknown): boolean =>
    value !== undefined && settingProblem(name, value) === undefined;
  return readSettings((key) => {
    const name = byKey.get(key);
    if (name === undefined) return undefined;
    const value = values[settingId(name)];
    return fits(name, value) ? value : base[name];
  }).settings;
}

/** Settings that are not the product's defaults, by full names: what a report must say. */
export function settingsBesideDefaults(settings: Settings): Readonly<Record<string, unknown>> {
  const names = Object.keys(SETTINGS) as SettingName[];
  const other = names.filter(
    (name) => JSON.stringify(settings[name]) !== JSON.stringify(SETTINGS[name].default),
  );
  return Object.fromEntries(other.map((name) => [settingId(name), settings[name]]));
}

/** The product's defaults. */
export const DEFAULT_SETTINGS: Settings = readSettings(() => undefined).settings;
