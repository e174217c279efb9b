import { relationText } from "../../agent/memory/text.ts";
import { ENTITY_TYPES, FACT_KINDS, type MemoryTable } from "../../agent/memory/types.ts";
import type { MemoryLine, MemoryViewEdit } from "../../trace/panel-memory.ts";

/** How a field is written: on one line, on many, as a number from 0 to 1, as one of a few, as names with commas. */
export type EditorKind = "line" | "lines" | "share" | "choice" | "names";

/** A field that the user may change. */
export interface EditableField {
  readonly kind: EditorKind;
  readonly label: string;
  readonly choices?: readonly string[];
  /** The most characters it may have, where that is less than a sentence may have. */
  readonly max?: number;
}

/** The host takes no more. */
const MAX_NAME = 500;
const MAX_TITLE = 200;
const MAX_SENTENCE = 10_000;
const MAX_TEXT = 100_000;
const MAX_NAMES = 50;

type Fields = { readonly [field: string]: EditableField };

const EDITABLE: { readonly [T in MemoryTable]: Fields } = {
  episodes: {
    question: { kind: "lines", label: "Question" },
    answer: { kind: "lines", label: "Answer" },
  },
  facts: {
    text: { kind: "line", label: "Fact" },
    subject: { kind: "line", label: "About", max: MAX_NAME },
    kind: { kind: "choice", label: "Kind", choices: FACT_KINDS },
    confidence: { kind: "share", label: "Confidence" },
  },
  people: {
    name: { kind: "line", label: "Name", max: MAX_NAME },
    type: { kind: "choice", label: "Type", choices: ENTITY_TYPES },
    aliases: { kind: "names", label: "Also called", max: MAX_NAME },
  },
  relationships: {
    type: { kind: "line", label: "Relation", max: MAX_NAME },
    text: { kind: "line", label: "In words" },
    strength: { kind: "share", label: "Strength" },
  },
  resources: {},
  moments: {
    title: { kind: "line", label: "Title", max: MAX_TITLE },
    text: { kind: "lines", label: "Text", max: MAX_SENTENCE },
  },
};

/** How a field of a table is edited; undefined when it can't be. */
export function editable(table: MemoryTable, field: string): EditableField | undefined {
  return Object.hasOwn(EDITABLE[table], field) ? EDITABLE[table][field] : undefined;
}

/** The field that F2 edits when the cell itself can't be. */
export function firstEditable(table: MemoryTable): string | undefined {
  return Object.keys(EDITABLE[table])[0];
}

/** What a field's editor begins with. */
export function editValue(line: MemoryLine, field: string): string {
  if (line.table === "episodes" && (field === "question" || field === "answer"))
    return line.row.notes.edit?.[field] ?? line.row[field];
  if (line.table === "relationships" && field === "text") return relationText(line.row);
  const value = (line.row as unknown as { readonly [field: string]: unknown })[field];
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** What was written, as a change; or in words what is wrong with it. */
export function changeOf(
  line: MemoryLine,
  field: string,
  written: string,
): { readonly edit: MemoryViewEdit } | { readonly problem: string } {
  const how = editable(line.table, field);
  const text = written.trim();
  if (how === undefined) return { problem: "This can't be changed." };
  let value: string | number | readonly string[] = text;
  if (how.kind === "share") {
    value = Number(text.replace(",", "."));
    if (text === "" || !(value >= 0 && value <= 1)) return { problem: "Write a number from 0 to 1." };
  } else if (how.kind === "names") {
    value = text === "" ? [] : text.split(",").flatMap((name) => (name.trim() === "" ? [] : [name.trim()]));
  } else if (text === "" && line.table !== "episodes") {
    return { problem: "It can't be empty. Forget it instead." };
  }
  const names = typeof value === "object" ? value : [String(value)];
  const max = how.max ?? (how.kind === "lines" ? MAX_TEXT : MAX_SENTENCE);
  if (names.some((one) => one.length > max))
    return { problem: `It is too long: at most ${max.toLocaleString("en-US")} characters.` };
  if (names.length > MAX_NAMES) return { problem: `Those are too many: at most ${MAX_NAMES} names.` };
  // The field is one of the table's own, and the value of its kind; the host checks it again.
  return { edit: { table: line.table, id: line.row.id, [field]: value } as MemoryViewEdit };
}
