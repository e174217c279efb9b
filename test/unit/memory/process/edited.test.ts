import assert from "node:assert/strict";
import type { Result } from "../../../../src/agent/failure.ts";
import { failed, success } from "../../../../src/agent/failure.ts";
import type { Embedder } from "../../../../src/memory/embed/embedder.ts";
import { MemoryService } from "../../../../src/memory/process/service.ts";
import { openStore } from "../store-support.ts";
import { cleanUp, episode, fakeEmbedder, later, never, temporaryFolder, valueOf } from "../support.ts";

function serviceOn(folder: string, embedder: () => Promise<Result<Embedder>>): MemoryService {
  const nothing = (): void => undefined;
  const service = new MemoryService({
    store: { uri: folder },
    embedder,
    onProgress: nothing,
    onLog: nothing,
  });
  later(() => service.close());
  return service;
}

const none = (): Promise<Result<Embedder>> =>
  Promise.resolve(failed("memory_unavailable", "there is no model."));

/** How near an episode, and its window, is to some words by their meaning; undefined when it is not embedded. */
async function nearness(folder: string, id: string, words: string, embedder: Embedder) {
  const { vectors } = await openStore({ folder });
  const asked = valueOf(await embedder.embed([words], "query", never))[0]!;
  const of = async (kind: "episode" | "window"): Promise<number | undefined> =>
    valueOf(await vectors.near(embedder.model, kind, asked, { limit: 50 }, never)).find(
      (near) => near.id === id,
    )?.similarity;
  return { alone: await of("episode"), window: await of("window") };
}

describe("What the user writes over a turn", () => {
  afterEach(cleanUp);

  const wrong = episode({ question: "Which animal?", answer: "feline", sessionId: "s", time: 1_000 });
  const beside = episode({ question: "And then?", answer: "nothing", sessionId: "s", time: 2_000 });
  const words = { table: "episodes", id: wrong.id, answer: "harbour" } as const;

  it("is what is found by its meaning, alone and beside others, and the old words are not", async () => {
    const folder = await temporaryFolder();
    const embedder = fakeEmbedder();
    const service = serviceOn(folder, () => Promise.resolve(success(embedder)));
    valueOf(await service.handle("search", { query: "x", limit: 1 }, never));
    valueOf(await service.handle("add", { episodes: [wrong, beside] }, never));
    await service.settled();
    const before = await nearness(folder, wrong.id, "feline", embedder);
    valueOf(await service.handle("edit", words, never));
    await service.settled();
    const old = await nearness(folder, wrong.id, "feline", embedder);
    const now = await nearness(folder, wrong.id, "harbour", embedder);
    assert.ok(now.alone! > old.alone! && now.window! > old.window!);
    assert.ok(old.alone! < before.alone! && old.window! < before.window!);
    const neighbour = await nearness(folder, beside.id, "feline", embedder);
    const corrected = await nearness(folder, beside.id, "harbour", embedder);
    assert.ok(corrected.window! > neighbour.window!);
  });

  it("is embedded by the job once there is an embedder; until then the old words are not found by meaning", async () => {
    const folder = await temporaryFolder();
    const embedder = fakeEmbedder();
    const first = serviceOn(folder, () => Promise.resolve(success(embedder)));
    valueOf(await first.handle("search", { query: "x", limit: 1 }, never));
    valueOf(await first.handle("add", { episodes: [wrong, beside] }, never));
    await first.settled();
    await first.close();
    const without = serviceOn(folder, none);
    valueOf(await without.handle("edit", words, never));
    await without.close();
    assert.deepEqual(await nearness(folder, wrong.id, "feline", embedder), {
      alone: undefined,
      window: undefined,
    });
    const last = serviceOn(folder, () => Promise.resolve(success(embedder)));
    valueOf(await last.handle("search", { query: "x", limit: 1 }, never));
    await last.settled();
    const now = await nearness(folder, wrong.id, "harbour", embedder);
    assert.ok(now.alone! > (await nearness(folder, wrong.id, "feline", embedder)).alone!);
    assert.ok(now.window !== undefined);
    valueOf(await last.handle("forget", { by: "ids", table: "episodes", ids: [wrong.id] }, never));
    await last.settled();
    assert.deepEqual(await nearness(folder, wrong.id, "harbour", embedder), {
      alone: undefined,
      window: undefined,
    });
  });
});
