import { z } from "zod";
import type { Json } from "../../../agent/models/types.ts";
import { hasTooManyParts } from "../foreign-line.ts";

/** Attributes and events of one span that are read. */
const MAX_ATTRIBUTES = 500;
const MAX_EVENTS = 2_000;
const MAX_ITEMS = 2_000;
const MAX_DEPTH = 16;
const NANOSECONDS = 1e6;
/** The last moment that a date can name, in milliseconds since the epoch. */
const LAST_TIME = 8.64e15;

const nanoseconds = z.union([z.string().regex(/^\d{1,25}$/), z.number().nonnegative()]);
const id = z.string().max(100);
const attributes = z.array(z.looseObject({ key: z.string().max(300), value: z.unknown() })).optional();

/** The names of the protocol, and those of older writers. */
const spanSchema = z.looseObject({
  traceId: id.optional(),
  trace_id: id.optional(),
  spanId: id.optional(),
  span_id: id.optional(),
  parentSpanId: id.nullish(),
  parent_span_id: id.nullish(),
  name: z.string().optional(),
  startTimeUnixNano: nanoseconds.optional(),
  start_time_unix_nano: nanoseconds.optional(),
  endTimeUnixNano: nanoseconds.optional(),
  end_time_unix_nano: nanoseconds.optional(),
  attributes,
  events: z
    .array(
      z.looseObject({
        name: z.string().optional(),
        timeUnixNano: nanoseconds.optional(),
        time_unix_nano: nanoseconds.optional(),
        attributes,
      }),
    )
    .optional(),
  status: z.looseObject({ code: z.unknown(), message: z.string().optional() }).nullish(),
});

/** What attributes hold, by their names. */
export type Attributes = ReadonlyMap<string, Json>;

/** Something that happened at one moment of a span. */
export interface SpanEvent {
  readonly name: string;
  readonly time: number;
  readonly attributes: Attributes;
}

/** A piece of work of somebody's trace. Times in milliseconds since the epoch. */
export interface Span {
  readonly traceId: string;
  readonly id: string;
  /** Null at the root. */
  readonly parentId: string | null;
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  /** What went wrong, in words; empty when it is not told. */
  readonly failed: string | undefined;
}

const HEX = /^(?:[0-9a-f]{2})+$/i;

/** An id in hex, as many writers give it, or in base64, as the protocol's own JSON does. */
function hexId(given: string | null | undefined, bytes: number): string | undefined {
  if (given === undefined || given === null || given === "") return undefined;
  if (HEX.test(given) && given.length === bytes * 2) return given.toLowerCase();
  const decoded = Buffer.from(given, "base64");
  if (decoded.length === bytes) return decoded.toString("hex");
  return HEX.test(given) ? given.toLowerCase() : undefined;
}

function milliseconds(given: string | number | undefined): number {
  if (given === undefined) return 0;
  const ms = typeof given === "string" ? Number(BigInt(given) / 1_000n) / 1_000 : given / NANOSECONDS;
  return ms >= 0 && ms <= LAST_TIME ? ms : 0;
}

function valueOf(value: unknown, depth = 0): Json {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return null;
  for (const [kind, inner] of Object.entries(value)) {
    if (kind === "stringValue" && typeof inner === "string") return inner;
    if (kind === "boolValue" && typeof inner === "boolean") return inner;
    if ((kind === "intValue" || kind === "doubleValue") && isNumeric(inner)) return Number(inner);
    if (kind === "arrayValue") return listOf(inner, depth);
    if (kind === "kvlistValue") return recordOf(inner, depth);
  }
  return null;
}

function isNumeric(value: unknown): value is string | number {
  return (typeof value === "number" || typeof value === "string") && Number.isFinite(Number(value));
}

function valuesIn(holder: unknown): readonly unknown[] {
  if (typeof holder !== "object" || holder === null || !("values" in holder)) return [];
  return Array.isArray(holder.values) ? holder.values.slice(0, MAX_ITEMS) : [];
}

function listOf(holder: unknown, depth: number): Json {
  return valuesIn(holder).map((value) => valueOf(value, depth + 1));
}

function recordOf(holder: unknown, depth: number): Json {
  const entries = valuesIn(holder).flatMap((entry): [string, Json][] => {
    if (typeof entry !== "object" || entry === null || !("key" in entry)) return [];
    const { key } = entry;
    if (typeof key !== "string" || key === "__proto__") return [];
    return [[key, valueOf("value" in entry ? entry.value : undefined, depth + 1)]];
  });
  return Object.fromEntries(entries);
}

function attributesOf(given: z.infer<typeof attributes>): Attributes {
  const entries = (given ?? []).slice(0, MAX_ATTRIBUTES);
  return new Map(entries.map(({ key, value }) => [key, valueOf(value)]));
}

/** 2, or its name, says that it failed. */
function failureOf(status: z.infer<typeof spanSchema>["status"]): string | undefined {
  if (status === undefined || status === null) return undefined;
  const isError = status.code === 2 || status.code === "2" || status.code === "STATUS_CODE_ERROR";
  return isError ? (status.message ?? "") : undefined;
}

function parse(text: string): unknown {
  if (hasTooManyParts(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A span out of its JSON, with what is read of it checked; undefined for anything else. */
export function readSpan(text: string): Span | undefined {
  const parsed = spanSchema.safeParse(parse(text));
  if (!parsed.success) return undefined;
  const { data } = parsed;
  const traceId = hexId(data.traceId ?? data.trace_id, 16);
  const spanId = hexId(data.spanId ?? data.span_id, 8);
  if (traceId === undefined || spanId === undefined) return undefined;
  const start = milliseconds(data.startTimeUnixNano ?? data.start_time_unix_nano);
  const end = milliseconds(data.endTimeUnixNano ?? data.end_time_unix_nano);
  return {
    traceId,
    id: spanId,
    parentId: hexId(data.parentSpanId ?? data.parent_span_id, 8) ?? null,
    name: data.name ?? "",
    start,
    end: Math.max(start, end),
    attributes: attributesOf(data.attributes),
    events: (data.events ?? []).slice(0, MAX_EVENTS).map((event) => ({
      name: event.name ?? "",
      time: milliseconds(event.timeUnixNano ?? event.time_unix_nano) || start,
      attributes: attributesOf(event.attributes),
    })),
    failed: failureOf(data.status),
  };
}
