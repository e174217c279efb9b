import { LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import { failure, type Failure } from "./failure.ts";

/** Text (UTF-16 units) that an agent file may have. */
const MAX_FILE = 200_000;

const word = z.string().trim().min(1).max(200);
const prose = z.string().trim().min(1).max(2_000);
/** A name alone, or a name with how much of it there is. */
const interest = z.union([
  word.transform((name) => ({ name, score: 0.5 })),
  z.object({ name: word, score: z.number().min(0).max(1).default(0.5) }),
]);
const relationship = z.object({
  to: word,
  type: word,
  strength: z.number().min(0).max(1).default(0.5),
  since: z
    .string()
    .regex(/^\d{4}(?:-\d{2}(?:-\d{2})?)?$/u, "must be a date such as 2024-03-01, 2024-03 or 2024")
    .optional(),
});
const family = z.union([
  word,
  z.object({ relation: word, name: word }).transform(({ relation, name }) => `${relation}: ${name}`),
]);

/** What an agent file says of who the agent is, beside the fields that all agent files have. */
export const PERSONA_FIELDS = {
  bio: prose.optional(),
  job: word.optional(),
  family: z.array(family).max(20).default([]),
  traits: z.array(word).max(20).default([]),
  interests: z.array(interest).max(20).default([]),
  relationships: z.array(relationship).max(20).default([]),
};

/** The fields of an agent file that name the agent and say how it works. */
const AGENT_FIELDS = {
  name: word.regex(/^[^\n\r]*$/u, "must be one line"),
  description: prose.optional(),
  prompt: z.string().max(20_000).optional(),
  tools: z.array(word).max(100).optional(),
  model: z.string().max(300).optional(),
};

const PERSONA = z.object({
  ...AGENT_FIELDS,
  kind: z.literal("persona").default("persona"),
  ...PERSONA_FIELDS,
});

/** Who an agent is: what its file says. What it learns later is in the store. */
export type Persona = z.infer<typeof PERSONA>;

/** What is wrong with an agent file, and where. */
export interface PersonaProblem {
  readonly message: string;
  /** From 1; absent where the file as a whole is meant. */
  readonly line?: number;
  readonly column?: number;
}

/** A persona, or what is wrong with its file. */
export type ParsedPersona =
  | { readonly ok: true; readonly persona: Persona; readonly ignored: readonly string[] }
  | { readonly ok: false; readonly failure: Failure; readonly problems: readonly PersonaProblem[] };

/**
 * Reads the persona out of the text of an agent file, YAML or JSON. Words such as `no` and `3.10` stay text where text
 * is wanted. Keys that are not a persona's are named in `ignored` and otherwise left alone. Never throws.
 */
export function parsePersona(text: string): ParsedPersona {
  if (text.length > MAX_FILE) return refused([{ message: `The file has more than ${MAX_FILE} characters.` }]);
  const lines = new LineCounter();
  // `failsafe` leaves every scalar the text that was written; numbers are read where numbers are wanted.
  const document = parseDocument(text, { lineCounter: lines, schema: "failsafe", prettyErrors: false });
  if (document.errors.length > 0) {
    return refused(
      document.errors.map(({ message, pos }) => {
        const { line, col } = lines.linePos(pos[0]);
        return { message, line, column: col };
      }),
    );
  }
  let value: unknown;
  try {
    // Aliases may unfold without end ("billion laughs"): few are allowed.
    value = document.toJS({ maxAliasCount: 50 });
  } catch (error) {
    return refused([{ message: error instanceof Error ? error.message : String(error) }]);
  }
  if (value === null || value === "") return refused([{ message: "The file is empty." }]);
  if (typeof value !== "object") return refused([{ message: "The file has no fields." }]);
  const parsed = PERSONA.safeParse(withNumbers(value));
  if (parsed.success) {
    const known = new Set(Object.keys(PERSONA.shape));
    return {
      ok: true,
      persona: parsed.data,
      ignored: Object.keys(value).filter((key) => !known.has(key)),
    };
  }
  return refused(
    parsed.error.issues.slice(0, 20).map(({ path, message }) => {
      const place = placeOf(path);
      const node = document.getIn(
        path.filter((key) => typeof key !== "symbol"),
        true,
      );
      const start = rangeStart(node);
      const at = start === undefined ? undefined : lines.linePos(start);
      return { message: `${place}${message}`, ...(at && { line: at.line, column: at.col }) };
    }),
  );
}

function placeOf(path: readonly PropertyKey[]): string {
  return path.length === 0 ? "" : `${path.map(String).join(".")}: `;
}

function rangeStart(node: unknown): number | undefined {
  if (typeof node !== "object" || node === null || !("range" in node)) return undefined;
  const { range } = node;
  return Array.isArray(range) && typeof range[0] === "number" ? range[0] : undefined;
}

/** Scores and strengths are numbers; everything else of a persona is text as it was written. */
function withNumbers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNumbers);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]: [string, unknown]) => [
      key,
      (key === "score" || key === "strength") && typeof inner === "string" && /^[\d.]+$/u.test(inner)
        ? Number(inner)
        : withNumbers(inner),
    ]),
  );
}

function refused(problems: readonly PersonaProblem[]): ParsedPersona {
  const [first] = problems;
  const where = first?.line === undefined ? "" : ` (line ${first.line}, column ${first.column ?? 1})`;
  const message = `The agent file can't be used: ${first?.message ?? "it is not readable"}${where}.`;
  return { ok: false, failure: failure("bad_input", message), problems };
}
