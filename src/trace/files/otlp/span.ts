import { z } from "zod";
import type { Json } from "../../../agent/models/types.ts";
import { hasTooManyParts } from "../foreign-line.ts";
import { inConventions } from "./dialects.ts";
import type { Attributes, SpanEvent } from "./attributes.ts";

/** Attributes and events of one span that are read. */
const MAX_ATTRIBUTES = 500;
const MAX_EVENTS = 2_000;
const MAX_ITEMS = 2_000;
const MAX_DEPTH = 16;
/** The longest name of an attribute that is read. */
const MAX_KEY = 300;
const NANOSECONDS = 1e6;
/** The last moment that a date can name, in milliseconds since the epoch. */
const LAST_TIME = 8.64e15;

/*
 * Only a span's ids have to be sound. All else that is not what it should be, `null` for an empty list included, costs
 * itself only: writers differ.
 */
const id = z.string().max(100).nullish().catch(undefined);
const anything = z.unknown().optional();
const name = z.string().nullish().catch(undefined);
const list = z.array(z.unknown()).nullish().catch(undefined);
const event = z.looseObject({
  name,
  timeUnixNano: anything,
  time_unix_nano: anything,
  attributes: list,
});
const status = z.looseObject({ code: anything, message: name }).nullish().catch(undefined);

/** The names of the protocol, and those of writers that keep the names of its schema. */
const spanSchema = z.looseObject({
  traceId: id,
  trace_id: id,
  spanId: id,
  span_id: id,
  parentSpanId: id,
  parent_span_id: id,
  name,
  startTimeUnixNano: anything,
  start_time_unix_nano: anything,
  endTimeUnixNano: anything,
  end_time_unix_nano: anything,
  attributes: list,
  events: list,
  status,
});

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

/** An id in hex, as many writers give it, with the signs that some put into it, or in base64, as the protocol's own JSON does. */
function hexId(given: string | null | undefined, bytes: number): string | undefined {
  if (given === undefined || given === null || given === "") return undefined;
  const digits = given.replace(/^0x/i, "").replaceAll("-", "");
  if (HEX.test(digits) && digits.length === bytes * 2) return digits.toLowerCase();
  const decoded = Buffer.from(given, "base64");
  if (decoded.length === bytes) return decoded.toString("hex");
  return HEX.test(given) ? given.toLowerCase() : undefined;
}

const WHOLE = /^\d{1,25}$/;

/** A moment, in text or as a number; 0 for what is none. */
function milliseconds(given: unknown): number {
  if (typeof given !== "string" && typeof given !== "number") return 0;
  const isWhole = typeof given === "string" && WHOLE.test(given);
  const ms = isWhole ? Number(BigInt(given) / 1_000n) / 1_000 : Number(given) / NANOSECONDS;
  return ms >= 0 && ms <= LAST_TIME ? ms : 0;
}

function valueOf(value: unknown, depth = 0): Json {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return null;
  for (const [given, inner] of Object.entries(value)) {
    const kind = given.replace("_value", "Value");
    // Bytes are told as the text in base64 that they are in JSON.
    if ((kind === "stringValue" || kind === "bytesValue") && typeof inner === "string") return inner;
    if (kind === "boolValue" && typeof inner === "boolean") return inner;
    if ((kind === "intValue" || kind === "doubleValue") && isNumeric(inner)) return numberOf(inner);
    if (kind === "doubleValue" && typeof inner === "string") return inner;
    if (kind === "arrayValue") return listOf(inner, depth);
    if (kind === "kvlistValue") return recordOf(inner, depth);
  }
  return null;
}

/** A number; one that would lose digits stays the text that it was. */
function numberOf(given: string | number): Json {
  const value = Number(given);
  const isKept = typeof given === "number" || !/^-?\d+$/.test(given) || Number.isSafeInteger(value);
  return isKept ? value : given;
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
  return Object.fromEntries(entriesOf(valuesIn(holder), depth + 1));
}

/** Names with their values; what has no name is passed over. */
function entriesOf(given: readonly unknown[], depth: number): readonly [string, Json][] {
  return given.flatMap((entry): [string, Json][] => {
    if (typeof entry !== "object" || entry === null || !("key" in entry)) return [];
    const { key } = entry;
    if (typeof key !== "string" || key === "__proto__" || key.length > MAX_KEY) return [];
    return [[key, valueOf("value" in entry ? entry.value : undefined, depth)]];
  });
}

function attributesOf(given: readonly unknown[] | null | undefined): Attributes {
  return new Map(entriesOf((given ?? []).slice(0, MAX_ATTRIBUTES), 0));
}

function eventsOf(given: readonly unknown[] | null | undefined, start: number): readonly SpanEvent[] {
  return (given ?? []).slice(0, MAX_EVENTS).flatMap((one): SpanEvent[] => {
    const parsed = event.safeParse(one);
    if (!parsed.success) return [];
    const { data } = parsed;
    const time = milliseconds(data.timeUnixNano ?? data.time_unix_nano) || start;
    return [{ name: data.name ?? "", time, attributes: attributesOf(data.attributes) }];
  });
}

/** 2, or its name, says that it failed. */
function failureOf(given: z.infer<typeof status>): string | undefined {
  if (given === undefined || given === null) return undefined;
  const isError = given.code === 2 || given.code === "2" || given.code === "STATUS_CODE_ERROR";
  return isError ? (given.message ?? "") : undefined;
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
  const end = milliseconds(data.endTimeUnixNano ?? data.end_time_unix_nano);
  // Without a beginning it took no time, rather than half a century.
  const start = milliseconds(data.startTimeUnixNano ?? data.start_time_unix_nano) || end;
  return {
    traceId,
    id: spanId,
    parentId: hexId(data.parentSpanId ?? data.parent_span_id, 8) ?? null,
    name: data.name ?? "",
    start,
    end: Math.max(start, end),
    ...inConventions(attributesOf(data.attributes), eventsOf(data.events, start)),
    failed: failureOf(data.status),
  };
}
