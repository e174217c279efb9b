import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DEFAULT_RETRIEVAL } from "../../../../src/agent/memory/port.ts";
import { loadCrossEncoder, RERANKING_MODEL } from "../../../../src/memory/retrieval/cross-encoder.ts";
import { RerankerSlot } from "../../../../src/memory/retrieval/reranker-slot.ts";
import { retrieve } from "../../../../src/memory/retrieval/retrieve.ts";
import { StoreCandidates } from "../../../../src/memory/retrieval/store-candidates.ts";
import { openStore } from "../store-support.ts";
import { cleanUp, later, never, temporaryFolder, valueOf } from "../support.ts";
import { alone, deps, found, without } from "./ask-support.ts";
import { writeTinyCrossEncoder } from "./tiny-cross-encoder.ts";

const ignore = (): void => undefined;
const SIGMOID_2 = 1 / (1 + Math.exp(-2));

function near(actual: number | undefined, expected: number): void {
  assert.ok(Math.abs((actual ?? NaN) - expected) < 1e-5, `${actual} is not ${expected}`);
}

async function folderOfModel(): Promise<string> {
  const folder = await temporaryFolder();
  await writeTinyCrossEncoder(folder);
  return folder;
}

describe("The cross-encoder", () => {
  afterEach(cleanUp);

  it("reads question and text together, in order, however many they are", async () => {
    const modelDir = await folderOfModel();
    const places = { modelDir, cacheDir: await temporaryFolder(), allowDownload: false };
    const reranker = valueOf(await loadCrossEncoder(places, ignore, never));
    assert.equal(reranker.model, RERANKING_MODEL);
    const texts = Array.from({ length: 11 }, (_, index) =>
      index % 2 === 0 ? "the boat is here" : "the cat",
    );
    const scores = valueOf(await reranker.score("where is the boat", texts, never));
    assert.equal(scores.length, texts.length);
    scores.forEach((score, index) => near(score, index % 2 === 0 ? SIGMOID_2 : 1 - SIGMOID_2));
  });

  it("reads no more than the model can, and any signs", async () => {
    const modelDir = await folderOfModel();
    const places = { modelDir, cacheDir: modelDir, allowDownload: false };
    const reranker = valueOf(await loadCrossEncoder(places, ignore, never));
    const texts = ["cat ".repeat(20_000) + "boat", "\ud800 \u0000", ""];
    const scores = valueOf(await reranker.score("where ".repeat(9_000), texts, never));
    scores.forEach((score) => near(score, 1 - SIGMOID_2));
  });

  it("stops with the signal", async () => {
    const modelDir = await folderOfModel();
    const places = { modelDir, cacheDir: modelDir, allowDownload: false };
    const reranker = valueOf(await loadCrossEncoder(places, ignore, never));
    const stopped = await reranker.score("boat", ["boat"], AbortSignal.abort());
    assert.ok(!stopped.ok && stopped.failure.code === "cancelled");
    const loading = await loadCrossEncoder(places, ignore, AbortSignal.abort());
    assert.ok(!loading.ok && loading.failure.code === "cancelled");
  });

  it("is fetched once where that is allowed, with progress, and not where it isn't", async () => {
    const served = await folderOfModel();
    let requests = 0;
    const server = createServer((request, response) => {
      requests += 1;
      const path = (request.url ?? "").replace("/resolve/main/", "/");
      readFile(join(served, path)).then(
        (bytes) => response.end(bytes),
        () => response.writeHead(404).end(),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    later(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    const modelHost = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const cacheDir = await temporaryFolder();
    const refused = await loadCrossEncoder({ cacheDir, allowDownload: false, modelHost }, ignore, never);
    assert.ok(!refused.ok);
    assert.match(refused.failure.message, /no reranking model.*ms-marco-MiniLM-L-6-v2/);
    assert.equal(requests, 0);
    const percents: number[] = [];
    const places = { cacheDir, allowDownload: true, modelHost };
    valueOf(await loadCrossEncoder(places, (percent) => percents.push(percent), never));
    assert.equal(percents.at(-1), 100);
    assert.equal(requests, 4);
    valueOf(await loadCrossEncoder(places, ignore, never));
    assert.equal(requests, 4);
  });

  it("says so when its files are broken; what was downloaded is fetched anew the next time", async () => {
    const cacheDir = await folderOfModel();
    await writeFile(join(cacheDir, RERANKING_MODEL, "onnx", "model_quantized.onnx"), "not a model");
    const modelDir = await temporaryFolder();
    await mkdir(join(modelDir, RERANKING_MODEL), { recursive: true });
    await cp(join(cacheDir, RERANKING_MODEL), join(modelDir, RERANKING_MODEL), { recursive: true });
    const own = await loadCrossEncoder({ modelDir, cacheDir, allowDownload: false }, ignore, never);
    assert.ok(!own.ok);
    assert.equal(own.failure.message, "the reranking model can't be loaded.");
    assert.ok(existsSync(join(modelDir, RERANKING_MODEL, "config.json")), "the user's files are left alone");
    assert.ok(!(await loadCrossEncoder({ cacheDir, allowDownload: false }, ignore, never)).ok);
    assert.ok(!existsSync(join(cacheDir, RERANKING_MODEL)));
  });

  it("puts what answers the question first, and shows what it counted", async () => {
    const modelDir = await folderOfModel();
    const places = { modelDir, cacheDir: modelDir, allowDownload: false };
    const slot = new RerankerSlot((signal) => loadCrossEncoder(places, ignore, signal), never);
    const store = await openStore();
    const [cat, boat] = [alone("the cat of the harbour"), alone("where is the boat, is it in the harbour")];
    await store.add([cat, boat]);
    const search = valueOf(
      await retrieve(
        { ...deps(new StoreCandidates(store), without), reranking: await slot.get(60_000, never) },
        { query: "cat harbour", limit: 5, settings: { ...DEFAULT_RETRIEVAL, rerank: true } },
        never,
      ),
    );
    assert.equal(found(search)[0], boat.id);
    near(search.hits[0]?.parts["rerank"], SIGMOID_2);
  });
});

describe("The place of the reranker", () => {
  const model = { model: "judge", score: () => Promise.reject(new Error("not asked")) };

  it("loads it at the first need, once, and gives it to all who wait", async () => {
    let loads = 0;
    const load = async () => {
      loads += 1;
      await Promise.resolve();
      return { ok: true, value: model } as const;
    };
    const slot = new RerankerSlot(load, never);
    assert.equal(loads, 0);
    const all = await Promise.all([slot.get(60_000, never), slot.get(60_000, never)]);
    assert.deepEqual(all, [{ reranker: model }, { reranker: model }]);
    assert.equal(loads, 1);
  });

  it("does not hold up a search for a download, and says how far that is", async () => {
    const slot = new RerankerSlot(() => new Promise(() => undefined), never);
    const first = slot.get(0, never);
    slot.progressed(40);
    await first;
    assert.deepEqual(await slot.get(60_000, never), {
      note: "Without the reranker for now: its model is being downloaded (40 %).",
    });
  });

  it("says why there is none, and tries again after a while, not at every search", async () => {
    let now = 0;
    let loads = 0;
    const failure = { code: "memory_unavailable", message: "no luck." } as const;
    const slot = new RerankerSlot(
      () => {
        loads += 1;
        return Promise.resolve({ ok: false, failure } as const);
      },
      never,
      () => now,
    );
    assert.deepEqual(await slot.get(60_000, never), { note: "Without the reranker: no luck." });
    await slot.get(60_000, never);
    assert.equal(loads, 1);
    now = 10 * 60 * 1_000;
    await slot.get(60_000, never);
    assert.equal(loads, 2);
  });
});
