import type { SettingProblem } from "./settings-schema.ts";

/** Settings that one warning names. */
const MAX_NAMED = 8;

/** What is said of settings that can't be used. */
export interface SettingsWarning {
  readonly message: string;
  /** The id of the only one; left out where there are several. */
  readonly setting?: string;
}

/**
 * One warning for all that can't be used, nothing where all can: VS Code shows no more than three at a time, and what
 * is wrong with each of many is for the log.
 */
export function warningOf(problems: readonly SettingProblem[]): SettingsWarning | undefined {
  const [first, ...others] = problems;
  if (first === undefined || others.length === 0) return first;
  const named = problems.slice(0, MAX_NAMED).map(({ setting }) => setting);
  const more = problems.length - named.length;
  const list = more > 0 ? `${named.join(", ")} and ${more} more` : named.join(", ");
  return {
    message: `${problems.length} settings can't be used, and their defaults are used instead: ${list}. The log of Conclave says what is wrong with each.`,
  };
}
