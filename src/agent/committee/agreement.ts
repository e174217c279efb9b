import { z } from "zod";
import { textTokens } from "../context.ts";
import { cutAtGrapheme } from "../text.ts";
import { asTask, fromOthers } from "./behind.ts";
import type { JsonObject } from "../models/types.ts";
import { judge } from "./judge.ts";
import type { Sitting } from "./deliberation.ts";
import type { Speech } from "./speeches.ts";
import { anyOpposed, voteKey } from "./similarity.ts";
import { AGREEMENT_TASK } from "./words.ts";
import { within } from "./within.ts";

/** Who judges whether all agree, as the trace names it. */
const JUDGE = "Agreement";

/** From this cosine on two embedded positions are taken to say the same. */
const ALIKE = 0.82;

/** How long embeddings are waited for, in milliseconds, and text (tokens) that is embedded of a position. */
const EMBED_MS = 10_000;
const EMBED_TOKENS = 200;

/** Whether all agree, and how that is known. */
export interface Agreement {
  readonly agreed: boolean;
  /** In words, or the lowest similarity. */
  readonly why: string;
}

const Judged = z.object({
  agree: z.boolean(),
  positions: z.array(z.string()).catch([]),
});

/**
 * Judges whether those who answered agree; nothing where that is not asked for, or can't be known. `behind` is what
 * they said, as later prompts begin with it.
 */
export async function agreementOf(
  speeches: readonly Speech[],
  behind: readonly string[],
  sitting: Sitting,
): Promise<Agreement | undefined> {
  const { agreement } = sitting.settings;
  if (agreement === "off" || speeches.length < 2) return undefined;
  const keys = new Set(speeches.map(({ view }) => voteKey(view)));
  if (keys.size === 1) return { agreed: true, why: "all gave the same answer" };
  return agreement === "embedding" ? embedded(speeches, sitting) : judged(behind, sitting);
}

async function judged(behind: readonly string[], sitting: Sitting): Promise<Agreement | undefined> {
  const { input, cast } = sitting;
  const helper = input.settings.helperModel?.trim() ?? "";
  const { model, host } = cast.synthesizer;
  // A model that no member speaks with has none of the conversation cached, and does not need it to compare answers.
  const isApart = helper !== "" && !cast.members.some((member) => member.model === helper);
  const member =
    helper === ""
      ? { name: JUDGE, model, ...(host !== undefined && { host }) }
      : { name: JUDGE, model: helper };
  const outcome = await judge(
    {
      member,
      isApart,
      behind: [...fromOthers(behind), asTask(AGREEMENT_TASK)],
      properties: fieldsFor(cast.members.length),
    },
    sitting,
  );
  const read = Judged.safeParse(outcome.output?.value);
  if (!read.success) return undefined;
  const { agree, positions } = read.data;
  const listed = cutAtGrapheme(positions.join("; "), 1_000);
  return { agreed: agree, why: listed === "" ? (agree ? "they agree" : "they do not agree") : listed };
}

const fields = new Map<number, JsonObject>();

/** What the judge of so many members fills in: the same object for each committee of that size. */
function fieldsFor(members: number): JsonObject {
  const known = fields.get(members);
  if (known !== undefined) return known;
  const made: JsonObject = {
    agree: { type: "boolean", description: "Whether all of them agree in substance." },
    positions: {
      type: "array",
      description: "Each different position once, in a few words.",
      items: { type: "string", maxLength: 200 },
      maxItems: members,
    },
  };
  fields.set(members, made);
  return made;
}

async function embedded(speeches: readonly Speech[], { deps }: Sitting): Promise<Agreement | undefined> {
  const { embed } = deps;
  if (embed === undefined) return undefined;
  const texts = speeches.map(({ view }) => {
    const tokens = textTokens(view);
    return tokens <= EMBED_TOKENS
      ? view
      : cutAtGrapheme(view, Math.floor((view.length * EMBED_TOKENS) / tokens));
  });
  const embedding = await within(EMBED_MS, deps, (signal) => embed(texts, signal));
  if (embedding?.ok !== true || embedding.value.length !== texts.length) return undefined;
  let lowest = 1;
  for (const [index, one] of embedding.value.entries()) {
    for (const other of embedding.value.slice(index + 1)) lowest = Math.min(lowest, cosine(one, other));
  }
  const why = `lowest similarity ${lowest.toFixed(2)}`;
  // "Use it" and "do not use it" are near to each other for an embedding.
  if (lowest >= ALIKE && anyOpposed(texts))
    return { agreed: false, why: `${why}, but a number or a "not" differs` };
  return { agreed: lowest >= ALIKE, why };
}

function cosine(one: readonly number[], other: readonly number[]): number {
  let [product, left, right] = [0, 0, 0];
  for (const [at, value] of one.entries()) {
    const partner = other[at] ?? 0;
    product += value * partner;
    left += value * value;
    right += partner * partner;
  }
  return left === 0 || right === 0 ? 0 : product / Math.sqrt(left * right);
}
