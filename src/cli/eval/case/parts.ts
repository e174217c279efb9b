import { z } from "zod";
import { closestName } from "../../../agent/agents/closest.ts";
import { asPattern, patternProblem } from "./pattern.ts";

/*
 * The pieces that a case's fields are made of. Leaves come as text, as the file has them; where a number or a truth
 * value is wanted it is read here. Messages follow the field's name in a sentence: "`budgets.steps` must be ...".
 */

/** An object whose fields are all known; another one is named, with what is nearest to it. */
export function fields<Shape extends z.ZodRawShape>(shape: Shape, what: string) {
  const known = Object.keys(shape);
  return z
    .strictObject(shape, {
      error: (issue) => {
        if (issue.code !== "unrecognized_keys") return `must be ${what}`;
        const [unknown = ""] = issue.keys;
        const near = closestName(unknown, known);
        return near === undefined
          ? `there is no field \`${unknown}\` here; there may be ${known.join(", ")}`
          : `there is no field \`${unknown}\` here; do you mean \`${near}\`?`;
      },
    })
    .readonly();
}

/** Text of at most so many characters, not empty. */
export function prose(most: number) {
  return z
    .string("must be text")
    .max(most, `must be at most ${most} characters long`)
    .refine((text) => text.trim() !== "", "must not be empty");
}

/** One line of text. */
export function line(most: number) {
  return prose(most)
    .transform((text) => text.trim())
    .refine((text) => !/[\r\n]/u.test(text), "must be one line");
}

const NUMBER = /^\s*[-+]?(?:\d+\.?\d*|\.\d+)\s*$/u;

/** A number, read from text. */
export function number(least: number, most: number) {
  const rule = `must be a number from ${least} to ${most}`;
  return z
    .union([z.number(), z.string().regex(NUMBER, rule)], rule)
    .transform(Number)
    .refine((value) => value >= least && value <= most, rule);
}

/** A whole number, read from text. */
export function whole(least: number, most: number) {
  return number(least, most).refine(
    (value) => Number.isInteger(value),
    `must be a whole number from ${least} to ${most}`,
  );
}

/** A truth value, read from text. */
export const flag = z
  .union([z.boolean(), z.enum(["true", "false", "yes", "no", "on", "off"])], "must be true or false")
  .transform((value) => value === true || value === "true" || value === "yes" || value === "on");

/** One of some words. */
export function word<const T extends readonly string[]>(values: T) {
  return z.enum(values, `must be one of ${values.join(", ")}`);
}

/** A list; a single item stands for a list of one. */
export function list<T extends z.ZodType>(item: T, most: number, what = "a list") {
  return z.preprocess(
    (value) => (value === undefined || Array.isArray(value) ? value : [value]),
    z.array(item, `must be ${what}`).max(most, `must have at most ${most} entries`).readonly(),
  );
}

/** What a text must hold: words, or a regular expression between slashes. */
export const pattern = prose(2_000)
  .superRefine((text, context) => {
    const problem = patternProblem(text);
    if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
  })
  .transform(asPattern);

/** Some of them, all of which must be found. */
export const patterns = list(pattern, 100, "texts, or regular expressions between slashes");
