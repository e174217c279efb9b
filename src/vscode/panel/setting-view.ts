import { z } from "zod";
import type { Json } from "../../agent/models/types.ts";
import {
  MAX_SETTING,
  type SettingKind,
  type SettingPlace,
  type SettingView,
} from "../../trace/panel-settings.ts";
import { SETTINGS, settingId, type SettingName } from "../contributions.ts";
import type { SettingsPort, WrittenSetting } from "./settings-port.ts";

/** What `package.json` says of a setting. */
const property = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]),
  enum: z.array(z.string()).optional(),
  enumDescriptions: z.array(z.string()).optional(),
  items: z.looseObject({ enum: z.array(z.string()).optional() }).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  editPresentation: z.string().optional(),
  markdownDescription: z.string().optional(),
});
type Property = z.infer<typeof property>;

/** A link to a command in a description: what it says, and the command. */
const COMMAND_LINK = /\[([^\]]*)\]\(command:([\w.]+)\)/gu;

/** A button of a setting: what it says, and the command that it runs. */
export interface SettingButton {
  readonly label: string;
  readonly command: string;
}

/** The setting that has a full name; undefined for any other name. */
export function settingNamed(id: string): SettingName | undefined {
  return (Object.keys(SETTINGS) as SettingName[]).find((name) => settingId(name) === id);
}

/** The buttons of a setting: what its description links to, such as the way to set a key. */
export function settingButtons(port: SettingsPort, name: SettingName): readonly SettingButton[] {
  const { markdownDescription = "" } = propertyOf(port, name);
  return [...markdownDescription.matchAll(COMMAND_LINK)].map(([, label = "", command = ""]) => ({
    label: capitalised(label),
    command,
  }));
}

/** Where a setting can be written now, and why not for the workspace. */
export function settingScopes(
  port: SettingsPort,
  name: SettingName,
): { readonly scopes: readonly SettingPlace[]; readonly userOnly?: string } {
  const { workspace, trusted } = port.place();
  const { scope, restricted } = SETTINGS[name];
  if (scope === "machine")
    return { scopes: ["user"], userOnly: "Only your own settings count for this: a folder can't change it." };
  if (!workspace) return { scopes: ["user"], userOnly: "No folder is open." };
  if (restricted && !trusted)
    return { scopes: ["user"], userOnly: "A folder can set this once you trust it." };
  return { scopes: ["user", "workspace"] };
}

/** A setting as the panel draws it. */
export function settingView(port: SettingsPort, name: SettingName): SettingView {
  const described = propertyOf(port, name);
  const written = writtenOf(port.inspect(name));
  const reading = port.reading();
  const problem = reading.problems.find(({ setting }) => setting === settingId(name))?.message;
  const value = asJson(reading.settings[name]);
  const standard = asJson(SETTINGS[name].default);
  const isTooLong = JSON.stringify([written, value]).length > MAX_SETTING;
  const { category, label } = nameOf(SETTINGS[name].key);
  return {
    id: settingId(name),
    ...{ category, label },
    description: plain(described.markdownDescription ?? ""),
    kind: kindOf(described),
    default: standard,
    value: isTooLong ? null : value,
    from: problem === undefined ? cameFrom(written) : "default",
    written: isTooLong ? {} : written,
    ...settingScopes(port, name),
    ...(problem !== undefined && { problem }),
    ...(isTooLong && { tooLong: true as const }),
    buttons: settingButtons(port, name).map((button) => button.label),
  };
}

function propertyOf(port: SettingsPort, name: SettingName): Property {
  const parsed = property.safeParse(port.properties()[settingId(name)]);
  return parsed.success ? parsed.data : { type: "json" };
}

/** What VS Code gives may be frozen, or hold what is no JSON. */
function asJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value ?? null)) as Json;
}

function writtenOf({ user, workspace, folder }: WrittenSetting): SettingView["written"] {
  return {
    ...(user !== undefined && { user: asJson(user) }),
    ...(workspace !== undefined && { workspace: asJson(workspace) }),
    ...(folder !== undefined && { folder: asJson(folder) }),
  };
}

/** The narrowest one counts. */
function cameFrom({ user, workspace, folder }: SettingView["written"]): SettingView["from"] {
  if (folder !== undefined) return "folder";
  if (workspace !== undefined) return "workspace";
  return user === undefined ? "default" : "user";
}

/** As VS Code's settings editor names it: `memory.retrieval.halfLifeDays` is `Half Life Days` of `Memory › Retrieval`. */
function nameOf(key: string): { readonly category: string; readonly label: string } {
  const parts = key.split(".").map((part) =>
    part
      .replace(/([a-z0-9])([A-Z])/gu, "$1 $2")
      .split(" ")
      .map(capitalised)
      .join(" "),
  );
  return { category: parts.slice(0, -1).join(" › "), label: parts.at(-1) ?? key };
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function kindOf(described: Property): SettingKind {
  const types = [described.type].flat();
  if (described.enum !== undefined) {
    const descriptions = described.enumDescriptions ?? [];
    const options = described.enum.map((value, index) => ({ value, description: descriptions[index] ?? "" }));
    return { type: "choice", options };
  }
  if (types.includes("boolean")) return { type: "boolean" };
  if (types.includes("string"))
    return { type: "text", multiline: described.editPresentation === "multilineText" };
  if (types.includes("number") || types.includes("integer"))
    return {
      type: "number",
      integer: !types.includes("number"),
      nullable: types.includes("null"),
      ...(described.minimum !== undefined && { min: described.minimum }),
      ...(described.maximum !== undefined && { max: described.maximum }),
    };
  if (types.includes("array") && described.items !== undefined) {
    const { enum: options } = described.items;
    return { type: "list", ...(options && { options }) };
  }
  return { type: "json" };
}

/** Markdown as plain text: links to commands become buttons, and settings are named. */
function plain(markdown: string): string {
  return markdown
    .replace(/[:,]?\s*\[[^\]]*\]\(command:[\w.]+\)\.?/gu, "")
    .replace(/\[([^\]]*)\]\([^)]*\)/gu, "$1")
    .replace(/`#([\w.]+)#`/gu, "$1")
    .replace(/`([^`]*)`/gu, "$1")
    .replace(/\*+([^*\s][^*]*)\*+/gu, "$1")
    .trim()
    .replace(/([^.!?])$/u, "$1.");
}
