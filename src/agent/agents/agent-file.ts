import { isJsonObject } from "../json.ts";
import type { JsonObject } from "../models/types.ts";
import type { AgentDefinition, AgentOrigin, AgentProblem } from "./definition.ts";
import { defineAgent, type Defined } from "./define-agent.ts";
import { firstLine, placeOf } from "./field-place.ts";
import { agentFileForm, nameOfFile, originOf, type AgentFileForm } from "./file-form.ts";
import { readMarkdown } from "./markdown-agent.ts";
import { placesOf, type Place, type Places } from "./text-place.ts";
import type { Note } from "./tidy.ts";
import type { Path, Range } from "./yaml-tree.ts";
import { readYaml, type ReadProblem, type YamlReading } from "./yaml-read.ts";

/** Text (UTF-16 units) that an agent file may have. */
export const MAX_AGENT_FILE = 50_000;
/** Most problems that are told of one file. */
const MAX_PROBLEMS = 50;

/** An agent file, read. */
export interface ParsedAgentFile {
  readonly path: string;
  /** What the agent is called, where that can be told, even when it can't be used. */
  readonly name?: string;
  /** The agent; absent when the file can't be used. */
  readonly definition?: AgentDefinition;
  readonly problems: readonly AgentProblem[];
  /** Models in the order in which they are wished for; the definition has the first. */
  readonly models: readonly string[];
  /** Where names stand that are to be checked against what there is. */
  readonly places: {
    readonly name?: Place;
    readonly models: readonly (Place | undefined)[];
    readonly tools: readonly (Place | undefined)[];
    readonly chainedTool?: Place;
  };
}

/**
 * Reads an agent file. What can be read leniently is used, and a warning says so; what can't be used has no definition
 * and an error that says where and what to do. Never throws; each place lies within the text.
 *
 * @param path names the form by its ending, and the agent where the file doesn't
 */
export function parseAgentFile(
  path: string,
  text: string,
  origin: AgentOrigin = originOf(path),
): ParsedAgentFile {
  const form = agentFileForm(path, origin) ?? "yaml";
  const whole = text.replace(/^\ufeff/u, "");
  // What stands at the very beginning is what the file as a whole is said at.
  const places = placesOf(whole);
  const problems: AgentProblem[] = [];
  const tell = (severity: AgentProblem["severity"], range: Range, message: string): void => {
    const problem = { path, severity, message, ...places.at(...range) };
    if (problems.length < MAX_PROBLEMS) problems.push(problem);
    // Why a file can't be used is said in any case.
    else if (severity === "error") problems[MAX_PROBLEMS - 1] = problem;
  };
  const unusable = (message: string): ParsedAgentFile => {
    tell("error", [0, firstLine(whole)], message);
    return { path, ...nameOfFile(path, form), problems, models: [], places: { models: [], tools: [] } };
  };
  if (whole.length > MAX_AGENT_FILE)
    return unusable(`The file has more than ${MAX_AGENT_FILE} characters and is not read. Make it shorter.`);
  if (whole.includes("\u0000")) return unusable("The file is not text. Save it as UTF-8.");
  if (whole.trim() === "")
    return unusable("The file is empty. Write at least a name and a prompt, or delete the file.");
  // A lone carriage return ends a line for editors and not for YAML.
  const lines = whole.replace(/\r(?!\n)/gu, "\n");
  const reading =
    form === "yaml" || form === "json" ? readYaml(lines, { json: form === "json" }) : readMarkdown(lines);
  return finish({ path, form, origin, lines, reading, places, problems, tell });
}

interface Work {
  readonly path: string;
  readonly form: AgentFileForm;
  readonly origin: AgentOrigin;
  readonly lines: string;
  readonly reading: YamlReading & { readonly body?: string };
  readonly places: Places;
  readonly problems: readonly AgentProblem[];
  readonly tell: (severity: AgentProblem["severity"], range: Range, message: string) => void;
}

function finish({ path, form, origin, lines, reading, places, problems, tell }: Work): ParsedAgentFile {
  for (const { severity, range, message } of reading.problems) tell(severity, range, message);
  const place = (at: Path): Place | undefined => {
    const range = reading.valueAt(at);
    return range && places.at(...range);
  };
  const named = nameOfFile(path, form);
  const broken = reading.problems.some(isError);
  const fields = broken ? undefined : fieldsOf(reading, lines, tell);
  const note: Note = (severity, at, message, about = "value") =>
    tell(severity, placeOf(reading, at, about) ?? [0, firstLine(lines)], message);
  const source = { origin, path };
  const defined: Defined | undefined =
    fields && defineAgent({ form, fields, reading, ...named, source }, note);
  const name = defined?.definition?.name ?? writtenName(reading) ?? named.name;
  const at = place(["name"]);
  const chained = place(["chained_tool"]);
  return {
    path,
    ...(name !== undefined && { name }),
    ...(defined?.definition && { definition: defined.definition }),
    problems,
    models: defined?.models ?? [],
    places: {
      ...(at && { name: at }),
      models: (defined?.modelPaths ?? []).map(place),
      tools: (defined?.toolPaths ?? []).map(place),
      ...(chained && { chainedTool: chained }),
    },
  };
}

function fieldsOf({ value }: YamlReading, lines: string, tell: Work["tell"]): JsonObject | undefined {
  if (isJsonObject(value)) return value;
  const unspaced = /^[\p{L}_]\w*:\S/mu.exec(lines);
  if (typeof value === "string" && unspaced !== null) {
    tell(
      "error",
      [unspaced.index, unspaced.index + unspaced[0].length],
      "Put a space behind the colon: `name: value`.",
    );
  } else {
    const what =
      value === undefined
        ? "The file has no fields."
        : "The file must hold fields: `name: value`, one on each line.";
    tell("error", [0, firstLine(lines)], what);
  }
  return undefined;
}

function writtenName({ value }: YamlReading): string | undefined {
  const name = isJsonObject(value) ? value["name"] : undefined;
  return typeof name === "string" && name.trim() !== "" && name.length <= 100 ? name.trim() : undefined;
}

function isError({ severity }: ReadProblem): boolean {
  return severity === "error";
}
