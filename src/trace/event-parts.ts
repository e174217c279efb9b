import { z } from "zod";

const SESSION_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a session id is a UUID, and so can name a file. */
export function isSessionId(value: string): boolean {
  return SESSION_ID.test(value);
}

/** The id of a session, as it is checked. */
export const sessionId = z.string().regex(SESSION_ID);
const base = {
  id: z.string().min(1).max(200),
  parentId: z.string().max(200).nullable(),
  time: z.number(),
  sessionId,
  turnId: z.string().min(1).max(200),
  stepId: z.string().max(200).optional(),
  agent: z.string(),
  respondent: z.string(),
  replays: z.string().max(200).optional(),
  forgotten: z.number().optional(),
};

/** A figure that may be left out. */
export const count = z.number().nonnegative().optional();
/** Tokens. */
export const usage = { "gen_ai.usage.input_tokens": count, "gen_ai.usage.output_tokens": count };
/** A failure in words. */
export const failure = z.looseObject({ code: z.string(), message: z.string(), cause: z.string().optional() });
/** What a turn or an agent came to. */
export const outcome = z.enum(["answered", "failed", "cancelled"]);
/** A tool, or a call of one. */
export const call = z.looseObject({ name: z.string() });
/** A message of a conversation. */
export const message = z.looseObject({
  role: z.enum(["system", "user", "assistant", "tool"]),
  content: z.string(),
});
/** Any object. */
export const envelope = z.record(z.string(), z.unknown());
/** Where something was found. */
export const source = z.looseObject({ uri: z.string(), title: z.string() });
/** What people are shown of a tool's result. */
export const details = z.looseObject({
  summary: z.string(),
  sources: z.array(source).optional(),
  data: z.record(z.string(), z.unknown()).optional(),
});

/** One kind of event: what all have, and its own data. */
export function kind<Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.looseObject({ ...base, type: z.literal(type), data: z.looseObject(shape) });
}
