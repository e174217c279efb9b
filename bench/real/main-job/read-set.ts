import { readFile } from "node:fs/promises";
import { decodeText } from "../../../src/agent/agents/decode.ts";
import { placesOf } from "../../../src/agent/agents/text-place.ts";
import { readYaml, type YamlReading } from "../../../src/agent/agents/yaml-read.ts";
import type { Path, Range } from "../../../src/agent/agents/yaml-tree.ts";
import { describeError } from "../../../src/agent/failure.ts";
import type { CaseProblem } from "../../../src/cli/eval/case/file.ts";
import { checkSet } from "./check-set.ts";
import { SET, type QuestionSet } from "./schema.ts";

/** A set's file, read. With an error among the problems there is no set. */
export interface ReadQuestions {
  readonly set?: QuestionSet;
  readonly problems: readonly CaseProblem[];
}

/** Reads a set from YAML. What is wrong is told with its place. Never throws. */
export function parseQuestions(file: string, written: string): ReadQuestions {
  const places = placesOf(written);
  const reading = readYaml(written, { typed: () => false });
  const problems: CaseProblem[] = reading.problems.map(({ severity, range, message }) => ({
    ...{ file, severity, message },
    ...places.at(...range),
  }));
  if (problems.some(({ severity }) => severity === "error")) return { problems };
  const tell = (path: Path, message: string): void =>
    void problems.push({
      ...{ file, severity: "error", message: sentence(path, message) },
      ...places.at(...placeOf(reading, path)),
    });
  const checked = SET.safeParse(reading.value);
  if (!checked.success) {
    for (const { path, message } of checked.error.issues)
      tell(
        path.filter((part) => typeof part !== "symbol"),
        message,
      );
    return { problems };
  }
  for (const { path, message } of checkSet(checked.data)) tell(path, message);
  return problems.some(({ severity }) => severity === "error")
    ? { problems }
    : { set: checked.data, problems };
}

/** Reads a set's file. A file that can't be read is a problem as well. Never throws. */
export async function readQuestions(path: string, shown = path): Promise<ReadQuestions> {
  try {
    return parseQuestions(shown, decodeText(await readFile(path)).text);
  } catch (error) {
    const message = `The file can't be read: ${describeError(error)}`;
    return { problems: [{ file: shown, severity: "error", message, line: 1, column: 1, endColumn: 2 }] };
  }
}

function sentence(path: Path, message: string): string {
  const where = path.length === 0 ? "The file" : `\`${path.map(String).join(".")}\``;
  const said = message.startsWith("there") ? `has a fault: ${message}` : message;
  return `${where} ${said}${/[.?]$/u.test(said) ? "" : "."}`;
}

/** Where a value stands; where it is not there, what holds it. */
function placeOf(reading: YamlReading, path: Path): Range {
  for (let length = path.length; length > 0; length -= 1) {
    const range = reading.valueAt(path.slice(0, length));
    if (range !== undefined) return range;
  }
  return [0, 1];
}
