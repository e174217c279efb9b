import { z } from "zod";
import type { JsonObject } from "../models/types.ts";

/** Text (UTF-16 units) that a criterion and a level may have: they stand in every prompt of the judge. */
const MAX_TEXT = 600;
const MAX_NAME = 60;
const MAX_AGENTS = 100;

/** How rubrics are named. */
export const RUBRIC_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/u;

const text = z
  .string("must be a text")
  .trim()
  .min(1, "must not be empty")
  .max(MAX_TEXT, `must be at most ${MAX_TEXT} characters long`);
const LEVELS = "must say what each of the grades 1 to 5 means";

/** A rubric file's fields, put in order by `tidyRubric`, and checked. */
export const RUBRIC_FILE = z.object(
  {
    name: z
      .string("must be a text")
      .max(MAX_NAME, `must be at most ${MAX_NAME} characters long`)
      .regex(RUBRIC_NAME, "must be of small letters, digits and single dashes, such as plain-words"),
    criterion: text,
    levels: z.tuple([text, text, text, text, text], LEVELS),
    agents: z
      .array(
        z
          .string("must be the name of an agent")
          .trim()
          .min(1, "must not be empty")
          .max(100, "must be the name of an agent"),
        "must be a list of names of agents",
      )
      .max(MAX_AGENTS, `must name at most ${MAX_AGENTS} agents`)
      .default([]),
  },
  "must hold fields: a name, a criterion, levels",
);

const GRADES = ["1", "2", "3", "4", "5"] as const;

/** The fields that there are, in the order in which they are written. */
export const RUBRIC_FIELDS = ["name", "criterion", "levels", "agents"] as const;

const level = { type: "string", minLength: 1, maxLength: MAX_TEXT } as const;

/** What each field of a rubric file is for, as completion and hover say it, and which values it takes. */
export const RUBRIC_FIELD_SCHEMAS = {
  name: {
    description:
      "What the rubric is called in settings: small letters, digits and dashes. One of the same name in a folder closer to the work goes before it.",
    ...{ type: "string", pattern: RUBRIC_NAME.source, maxLength: MAX_NAME },
  },
  criterion: {
    description: "The question that the judge answers, in a sentence or two. Comparisons go by it alone.",
    ...level,
  },
  levels: {
    description: "What each grade means, from 1, the worst, to 5, the best.",
    anyOf: [
      {
        type: "object",
        properties: Object.fromEntries(
          GRADES.map((grade) => [grade, { ...level, description: `What a ${grade} means.` }]),
        ),
        required: [...GRADES],
        additionalProperties: false,
      },
      { type: "array", items: level, minItems: 5, maxItems: 5 },
    ],
  },
  agents: {
    description:
      "Names of the agents whose answers it is for. It goes before the rubric of the settings then. Left out: it is for all, when it is named.",
    type: "array",
    items: { type: "string", minLength: 1, maxLength: 100 },
    maxItems: MAX_AGENTS,
  },
} as const satisfies Readonly<
  Record<(typeof RUBRIC_FIELDS)[number], JsonObject & { readonly description: string }>
>;

/** The JSON schema of rubric files; `media/rubric.schema.json` holds it for editors. */
export const RUBRIC_FILE_SCHEMA: JsonObject = {
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "Conclave rubric",
  description: "What answers are graded by: a criterion, and what each grade means.",
  type: "object",
  properties: { ...RUBRIC_FIELD_SCHEMAS, $schema: { type: "string" } },
  required: ["name", "criterion", "levels"],
  additionalProperties: false,
};
