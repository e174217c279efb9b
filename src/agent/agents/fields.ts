import { z } from "zod";
import { PERSONA_FIELDS } from "../persona.ts";
import { AGENT_KINDS } from "./definition.ts";

const line = (most: number) =>
  z
    .string("must be a text")
    .trim()
    .min(1, "must not be empty")
    .max(most, `must be at most ${most} characters long`)
    .regex(/^[^\n\r]*$/u, "must be one line");
const whole = (most: number) => {
  const rule = `must be a whole number from 1 to ${most}`;
  return z.int(rule).min(1, rule).max(most, rule);
};
const flag = z.boolean("must be true or false");

/** Most tools that one agent may name. */
export const MAX_TOOLS = 100;
/** Text (UTF-16 units) that a prompt may have. */
export const MAX_PROMPT = 20_000;
/** How hard an agent may think, as its file says it. */
export const THINK_WORDS = ["true", "false", "low", "medium", "high", "max"] as const;

const schema = z.custom<Record<string, unknown>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "must be the fields of the answer, each with a JSON schema",
);

/** The fields of an agent file that say how the agent works. */
const WORK_FIELDS = {
  name: line(100),
  description: z
    .string("must be a text")
    .trim()
    .max(2_000, "must be at most 2000 characters long")
    .optional(),
  kind: z.enum(AGENT_KINDS, `must be one of ${AGENT_KINDS.join(", ")}`).optional(),
  prompt: z
    .string("must be a text")
    .max(MAX_PROMPT, `must be at most ${MAX_PROMPT} characters long`)
    .optional(),
  tools: z
    .array(
      z.object(
        { name: line(200), description: line(2_000).optional() },
        "must be the name of a tool, or its name and description",
      ),
      "must be a list of tools; [] for none",
    )
    .max(MAX_TOOLS, `must name at most ${MAX_TOOLS} tools`)
    .optional(),
  model: z.array(line(300), "must be the name of a model").max(20, "must name at most 20 models").optional(),
  temperature: z
    .number("must be a number from 0 to 2")
    .min(0, "must be a number from 0 to 2")
    .max(2, "must be a number from 0 to 2")
    .optional(),
  think: z
    .union(
      [z.boolean(), z.enum(["low", "medium", "high", "max"])],
      `must be one of ${THINK_WORDS.join(", ")}`,
    )
    .optional(),
  limits: z
    .object(
      {
        steps: whole(50).optional(),
        tokens: whole(1_000_000_000).optional(),
        seconds: whole(86_400).optional(),
      },
      "must hold steps, tokens or seconds",
    )
    .optional(),
  properties: schema.optional(),
  required: z
    .array(line(200), "must be a list of names of fields")
    .max(100, "must have at most 100 entries")
    .optional(),
  structured_output: flag.optional(),
  chained_tool: line(200).optional(),
};

/** An agent file's fields, put in order by `tidyFields`, and checked. */
export const AGENT_FILE = z.object(
  { ...WORK_FIELDS, ...PERSONA_FIELDS },
  "must be fields: a name, a colon, a value",
);

/** What an agent file's fields come to. */
export type AgentFields = z.infer<typeof AGENT_FILE>;

/** Names of the fields that make a persona of an agent. */
export const WHO_FIELDS = Object.keys(PERSONA_FIELDS);

/** Fields that there may be, by where they stand: `*` is any place in a list. What is not here is free. */
export const KNOWN_FIELDS: Readonly<Record<string, readonly string[]>> = {
  "": [...Object.keys(WORK_FIELDS), ...WHO_FIELDS, "type", "$schema"],
  limits: ["steps", "tokens", "seconds"],
  "tools.*": ["name", "description"],
  "interests.*": ["name", "score"],
  "family.*": ["relation", "name"],
  "relationships.*": ["to", "type", "strength", "since"],
};
