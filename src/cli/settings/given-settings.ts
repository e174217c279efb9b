import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { z } from "zod";
import { closestName } from "../../agent/agents/closest.ts";
import { describeError, failed, success, type Result } from "../../agent/failure.ts";
import type { Json } from "../../agent/models/types.ts";
import { ALL_SETTINGS, DEFAULT_SETTINGS, settingFault, settingsWith } from "./case-settings.ts";
import type { Settings } from "./schema.ts";
import { SETTINGS_SECTION } from "./table.ts";

/** What a command was given to go by. */
export interface SettingSources {
  /** A JSON file with settings by their full names, such as one of VS Code. */
  readonly file?: string;
  /** `name=value`, each; values as JSON, else as text. */
  readonly pairs: readonly string[];
  /** By flags of their own, over all else; by full names. */
  readonly flags: Readonly<Record<string, unknown>>;
}

const FILE = z.record(z.string(), z.unknown());

/**
 * The settings of a command, of the names and rules that VS Code's have: the product's defaults, a file's, single
 * ones, those of flags. Unlike in the editor, a wrong one is a failure: whoever writes a command wants it as written.
 */
export async function givenSettings(
  { file, pairs, flags }: SettingSources,
  cwd: string,
): Promise<Result<Settings>> {
  const read = file === undefined ? success({}) : await readSettingsFile(resolve(cwd, file));
  if (!read.ok) return read;
  const own = Object.entries(read.value).filter(([name]) => name.startsWith(`${SETTINGS_SECTION}.`));
  const values: Record<string, unknown> = Object.fromEntries(own);
  for (const pair of pairs) {
    const at = pair.indexOf("=");
    if (at <= 0)
      return failed("bad_input", `--set takes a setting and its value, as name=value, and not "${pair}".`);
    const name = pair.slice(0, at).trim();
    values[name.startsWith(`${SETTINGS_SECTION}.`) ? name : `${SETTINGS_SECTION}.${name}`] = valueOf(
      pair.slice(at + 1),
    );
  }
  for (const [name, value] of [...Object.entries(values), ...Object.entries(flags)]) {
    const problem = problemOf(name, value);
    if (problem !== undefined) return failed("bad_input", problem);
  }
  return success(settingsWith(DEFAULT_SETTINGS, { ...values, ...flags }));
}

function problemOf(name: string, value: unknown): string | undefined {
  if (!ALL_SETTINGS.includes(name)) {
    const near = closestName(name, ALL_SETTINGS);
    return `There is no setting ${name}${near === undefined ? "." : `; do you mean ${near}?`}`;
  }
  const fault = settingFault(name, value as Json);
  return fault === undefined ? undefined : `${name} ${fault}.`;
}

/** A value as JSON where it is JSON, else as text. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function readSettingsFile(path: string): Promise<Result<Record<string, unknown>>> {
  try {
    const parsed = FILE.safeParse(JSON.parse(await readFile(path, "utf8")));
    return parsed.success
      ? success(parsed.data)
      : failed("bad_input", `${path} must hold settings by their names.`);
  } catch (error) {
    return failed("bad_input", `The settings in ${path} can't be read: ${describeError(error)}.`);
  }
}
