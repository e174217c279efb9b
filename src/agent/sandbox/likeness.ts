import type { Embed } from "../budget/relevant-tools.ts";
import { within } from "../committee/within.ts";
import { voteKey } from "../committee/similarity.ts";
import type { TurnDeps } from "../turn-types.ts";

/** From this likeness on a message repeats an earlier one of its speaker. */
export const REPEATED = 0.97;

/** How long embeddings are waited for, in milliseconds, and how many texts are embedded at a time. */
const EMBED_MS = 10_000;
const AT_ONCE = 32;

/** How far a message is from the opening line, and how near to what its speaker said before; absent: not known. */
export interface Likeness {
  readonly drift?: number;
  readonly repetition?: number;
}

interface Measured {
  readonly speaker: string;
  readonly text: string;
  vector?: readonly number[];
  repetition?: number;
}

/** Measures the messages of a talk against its opening line and each other. */
export class Likenesses {
  readonly #deps: Pick<TurnDeps, "signal" | "timer">;
  readonly #embed: Embed | undefined;
  readonly #opening: Measured;
  readonly #said: Measured[] = [];

  constructor(opening: string, embed: Embed | undefined, deps: Pick<TurnDeps, "signal" | "timer">) {
    this.#opening = { speaker: "", text: opening };
    this.#embed = embed;
    this.#deps = deps;
  }

  /** Takes the next message. Without embeddings only the very same words are known to repeat. Never throws. */
  async take(speaker: string, text: string): Promise<Likeness> {
    const own = this.#said.filter((line) => line.speaker === speaker);
    const line: Measured = { speaker, text };
    this.#said.push(line);
    await this.#embedMissing([this.#opening, ...own, line]);
    const drift = cosineOf(this.#opening, line);
    const cosines = own.flatMap((earlier) => cosineOf(earlier, line) ?? []);
    const same = own.some((earlier) => voteKey(earlier.text) === voteKey(text));
    if (same) line.repetition = 1;
    else if (cosines.length > 0) line.repetition = Math.max(...cosines);
    return {
      ...(drift !== undefined && { drift: 1 - drift }),
      ...(line.repetition !== undefined && { repetition: line.repetition }),
    };
  }

  /** Whether two messages running, of the talk or of the last speaker, said what had been said before. */
  isRepeating(): boolean {
    const last = this.#said.at(-1);
    if (last === undefined || !repeats(last)) return false;
    const before = this.#said.slice(0, -1);
    return repeats(before.at(-1)) || repeats(before.findLast(({ speaker }) => speaker === last.speaker));
  }

  async #embedMissing(lines: readonly Measured[]): Promise<void> {
    const embed = this.#embed;
    if (embed === undefined) return;
    const missing = lines.filter(({ vector }) => vector === undefined).slice(-AT_ONCE);
    const texts = missing.map(({ text }) => text);
    const embedded = await within(EMBED_MS, this.#deps, (signal) => embed(texts, signal));
    if (embedded?.ok !== true || embedded.value.length !== missing.length) return;
    for (const [at, line] of missing.entries()) {
      const vector = embedded.value[at];
      if (vector !== undefined) line.vector = vector;
    }
  }
}

function repeats(line: Measured | undefined): boolean {
  return line?.repetition !== undefined && line.repetition > REPEATED;
}

/** Nothing where one of them has no embedding, or they are of different models. */
function cosineOf({ vector: one }: Measured, { vector: other }: Measured): number | undefined {
  if (one?.length === undefined || one.length !== other?.length) return undefined;
  let [product, left, right] = [0, 0, 0];
  for (const [at, value] of one.entries()) {
    const partner = other[at] ?? 0;
    product += value * partner;
    left += value * value;
    right += partner * partner;
  }
  return left === 0 || right === 0 ? 0 : Math.min(1, product / Math.sqrt(left * right));
}
