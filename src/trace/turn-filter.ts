import type { TurnSummary } from "./summary.ts";

/*
 * What a user types to find turns: words, and `key:value` for what can't be said in words. All of it must hold.
 */

/** How a turn stands or what it is, as `is:` names it. */
export const STANDINGS = [
  "answered",
  "failed",
  "error",
  "cancelled",
  "interrupted",
  "running",
  "liked",
  "disliked",
  "graded",
  "ungraded",
  "compared",
  "branch",
  "imported",
  "private",
] as const;

type Standing = (typeof STANDINGS)[number];

/** Keys before a colon, and what they are called by. */
const KEYS: { readonly [key: string]: "tool" | "persona" | "model" | "door" | "grade" | "is" } = {
  tool: "tool",
  persona: "persona",
  agent: "persona",
  model: "model",
  door: "door",
  grade: "grade",
  is: "is",
};

interface GradeRange {
  readonly least: number;
  readonly most: number;
}

/** A filter of turns that was read. */
export interface TurnFilter {
  /** In lower case; each must occur in the turn's texts. */
  readonly words: readonly string[];
  readonly tools: readonly string[];
  readonly personas: readonly string[];
  readonly models: readonly string[];
  readonly doors: readonly string[];
  readonly grades: readonly GradeRange[];
  readonly standings: readonly Standing[];
}

/** One part of a filter: `key:value`, `key:"a value"`, `"some words"` or a word. */
const PART = /(?:([a-z]+):)?(?:"([^"]*)"?|(\S+))/giu;

/** Reads what the user typed. Any text is a filter: what is no key is looked for as it stands. */
export function readFilter(typed: string): TurnFilter {
  const filter = {
    words: [] as string[],
    tools: [] as string[],
    personas: [] as string[],
    models: [] as string[],
    doors: [] as string[],
    grades: [] as GradeRange[],
    standings: [] as Standing[],
  };
  for (const [whole, key = "", quoted, plain] of typed.matchAll(PART)) {
    const value = (quoted ?? plain ?? "").trim().toLowerCase();
    const name = KEYS[key.toLowerCase()];
    // A key whose value is still to be typed asks for nothing yet.
    if (value === "" || (key === "" && value.endsWith(":") && Object.hasOwn(KEYS, value.slice(0, -1))))
      continue;
    if (name === "tool") filter.tools.push(value);
    else if (name === "persona") filter.personas.push(value);
    else if (name === "model") filter.models.push(value);
    else if (name === "door") filter.doors.push(value);
    else if (name === "grade" && gradeRange(value)) filter.grades.push(...[gradeRange(value) ?? []].flat());
    else if (name === "is" && isStanding(value)) filter.standings.push(value);
    else filter.words.push(key === "" ? value : whole.trim().toLowerCase());
  }
  return filter;
}

/** Whether a filter asks for nothing. */
export function isEmpty(filter: TurnFilter): boolean {
  return Object.values(filter).every((parts: readonly unknown[]) => parts.length === 0);
}

function isStanding(value: string): value is Standing {
  return (STANDINGS as readonly string[]).includes(value);
}

/** `4`, `>=4`, `<3`, `2-4`. */
function gradeRange(value: string): GradeRange | undefined {
  const [, from, to] = /^([1-5])-([1-5])$/.exec(value) ?? [];
  if (from !== undefined && to !== undefined) return { least: Number(from), most: Number(to) };
  const [, sign = "", number] = /^(<=?|>=?|=)?([1-5])$/.exec(value) ?? [];
  if (number === undefined) return undefined;
  const grade = Number(number);
  const least = sign === ">" ? grade + 1 : sign.startsWith("<") ? 1 : grade;
  const most = sign === "<" ? grade - 1 : sign.startsWith(">") ? 5 : grade;
  return { least, most };
}

/** Whether a turn is what a filter asks for, its words aside. */
export function fits(row: TurnSummary, filter: TurnFilter): boolean {
  const { grade } = row;
  return (
    filter.tools.every((tool) => row.tools.some((name) => name.toLowerCase().includes(tool))) &&
    filter.personas.every((persona) =>
      [row.agent, ...row.agents].some((name) => name.toLowerCase().includes(persona)),
    ) &&
    filter.models.every((model) => row.model.toLowerCase().includes(model)) &&
    filter.doors.every((door) => row.door === door) &&
    filter.grades.every(({ least, most }) => grade !== null && grade >= least && grade <= most) &&
    filter.standings.every((standing) => stands(row, standing))
  );
}

/** Words of a filter that the row itself does not hold: they may stand elsewhere in the turn. */
export function wordsToFind(row: TurnSummary, { words }: TurnFilter): readonly string[] {
  const texts = `${row.question}\n${row.answer}\n${row.error ?? ""}`.toLowerCase();
  return words.filter((word) => !texts.includes(word));
}

function stands(row: TurnSummary, standing: Standing): boolean {
  switch (standing) {
    case "error":
      return row.error !== null || row.status === "failed";
    case "liked":
      return row.feedback === "up";
    case "disliked":
      return row.feedback === "down";
    case "graded":
      return row.grade !== null;
    case "ungraded":
      return row.grade === null && row.status !== "running";
    case "compared":
      return row.compared !== undefined;
    case "branch":
      return row.fork !== undefined;
    case "imported":
      return row.imported !== undefined;
    case "private":
      return row.private === true;
    default:
      return row.status === standing;
  }
}
