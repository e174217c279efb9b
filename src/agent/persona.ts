import { z } from "zod";

const word = z
  .string("must be a text")
  .trim()
  .min(1, "must not be empty")
  .max(200, "must be at most 200 characters long");
const prose = z.string("must be a text").trim().max(2_000, "must be at most 2000 characters long");
const share = z
  .number("must be a number from 0 to 1")
  .min(0, "must be a number from 0 to 1")
  .max(1, "must be a number from 0 to 1");
const listOf = <T extends z.ZodType>(item: T) =>
  z.array(item, "must be a list").max(20, "must have at most 20 entries");

/** What an agent file says of who the agent is, beside the fields that all agent files have. */
export const PERSONA_FIELDS = {
  bio: prose.optional(),
  job: word.optional(),
  family: listOf(word).default([]),
  traits: listOf(word).default([]),
  interests: listOf(
    z.object({ name: word, score: share.default(0.5) }, "must be a name, or name and score"),
  ).default([]),
  relationships: listOf(
    z.object(
      {
        to: word,
        type: word,
        strength: share.default(0.5),
        since: z
          .string("must be a date such as 2024-03-01, 2024-03 or 2024")
          .regex(/^\d{4}(?:-\d{2}(?:-\d{2})?)?$/u, "must be a date such as 2024-03-01, 2024-03 or 2024")
          .optional(),
      },
      "must have the fields to and type",
    ),
  ).default([]),
};

/** Who an agent is: what its file says. What it learns later is in the store. */
export type Persona = { name: string; kind: "persona" } & z.infer<z.ZodObject<typeof PERSONA_FIELDS>>;
