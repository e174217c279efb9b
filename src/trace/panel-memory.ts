import { z } from "zod";
import type { Failure } from "../agent/failure.ts";
import { ENTITY_TYPES, FACT_KINDS, SORT_COLUMNS } from "../agent/memory/types.ts";
import type { MemoryRows, MemoryTable } from "../agent/memory/types.ts";

/*
 * What the panel's memory view and its host say to each other. A request carries a number; its answer carries the same
 * one, so that an answer that comes late is known for what it is.
 */
const request = z.number().int().nonnegative();
const id = z.guid();
const text = z.string().max(100_000);
const words = z.string().max(500);
const name = z.string().trim().min(1).max(500);
const sentence = z.string().trim().min(1).max(10_000);
const part = z.number().min(0).max(1);
const tables = z.enum(Object.keys(SORT_COLUMNS) as MemoryTable[]);
const time = z.number().min(-8.64e15).max(8.64e15);

function query<T extends MemoryTable>(table: T) {
  return z.strictObject({
    table: z.literal(table),
    filter: words,
    sort: z.strictObject({ column: z.enum(SORT_COLUMNS[table]), ascending: z.boolean() }),
    /** Only what belongs to the workspace that is open. */
    here: z.boolean(),
    /** Without what no longer holds. */
    onlyCurrent: z.boolean(),
  });
}

const memoryQuery = z.discriminatedUnion("table", [
  query("episodes"),
  query("facts"),
  query("people"),
  query("relationships"),
  query("resources"),
  /** Those whose time touches the one between `from` and `to`; milliseconds since the epoch. */
  query("moments").extend({ from: time.exactOptional(), to: time.exactOptional() }),
]);

/** What rows of which table are wanted, in which order. */
export type MemoryViewQuery = z.infer<typeof memoryQuery>;

const memoryEdit = z.discriminatedUnion("table", [
  z.strictObject({
    table: z.literal("episodes"),
    id,
    question: text.exactOptional(),
    answer: text.exactOptional(),
    pinned: z.boolean().exactOptional(),
  }),
  z.strictObject({
    table: z.literal("facts"),
    id,
    text: sentence.exactOptional(),
    kind: z.enum(FACT_KINDS).exactOptional(),
    subject: name.exactOptional(),
    confidence: part.exactOptional(),
    pinned: z.boolean().exactOptional(),
    holds: z.boolean().exactOptional(),
  }),
  z.strictObject({
    table: z.literal("people"),
    id,
    name: name.exactOptional(),
    type: z.enum(ENTITY_TYPES).exactOptional(),
    aliases: z.array(name).max(50).exactOptional(),
    pinned: z.boolean().exactOptional(),
  }),
  z.strictObject({
    table: z.literal("relationships"),
    id,
    type: name.exactOptional(),
    text: sentence.exactOptional(),
    strength: part.exactOptional(),
    holds: z.boolean().exactOptional(),
  }),
  z.strictObject({
    table: z.literal("moments"),
    id,
    title: sentence.exactOptional(),
    text: sentence.exactOptional(),
    pinned: z.boolean().exactOptional(),
  }),
]);

/** A change that the user made in the view. */
export type MemoryViewEdit = z.infer<typeof memoryEdit>;

const forgetWhat = z.discriminatedUnion("by", [
  z.strictObject({
    by: z.literal("ids"),
    table: tables,
    ids: z.array(id).min(1).max(1000),
  }),
  z.strictObject({ by: z.literal("about"), about: words.trim().min(1), here: z.boolean() }),
  /** All rows that a query gives, also those that the view has not seen. */
  z.strictObject({ by: z.literal("matching"), query: memoryQuery }),
]);

const chosen = z.discriminatedUnion("by", [
  z.strictObject({
    by: z.literal("ids"),
    table: tables,
    ids: z.array(id).min(1).max(1000),
  }),
  z.strictObject({ by: z.literal("matching"), query: memoryQuery }),
]);

/** The rows that the user chose: one by one, or all that a query gives. */
export type MemoryChosen = z.infer<typeof chosen>;

/** What the user wants to be forgotten. */
export type MemoryViewForget = z.infer<typeof forgetWhat>;

const offset = z.number().int().nonnegative();

/** The view's messages to the host. */
export const memoryMessages = [
  /** A page of a table. */
  z.strictObject({ type: z.literal("memory.page"), request, query: memoryQuery, offset }),
  /** The episodes that fit some words best, as the model's own search finds them. */
  z.strictObject({ type: z.literal("memory.search"), request, query: words, here: z.boolean() }),
  /** All there is of a row. `offset` is its place in the rows of the query. */
  z.strictObject({ type: z.literal("memory.row"), request, query: memoryQuery, id, offset }),
  z.strictObject({ type: z.literal("memory.edit"), request, edit: memoryEdit }),
  z.strictObject({ type: z.literal("memory.forget"), what: forgetWhat }),
  /** Everything, or only some rows. */
  z.strictObject({ type: z.literal("memory.export"), what: chosen.exactOptional() }),
  /** Pins rows; asks first when there are many. */
  z.strictObject({ type: z.literal("memory.pin"), what: chosen }),
  z.strictObject({ type: z.literal("memory.import") }),
  /** Pauses the embedding of rows that wait for it, or goes on with it. */
  z.strictObject({ type: z.literal("memory.embed"), action: z.enum(["stop", "start"]) }),
  /** Stops what takes its time: forgetting, export, import. */
  z.strictObject({ type: z.literal("memory.cancel") }),
] as const;

/** How well a found episode fits, and what that is made of. */
export interface MemoryScore {
  /** Relevance with all that was added to it. */
  readonly value: number;
  readonly parts: { readonly [part: string]: number };
}

/** A row as it is posted: long texts are cut. */
export type MemoryLine = {
  readonly [T in MemoryTable]: {
    readonly table: T;
    readonly row: MemoryRows[T];
    /** Something of it was left out. */
    readonly cut: boolean;
    /** What the folder is called that it belongs to; absent when it belongs to none. */
    readonly place?: string;
    /** In a ranked search. */
    readonly score?: MemoryScore;
  };
}[MemoryTable];

/** What takes its time, and how far it is. */
export interface MemoryWork {
  readonly what: "looking" | "forgetting" | "exporting" | "importing" | "pinning";
  /** Rows dealt with so far. */
  readonly done: number;
}

/** Rows that no search by meaning finds yet, because they wait for an embedding of the current model. */
export interface MemoryEmbedding {
  readonly waiting: number;
  /** The user paused it. */
  readonly paused: boolean;
}

/** What was found by a ranked search, in words and figures. */
export interface MemoryFound {
  readonly searched: number;
  readonly dropped: number;
  /** The time that words of the query were taken to mean; milliseconds since the epoch. */
  readonly range: { readonly from: number; readonly to: number } | null;
  readonly note: string | null;
}

/** The host's messages to the view. */
export type MemoryHostMessage =
  | {
      readonly type: "memory.page";
      readonly request: number;
      readonly offset: number;
      readonly total: number;
      readonly lines: readonly MemoryLine[];
      readonly failure: Failure | null;
    }
  | {
      readonly type: "memory.hits";
      readonly request: number;
      readonly lines: readonly MemoryLine[];
      readonly found: MemoryFound;
      readonly failure: Failure | null;
    }
  | {
      readonly type: "memory.row";
      readonly request: number;
      /** Null: it is not there any more. */
      readonly line: MemoryLine | null;
      readonly failure: Failure | null;
    }
  | { readonly type: "memory.edited"; readonly request: number; readonly failure: Failure | null }
  /** Rows came, went or changed: what is shown is to be asked for again. */
  | { readonly type: "memory.changed" }
  /** A turn was remembered, or something was learnt from it: there may be more than what is shown. */
  | { readonly type: "memory.grew" }
  /** What the folder that is open is called; null: it has no name of its own. */
  | { readonly type: "memory.here"; readonly name: string | null }
  | { readonly type: "memory.embedding"; readonly embedding: MemoryEmbedding }
  /** Null: nothing is at work any more. */
  | { readonly type: "memory.work"; readonly work: MemoryWork | null }
  /** What came of forgetting, export or import, in a sentence. */
  | { readonly type: "memory.told"; readonly text: string };
