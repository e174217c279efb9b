import type { SettingPlace } from "../../trace/panel-settings.ts";
import type { SettingName } from "../contributions.ts";
import type { SettingsReading } from "../settings-schema.ts";

/** What is written of a setting where; undefined: nothing. */
export interface WrittenSetting {
  readonly user?: unknown;
  readonly workspace?: unknown;
  readonly folder?: unknown;
}

/** VS Code's settings, as the panel shows and writes them. */
export interface SettingsPort {
  /** What `package.json` contributes, by the full names of the settings. */
  properties(): Readonly<Record<string, unknown>>;
  inspect(name: SettingName): WrittenSetting;
  /** The values in force, and what is wrong with those that are not taken. */
  reading(): SettingsReading;
  /** Writes a value, or takes away what is written (undefined). Rejects with VS Code's own words. */
  write(name: SettingName, value: unknown, place: SettingPlace): Promise<void>;
  /** Whether a folder or workspace is open, and trusted. */
  place(): { readonly workspace: boolean; readonly trusted: boolean };
  /** Opens VS Code's settings editor at a setting. */
  open(id: string, place: SettingPlace): Promise<void>;
  /** Runs a command of this extension. */
  run(command: string): Promise<void>;
  /** Calls back after any change of a setting or of trust; returns the way to stop. */
  onChange(listener: () => void): () => void;
}
