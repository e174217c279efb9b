import { z } from "zod";
import {
  INTENTS,
  SENTIMENTS,
  type Annotation,
  type AnyHit,
  type Episode,
  type EpisodeNotes,
  type MemoryHit,
  type RetrievalSettings,
} from "../agent/memory/port.ts";
import {
  ENTITY_TYPES,
  FACT_KINDS,
  type EdgeProposal,
  type Entity,
  type EntityProposal,
  type Fact,
  type FactProposal,
  type Moment,
  type Relationship,
  type Resource,
} from "../agent/memory/types.ts";

/** The latest time that a date can hold, in milliseconds since the epoch. */
const MAX_TIME = 8.64e15;
/** Most entities, references or sources of one episode. */
const MAX_LIST = 200;

/** A short text: an id, a name, a kind. */
export const name = z.string().max(500);
/** A moment, in milliseconds since the epoch. */
export const time = z.number().min(-MAX_TIME).max(MAX_TIME);
/** A share, 0..1. */
export const share = z.number().min(0).max(1);
/** The id of a workspace; empty: global. */
export const scope = z.string().max(200);
/** Scopes to look in. */
export const scopes = z.array(scope).max(100);
/** A sentence. */
export const sentence = z.string().max(10_000);

const source = z.object({ uri: z.string().max(5_000), title: sentence });
const intent = z.enum(INTENTS);
const entities = z.array(name).max(MAX_LIST);

/** An episode on its way to or from the memory process. */
export const episodeSchema = z.object({
  id: z.uuid(),
  sessionId: name,
  turnId: name,
  question: z.string(),
  answer: z.string(),
  agent: name,
  respondent: name,
  model: name,
  time: time.min(0),
  kind: name,
  scope: scope.exactOptional(),
  intent: intent.exactOptional(),
  entities: entities.exactOptional(),
  references: z
    .array(z.object({ label: sentence, uri: z.string().max(5_000) }))
    .max(MAX_LIST)
    .exactOptional(),
  sources: z.array(source).max(MAX_LIST).exactOptional(),
}) satisfies z.ZodType<Episode>;

const edit = z.object({ question: z.string().exactOptional(), answer: z.string().exactOptional() });
const verdict = z.enum(["winner", "loser", "tie"]);
const sentiment = z.enum(SENTIMENTS);
const feedback = z.enum(["up", "down"]);
const reason = z.string().max(200);

const annotationBase = {
  id: z.uuid(),
  episodeId: z.uuid(),
  by: z.enum(["user", "critic", "judge", "reward", "classifier"]),
  time,
};

/** An annotation on its way to the memory process. */
export const annotationSchema = z.discriminatedUnion("kind", [
  z.object({ ...annotationBase, kind: z.literal("score"), value: z.number().min(1).max(5).nullable() }),
  z.object({ ...annotationBase, kind: z.literal("verdict"), value: verdict }),
  z.object({ ...annotationBase, kind: z.literal("reward"), value: z.number().min(-1).max(1) }),
  z.object({ ...annotationBase, kind: z.literal("reason"), value: reason }),
  z.object({ ...annotationBase, kind: z.literal("sentiment"), value: sentiment }),
  z.object({ ...annotationBase, kind: z.literal("pin"), value: z.boolean() }),
  z.object({ ...annotationBase, kind: z.literal("edit"), value: edit }),
  z.object({ ...annotationBase, kind: z.literal("feedback"), value: feedback.nullable() }),
  z.object({ ...annotationBase, kind: z.literal("taken"), value: z.boolean() }),
  z.object({ ...annotationBase, kind: z.literal("class"), value: z.object({ intent, entities }) }),
]) satisfies z.ZodType<Annotation>;

/** The latest annotations of an episode. */
export const notesSchema = z.object({
  score: z.number().exactOptional(),
  scoreBy: z.enum(["critic", "user"]).exactOptional(),
  verdict: verdict.exactOptional(),
  reward: z.number().exactOptional(),
  rewardAt: time.exactOptional(),
  rewardFor: reason.exactOptional(),
  sentiment: sentiment.exactOptional(),
  pinned: z.boolean().exactOptional(),
  edit: edit.exactOptional(),
  feedback: feedback.exactOptional(),
  taken: z.boolean().exactOptional(),
  intent: intent.exactOptional(),
  entities: entities.exactOptional(),
}) satisfies z.ZodType<EpisodeNotes>;

/** How episodes are looked for. */
export const retrievalSchema = z.object({
  candidates: z.int().min(1).max(1_000),
  given: z.int().min(1).max(50),
  hybrid: z.boolean(),
  rerank: z.boolean(),
  threshold: share,
  halfLifeDays: z.number().min(0).max(100_000),
  recencyWeight: share,
  scoreWeight: share,
  verdictWeight: share,
  rewardWeight: share,
  rewardHalfLifeDays: z.number().min(0).max(100_000).exactOptional(),
  purify: z.boolean().exactOptional(),
}) satisfies z.ZodType<RetrievalSettings>;

/** A hit among episodes. */
export const hitSchema = z.object({
  episode: episodeSchema,
  notes: notesSchema.exactOptional(),
  score: z.number(),
  parts: z.record(z.string(), z.number().optional()),
}) satisfies z.ZodType<MemoryHit>;

/** A hit among everything. */
export const anyHitSchema = z.object({
  type: z.enum(["episode", "moment", "fact", "relationship", "resource"]),
  id: name,
  text: z.string(),
  time,
  score: z.number(),
  parts: z.record(z.string(), z.number().optional()).exactOptional(),
  uri: z.string().exactOptional(),
  saidIn: name.exactOptional(),
}) satisfies z.ZodType<AnyHit>;

/** The turn something was learnt from. */
export const turnRef = z.object({ sessionId: name, turnId: name, time });
/** How something came to be known. */
export const learntBy = z.enum(["model", "rules", "tool", "user"]);
/** A kind of fact. */
export const factKind = z.enum(FACT_KINDS);
/** A kind of thing in the graph. */
export const entityType = z.enum(ENTITY_TYPES);

/** A fact as it is stored. */
export const factSchema = z.object({
  id: z.uuid(),
  kind: factKind,
  text: sentence,
  subject: name,
  confidence: share,
  owner: name,
  scope,
  validFrom: time,
  validTo: time.nullable(),
  eventFrom: time.nullable(),
  eventTo: time.nullable(),
  mentions: z.int().min(0),
  pinned: z.boolean(),
  by: learntBy,
  source: turnRef,
  quote: sentence,
  createdAt: time,
  updatedAt: time,
}) satisfies z.ZodType<Fact>;

/** Someone or something in the graph, as it is stored. */
export const entitySchema = z.object({
  id: z.uuid(),
  name,
  type: entityType,
  aliases: z.array(name).max(MAX_LIST),
  scope,
  mentions: z.int().min(0),
  pinned: z.boolean(),
  createdAt: time,
  updatedAt: time,
}) satisfies z.ZodType<Entity>;

/** A relation as it is stored. */
export const relationshipSchema = z.object({
  id: z.uuid(),
  from: name,
  to: name,
  fromId: z.uuid(),
  toId: z.uuid(),
  type: name,
  text: sentence,
  strength: share,
  validFrom: time,
  validTo: time.nullable(),
  owner: name,
  scope,
  source: turnRef,
  mentions: z.int().min(0),
  updatedAt: time,
}) satisfies z.ZodType<Relationship>;

/** A page or a file. */
export const resourceSchema = z.object({
  id: z.uuid(),
  uri: z.string().min(1).max(5_000),
  title: sentence,
  text: z.string().max(2_000_000),
  scope,
  sessionId: name,
  turnId: name,
  indexedAt: time,
}) satisfies z.ZodType<Resource>;

/** A moment. */
export const momentSchema = z.object({
  id: z.uuid(),
  title: sentence,
  text: z.string().max(100_000),
  from: time,
  to: time,
  scope,
  agent: name,
  source: turnRef,
  turns: z.array(turnRef.pick({ sessionId: true, turnId: true })).max(MAX_LIST),
  pinned: z.boolean().exactOptional(),
}) satisfies z.ZodType<Moment>;

const factProposal = z.object({
  kind: factKind,
  text: sentence,
  subject: name,
  confidence: share,
  owner: name,
  quote: sentence,
  eventFrom: time.exactOptional(),
  eventTo: time.exactOptional(),
  contradicts: sentence.exactOptional(),
  ungrounded: sentence.exactOptional(),
}) satisfies z.ZodType<FactProposal>;

const entityProposal = z.object({
  name,
  type: entityType,
  aliases: z.array(name).max(MAX_LIST).exactOptional(),
}) satisfies z.ZodType<EntityProposal>;

const edgeProposal = z.object({
  from: name,
  to: name,
  type: name,
  text: sentence,
  strength: share,
  holds: z.boolean(),
  validFrom: time.exactOptional(),
  validTo: time.exactOptional(),
  quote: sentence,
}) satisfies z.ZodType<EdgeProposal>;

/** What was learnt from a turn, on its way to the memory process. */
export const learntSchema = z.object({
  source: turnRef,
  agent: name,
  scope,
  by: learntBy,
  said: z.string().max(200_000),
  recalled: z.array(z.string().max(100_000)).max(MAX_LIST),
  persona: z.string().max(20_000).exactOptional(),
  facts: z.array(factProposal).max(MAX_LIST),
  entities: z.array(entityProposal).max(MAX_LIST),
  edges: z.array(edgeProposal).max(MAX_LIST),
  interests: z
    .array(z.object({ name, delta: z.number().min(-1).max(1) }))
    .max(MAX_LIST)
    .exactOptional(),
});
