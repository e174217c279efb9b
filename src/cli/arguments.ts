import { parseArgs, type ParseArgsConfig } from "node:util";
import { describeError, failed, success, type Result } from "../agent/failure.ts";
import { closestName } from "../agent/agents/closest.ts";

/** Options by their names, as `parseArgs` of Node describes them. */
export type OptionTable = NonNullable<ParseArgsConfig["options"]>;

/** What was given: values by the names of options, and what stands without one. */
export interface Given {
  readonly values: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;
  readonly rest: readonly string[];
}

/** Reads the arguments of a command. What is no option is a failure in a sentence. */
export function readArguments(args: readonly string[], options: OptionTable): Result<Given> {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options,
      allowPositionals: true,
      strict: true,
    });
    return success({ values, rest: positionals });
  } catch (error) {
    return failed("bad_input", sentence(describeError(error), Object.keys(options)));
  }
}

function sentence(message: string, known: readonly string[]): string {
  const unknown = /^Unknown option '(-[^']*)'/u.exec(message)?.[1];
  if (unknown !== undefined) {
    const near = closestName(unknown.replace(/^-+/u, ""), known);
    const hint = near === undefined ? "--help lists all there are" : `do you mean --${near}?`;
    return `There is no option ${unknown}; ${hint}.`.replace("?.", "?");
  }
  const [first = message] = message.split(/\.\s|\n/u);
  return `${first.replace(/\.$/u, "")}.`;
}

/** A text option; undefined where it was not given. */
export function textOf({ values }: Given, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

/** The values of an option that may be given several times. */
export function textsOf({ values }: Given, name: string): readonly string[] {
  const value = values[name];
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
}

/** Whether a flag was given. */
export function isSet({ values }: Given, name: string): boolean {
  return values[name] === true;
}

/** A whole number of an option; `standard` where it was not given. */
export function numberOf(
  given: Given,
  name: string,
  least: number,
  most: number,
  standard: number,
): Result<number> {
  const text = textOf(given, name);
  if (text === undefined) return success(standard);
  const value = Number(text);
  return /^\d+$/u.test(text) && value >= least && value <= most
    ? success(value)
    : failed("bad_input", `--${name} must be a whole number from ${least} to ${most}, and is "${text}".`);
}

/** Comma-separated words of an option, each of which must be one of some. */
export function wordsOf<const T extends readonly string[]>(
  given: Given,
  name: string,
  known: T,
): Result<readonly T[number][]> {
  const words = (textOf(given, name) ?? "")
    .split(",")
    .flatMap((word) => (word.trim() === "" ? [] : [word.trim()]));
  const unknown = words.find((word) => !known.includes(word));
  return unknown === undefined
    ? success(words)
    : failed("bad_input", `--${name} takes ${known.join(", ")}, and not "${unknown}".`);
}
