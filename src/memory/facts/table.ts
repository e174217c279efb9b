import { createHash } from "node:crypto";
import { Bool, Field, Float64, Schema, Utf8 } from "apache-arrow";
import { z } from "zod";
import type { Fact } from "../../agent/memory/types.ts";
import { FACT_KINDS } from "../../agent/memory/types.ts";
import { nameWords } from "../graph/names.ts";
import type { StoredRow, TableSpec } from "../store/spec.ts";
import { withoutRelativeTimes } from "./dates.ts";
import { readStatement, statementKey, type Statement } from "./statement.ts";

const text = (name: string): Field => new Field(name, new Utf8(), false);
const number = (name: string, nullable = false): Field => new Field(name, new Float64(), nullable);

/** The table of facts. */
export const factsSpec: TableSpec = {
  name: "facts",
  version: 1,
  schema: () =>
    new Schema([
      ...["id", "kind", "text", "subject", "owner", "scope", "made_by", "quote"].map(text),
      ...["session_id", "turn_id", "sources"].map(text),
      // What a row is looked for by: `said_key` for the same words, `stems` (between spaces) for like ones,
      // `attribute` for another value of the same, `search_text` for words of a search.
      ...["said_key", "stems", "attribute", "search_text"].map(text),
      ...["confidence", "mentions", "valid_from", "source_time", "created_at", "updated_at"].map((name) =>
        number(name),
      ),
      ...["valid_to", "event_from", "event_to"].map((name) => number(name, true)),
      new Field("pinned", new Bool(), false),
    ]),
  migrations: [],
  textColumn: "search_text",
};

/** A turn that says a fact. */
export interface FactSource {
  readonly sessionId: string;
  readonly turnId: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** The user's words that say it. */
  readonly quote: string;
  /** The fact as it was worded from this turn; empty: as it stands. */
  readonly text: string;
  /** How sure this turn alone makes it; not known of facts that an older version wrote. */
  readonly confidence?: number;
  /** When it happens, as this turn told it; milliseconds since the epoch. */
  readonly eventFrom?: number;
  readonly eventTo?: number;
}

/** A fact with the turns that say it, oldest first: with the last of them it goes. */
export interface StoredFact extends Fact {
  readonly sources: readonly FactSource[];
}

/** Most turns that are kept of those that say a fact: the first, and the latest. */
export const MAX_SOURCES = 20;

/** Adds a turn to those that say a fact; a turn counts once. */
export function withSource(sources: readonly FactSource[], source: FactSource): readonly FactSource[] {
  const others = sources.filter(({ turnId }) => turnId !== source.turnId);
  const all = others.length < sources.length ? sources : [...others, source];
  return all.length <= MAX_SOURCES ? all : [...all.slice(0, 1), ...all.slice(1 - MAX_SOURCES)];
}

/** When a fact was worded as it is: what its "tomorrow" counts from, in milliseconds since the epoch. */
function wordedAt({ text, source, sources }: Pick<StoredFact, "text" | "source" | "sources">): number {
  return sources.find((one) => one.text === text)?.time ?? source.time;
}

/** What a fact states, with its time words counted from when it was worded. */
export function statementOf(fact: Pick<StoredFact, "text" | "subject" | "source" | "sources">): Statement {
  return readStatement(fact.text, fact.subject, wordedAt(fact));
}

/** A fact as a row. */
export function factRow(fact: StoredFact): StoredRow {
  const { id, kind, text: sentence, subject, owner, scope, quote, confidence, mentions, pinned } = fact;
  const stated = statementOf(fact);
  return {
    ...{ id, kind, text: sentence, subject, owner, scope, quote, confidence, mentions, pinned },
    made_by: fact.by,
    session_id: fact.source.sessionId,
    turn_id: fact.source.turnId,
    source_time: fact.source.time,
    sources: JSON.stringify(fact.sources),
    said_key: keyHash(statementKey(stated)),
    stems: ` ${[...stated.all].join(" ")} `,
    attribute: stated.attribute ?? "",
    // Found by the day that it means: "tomorrow" is another one for who looks for it.
    search_text: searchText(withoutRelativeTimes(sentence, wordedAt(fact)), subject),
    valid_from: fact.validFrom,
    valid_to: fact.validTo,
    event_from: fact.eventFrom,
    event_to: fact.eventTo,
    created_at: fact.createdAt,
    updated_at: fact.updatedAt,
  };
}

/** A key in the length in which it is stored. */
export function keyHash(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 32);
}

/** What a fact is found by: its words and whom it is about, in lower case and without accents. */
export function searchText(sentence: string, subject: string): string {
  return nameWords(`${subject}\n${sentence}`).join(" ");
}

/** The turns that say a fact. */
export const factSourcesSchema = z
  .array(
    z.object({
      sessionId: z.string().max(500),
      turnId: z.string().max(500),
      time: z.number().min(-8.64e15).max(8.64e15),
      quote: z.string().max(10_000),
      text: z.string().max(10_000),
      confidence: z.number().min(0).max(1).exactOptional(),
      eventFrom: z.number().min(-8.64e15).max(8.64e15).exactOptional(),
      eventTo: z.number().min(-8.64e15).max(8.64e15).exactOptional(),
    }),
  )
  .max(MAX_SOURCES);

const sourcesSchema = z.string().transform((json, context): FactSource[] => {
  try {
    return factSourcesSchema.parse(JSON.parse(json));
  } catch {
    context.addIssue("The turns of a fact can't be read.");
    return z.NEVER;
  }
});

const rowSchema = z
  .object({
    ...{ id: z.string(), kind: z.enum(FACT_KINDS), text: z.string(), subject: z.string(), owner: z.string() },
    ...{ scope: z.string(), made_by: z.enum(["model", "rules", "tool", "user"]), quote: z.string() },
    ...{ session_id: z.string(), turn_id: z.string(), source_time: z.number(), sources: sourcesSchema },
    ...{ confidence: z.number(), mentions: z.number(), pinned: z.boolean() },
    ...{ valid_from: z.number(), valid_to: z.number().nullable() },
    ...{ event_from: z.number().nullable(), event_to: z.number().nullable() },
    ...{ created_at: z.number(), updated_at: z.number() },
  })
  .transform((row): StoredFact => ({
    id: row.id,
    kind: row.kind,
    text: row.text,
    subject: row.subject,
    confidence: row.confidence,
    owner: row.owner,
    scope: row.scope,
    validFrom: row.valid_from,
    validTo: row.valid_to,
    eventFrom: row.event_from,
    eventTo: row.event_to,
    mentions: row.mentions,
    pinned: row.pinned,
    by: row.made_by,
    source: { sessionId: row.session_id, turnId: row.turn_id, time: row.source_time },
    quote: row.quote,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    sources: row.sources,
  }));

/** The columns a fact is read back from. */
export const FACT_COLUMNS = Object.keys(rowSchema.in.shape);

/** Reads facts back; a row that is none is left out. */
export function readFacts(rows: readonly unknown[]): StoredFact[] {
  return rows.map((row) => rowSchema.safeParse(row)).flatMap((read) => (read.success ? [read.data] : []));
}

/** The fact as the rest of the product knows it. */
export function publicFact({ sources: _sources, ...fact }: StoredFact): Fact {
  return fact;
}
