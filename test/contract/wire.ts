import assert from "node:assert/strict";
import { z } from "zod";
import type { Target } from "./targets.ts";

/** An answer as it came. */
export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** Sends JSON (or text as it is) to an endpoint and reads the whole answer. */
export async function post(target: Target, path: string, body: unknown): Promise<Answer> {
  const response = await fetch(target.host + path, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const contentType = response.headers.get("content-type") ?? "";
  return { status: response.status, contentType, text: await response.text() };
}

/** The `error` of an answer. */
export function errorOf({ text }: Answer): string {
  return z.strictObject({ error: z.string() }).parse(JSON.parse(text)).error;
}

const Time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/);
const Call = z.strictObject({
  id: z.string().regex(/^call_\w+$/),
  function: z.strictObject({
    index: z.int().nonnegative(),
    name: z.string(),
    arguments: z.record(z.string(), z.unknown()),
  }),
});
const Message = z.strictObject({
  role: z.literal("assistant"),
  content: z.string(),
  thinking: z.string().min(1).optional(),
  tool_calls: z.array(Call).min(1).optional(),
});
const Logprob = { token: z.string(), logprob: z.number().max(0), bytes: z.array(z.int().min(0).max(255)) };
const Chunk = z.strictObject({
  model: z.string(),
  created_at: Time,
  message: Message,
  done: z.literal(false),
  logprobs: z
    .array(z.strictObject({ ...Logprob, top_logprobs: z.array(z.strictObject(Logprob)).optional() }))
    .min(1)
    .optional(),
});
const Count = z.int().positive();
const Last = z.strictObject({
  model: z.string(),
  created_at: Time,
  message: Message,
  done: z.literal(true),
  done_reason: z.enum(["stop", "length", "load", "unload"]),
  total_duration: Count.optional(),
  load_duration: Count.optional(),
  prompt_eval_count: Count.optional(),
  prompt_eval_duration: Count.optional(),
  eval_count: Count.optional(),
  eval_duration: Count.optional(),
});

/** A chat's stream, checked line by line. */
export interface Stream {
  readonly chunks: readonly z.infer<typeof Chunk>[];
  readonly last: z.infer<typeof Last>;
  readonly content: string;
  readonly thinking: string;
  readonly calls: readonly z.infer<typeof Call>[];
}

/** Reads the NDJSON of a chat; fails on any line of another shape. */
export function readStream(answer: Answer): Stream {
  assert.equal(answer.status, 200, answer.text);
  assert.match(answer.contentType, /^application\/x-ndjson/);
  const lines = answer.text.trimEnd().split("\n");
  const chunks = lines.slice(0, -1).map((line) => Chunk.parse(JSON.parse(line)));
  const last = Last.parse(JSON.parse(lines.at(-1) ?? ""));
  const all = [...chunks, last].map(({ message }) => message);
  return {
    chunks,
    last,
    content: all.map((message) => message.content).join(""),
    thinking: all.map((message) => message.thinking ?? "").join(""),
    calls: all.flatMap((message) => message.tool_calls ?? []),
  };
}

/** Reads the one object of a chat without streaming. */
export function readWhole(answer: Answer): z.infer<typeof Last> {
  assert.equal(answer.status, 200, answer.text);
  assert.match(answer.contentType, /^application\/json/);
  return Last.parse(JSON.parse(answer.text));
}

/** A message of the user's. */
export function user(content: string): { readonly role: "user"; readonly content: string } {
  return { role: "user", content };
}

/** Options under which an answer is short and the same each time. */
export const SHORT = { temperature: 0, seed: 7, num_predict: 24, num_ctx: 2_048 };

/** A tool as a request offers it. */
export const SEARCH_TOOL = {
  type: "function",
  function: {
    name: "search_memory",
    description: "Searches what was said before",
    parameters: {
      type: "object",
      properties: { query: { type: "string", description: "What to look for" } },
      required: ["query"],
    },
  },
} as const;

/** The schema of one call of that tool, as a model writes a call in text. */
export const CALL_FORMAT = {
  type: "object",
  properties: {
    name: { const: "search_memory" },
    arguments: {
      type: "object",
      properties: { query: { type: "string", maxLength: 30 } },
      required: ["query"],
      additionalProperties: false,
    },
  },
  required: ["name", "arguments"],
  additionalProperties: false,
} as const;

/** A schema whose shortest answer takes a small model the better part of a minute. */
export const LONG_FORMAT = {
  type: "array",
  items: { type: "integer", minimum: 0, maximum: 9 },
  minItems: 1_000,
} as const;
