import { median } from "../../frame.ts";
import { wilson } from "../../../src/cli/eval/statistics.ts";
import { figure, shareWords } from "../../../src/cli/eval/words.ts";
import { code, inline, table } from "../../../src/cli/report/table.ts";
import { keyOf, type Row } from "./plan.ts";
import type { AskedRecord } from "./records.ts";
import { isOfMemory, LANGUAGES } from "./schema.ts";
import type { Told } from "./told.ts";

/** UTF-16 units of an answer that stand in the list of what went wrong. */
const SHOWN = 150;

/** What memory was told for some rows. */
export interface ToldRows extends Pick<Told, "said" | "begun" | "commit" | "holds"> {
  /** Such as `the-model, first half`. */
  readonly name: string;
}

/** What a report is made of. */
export interface ReportParts {
  readonly rows: readonly Row[];
  /** Of the questions of this run, in the order in which they were asked. */
  readonly records: readonly AskedRecord[];
  readonly told: readonly ToldRows[];
  /** Questions that were to be asked, in all rows together. */
  readonly wanted: number;
  readonly seed: number;
  /** Of the product as it is now. */
  readonly commit: string;
  /** Sentences that stand above the tables. */
  readonly notes: readonly string[];
}

/** What came of the main job's questions, as Markdown. */
export function reportAsMarkdown(parts: ReportParts): string {
  const { records, wanted, seed, commit, notes } = parts;
  const asked = `${records.length} of ${wanted} questions were asked (seed ${seed}, Conclave ${commit}).`;
  const sections = [
    "# Main job, with real models",
    [asked, ...notes].map(inline).join("\n\n"),
    toldSection(parts),
    section("By kind", KIND_COLUMNS, parts),
    section("By language", LANGUAGE_COLUMNS, parts),
    section("Time and tokens", COST_COLUMNS, parts),
    wrongSection(parts),
  ];
  return `${sections.filter((one) => one !== "").join("\n\n")}\n`;
}

/** A column: its title, and a cell out of the records of a row. */
type Column = readonly [title: string, cell: (records: readonly AskedRecord[]) => string];

/** Column of the share of right answers among some. */
function share(
  title: string,
  isMeant: (record: AskedRecord) => boolean,
  holds: (record: AskedRecord) => boolean = ({ score }) => score.right,
): Column {
  return [title, (records) => shareCell(records.filter(isMeant), holds)];
}

function shareCell(meant: readonly AskedRecord[], holds: (record: AskedRecord) => boolean): string {
  if (meant.length === 0) return "-";
  const right = meant.filter(holds).length;
  return `${right}/${meant.length}, ${shareWords(wilson(right, meant.length))}`;
}

const KIND_COLUMNS: readonly Column[] = [
  share("memory questions right", isOfMemory),
  share("never said: says so", ({ kind }) => kind === "never_said"),
  share("needs no tool: right without one", ({ kind }) => kind === "no_tool"),
  share("page", ({ kind }) => kind === "page"),
  share("all", () => true),
];

const LANGUAGE_COLUMNS: readonly Column[] = LANGUAGES.map((language) =>
  share(language, (record) => record.language === language),
);

const COST_COLUMNS: readonly Column[] = [
  ["seconds, median", (records) => figureCell(records, ({ seconds }) => seconds, median)],
  ["seconds, worst", (records) => figureCell(records, ({ seconds }) => seconds, worst)],
  ["seconds to first text, median", (records) => figureCell(records, (one) => one.firstTextSeconds, median)],
  ["output tokens, median", (records) => figureCell(records, ({ outputTokens }) => outputTokens, median)],
  ["model calls, median", (records) => figureCell(records, ({ modelCalls }) => modelCalls, median)],
  ["called a tool", (records) => countCell(records, ({ score }) => score.calledTool)],
  ["recalled before the question", (records) => countCell(records, ({ recalled }) => recalled)],
  ["not ended in time", (records) => countCell(records, ({ ended }) => ended === "late")],
];

function worst(values: readonly number[]): number {
  return Math.max(...values);
}

function figureCell(
  records: readonly AskedRecord[],
  of: (record: AskedRecord) => number | undefined,
  sum: (values: readonly number[]) => number,
): string {
  const values = records.map(of).filter((value) => value !== undefined);
  return values.length === 0 ? "-" : figure(sum(values));
}

function countCell(records: readonly AskedRecord[], holds: (record: AskedRecord) => boolean): string {
  return `${records.filter(holds).length}/${records.length}`;
}

function section(title: string, columns: readonly Column[], { rows, records }: ReportParts): string {
  const cells = rows.map(({ model, recall }) => {
    const own = records.filter((record) => record.model === model && record.recall === recall);
    return [code(model), recall, ...columns.map(([, cell]) => cell(own))];
  });
  return `## ${title}\n\n${table(["model", "recall", ...columns.map(([name]) => name)], cells)}`;
}

function toldSection({ told }: ReportParts): string {
  if (told.length === 0) return "";
  const rows = told.map(({ name, said, begun, holds }) => {
    const count = (holds: (one: (typeof said)[number]) => boolean) => String(said.filter(holds).length);
    return [
      inline(name),
      new Date(begun).toISOString().slice(0, 16),
      String(said.length),
      count(({ stored }) => stored),
      count(({ learntBy }) => learntBy === "model"),
      count(({ learntBy }) => learntBy === "rules"),
      String(holds?.facts ?? "-"),
      figure(said.reduce((sum, { seconds }) => sum + seconds, 0) / 60),
    ];
  });
  const head = [
    "told to",
    "at",
    "said",
    "stored",
    "read by the model",
    "by rules",
    "facts in memory",
    "minutes",
  ];
  return `## What memory was told\n\n${table(head, rows)}`;
}

function wrongSection({ records }: ReportParts): string {
  const wrong = records.filter(({ score }) => !score.right);
  const lines = wrong.map((record) => {
    const { model, recall, question, answer, score, trace } = record;
    const shown = answer.slice(0, SHOWN).toWellFormed();
    const link = trace === undefined ? "" : ` [trace](<${trace}>)`;
    return `- ${code(question)} (${inline(model)}, ${recall}): “${inline(shown)}${answer.length > SHOWN ? " ..." : ""}” ${score.why.map(code).join(", ")}.${link}`;
  });
  return `## What went wrong\n\n${lines.length === 0 ? "Nothing." : lines.join("\n")}`;
}

/** What is to be said of records that another product gave than the one at hand. */
export function productNotes(
  records: readonly AskedRecord[],
  commit: string,
  replaced: readonly AskedRecord[],
): readonly string[] {
  const others = [...new Set(records.map(({ product }) => product.commit))].filter((one) => one !== commit);
  const older = records.filter(({ product }) => product.commit !== commit).length;
  const again = new Set(replaced.map(keyOf)).size;
  return [
    ...(older === 0
      ? []
      : [
          `The product changed: ${older} of the answers are of ${others.join(", ")}, and not of ${commit}; --fresh asks them anew.`,
        ]),
    ...(again === 0
      ? []
      : [
          `Asked anew: ${again}, because the words of a question, the settings or what memory was told had changed.`,
        ]),
  ];
}
