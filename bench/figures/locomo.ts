import { loadTransformersEmbedder } from "../../src/memory/embed/transformers-embedder.ts";
import { loadCrossEncoder } from "../../src/memory/retrieval/cross-encoder.ts";
import { Skipped, type BenchOptions, type Figure, type Measured } from "../frame.ts";
import { cachedEmbedder } from "../support/cached-embeddings.ts";
import { findLocomo, readLocomo } from "../support/locomo-data.ts";
import { askAll, WAYS, type Answered, type Way } from "../support/locomo-search.ts";
import { modelFolder, NO_MODEL } from "../support/model-folder.ts";

/** The product as it comes. */
const PRODUCT: Way = "neighbours";
/** What it is compared to. */
const PLAIN: Way = "full text";
/** Questions that the goal is over; the fifth kind can't be answered from the conversation. */
const CATEGORIES = [1, 2, 3, 4];

/** Share of the evidence among the first `k` found, mean over questions, in per cent. */
function recall(answered: readonly Answered[], way: Way, k: number): number {
  const shares = answered.map(({ gold, found }) => {
    const top = new Set(found[way]?.slice(0, k));
    return gold.filter((id) => top.has(id)).length / gold.length;
  });
  return (100 * shares.reduce((sum, share) => sum + share, 0)) / Math.max(1, shares.length);
}

let asked: Promise<Answered[]> | undefined;

async function answers({ data }: BenchOptions): Promise<Answered[]> {
  const file = findLocomo(data);
  if (file === undefined) throw new Skipped("there are no conversations: --data FILE names them.");
  const folder = modelFolder();
  if (folder === undefined) throw new Skipped(NO_MODEL);
  const signal = new AbortController().signal;
  const places = { modelDir: folder, cacheDir: folder, allowDownload: false };
  const embedder = await loadTransformersEmbedder(places, () => undefined, signal);
  if (!embedder.ok) throw new Error(embedder.failure.message);
  const known = cachedEmbedder(embedder.value);
  const judge = await loadCrossEncoder(places, () => undefined, signal);
  const models = { embedder: known, ...(judge.ok && { reranker: judge.value }) };
  const answered: Answered[] = [];
  for (const conversation of await readLocomo(file)) {
    console.log(`  ${conversation.id}: ${conversation.turns.length} turns`);
    answered.push(...(await askAll(conversation, models)));
  }
  return answered;
}

/** All ways by category, for people. */
function table(answered: readonly Answered[], k: number): string {
  const groups = [...CATEGORIES, 5].map((category) => ({
    name: `cat. ${category}`,
    rows: answered.filter((own) => own.category === category),
  }));
  const overall = { name: "1-4", rows: inGoal(answered) };
  const columns = [...groups, overall];
  const lines = WAYS.filter((way) => answered.some(({ found }) => found[way] !== undefined)).map((way) => {
    const cells = columns.map(({ rows }) => recall(rows, way, k).toFixed(1).padStart(7));
    return `  ${way.padEnd(12)}${cells.join("")}`;
  });
  const head = `  ${`recall@${k}`.padEnd(12)}${columns.map(({ name }) => name.padStart(7)).join("")}`;
  return [head, ...lines, `  ${each(answered, k)}`].join("\n");
}

/** The product on each conversation by itself: the worst says what others may be like. */
function each(answered: readonly Answered[], k: number): string {
  const names = [...new Set(answered.map(({ conversation }) => conversation))];
  const shares = names.map((name) => {
    const rows = inGoal(answered).filter(({ conversation }) => conversation === name);
    return `${name} ${recall(rows, PRODUCT, k).toFixed(1)}`;
  });
  return `${PRODUCT}, 1-4, by conversation: ${shares.join(", ")}`;
}

function inGoal(answered: readonly Answered[]): Answered[] {
  return answered.filter(({ category }) => CATEGORIES.includes(category));
}

function figure(k: number, goal: number): Figure {
  const measure = async (options: BenchOptions): Promise<Measured> => {
    asked ??= answers(options);
    const answered = await asked;
    const value = recall(inGoal(answered), PRODUCT, k);
    return {
      value,
      reference: { name: "full text alone", value: recall(inGoal(answered), PLAIN, k), unit: "%" },
      rounds: inGoal(answered).length,
      spread: [value, value],
      note: `by category; "neighbours" is the product as it comes\n${table(answered, k)}`,
    };
  };
  return {
    name: `memory.locomo.r${k}`,
    unit: "%",
    goal,
    atLeast: true,
    about: `evidence among the first ${k} found in long conversations, no language model in the loop`,
    measure,
  };
}

/** Evidence among the first five, ten and twenty. */
export const locomo: readonly Figure[] = [figure(5, 66), figure(10, 80), figure(20, 84)];
