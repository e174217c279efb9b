import { Script } from "node:vm";
import { Ajv2020, type ErrorObject, type Options } from "ajv/dist/2020.js";
import { LRUCache } from "lru-cache";
import { describeError, failed, success, type Result } from "../failure.ts";
import type { Json, JsonObject } from "../models/types.ts";
import { cutAtGrapheme } from "../text.ts";

/** Problems that are told at once. */
const MAX_PROBLEMS = 10;
/** Longest text of one problem, in UTF-16 units. */
const MAX_PROBLEM = 300;
/** A pattern of a file may take this long for one text, in milliseconds: some take for ever. */
const PATTERN_MS = 50;

/** Says what is wrong with a value, in words for the model; nothing when it is valid. */
export type OutputCheck = (value: Json) => readonly string[];

/** Schemas whose checks are kept, by their text; making one takes milliseconds. */
const MAX_KNOWN = 64;

const known = new LRUCache<string, Result<OutputCheck>>({ max: MAX_KNOWN });

const OPTIONS: Options = {
  allErrors: true,
  strict: false,
  validateFormats: false,
  logger: false,
  unicodeRegExp: false,
  code: { regExp: Object.assign(patternInTime, { code: "" }) },
};

/** Knows what a schema may be; made with the first one. */
let schemas: Ajv2020 | undefined;

/** The check of a JSON schema (draft 2020-12). Fails with `bad_input` when the schema itself is wrong. */
export function checkOf(schema: JsonObject): Result<OutputCheck> {
  const text = JSON.stringify(schema);
  let check = known.get(text);
  if (check === undefined) {
    check = compile(schema);
    known.set(text, check);
  }
  return check;
}

function compile(schema: JsonObject): Result<OutputCheck> {
  try {
    schemas ??= new Ajv2020(OPTIONS);
    void schemas.validateSchema(schema, true);
    // One for each schema: schemas of files may give themselves the same `$id`.
    const ajv = new Ajv2020({ ...OPTIONS, meta: false, validateSchema: false });
    const validate = ajv.compile(schema);
    return success((value) => (validate(value) ? [] : problemsOf(validate.errors ?? [])));
  } catch (error) {
    const cause = describeError(error);
    return failed("bad_input", `The schema of its output is wrong: ${cutAtGrapheme(cause, MAX_PROBLEM)}`, {
      cause,
    });
  }
}

/** A pattern whose matching is stopped when it takes too long; then the text does not match. */
function patternInTime(pattern: string, flags: string): { toString(): string; test(text: string): boolean } {
  const expression = new RegExp(pattern, flags);
  const script = new Script("expression.test(text)");
  return {
    // What tells patterns apart: those that look alike are taken for the same.
    toString: () => String(expression),
    test: (text) => {
      try {
        return script.runInNewContext({ expression, text }, { timeout: PATTERN_MS }) === true;
      } catch {
        return false;
      }
    },
  };
}

function problemsOf(errors: readonly ErrorObject[]): readonly string[] {
  const told = new Set(errors.map(problemOf));
  return [...told].slice(0, MAX_PROBLEMS);
}

function problemOf({ instancePath, message = "is wrong", params }: ErrorObject): string {
  const place = instancePath === "" ? "the object" : instancePath.slice(1).replaceAll("/", ".");
  const { allowedValues, additionalProperty, allowedValue } = params as Readonly<Record<string, unknown>>;
  const detail = allowedValues ?? allowedValue ?? additionalProperty;
  const more = detail === undefined ? "" : ` (${JSON.stringify(detail)})`;
  return cutAtGrapheme(`${place} ${message}${more}`, MAX_PROBLEM);
}
