import { readFile, stat } from "node:fs/promises";
import { placesOf } from "../../../agent/agents/text-place.ts";
import { readYaml, type YamlReading } from "../../../agent/agents/yaml-read.ts";
import type { Path, Range } from "../../../agent/agents/yaml-tree.ts";
import { decodeText } from "../../../agent/agents/decode.ts";
import { describeError } from "../../../agent/failure.ts";
import { isJsonObject } from "../../../agent/json.ts";
import { readBeside, withFiles } from "./beside.ts";
import { checkCase } from "./check.ts";
import { CASE } from "./schema.ts";
import type { CheckedFields, EvalCase, ReadBeside } from "./types.ts";

/** Text (UTF-16 units) that a case's file may have. */
export const MAX_CASE_FILE = 500_000;
/** Most problems that are told of one file. */
const MAX_PROBLEMS = 50;

/** Something about a case's file that its writer should know. */
export interface CaseProblem {
  readonly file: string;
  /** An error: the case can't be run. */
  readonly severity: "error" | "warning";
  readonly message: string;
  /** From 1; `endColumn` exclusive, on the same line. */
  readonly line: number;
  readonly column: number;
  readonly endColumn: number;
}

/** A case's file, read. */
export interface ParsedCase {
  readonly case?: EvalCase;
  readonly problems: readonly CaseProblem[];
}

/** Numbers and truth values keep their types where a tool, a setting or a reply is given them. */
function isTyped([field, ...inner]: Path): boolean {
  switch (field) {
    case "settings":
      return true;
    case "script":
      return inner.includes("arguments") || inner.includes("json");
    case "agents":
      return inner[1] === "properties";
    default:
      return false;
  }
}

/** A case of text alone has no files beside it. */
const NO_FILES: ReadBeside = () => Promise.resolve({ problem: "there are no files beside it" });

/** Reads a case from text. What is wrong is told with its place; with an error there is no case. Never throws. */
export async function parseCase(file: string, text: string, beside = NO_FILES): Promise<ParsedCase> {
  const lines = text.replace(/^\ufeff/u, "").replace(/\r(?!\n)/gu, "\n");
  const places = placesOf(lines);
  const problems: CaseProblem[] = [];
  const tell = (severity: CaseProblem["severity"], range: Range, message: string): void => {
    const problem = { file, severity, message, ...places.at(...range) };
    if (problems.length < MAX_PROBLEMS) problems.push(problem);
    // Why a case can't be run is said in any case.
    else if (severity === "error") problems[MAX_PROBLEMS - 1] = problem;
  };
  const whole: Range = [0, /^[^\r\n]*/u.exec(lines)?.[0].length ?? 0];
  const reading = readFields(file, lines, whole, tell);
  if (reading === undefined) return { problems };
  const fault: Fault = (path, message, isName = false) =>
    tell("error", (isName ? reading.keyAt(path) : placeOf(reading, path)) ?? whole, message);
  const fields = checkedFields(reading, fault);
  if (fields === undefined) return { problems };
  const read = await withFiles({ ...fields, file }, beside, fault);
  const isBroken = problems.some(({ severity }) => severity === "error");
  return isBroken ? { problems } : { case: read, problems };
}

/** The fields of a text, where it has some. */
function readFields(
  file: string,
  lines: string,
  whole: Range,
  tell: (severity: CaseProblem["severity"], range: Range, message: string) => void,
): YamlReading | undefined {
  if (lines.length > MAX_CASE_FILE)
    tell(
      "error",
      [0, 1],
      `The file has more than ${MAX_CASE_FILE} characters and is not read. Make it shorter.`,
    );
  else if (lines.trim() === "")
    tell("error", whole, "The file is empty. Write at least a name, a question and what is expected.");
  else {
    const reading = readYaml(lines, { json: /\.json$/iu.test(file), typed: isTyped });
    for (const { severity, range, message } of reading.problems) tell(severity, range, message);
    if (reading.problems.some(({ severity }) => severity === "error")) return undefined;
    if (isJsonObject(reading.value)) return reading;
    tell("error", whole, "The file must hold fields: `name: value`, one on each line.");
  }
  return undefined;
}

/** Takes what is wrong with a value, or with the name of a field. */
type Fault = (path: Path, message: string, isName?: boolean) => void;

function checkedFields(reading: YamlReading, fault: Fault): CheckedFields | undefined {
  const checked = CASE.safeParse(reading.value);
  if (!checked.success) {
    for (const issue of checked.error.issues) {
      const path = issue.path.filter((part) => typeof part !== "symbol");
      const isStray = issue.code === "unrecognized_keys";
      const at = isStray ? [...path, issue.keys[0] ?? ""] : path;
      fault(at, sentence(path, isMissing(reading.value, path) ? "must be there" : issue.message), isStray);
    }
    return undefined;
  }
  const faults = checkCase(checked.data);
  for (const { path, message } of faults) fault(path, sentence(path, message));
  if (faults.length > 0) return undefined;
  const { question, expect, reference, then, dialogue, ...rest } = checked.data;
  const own = {
    ...(expect && { expect }),
    ...(reference !== undefined && { reference }),
    ...(then && { then }),
  };
  const single = question === undefined ? [] : [{ ask: question, times: 1, ...own }];
  return { ...rest, dialogue: dialogue ?? single };
}

/** The value at the end of a way; undefined where there is none. */
function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, part) => {
    const isThere = typeof inner === "object" && inner !== null && Object.hasOwn(inner, part);
    return isThere ? (inner as Record<string | number, unknown>)[part] : undefined;
  }, value);
}

/** A fault as a sentence that names the field. */
function sentence(path: Path, message: string): string {
  const where = path.map(String).join(".");
  const said = /^(?:must|is|has|names|takes|belongs|can't)\b/u.test(message);
  const isStray = message.startsWith("there");
  const end = message.endsWith("?") ? "" : ".";
  if (where === "")
    return said ? `The file ${message}${end}` : `${message.charAt(0).toUpperCase()}${message.slice(1)}${end}`;
  if (said) return `\`${where}\` ${message}${end}`;
  return isStray ? `In \`${where}\` ${message}${end}` : `\`${where}\` must be there and right (${message}).`;
}

/** Whether a field is not there in an object that is. A word may stand for a whole object: then nothing is missing. */
function isMissing(value: unknown, path: Path): boolean {
  return (
    path.length > 0 && valueAt(value, path) === undefined && isJsonObject(valueAt(value, path.slice(0, -1)))
  );
}

/** Where a value stands; where it is not there, the name of what lacks it, or the word that stands for it. */
function placeOf(reading: YamlReading, path: Path): Range | undefined {
  const { value } = reading;
  let length = path.length;
  while (length > 0 && valueAt(value, path.slice(0, length)) === undefined) length -= 1;
  const found = path.slice(0, length);
  if (length === 0) return undefined;
  const lacks = length < path.length && isJsonObject(valueAt(value, found));
  return (lacks ? reading.keyAt(found) : undefined) ?? reading.valueAt(found) ?? reading.keyAt(found);
}

/** Reads a case's file. A file that can't be read is a problem as well. Never throws. */
export async function readCase(path: string, shown = path): Promise<ParsedCase> {
  const refuse = (message: string): ParsedCase => ({
    problems: [{ file: shown, severity: "error", message, line: 1, column: 1, endColumn: 2 }],
  });
  try {
    const { size } = await stat(path);
    if (size > 4 * MAX_CASE_FILE) return refuse("The file is too large and is not read.");
    const { text, problem } = decodeText(await readFile(path));
    const parsed = await parseCase(shown, text, (name) => readBeside(path, name));
    if (problem === undefined) return parsed;
    const note = {
      file: shown,
      severity: "warning",
      message: problem,
      line: 1,
      column: 1,
      endColumn: 2,
    } as const;
    return { ...parsed, problems: [...parsed.problems, note] };
  } catch (error) {
    return refuse(`The file can't be read: ${describeError(error)}`);
  }
}
