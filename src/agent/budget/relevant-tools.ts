import { LRUCache } from "lru-cache";
import { toolTokens } from "../context.ts";
import type { Result } from "../failure.ts";
import type { ToolSchema } from "../models/types.ts";
import { raceAbort, type Timer } from "../timer.ts";
import type { ToolSet } from "../tool.ts";

/** Makes embeddings of texts, one for each in their order. Must not throw. */
export type Embed = (
  texts: readonly string[],
  signal: AbortSignal,
) => Promise<Result<readonly (readonly number[])[]>>;

/** A question does not wait longer than this for embeddings, in milliseconds. */
const EMBED_TIMEOUT_MS = 3_000;

/** Embedded texts that are kept. */
const MAX_KEPT = 500;

/** Text of a question that is looked at, in UTF-16 units. */
const MAX_QUESTION = 2_000;

/** What tools are chosen by. */
export interface ToolChoice {
  readonly question: string;
  /** At most so many are offered; left out: as many as there is room for. */
  readonly most?: number;
  /** Plain estimated tokens that the list of tools may take. */
  readonly limit: number;
  /** Tools that somebody named, or that the conversation has just used: they come first. */
  readonly wanted: ReadonlySet<string>;
  /** Tools that are offered whatever the room. */
  readonly always: ReadonlySet<string>;
  /** Tools that the session was offered before: they stay, beyond `most` too. */
  readonly before: ReadonlySet<string>;
  readonly embed: Embed | undefined;
  readonly signal: AbortSignal;
  readonly timer: Timer;
}

/** Which tools are offered, in the order they had, and which are not. */
export interface ChosenTools {
  readonly offered: readonly ToolSchema[];
  readonly leftOut: readonly string[];
  /** They were left out because the list would take too much of the context. */
  readonly forRoom: boolean;
}

/**
 * Chooses the tools that fit a question among `candidates`: all while there are few and they fit; else the nearest ones
 * by embedding, or by their words where there are no embeddings. At least one is offered. `all`: what there is, of which
 * the rest is left out. Never throws.
 */
export async function chooseTools(
  candidates: readonly ToolSchema[],
  all: readonly ToolSchema[],
  choice: ToolChoice,
): Promise<ChosenTools> {
  const sizes = candidates.map(toolTokens);
  const tokens = sizes.reduce((sum, size) => sum + size, 0);
  const forRoom = tokens > choice.limit;
  const { most = candidates.length } = choice;
  const offered =
    candidates.length <= most && !forRoom ? candidates : await best(candidates, sizes, { ...choice, most });
  const leftOut = all.filter((schema) => !offered.includes(schema)).map(({ name }) => name);
  return { offered, leftOut, forRoom };
}

async function best(
  schemas: readonly ToolSchema[],
  sizes: readonly number[],
  choice: ToolChoice & { readonly most: number },
): Promise<readonly ToolSchema[]> {
  const { always, before, limit, most } = choice;
  const isAlways = (index: number): boolean => always.has(schemas[index]?.name ?? "");
  const order = await ranked(schemas, choice);
  const stay = order.slice(most).filter((index) => isAlways(index) || before.has(schemas[index]?.name ?? ""));
  const kept = new Set<number>();
  let used = 0;
  for (const index of [...order.slice(0, most), ...stay]) {
    const size = sizes[index] ?? 0;
    if (kept.size > 0 && used + size > limit && !isAlways(index)) continue;
    kept.add(index);
    used += size;
  }
  return schemas.filter((_, index) => kept.has(index));
}

/** A set of which only the chosen tools are told of. One that is called all the same is found. */
export function onlyChosen(tools: ToolSet, { offered, leftOut }: ChosenTools): ToolSet {
  return leftOut.length === 0 ? tools : { schemas: offered, find: (name) => tools.find(name) };
}

/** Indexes of the tools, the best first; equals in the order they had. */
async function ranked(schemas: readonly ToolSchema[], choice: ToolChoice): Promise<readonly number[]> {
  const near = (await bySimilarity(schemas, choice)) ?? byWords(schemas, choice.question);
  const score = (index: number): number => {
    const name = schemas[index]?.name ?? "";
    const rank = choice.always.has(name) ? 20 : choice.wanted.has(name) ? 10 : 0;
    return rank + (near[index] ?? 0);
  };
  return [...schemas.keys()].sort((one, other) => score(other) - score(one) || one - other);
}

function describe({ name, description }: ToolSchema): string {
  return `${name.replaceAll("_", " ")}: ${description}`.slice(0, MAX_QUESTION);
}

const kept = new WeakMap<Embed, LRUCache<string, readonly number[]>>();

async function bySimilarity(
  schemas: readonly ToolSchema[],
  { question, embed, signal, timer }: ToolChoice,
): Promise<readonly number[] | undefined> {
  if (embed === undefined) return undefined;
  const known = kept.get(embed) ?? new LRUCache<string, readonly number[]>({ max: MAX_KEPT });
  kept.set(embed, known);
  const texts = schemas.map(describe);
  const missing = texts.filter((text) => !known.has(text));
  const made = await inTime([question.slice(0, MAX_QUESTION), ...missing], embed, signal, timer);
  const [asked, ...vectors] = made ?? [];
  if (asked === undefined || vectors.length !== missing.length) return undefined;
  const fresh = new Map(missing.map((text, index) => [text, vectors[index]]));
  for (const [text, vector] of fresh) if (vector !== undefined) known.set(text, vector);
  const of = (text: string): readonly number[] | undefined => fresh.get(text) ?? known.get(text);
  return texts.map((text) => cosine(asked, of(text)));
}

async function inTime(
  texts: readonly string[],
  embed: Embed,
  signal: AbortSignal,
  timer: Timer,
): Promise<readonly (readonly number[])[] | undefined> {
  const own = new AbortController();
  const stop = (): void => own.abort();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  const cancelTimer = timer(EMBED_TIMEOUT_MS, stop);
  const raced = await raceAbort(own.signal, () => embed(texts, own.signal));
  cancelTimer();
  signal.removeEventListener("abort", stop);
  return raced.kind === "value" && raced.value.ok ? raced.value.value : undefined;
}

function cosine(one: readonly number[], other: readonly number[] | undefined): number {
  if (other?.length !== one.length) return 0;
  let dot = 0;
  let lengths = 0;
  let others = 0;
  for (const [index, value] of one.entries()) {
    const next = other[index] ?? 0;
    dot += value * next;
    lengths += value * value;
    others += next * next;
  }
  const cos = dot / Math.sqrt(lengths * others);
  return Number.isFinite(cos) ? cos : 0;
}

/** How many of a question's words a tool's name and description hold; those of the name count twice. */
function byWords(schemas: readonly ToolSchema[], question: string): readonly number[] {
  const asked = new Set(wordsOf(question));
  if (asked.size === 0) return schemas.map(() => 0);
  return schemas.map(({ name, description }) => {
    const named = new Set(wordsOf(name));
    const described = new Set(wordsOf(description));
    let score = 0;
    for (const word of asked) score += named.has(word) ? 2 : described.has(word) ? 1 : 0;
    return score / asked.size / 2;
  });
}

/** The words of a text, shortened to their stem's length so that "search" finds "searches". */
function wordsOf(text: string): readonly string[] {
  const words =
    text
      .slice(0, MAX_QUESTION)
      .toLowerCase()
      .match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  return words.filter((word) => !COMMON.has(word)).map((word) => word.slice(0, 5));
}

const COMMON: ReadonlySet<string> = new Set(
  "the and for with that this what which how are was were you your can from into when where who does did not but all any use its has have about".split(
    " ",
  ),
);
