/*
 * OTLP in its JSON form (opentelemetry.proto.trace.v1): names in lowerCamelCase, ids in lowercase hex, 64-bit integers
 * as decimal strings. Only the fields that an export writes.
 */

/** A value of an attribute. Doubles and nested values are written as strings: some importers drop them. */
export type OtlpValue =
  | { readonly stringValue: string }
  | { readonly intValue: string }
  | { readonly boolValue: boolean }
  | { readonly arrayValue: { readonly values: readonly { readonly stringValue: string }[] } };

/** A named value. */
export interface OtlpAttribute {
  readonly key: string;
  readonly value: OtlpValue;
}

/** Something that happened at one moment of a span. */
export interface OtlpSpanEvent {
  /** Nanoseconds since the epoch, as a decimal string. */
  readonly timeUnixNano: string;
  readonly name: string;
  readonly attributes: readonly OtlpAttribute[];
}

/** `code`: 0 nothing known, 1 ended well, 2 failed. */
export interface OtlpStatus {
  readonly code: 0 | 1 | 2;
  readonly message?: string;
}

/** A piece of work with a beginning and an end. */
export interface OtlpSpan {
  /** 16 bytes in hex. */
  readonly traceId: string;
  /** 8 bytes in hex. */
  readonly spanId: string;
  /** Left out: the span is the root of its trace. */
  readonly parentSpanId?: string;
  readonly name: string;
  /** 1: internal, 3: client. */
  readonly kind: 1 | 3;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly OtlpAttribute[];
  readonly events: readonly OtlpSpanEvent[];
  readonly status: OtlpStatus;
  /** How many values were left out of this span for want of room; absent when none. */
  readonly droppedAttributesCount?: number;
}
