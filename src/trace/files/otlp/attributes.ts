import type { Json } from "../../../agent/models/types.ts";

/** What attributes hold, by their names. */
export type Attributes = ReadonlyMap<string, Json>;

/** Something that happened at one moment of a span. */
export interface SpanEvent {
  readonly name: string;
  readonly time: number;
  readonly attributes: Attributes;
}
