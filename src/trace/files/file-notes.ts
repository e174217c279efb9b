import { SCHEMA_VERSION } from "../../agent/events.ts";
import type { LineProblem } from "./foreign-line.ts";

/** Notes that name a line of their own. */
const MAX_NOTES = 12;
/** Words of a checker that stand in a note, in UTF-16 units. */
const MAX_DETAIL = 160;

/** What is said of a file as a whole, by what it is about. */
export type FileRemark =
  | "newer"
  | "conflict"
  | "utf16"
  | "not_utf8"
  | "mended"
  | "repeated"
  | "turns"
  | "sessions"
  | "large"
  | "compressed";

const REMARKS: Readonly<Record<Exclude<FileRemark, "newer">, string>> = {
  conflict:
    "The file holds the marks of a merge that is not resolved. Both sides are shown; open it as text to resolve it.",
  utf16: "The file is UTF-16. It was read as such; a trace is UTF-8.",
  not_utf8: "Some bytes of the file are no UTF-8. A sign of replacement stands in their place.",
  mended: "Some events had a time, a name or a figure beyond all bounds, which was set right.",
  repeated: "Some events are in the file twice. Each is shown once.",
  turns: "The file holds more turns than are shown. The first ones are.",
  sessions: "The file holds more sessions than are shown. The first ones are.",
  compressed: "The file is compressed. Unpack it, then open what was in it.",
  large: "The file is larger than what is read of it. Its beginning is shown.",
};

const LINES: Readonly<Record<Exclude<LineProblem, "silent">, string>> = {
  too_long: "is too long and was left out",
  too_many_parts: "has too many parts and was left out",
  not_json: "is not JSON and was left out",
  conflict: "is the mark of a merge",
  unknown_type: "is of a kind that is not known here and was left out",
  not_an_event: "is not an event and was left out",
};

/** What could not be taken of a file, counted, and in sentences as far as they are few. */
export class FileNotes {
  private readonly remarks = new Map<FileRemark, string>();
  private readonly lines: string[] = [];
  private left = 0;

  /** Says something of the file as a whole, once. */
  remark(what: Exclude<FileRemark, "newer">): void {
    this.remarks.set(what, REMARKS[what]);
  }

  /** The file was written by a version that knows more. */
  newer(schema: number): void {
    this.remarks.set(
      "newer",
      `The file was written by a newer version (schema ${schema}, known here: ${SCHEMA_VERSION}). What is not known here is left out.`,
    );
  }

  /** A line, counted from 1, was left out. */
  line(line: number, problem: Exclude<LineProblem, "silent">, detail = ""): void {
    if (problem === "conflict") {
      this.remark("conflict");
      return;
    }
    this.left += 1;
    if (this.lines.length >= MAX_NOTES) return;
    const why = detail === "" ? "" : ` (${detail.slice(0, MAX_DETAIL)})`;
    this.lines.push(`Line ${line} ${LINES[problem]}${why}.`);
  }

  /** How many lines were left out. */
  get leftOut(): number {
    return this.left;
  }

  /** The sentences: of the whole first, then of its lines, then how many more there are. */
  sentences(): readonly string[] {
    const more = this.left - this.lines.length;
    return [
      ...this.remarks.values(),
      ...this.lines,
      ...(more > 0 ? [`${more} more ${more === 1 ? "line was" : "lines were"} left out.`] : []),
    ];
  }
}
