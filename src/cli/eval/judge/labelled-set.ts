import { readFile, stat } from "node:fs/promises";
import { z } from "zod";
import { decodeText } from "../../../agent/agents/decode.ts";
import { placesOf } from "../../../agent/agents/text-place.ts";
import { readYaml, type YamlReading } from "../../../agent/agents/yaml-read.ts";
import type { Path, Range } from "../../../agent/agents/yaml-tree.ts";
import { describeError } from "../../../agent/failure.ts";
import { isJsonObject } from "../../../agent/json.ts";
import type { Json } from "../../../agent/models/types.ts";
import type { CaseProblem } from "../case/file.ts";
import { fields, line, list, prose, whole, word } from "../case/parts.ts";

/** Text (UTF-16 units) that a set may have, and items. */
const MAX_TEXT = 5_000_000;
const MAX_ITEMS = 5_000;
const MAX_PROBLEMS = 50;

const text = prose(50_000);
const shared = {
  question: text,
  reference: text.optional(),
  /** Name of a rubric; left out: that of the set. */
  rubric: line(200).optional(),
  /** What sort of answer it is, such as `padded`: the report tells sorts apart. */
  kind: line(60).optional(),
};

const GRADED = fields(
  { ...shared, answer: text, sources: text.optional(), label: whole(1, 5) },
  "an answer with its grade: `question`, `answer` and `label`, 1 to 5",
);
const PAIR = fields(
  { ...shared, a: text, b: text, label: word(["A", "B", "tie"]) },
  "two answers with who is better: `question`, `a`, `b` and `label`, A, B or tie",
);
const SET = fields({ rubric: line(200).optional(), items: list(z.json(), MAX_ITEMS) }, "`items`, a list");

/** An answer with the grade that people give it. */
export type GradedItem = z.output<typeof GRADED>;
/** Two answers with the one that people find better. */
export type PairItem = z.output<typeof PAIR>;

/** What a judge is judged by. */
export interface LabelledSet {
  /** Its file, as it was asked for. */
  readonly file: string;
  readonly rubric?: string;
  readonly graded: readonly GradedItem[];
  readonly pairs: readonly PairItem[];
}

/** A set's file, read. With an error among the problems there is no set. */
export interface ReadSet {
  readonly set?: LabelledSet;
  readonly problems: readonly CaseProblem[];
}

/**
 * Reads a labelled set from text: YAML or JSON with `items` (or the list alone), or JSON Lines with one item a line.
 * What is wrong is told with its place. Never throws.
 */
export function parseLabelledSet(file: string, written: string): ReadSet {
  const plain = written.replace(/^\ufeff/u, "");
  const problems: CaseProblem[] = [];
  if (plain.length > MAX_TEXT)
    problems.push(at(file, `The set has more than ${MAX_TEXT} characters and is not read.`));
  else if (plain.trim() === "")
    problems.push(at(file, "The set is empty. Write items: a question, an answer, and a label."));
  else if (/\.(?:jsonl|ndjson)$/iu.test(file)) return readLines(file, plain);
  else return readTree(file, plain);
  return { problems };
}

/** Reads a labelled set's file. A file that can't be read is a problem as well. Never throws. */
export async function readLabelledSet(path: string, shown = path): Promise<ReadSet> {
  try {
    const { size } = await stat(path);
    if (size > 4 * MAX_TEXT) return { problems: [at(shown, "The file is too large and is not read.")] };
    return parseLabelledSet(shown, decodeText(await readFile(path)).text);
  } catch (error) {
    const isFolder = error instanceof Error && "code" in error && error.code === "EISDIR";
    const why = isFolder ? "This is a folder. Name the file with the items." : undefined;
    return { problems: [at(shown, why ?? `The file can't be read: ${describeError(error)}`)] };
  }
}

function at(file: string, message: string, row = 1): CaseProblem {
  return { file, severity: "error", message, line: row, column: 1, endColumn: 2 };
}

interface Gathered {
  readonly graded: GradedItem[];
  readonly pairs: PairItem[];
}

/** Puts an item where it belongs, or says what is wrong with it: the path inside the item, and a sentence. */
function take(item: Json, number: number, into: Gathered): readonly { path: Path; message: string }[] {
  const isPair = isJsonObject(item) && !("answer" in item) && ("a" in item || "b" in item);
  const read = isPair ? PAIR.safeParse(item) : GRADED.safeParse(item);
  if (!read.success)
    return read.error.issues.map((issue) => {
      const path = issue.path.filter((part) => typeof part !== "symbol");
      const where = path.length === 0 ? "it" : `\`${path.map(String).join(".")}\``;
      return {
        path,
        message: `Item ${number}: ${where} ${issue.message.replace(/^there/u, "has a fault: there")}.`,
      };
    });
  if ("answer" in read.data) into.graded.push(read.data);
  else into.pairs.push(read.data);
  return [];
}

function readLines(file: string, written: string): ReadSet {
  const problems: CaseProblem[] = [];
  const gathered: Gathered = { graded: [], pairs: [] };
  let number = 0;
  written.split("\n").forEach((row, index) => {
    if (row.trim() === "" || problems.length >= MAX_PROBLEMS) return;
    number += 1;
    const item = jsonOf(row);
    const faults =
      item === undefined
        ? [{ message: `Item ${number} is no JSON. Write one object on each line.` }]
        : take(item, number, gathered);
    problems.push(...faults.map(({ message }) => at(file, message, index + 1)));
  });
  return done(file, undefined, gathered, problems);
}

function jsonOf(row: string): Json | undefined {
  try {
    return JSON.parse(row) as Json;
  } catch {
    return undefined;
  }
}

function readTree(file: string, written: string): ReadSet {
  const places = placesOf(written);
  const reading = readYaml(written, { json: /\.json$/iu.test(file), typed: () => false });
  const problems: CaseProblem[] = [];
  const tell = (severity: CaseProblem["severity"], range: Range, message: string): void => {
    if (problems.length < MAX_PROBLEMS) problems.push({ file, severity, message, ...places.at(...range) });
  };
  for (const { severity, range, message } of reading.problems) tell(severity, range, message);
  if (problems.some(({ severity }) => severity === "error")) return { problems };
  const isList = Array.isArray(reading.value);
  const set = SET.safeParse(isList ? { items: reading.value } : reading.value);
  if (!set.success) {
    for (const { message, path } of set.error.issues)
      tell(
        "error",
        [0, 1],
        `The set is not as it must be: ${path.length === 0 ? "it" : `\`${path.map(String).join(".")}\``} ${message}.`,
      );
    return { problems };
  }
  const gathered: Gathered = { graded: [], pairs: [] };
  set.data.items.forEach((item: Json, index) => {
    const path = isList ? [index] : ["items", index];
    for (const fault of take(item, index + 1, gathered))
      tell("error", placeOf(reading, [...path, ...fault.path]), fault.message);
  });
  return done(file, set.data.rubric, gathered, problems);
}

/** Where a value stands; where it is not there, what holds it. */
function placeOf(reading: YamlReading, path: Path): Range {
  for (let length = path.length; length > 0; length -= 1) {
    const range = reading.valueAt(path.slice(0, length));
    if (range !== undefined) return range;
  }
  return [0, 1];
}

function done(
  file: string,
  rubric: string | undefined,
  { graded, pairs }: Gathered,
  problems: readonly CaseProblem[],
): ReadSet {
  if (problems.some(({ severity }) => severity === "error")) return { problems };
  if (graded.length + pairs.length === 0)
    return { problems: [...problems, at(file, "The set has no items.")] };
  return { set: { file, ...(rubric !== undefined && { rubric }), graded, pairs }, problems };
}
