import { z } from "zod";
import { MAX_NOTE, MAX_USED } from "./panel-limits.ts";

/**
 * The messages by which the user judges answers, in words or by what they do with them: of a turn, or of one agent in
 * it. `turnRef` checks a turn's name.
 */
export function judgeMessages<Ref extends z.ZodRawShape>(turnRef: Ref) {
  /** The span of the agent whose own answer is judged; left out: the turn's answer. */
  const agentId = z.string().min(1).max(200).exactOptional();
  return [
    z.strictObject({
      type: z.literal("feedback"),
      ...turnRef,
      agentId,
      rating: z.enum(["up", "down", "none"]),
      note: z.string().trim().min(1).max(MAX_NOTE).exactOptional(),
    }),
    z.strictObject({
      type: z.literal("grade"),
      ...turnRef,
      agentId,
      /** Null: it has none. */
      score: z.number().int().min(1).max(5).nullable(),
      reason: z.string().trim().min(1).max(MAX_NOTE),
    }),
    z.strictObject({
      type: z.literal("use"),
      ...turnRef,
      /** Left out: it was copied by hand already. */
      text: z.string().max(MAX_USED).exactOptional(),
      how: z.enum(["copied", "applied"]),
    }),
  ] as const;
}
