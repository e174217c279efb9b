import { closestName } from "../agents/closest.ts";
import type { AgentProblem } from "../agents/definition.ts";
import { firstLine, placeOf } from "../agents/field-place.ts";
import { placesOf } from "../agents/text-place.ts";
import { readYaml, type YamlReading } from "../agents/yaml-read.ts";
import { shown, type Path, type Range } from "../agents/yaml-tree.ts";
import { isJsonList, isJsonObject } from "../json.ts";
import type { Json, JsonObject } from "../models/types.ts";
import { RUBRIC_FIELDS, RUBRIC_FILE, RUBRIC_NAME } from "./rubric-fields.ts";
import type { Rubric } from "./types.ts";

/** Text (UTF-16 units) that a rubric file may have. */
const MAX_FILE = 50_000;
/** Most problems that are told of one file. */
const MAX_PROBLEMS = 50;

/** A rubric file, read. */
export interface ParsedRubric {
  /** Absent when the file can't be used. */
  readonly rubric?: Rubric;
  /** The name that it takes, where that can be told, even when it can't be used. */
  readonly name?: string;
  /** What its writer should know, with places; an error: it can't be used. */
  readonly problems: readonly AgentProblem[];
}

/**
 * Reads a rubric file. What can be read leniently is used, and a warning says so; what can't be used has no rubric and an
 * error that says where and what to do. Never throws; each place lies within the text.
 *
 * @param source the file's path or URI: problems are told of it, and where the file names no rubric its name does
 */
export function parseRubric(text: string, source: string): ParsedRubric {
  const whole = text.replace(/^\ufeff/u, "").replace(/\r(?!\n)/gu, "\n");
  const places = placesOf(whole);
  const problems: AgentProblem[] = [];
  const tell = (severity: AgentProblem["severity"], range: Range, message: string): void => {
    const problem = { path: source, severity, message, ...places.at(...range) };
    if (problems.length < MAX_PROBLEMS) problems.push(problem);
    else if (severity === "error") problems[MAX_PROBLEMS - 1] = problem;
  };
  const top: Range = [0, firstLine(whole)];
  const reading = readText(whole, (message) => tell("error", top, message));
  for (const { severity, range, message } of reading?.problems ?? []) tell(severity, range, message);
  const named = nameOf(source);
  if (reading === undefined || isBroken(problems)) return { problems, ...(named !== "" && { name: named }) };
  const note: Note = (severity, path, message, about = "value") =>
    tell(severity, placeOf(reading, path, about) ?? top, message);
  const tidied = tidyRubric(reading, named, note);
  const checked = RUBRIC_FILE.safeParse(tidied ?? {});
  const name = typeof tidied?.["name"] === "string" ? tidied["name"] : named;
  if (tidied !== undefined && !checked.success) tellIssues(checked.error.issues, reading, note);
  if (isBroken(problems) || !checked.success) return { problems, name };
  return { problems, name, rubric: { ...checked.data, source } };
}

function isBroken(problems: readonly AgentProblem[]): boolean {
  return problems.some(({ severity }) => severity === "error");
}

type Note = (
  severity: AgentProblem["severity"],
  path: Path,
  message: string,
  about?: "key" | "value",
) => void;

function readText(text: string, refuse: (message: string) => void): YamlReading | undefined {
  if (text.length > MAX_FILE)
    refuse(`The file has more than ${MAX_FILE} characters and is not read. Make it shorter.`);
  else if (text.includes("\u0000")) refuse("The file is not text. Save it as UTF-8.");
  else if (text.trim() === "")
    refuse("The file is empty. Write a name, a criterion and levels, or delete the file.");
  else return readYaml(text);
  return undefined;
}

/** The fields as they are wanted, whatever is taken leniently noted; nothing when there are no fields. */
function tidyRubric({ value, empty }: YamlReading, named: string, note: Note): JsonObject | undefined {
  if (!isJsonObject(value)) {
    note("error", [], "The file must hold fields: `name: value`, one on each line.");
    return undefined;
  }
  for (const path of empty)
    note("warning", path, `\`${shown(path.map(String).join("."))}\` has no value.`, "key");
  const fields: Record<string, Json> = {};
  for (const [field, inner] of Object.entries(value)) {
    if (RUBRIC_FIELDS.some((known) => known === field)) fields[field] = inner;
    else if (field !== "$schema") note("warning", [field], unknownField(field), "key");
  }
  if (fields["name"] === undefined) {
    fields["name"] = named;
    note(
      "warning",
      ["name"],
      `The field \`name\` is missing; the rubric is called ${shown(named)}, as its file.`,
    );
  }
  fields["levels"] = levelsOf(fields["levels"], note);
  const { agents } = fields;
  if (typeof agents === "string") {
    fields["agents"] = [agents];
    note(
      "warning",
      ["agents"],
      `\`agents\` is a list; this is read as a list of one. Write [${shown(agents)}].`,
    );
  }
  return fields;
}

function unknownField(field: string): string {
  const near = closestName(field, RUBRIC_FIELDS);
  const hint = near === undefined ? `There are ${RUBRIC_FIELDS.join(", ")}.` : `Do you mean \`${near}\`?`;
  return `There is no field \`${shown(field)}\`, and it is not used. ${hint}`;
}

/** Levels are written as a list, or each behind its number. */
function levelsOf(levels: Json | undefined, note: Note): Json {
  if (!isJsonObject(levels)) return levels ?? null;
  for (const key of Object.keys(levels))
    if (!/^[1-5]$/u.test(key))
      note("error", ["levels", key], "A level is a whole number from 1 to 5.", "key");
  return [1, 2, 3, 4, 5].map((grade) => levels[grade] ?? null);
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function tellIssues(issues: readonly Issue[], { value }: YamlReading, note: Note): void {
  const levels = isJsonObject(value) ? value["levels"] : undefined;
  for (const { path, message } of issues) {
    const [field = "", at] = path.filter((part) => typeof part !== "symbol");
    if (field === "levels" && typeof at === "number") {
      const written = isJsonList(levels) ? at : String(at + 1);
      const isThere = isJsonList(levels) || (isJsonObject(levels) && levels[written] !== undefined);
      note(
        "error",
        ["levels", written],
        isThere ? `What a ${at + 1} means ${message}.` : `The level ${at + 1} is missing.`,
      );
    } else if (isJsonObject(value) && value[field] === undefined && field !== "name")
      note("error", [field], `\`${field}\` is missing. ${MISSING[field] ?? ""}`.trim());
    else note("error", at === undefined ? [field] : [field, at], `\`${field}\` ${message}.`);
  }
}

const MISSING: Readonly<Record<string, string>> = {
  criterion: "Write the question that the judge is to answer.",
  levels: "Write what each of the grades 1 to 5 means.",
};

/** What a file's own name calls its rubric. */
function nameOf(source: string): string {
  const last = source.replaceAll("\\", "/").split("/").at(-1) ?? "";
  const stem = last.replace(/\.[^.]*$/u, "").toLowerCase();
  return RUBRIC_NAME.test(stem) ? stem : stem.replace(/[^a-z0-9]+/gu, "-").replace(/^-+|-+$/gu, "");
}
