/**
 * Opens a store in a fresh process, searches it, and prints `{firstMs, rssMb, searches}`: milliseconds from the start
 * of the process to the first result, and what is resident after some searches.
 *
 *   node memory-process.ts FOLDER ROWS
 */
import { questions, search } from "./memory-search.ts";
import { openStore } from "./memory-store.ts";

const SEARCHES = 50;

async function main(): Promise<void> {
  const store = openStore(process.argv[2] ?? "", Number(process.argv[3]));
  const [first, ...others] = questions(SEARCHES);
  if (first === undefined) throw new Error("there are no questions");
  const found = await search(store, first);
  const firstMs = performance.now();
  if (found.hits.length === 0) throw new Error("nothing was found");
  for (const question of others) await search(store, question);
  const rssMb = process.memoryUsage().rss / 2 ** 20;
  process.stdout.write(JSON.stringify({ firstMs, rssMb }));
  process.exit(0);
}

void main();
