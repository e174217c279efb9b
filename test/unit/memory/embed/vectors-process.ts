/**
 * Embeds some texts in a process of its own and prints `{model, dimensions, note, vectors, outside, failure}`: which
 * runtime a process gets is settled once. Every attempt to reach another machine is refused, and told.
 *
 *   node vectors-process.cjs MODEL_FOLDER TEXT...
 */
import { Socket } from "node:net";
import { loadTransformersEmbedder } from "../../../../src/memory/embed/transformers-embedder.ts";

const outside: string[] = [];
Socket.prototype.connect = function refuse(...target: unknown[]): never {
  outside.push(JSON.stringify(target[0]));
  throw new Error("there is no network");
};
globalThis.fetch = (target) => {
  outside.push(String(target instanceof Request ? target.url : target));
  return Promise.reject(new Error("there is no network"));
};

async function main(): Promise<void> {
  const [modelDir = "", ...texts] = process.argv.slice(2);
  const { signal } = new AbortController();
  const places = { modelDir, cacheDir: modelDir, allowDownload: false };
  const loaded = await loadTransformersEmbedder(places, () => undefined, signal);
  const embedded = loaded.ok ? await loaded.value.embed(texts, "document", signal) : loaded;
  const told = {
    outside,
    ...(loaded.ok && {
      model: loaded.value.model,
      dimensions: loaded.value.dimensions,
      note: loaded.value.note,
    }),
    ...(embedded.ok
      ? { vectors: embedded.value.map((vector) => [...vector]) }
      : { failure: embedded.failure }),
  };
  process.stdout.write(JSON.stringify(told));
}

void main();
