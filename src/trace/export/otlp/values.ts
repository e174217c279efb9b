import type { UsageData } from "../../../agent/events.ts";
import { ATTRIBUTES } from "./names.ts";
import type { Attributes, AttributeValue } from "./room.ts";

/** A nested value as JSON; nothing for undefined. */
export function whole(value: unknown): AttributeValue {
  return value === undefined ? undefined : JSON.stringify(value);
}

/** A number as text: doubles get lost on the way into some tools. */
export function textOf(value: number | undefined): AttributeValue {
  return value === undefined ? undefined : String(value);
}

/** Milliseconds without fractions: a whole number stays a number on the way. */
export function rounded(value: number | undefined): AttributeValue {
  return value === undefined ? undefined : Math.round(value);
}

/** Token counts, where they are known. */
export function usage(data: UsageData): Attributes {
  return {
    [ATTRIBUTES.inputTokens]: data["gen_ai.usage.input_tokens"],
    [ATTRIBUTES.outputTokens]: data["gen_ai.usage.output_tokens"],
  };
}
