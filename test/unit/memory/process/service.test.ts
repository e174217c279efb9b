import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Result } from "../../../../src/agent/failure.ts";
import { failed, success } from "../../../../src/agent/failure.ts";
import type { Timer } from "../../../../src/agent/timer.ts";
import type { Embedder } from "../../../../src/memory/embed/embedder.ts";
import { EmbedderSlot } from "../../../../src/memory/embed/embedder-slot.ts";
import { MemoryService } from "../../../../src/memory/process/service.ts";
import type { Values } from "../../../../src/memory/process/values.ts";
import { openStore, rawTable } from "../store-support.ts";
import { cleanUp, episode, fakeEmbedder, later, never, temporaryFolder, valueOf } from "../support.ts";

interface Made {
  readonly service: MemoryService;
  readonly folder: string;
  readonly lines: string[];
}

async function make(
  embedder: () => Promise<Result<Embedder>>,
  folder?: string,
  timer?: Timer,
): Promise<Made> {
  const lines: string[] = [];
  const where = folder ?? (await temporaryFolder());
  const service = new MemoryService({
    store: { uri: where },
    embedder,
    onProgress: ({ message }) => lines.push(message),
    onLog: (line) => lines.push(line),
    ...(timer === undefined ? {} : { timer }),
  });
  later(() => service.close());
  return { service, folder: where, lines };
}

const none = (): Promise<Result<Embedder>> =>
  Promise.resolve(failed("memory_unavailable", "there is no model."));
const ready = (): Promise<Result<Embedder>> => Promise.resolve(success(fakeEmbedder({ feline: "cat" })));

async function search(service: MemoryService, query: string): Promise<Values["search"]> {
  return valueOf(await service.handle("search", { query, limit: 5 }, never)) as Values["search"];
}

/** How many rows of each kind have been embedded, by model. */
async function embedded(folder: string): Promise<readonly Record<string, unknown>[]> {
  const { vectors } = await openStore({ folder });
  return valueOf(await vectors.models(never)).map(({ model, kinds }) => ({ model, ...kinds }));
}

describe("What the memory process does", () => {
  afterEach(cleanUp);

  it("refuses what it can't read, by name", async () => {
    const { service } = await make(none);
    for (const params of [undefined, null, {}, { query: 7, limit: 5 }, { query: "x", limit: 1e9 }]) {
      const result = await service.handle("search", params, never);
      assert.equal(result.ok ? "" : result.failure.code, "bad_input");
    }
  });

  it("says why there is no embedder, in each search and in its status", async () => {
    const { service } = await make(none);
    assert.equal((await search(service, "boat")).note, "Full-text search only: there is no model.");
    assert.deepEqual(valueOf(await service.handle("status", {}, never)), {
      episodes: 0,
      facts: 0,
      message: "Full-text search only: there is no model.",
    });
  });

  it("loads no embedder to say how it is", async () => {
    let loads = 0;
    const { service } = await make(() => {
      loads += 1;
      return ready();
    });
    await service.handle("status", {}, never);
    await service.handle("list", { table: "episodes", offset: 0, limit: 5 }, never);
    assert.equal(loads, 0);
  });

  it("embeds what it adds once the embedder is there, and later what was added before", async () => {
    let arrive = (): void => undefined;
    const arrived = new Promise<Result<Embedder>>(
      (resolve) => (arrive = () => resolve(success(fakeEmbedder()))),
    );
    const { service, folder } = await make(() => arrived);
    valueOf(await service.handle("add", { episodes: [episode(), episode()] }, never));
    assert.deepEqual(await embedded(folder), []);
    arrive();
    await search(service, "cache");
    await service.settled();
    assert.deepEqual(await embedded(folder), [{ model: "fake", episode: 2, window: 2 }]);
    valueOf(await service.handle("add", { episodes: [episode()] }, never));
    await service.settled();
    assert.deepEqual(await embedded(folder), [{ model: "fake", episode: 3, window: 3 }]);
  });

  it("embeds anew what another model embedded, and then drops what that one made", async () => {
    const first = await make(() => Promise.resolve(success(fakeEmbedder({}, "old"))));
    await search(first.service, "load it");
    valueOf(await first.service.handle("add", { episodes: [episode({ question: "cat" })] }, never));
    await first.service.settled();
    await first.service.close();
    const { service, folder } = await make(ready, first.folder);
    await search(service, "load it");
    await service.settled();
    assert.deepEqual(await embedded(folder), [{ model: "fake", episode: 1, window: 1 }]);
    assert.equal((await search(service, "feline")).hits.length, 1);
  });

  it("gives up embedding rows that its model fails on, without going round for ever", async () => {
    const broken: Embedder = {
      model: "broken",
      dimensions: 8,
      embed: () => Promise.resolve(failed("memory_unavailable", "it broke.")),
    };
    const { service, lines } = await make(() => Promise.resolve(success(broken)));
    await search(service, "load it");
    valueOf(await service.handle("add", { episodes: [episode()] }, never));
    assert.equal((await search(service, "cache")).hits.length, 1);
    await service.close();
    const told = lines.filter((line) => line.startsWith("embedding:"));
    assert.ok(told.length <= 2, lines.join());
    assert.deepEqual([...new Set(told)], ["embedding: it broke."]);
  });

  it("writes what comes in the same moment together, and answers each with its own count", async () => {
    const { service, folder } = await make(none);
    const one = episode();
    const results = await Promise.all(
      [[one, episode()], [one], [episode(), episode(), episode()], []].map((episodes) =>
        service.handle("add", { episodes }, never),
      ),
    );
    assert.deepEqual(
      results.map((result) => valueOf(result)),
      [{ added: 2 }, { added: 0 }, { added: 3 }, { added: 0 }],
    );
    await service.settled();
    const table = await rawTable(folder);
    assert.equal(await table.countRows(), 5);
    assert.equal((await table.stats()).fragmentStats.numFragments, 1);
  });

  it("puts small files together after a hundred writes, behind the scenes", async () => {
    const { service, folder } = await make(none);
    for (let write = 0; write < 100; write += 1) {
      valueOf(await service.handle("add", { episodes: [episode()] }, never));
    }
    await service.settled();
    const { fragmentStats } = await (await rawTable(folder)).stats();
    assert.ok(fragmentStats.numFragments < 5, `${fragmentStats.numFragments} files`);
    assert.equal((await search(service, "cache")).searched, 100);
  });

  it("puts files together as well when nothing was asked for a while, however few were written", async () => {
    let idle = (): void => undefined;
    const { service, folder } = await make(none, undefined, (_ms, fire) => {
      idle = fire;
      return () => undefined;
    });
    for (let write = 0; write < 5; write += 1) {
      valueOf(await service.handle("add", { episodes: [episode()] }, never));
    }
    await service.settled();
    const table = await rawTable(folder);
    assert.ok((await table.stats()).fragmentStats.numFragments > 1);
    idle();
    await service.settled();
    assert.equal((await table.stats()).fragmentStats.numFragments, 1);
  });

  it("puts together at its start what earlier windows left", async () => {
    const earlier = await openStore();
    for (let write = 0; write < 100; write += 1) {
      await earlier.add([episode()]);
    }
    const { service, folder } = await make(none, earlier.folder);
    await service.handle("status", {}, never);
    await service.settled();
    assert.equal((await (await rawTable(folder)).stats()).fragmentStats.numFragments, 1);
  });

  it("keeps nothing that still comes of an episode which was forgotten meanwhile", async () => {
    const { service } = await make(none);
    const [gone, kept] = [episode(), episode()];
    valueOf(await service.handle("add", { episodes: [gone, kept] }, never));
    valueOf(await service.handle("forget", { by: "ids", table: "episodes", ids: [gone.id] }, never));
    const annotations = [gone, kept].map(({ id }) => ({
      ...{ id: randomUUID(), episodeId: id, by: "classifier", time: 1, kind: "class" },
      value: { intent: "fact", entities: ["Zanzibar"] },
    }));
    assert.deepEqual(valueOf(await service.handle("annotate", { annotations }, never)), { added: 1 });
    assert.deepEqual(valueOf(await service.handle("add", { episodes: [gone] }, never)), { added: 0 });
    const resource = {
      id: randomUUID(),
      uri: "https://zanzibar.test",
      title: "",
      text: "Zanzibar",
      scope: "",
    };
    const { sessionId, turnId } = gone;
    const resources = [{ ...resource, sessionId, turnId, indexedAt: 1 }];
    assert.deepEqual(valueOf(await service.handle("keep", { resources }, never)), { kept: 0 });
  });

  it("does nothing for a request that is cancelled", async () => {
    const { service } = await make(none);
    const result = await service.handle("add", { episodes: [episode()] }, AbortSignal.abort());
    assert.equal(result.ok ? "" : result.failure.code, "cancelled");
    assert.equal((await search(service, "cache")).searched, 0);
  });
});

describe("The place of the embedder", () => {
  it("does not keep a search waiting for a download, and says how far it is", async () => {
    const slot = new EmbedderSlot(
      () => new Promise(() => undefined),
      () => undefined,
      never,
    );
    assert.equal(slot.ready(), undefined);
    slot.progressed(42);
    assert.deepEqual(await slot.get(60_000, never), {
      note: "Full-text search only for now: the embedding model is being downloaded (42 %).",
    });
  });

  it("stops waiting with the signal", async () => {
    const slot = new EmbedderSlot(
      () => new Promise(() => undefined),
      () => undefined,
      never,
    );
    const stop = new AbortController();
    const got = slot.get(60_000, stop.signal);
    stop.abort();
    assert.ok("note" in (await got));
  });

  it("tries again after a failure, but not at every search", async () => {
    let now = 0;
    let tries = 0;
    const slot = new EmbedderSlot(
      () => {
        tries += 1;
        return Promise.resolve(failed("memory_unavailable", "no net."));
      },
      () => undefined,
      never,
      () => now,
    );
    await slot.get(1_000, never);
    await slot.get(1_000, never);
    assert.equal(tries, 1);
    now = 5 * 60_000;
    await slot.get(1_000, never);
    assert.equal(tries, 2);
  });
});
