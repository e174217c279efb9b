import { z } from "zod";
import type { TurnEvent } from "../agent/events.ts";
import { isJsonObject } from "../agent/json.ts";
import {
  call,
  count,
  details,
  envelope,
  failure,
  kind,
  message,
  outcome,
  sessionId,
  source,
  usage,
} from "./event-parts.ts";
import { judged } from "./judged-schema.ts";

export { isSessionId } from "./event-parts.ts";

/*
 * Logs are untrusted: they may be half-written, edited by hand, or made by another version. Only what the folds read
 * is checked; unknown keys pass, so that a newer version's additions survive.
 */
const fork = z.looseObject({
  turnId: z.string(),
  eventId: z.string().optional(),
  edits: z.array(z.looseObject({ part: z.string(), eventId: z.string().optional(), text: z.string() })),
});

const known = z.array(z.looseObject({ id: z.string(), text: z.string() }));
const learned = z.looseObject({
  added: known,
  repeated: known,
  closed: known,
  rejected: z.array(z.looseObject({ text: z.string(), reason: z.string() })),
  entities: z.number(),
  edges: z.number(),
});

const lifecycle = [
  kind("turn.start", {
    "conclave.parent_turn_id": z.string().nullable(),
    "conclave.door": z.string(),
    "conclave.fork": fork.optional(),
    "conclave.imported": z.looseObject({ from: z.string(), at: z.number() }).optional(),
  }),
  kind("query.received", {
    query: z.string(),
    references: z.array(z.looseObject({ label: z.string(), uri: z.string(), text: z.string() })).optional(),
  }),
  kind("agent.start", { "gen_ai.request.model": z.string() }),
  kind("agent.transition", { from: z.string(), to: z.string(), trigger: z.string() }),
  kind("agent.end", { outcome, "conclave.duration_ms": z.number(), error: failure.optional(), ...usage }),
  kind("step.start", { index: z.number() }),
  kind("step.end", { index: z.number() }),
  kind("model.check", {
    question: z.string(),
    likelihood: z.number().optional(),
    from: z.number(),
    episodeId: z.string().optional(),
    "conclave.duration_ms": z.number(),
    ...usage,
  }),
  kind("warning", { code: z.string(), message: z.string() }),
  kind("response.generation", { answer: z.string(), thinking: z.string(), tool_calls: z.array(call) }),
  kind("answer.dialog", {
    query: z.string(),
    answer: z.string(),
    "conclave.sources": z.array(source).optional(),
  }),
  kind("turn.end", {
    outcome,
    "conclave.duration_ms": z.number(),
    "conclave.steps": z.number(),
    "conclave.messages": z.array(message),
    error: failure.optional(),
    ...usage,
  }),
] as const;

const calls = [
  kind("tool.schema", {
    tools: z.array(call),
    "conclave.protocol": z.string(),
    "conclave.recall": z.enum(["model", "first"]).optional(),
    "conclave.recall_reason": z.string().optional(),
  }),
  kind("model.start", {
    "gen_ai.provider.name": z.string(),
    "gen_ai.request.model": z.string(),
    "conclave.context_length": z.number(),
    "conclave.messages": z.array(message),
    "conclave.messages_after": z.object({ id: z.string(), count: z.int().nonnegative() }).optional(),
    "conclave.format": envelope.optional(),
    "conclave.tools_sent": count,
    "conclave.envelope": envelope.optional(),
  }),
  kind("model.delta", { channel: z.enum(["thinking", "answer"]), text: z.string() }),
  kind("model.end", {
    content: z.string(),
    thinking: z.string(),
    tool_calls: z.array(call),
    "gen_ai.response.model": z.string(),
    "gen_ai.response.finish_reasons": z.array(z.string()),
    "gen_ai.response.time_to_first_chunk": count,
    "conclave.duration_ms": z.number(),
    "conclave.load_ms": count,
    "conclave.prompt_ms": count,
    "conclave.generation_ms": count,
    "conclave.broken": z.string().optional(),
    "conclave.envelope": envelope.optional(),
    error: failure.optional(),
    ...usage,
  }),
  kind("tool.request", {
    name: z.string(),
    arguments: z.unknown(),
    "gen_ai.tool.call.id": z.string(),
    "conclave.mended": z.array(z.string()).optional(),
  }),
  kind("tool.result", {
    name: z.string(),
    result: z.string().optional(),
    details: details.optional(),
    error: failure.optional(),
    "conclave.duration_ms": z.number(),
    "conclave.attempts": z.number(),
  }),
] as const;

const afterwards = [
  kind("memory.ingested", {
    "conclave.episode_ids": z.array(z.string()),
    "conclave.duration_ms": z.number(),
    "conclave.retrieved": count,
    error: failure.optional(),
  }),
  kind("memory.learned", {
    "conclave.episode_ids": z.array(z.string()),
    "conclave.extracted": z.number(),
    "conclave.updated": z.number(),
    "conclave.by": z.enum(["model", "rules", "tool", "user"]).optional(),
    "gen_ai.request.model": z.string().optional(),
    "conclave.learned": learned.optional(),
    "conclave.skipped": z.string().optional(),
    "conclave.duration_ms": z.number(),
    error: failure.optional(),
    ...usage,
  }),
  kind("memory.card", {
    text: z.string(),
    tokens: z.number(),
    parts: z.array(z.looseObject({ kind: z.string(), text: z.string(), id: z.string().optional() })),
  }),
] as const;

const position = z.looseObject({
  agent: z.string(),
  agentId: z.string(),
  model: z.string(),
  answer: z.string(),
  changed: z.boolean().optional(),
  reason: z.string().optional(),
  error: failure.optional(),
});
const view = z.looseObject({ agent: z.string(), answer: z.string() });
const committees = [
  kind("committee.start", {
    "conclave.strategy": z.string(),
    "conclave.rounds": z.number(),
    "conclave.personas": z.array(z.looseObject({ name: z.string(), model: z.string() })),
    "conclave.synthesizer": z.string(),
    "conclave.estimated_tokens": z.number(),
  }),
  kind("round.start", { index: z.number(), of: z.number() }),
  kind("round.end", {
    index: z.number(),
    positions: z.array(position),
    "conclave.agreed": z.boolean().optional(),
    "conclave.agreement": z.string().optional(),
  }),
  kind("committee.ranking", {
    ballots: z.array(z.looseObject({ voter: z.string(), order: z.array(z.string()) })),
    result: z.array(z.looseObject({ agent: z.string(), mean: z.number(), votes: z.number() })),
  }),
  kind("committee.end", {
    outcome,
    rounds: z.number(),
    "conclave.stopped": z.string(),
    "conclave.verdict": z.looseObject({
      best: view.extend({ by: z.string() }).optional(),
      majority: z.looseObject({ answer: z.string(), agents: z.array(z.string()) }).optional(),
      minority: z.array(view),
    }),
    "conclave.shown_as": z.array(z.looseObject({ letter: z.string(), agent: z.string() })),
    "conclave.duration_ms": z.number(),
    ...usage,
  }),
] as const;

const tokens = z.number().nonnegative();
const contexts = [
  kind("output.structured", {
    schema: z.record(z.string(), z.unknown()),
    value: z.unknown(),
    repaired: z.boolean(),
    error: failure.optional(),
  }),
  kind("context.budget", {
    "conclave.context_length": tokens,
    parts: z.looseObject({
      system: tokens,
      tools: tokens,
      history: tokens,
      memory: tokens,
      references: tokens,
      question: tokens,
      steps: tokens,
      answer: tokens,
    }),
    calibration: z.number(),
  }),
  kind("context.compacted", {
    how: z.string(),
    before: z.number(),
    after: z.number(),
    turns: z.array(z.string()),
    summary: z.string().optional(),
    "gen_ai.request.model": z.string().optional(),
    error: failure.optional(),
  }),
  kind("context.restored", { compaction: z.string() }),
] as const;

const counters = z.looseObject({
  retrieved: z.number(),
  extracted: z.number(),
  updated: z.number(),
  drift: z.number().optional(),
  repetition: z.number().optional(),
});
const talks = [
  kind("sandbox.start", {
    scenario: z.string(),
    opening: z.string(),
    rounds: z.number(),
    "conclave.personas": z.array(z.looseObject({ name: z.string(), model: z.string() })),
    start: z.number(),
  }),
  kind("sandbox.message", {
    round: z.number(),
    speaker: z.string(),
    model: z.string(),
    role: z.enum(["user", "assistant"]),
    content: z.string(),
    "conclave.words_said": count,
    "conclave.counters": counters,
  }),
  kind("sandbox.end", {
    outcome,
    "conclave.stopped": z.string(),
    "conclave.rounds": z.array(counters),
    "conclave.messages_said": z.number(),
    "conclave.duration_ms": z.number(),
    speaker: z.string().optional(),
    error: failure.optional(),
    ...usage,
  }),
] as const;

const turnEvent = z.discriminatedUnion("type", [
  ...lifecycle,
  ...calls,
  ...committees,
  ...contexts,
  ...talks,
  ...afterwards,
  ...judged,
]);

/** The names of all kinds of events. */
export const EVENT_TYPES: readonly string[] = turnEvent.options.map(({ shape }) => shape.type.value);

const sessionLine = z.looseObject({
  type: z.literal("session"),
  schema: z.number().int(),
  sessionId,
  createdAt: z.number(),
  rewritten: z.number().optional(),
});

/** The first line of a log. */
export type SessionLine = z.infer<typeof sessionLine>;

/** The first line of a log, or undefined when it is something else. */
export function parseSessionLine(value: unknown): SessionLine | undefined {
  // A check that fails makes an error, and nearly all lines are events.
  if (!isJsonObject(value) || value["type"] !== "session") return undefined;
  const parsed = sessionLine.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

/** A checked event, or in words what is wrong with it. */
export function parseEvent(
  value: unknown,
): { readonly event: TurnEvent } | { readonly problem: string; readonly unknownType: boolean } {
  const parsed = turnEvent.safeParse(value);
  // The schema checks what is read; the type also names what is only shown as it is.
  if (parsed.success) return { event: parsed.data as unknown as TurnEvent };
  const issue = parsed.error.issues[0];
  const path = issue === undefined ? "" : issue.path.map(String).join(".");
  return {
    problem: `${path === "" ? "event" : path}: ${issue?.message ?? "invalid"}`,
    unknownType: issue?.code === "invalid_union" && path === "type",
  };
}
