import { z } from "zod";
import { count, failure, kind, outcome, usage } from "./event-parts.ts";

/*
 * What the folds read of what people and critics think of an answer. Logs of other versions may lack the judge's name.
 */
const score = z.number().min(1).max(5).nullable();
const respondent = z.enum(["A", "B"]);
const implicit = z.enum(["asked_again", "contradicted", "copied", "applied"]);
const episodes = z.array(z.string()).optional();
const who = z.looseObject({ agent: z.string(), model: z.string(), temperature: z.number().optional() });

const judgement = {
  "gen_ai.request.model": z.string().optional(),
  "conclave.judge": z.enum(["prometheus", "constrained"]).optional(),
  "conclave.rubric": z.string().optional(),
  "conclave.asked_by": z.enum(["critic", "user", "tool"]).optional(),
  "conclave.duration_ms": count,
  "conclave.attempts": count,
  "conclave.same_family": z.string().optional(),
  "conclave.raw": z.string().optional(),
  error: failure.optional(),
  ...usage,
};

/** The checks of all events of `events-judged.ts`. */
export const judged = [
  kind("user.feedback", {
    rating: z.enum(["up", "down", "none"]),
    note: z.string().optional(),
    "conclave.implicit": implicit.optional(),
    "conclave.evidence": z.string().optional(),
  }),
  kind("reward.event", {
    reward: z.number().min(-1).max(1),
    reason: z.string(),
    "gen_ai.request.model": z.string().optional(),
    "conclave.sources": z
      .array(
        z.looseObject({
          kind: z.enum(["thumbs", ...implicit.options]),
          worth: z.number(),
          time: z.number(),
          event: z.string(),
        }),
      )
      .optional(),
    "conclave.episode_ids": episodes,
  }),
  kind("critique.result", {
    score,
    feedback: z.string(),
    "conclave.scores": z.array(score).optional(),
    "conclave.spread": count,
    "conclave.ungraded": z.string().optional(),
    "conclave.reference": z.literal(true).optional(),
    ...judgement,
  }),
  kind("critique.corrected", { score, reason: z.string(), "conclave.by": z.string() }),
  kind("pairwise.result", {
    winner: respondent.nullable(),
    feedback: z.string(),
    "conclave.orders": z
      .array(
        z.looseObject({
          first: respondent,
          winner: respondent.nullable(),
          feedback: z.string(),
          raw: z.string().optional(),
        }),
      )
      .optional(),
    "conclave.order_bound": z.literal(true).optional(),
    "conclave.a": who.optional(),
    "conclave.b": who.optional(),
    "conclave.episode_ids": episodes,
    ...judgement,
  }),
  kind("shadow.answer", {
    answer: z.string(),
    outcome,
    "gen_ai.request.model": z.string(),
    "gen_ai.request.temperature": z.number().optional(),
    "conclave.asked_by": z.enum(["critic", "user", "tool"]).optional(),
    "conclave.duration_ms": z.number(),
    "conclave.episode_ids": episodes,
    error: failure.optional(),
    ...usage,
  }),
  kind("shadow.taken", { "conclave.episode_ids": episodes }),
] as const;
