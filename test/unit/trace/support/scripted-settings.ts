import { readFileSync } from "node:fs";
import { z } from "zod";
import { SETTINGS, settingId, type SettingName } from "../../../../src/vscode/contributions.ts";
import type { SettingsPort, WrittenSetting } from "../../../../src/vscode/panel/settings-port.ts";
import { readSettings } from "../../../../src/vscode/settings-schema.ts";

const Manifest = z.looseObject({
  contributes: z.looseObject({
    configuration: z.looseObject({ properties: z.record(z.string(), z.unknown()) }),
  }),
});
const { properties } = Manifest.parse(
  JSON.parse(readFileSync(new URL("../../../../package.json", import.meta.url), "utf8")),
).contributes.configuration;

/** VS Code's settings as they are without VS Code: what is written where, and what counts. */
export class ScriptedSettings implements SettingsPort {
  /** What is written, by full names. */
  readonly user = new Map<string, unknown>();
  readonly workspace = new Map<string, unknown>();
  readonly opened: string[] = [];
  readonly ran: string[] = [];
  isOpen = true;
  trusted = true;
  /** VS Code's own words, where it writes nothing. */
  refusal: string | undefined;
  private readonly listeners = new Set<() => void>();

  properties(): Readonly<Record<string, unknown>> {
    return properties;
  }

  inspect(name: SettingName): WrittenSetting {
    const id = settingId(name);
    return { user: this.user.get(id), workspace: this.workspace.get(id) };
  }

  reading(): ReturnType<SettingsPort["reading"]> {
    const name = (key: string) =>
      (Object.keys(SETTINGS) as SettingName[]).find((one) => SETTINGS[one].key === key);
    return readSettings((key) => {
      const found = name(key);
      if (found === undefined) return undefined;
      const { user, workspace } = this.inspect(found);
      return workspace ?? user;
    });
  }

  write(name: SettingName, value: unknown, place: "user" | "workspace"): Promise<void> {
    if (this.refusal !== undefined) return Promise.reject(new Error(this.refusal));
    this.set(place, settingId(name), value);
    return Promise.resolve();
  }

  /** Changes a setting as somebody else would. */
  set(place: "user" | "workspace", id: string, value: unknown): void {
    if (value === undefined) this[place].delete(id);
    else this[place].set(id, value);
    for (const listener of this.listeners) listener();
  }

  place(): { readonly workspace: boolean; readonly trusted: boolean } {
    return { workspace: this.isOpen, trusted: this.trusted };
  }

  open(id: string, place: string): Promise<void> {
    this.opened.push(`${id} ${place}`);
    return Promise.resolve();
  }

  run(command: string): Promise<void> {
    this.ran.push(command);
    return Promise.resolve();
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
