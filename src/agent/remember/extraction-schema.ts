import { z } from "zod";
import { INTENTS, SENTIMENTS, type Intent, type Sentiment } from "../memory/port.ts";
import { ENTITY_TYPES, FACT_KINDS } from "../memory/types.ts";
import type { JsonObject } from "../models/types.ts";
import { grammarSchema } from "../protocols/grammar-schema.ts";

/** What one turn may bring; a model that finds more is making things up. */
const MAX_FACTS = 6;
const MAX_NAMES = 6;
const MAX_RELATIONS = 6;
const MAX_INTERESTS = 3;
/** About 100 tokens. */
const MAX_STATEMENT = 300;

const name = z.string().trim().min(1).max(80);
const statement = z.string().trim().min(3).max(MAX_STATEMENT);

// The quote comes first: what a model has copied out keeps what it then says to it.
const fact = z.object({
  quote: statement,
  text: statement,
  kind: z.enum(FACT_KINDS),
  about: name,
  certain: z.boolean(),
});
const entity = z.object({ name, type: z.enum(ENTITY_TYPES) });
const relation = z.object({
  quote: statement,
  from: name,
  type: z.string().trim().min(1).max(40),
  to: name,
  current: z.boolean(),
});

const EXTRACTION = z.object({
  intent: z.enum(INTENTS),
  sentiment: z.enum(SENTIMENTS),
  entities: z.array(entity).max(MAX_NAMES),
  facts: z.array(fact).max(MAX_FACTS),
  relations: z.array(relation).max(MAX_RELATIONS),
  interests: z.array(name).max(MAX_INTERESTS),
});

/** A fact as the model gives it. */
export type ExtractedFact = z.infer<typeof fact>;
/** A relation as the model gives it. */
export type ExtractedRelation = z.infer<typeof relation>;

/** What a model made of a turn, checked and bounded. */
export interface Extraction {
  readonly intent: Intent;
  readonly sentiment: Sentiment;
  readonly entities: readonly z.infer<typeof entity>[];
  readonly facts: readonly ExtractedFact[];
  readonly relations: readonly ExtractedRelation[];
  readonly interests: readonly string[];
}

/** The schema that the model's answer is constrained to. */
export const EXTRACTION_FORMAT: JsonObject = grammarSchema(z.toJSONSchema(EXTRACTION) as JsonObject);

/** Parts of an answer that fit; each that does not costs itself alone. */
function fitting<T>(schema: z.ZodType<T>, value: unknown, limit: number): T[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, limit).flatMap((item: unknown) => {
    const parsed = schema.safeParse(item);
    return parsed.success ? [parsed.data] : [];
  });
}

const loose = z.looseObject({
  intent: z.enum(INTENTS).catch("other"),
  sentiment: z.enum(SENTIMENTS).catch("neutral"),
});

/**
 * Reads what a model answered. Undefined for what is no object of this kind at all; within one, items that don't fit
 * are left out and lists are cut to size.
 */
export function readExtraction(text: string): Extraction | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const head = loose.safeParse(value);
  if (!head.success || !("facts" in head.data)) return undefined;
  const { intent, sentiment, entities, facts, relations, interests } = head.data;
  return {
    ...{ intent, sentiment },
    entities: fitting(entity, entities, MAX_NAMES),
    facts: fitting(fact, facts, MAX_FACTS),
    relations: fitting(relation, relations, MAX_RELATIONS),
    interests: fitting(name, interests, MAX_INTERESTS),
  };
}
