import { z } from "zod";
import { asPattern, patternProblem } from "../../../src/cli/eval/case/pattern.ts";
import { fields, flag, line, list, number, prose, word } from "../../../src/cli/eval/case/parts.ts";

/** Kinds of questions that memory answers. */
export const MEMORY_KINDS = [
  "decision",
  "reason",
  "person",
  "place",
  "date",
  "update",
  "code",
  "preference",
] as const;
/** What a question is about: what was said, what was never said, what needs no tool, what stands on a page. */
export const KINDS = [...MEMORY_KINDS, "never_said", "no_tool", "page"] as const;
/** What a question is about. */
export type Kind = (typeof KINDS)[number];

/** Languages of questions, by their ISO 639-1 codes. */
export const LANGUAGES = ["en", "de", "es", "fr", "ja", "pt", "ru", "zh"] as const;
/** A question's language. */
export type Language = (typeof LANGUAGES)[number];

/** Becomes part of a file's name. */
const id = line(60).refine(
  (text) => /^[a-z0-9]+(?:-[a-z0-9]+)*$/iu.test(text),
  "must be letters, digits and single hyphens",
);

/** A regular expression as a question has it: without slashes, whatever the case. */
const expression = prose(2_000)
  .superRefine((text, context) => {
    const problem = patternProblem(slashed(text));
    if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
  })
  .transform((text) => ({ ...asPattern(slashed(text)), source: text }));

function slashed(text: string): string {
  return `/${text}/iu`;
}

const expressions = list(expression, 50, "regular expressions");

const SAID = fields({ id, text: prose(20_000) }, "what the user says: `id` and `text`");

const SESSION = fields(
  {
    /** Days before now. */
    days_ago: number(0, 3_650),
    says: list(SAID, 100, "a list of what the user says"),
  },
  "an earlier conversation: `days_ago` and `says`",
);

const EXPECT = fields(
  {
    /** Found in a right answer. */
    all: expressions.default([]),
    /** In no right answer. */
    none: expressions.default([]),
    /** A right answer says that it does not know. */
    refuses: flag.default(false),
  },
  "`all`, `none` and `refuses`",
);

const QUESTION = fields(
  {
    id,
    kind: word(KINDS),
    language: word(LANGUAGES),
    /** `{{pages}}` in it stands for the address that the pages are served at. */
    ask: prose(20_000),
    /** Ids of what the user said that answers it. */
    evidence: list(id, 50, "ids of what was said").default([]),
    expect: EXPECT,
  },
  "a question: `id`, `kind`, `language`, `ask`, `evidence` and `expect`",
);

/** A set as its file has it. */
export const SET = fields(
  {
    sessions: list(SESSION, 500, "a list of conversations"),
    questions: list(QUESTION, 1_000, "a list of questions"),
    /** HTML by its path, from `/`. */
    pages: z.record(line(500), prose(500_000), "must be pages by their paths").default({}),
  },
  "`sessions`, `questions` and `pages`",
);

/** What is told, and what is asked then. */
export type QuestionSet = z.output<typeof SET>;
/** One question with what a right answer is like. */
export type Question = QuestionSet["questions"][number];
/** An earlier conversation, told before anything is asked. */
export type Session = QuestionSet["sessions"][number];

/** Whether a question is answered out of what was said. */
export function isOfMemory({ kind }: Pick<Question, "kind">): boolean {
  return MEMORY_KINDS.some((one) => one === kind);
}
