import { wellFormed } from "../../../agent/text.ts";
import type { OtlpAttribute, OtlpValue } from "./types.ts";

/** What an attribute may be made of. Undefined ones are not written. */
export type AttributeValue = string | number | boolean | readonly string[] | undefined;

/** Attributes by their names. */
export type Attributes = Readonly<Record<string, AttributeValue>>;

/** How much one export may hold: what VS Code and most collectors take. */
export interface OtlpLimits {
  readonly bytes: number;
  readonly spans: number;
}

/** 10,000 spans and 50 MB, with some of it kept free for what ends them. */
export const OTLP_LIMITS: OtlpLimits = { bytes: 45_000_000, spans: 10_000 };

/** Attributes of up to so many bytes name things: they have a little room of their own, a part of the whole. */
const SHORT = 200;
const SHORT_SHARE = 0.08;

/** Counts what an export takes, and what it has to leave out. */
export class Room {
  /** Spans, events and texts for which there was no room. */
  readonly left = { spans: 0, events: 0, texts: 0 };
  readonly #limits: OtlpLimits;
  #bytes = 0;
  #spans = 0;

  constructor(limits: OtlpLimits) {
    this.#limits = limits;
  }

  /** Whether one more span may be added; it counts as added then, or as left out. */
  span(): boolean {
    const fits = this.#spans < this.#limits.spans && this.#bytes < this.#limits.bytes;
    if (fits) this.#spans += 1;
    else this.left.spans += 1;
    return fits;
  }

  /** Whether one more event of a span may be added. */
  event(): boolean {
    const fits = this.#bytes < this.#limits.bytes;
    if (!fits) this.left.events += 1;
    return fits;
  }

  /** Room for the frame of a span or an event, which has no content of its own. */
  frame(value: unknown): void {
    this.#bytes += size(value);
  }

  /** The attributes for which there is room, and how many there was none for: a long text is replaced by a remark. */
  attributes(values: Attributes): { readonly kept: OtlpAttribute[]; readonly dropped: number } {
    const kept: OtlpAttribute[] = [];
    let dropped = 0;
    for (const [key, given] of Object.entries(values)) {
      if (given === undefined) continue;
      const attribute = { key, value: otlpValue(given) };
      const bytes = size(attribute) + 1;
      const most = this.#limits.bytes * (bytes > SHORT ? 1 : 1 + SHORT_SHARE);
      if (this.#bytes + bytes > most) {
        dropped += 1;
        this.left.texts += 1;
        continue;
      }
      this.#bytes += bytes;
      kept.push(attribute);
    }
    return { kept, dropped };
  }

  /** In words, what was left out; empty when nothing was. */
  remark(): string {
    const { spans, events, texts } = this.left;
    const parts = [count(spans, "span"), count(events, "event"), count(texts, "text")].filter(
      (part) => part !== "",
    );
    return parts.length === 0 ? "" : `${parts.join(", ")} left out: the export would be too large`;
  }
}

function count(value: number, what: string): string {
  if (value === 0) return "";
  return `${value} ${what}${value === 1 ? "" : "s"}`;
}

/** In bytes, as JSON. */
function size(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Whole numbers stay numbers, others become strings; lone surrogates are replaced. */
function otlpValue(value: Exclude<AttributeValue, undefined>): OtlpValue {
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number")
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { stringValue: String(value) };
  if (typeof value === "string") return { stringValue: wellFormed(value) };
  return { arrayValue: { values: value.map((each) => ({ stringValue: wellFormed(each) })) } };
}
