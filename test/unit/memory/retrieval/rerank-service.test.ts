import assert from "node:assert/strict";
import { failed, success, type Result } from "../../../../src/agent/failure.ts";
import { DEFAULT_RETRIEVAL } from "../../../../src/agent/memory/port.ts";
import type { Values } from "../../../../src/memory/process/values.ts";
import { MemoryService } from "../../../../src/memory/process/service.ts";
import type { Reranker } from "../../../../src/memory/retrieval/reranker.ts";
import { cleanUp, episode, later, never, temporaryFolder, valueOf } from "../support.ts";

const NO_MODEL = "Full-text search only: there is no model.";

/** Takes the shorter text for the better answer. */
const judge: Reranker = {
  model: "judge",
  score: (_query, texts) => Promise.resolve(success(texts.map((text) => (text.length < 60 ? 1 : 0)))),
};

async function make(reranker: () => Promise<Result<Reranker>>): Promise<MemoryService> {
  const service = new MemoryService({
    store: { uri: await temporaryFolder() },
    embedder: () => Promise.resolve(failed("memory_unavailable", "there is no model.")),
    reranker,
    onProgress: () => undefined,
    onLog: () => undefined,
  });
  later(() => service.close());
  const long = episode({ question: "boat boat boat", answer: "The boat of all boats. ".repeat(5) });
  const episodes = [long, { ...episode({ question: "boat?", answer: "Oban." }), sessionId: "other" }];
  valueOf(await service.handle("add", { episodes }, never));
  return service;
}

async function search(service: MemoryService, rerank: boolean): Promise<Values["search"]> {
  const query = { query: "boat", limit: 5, settings: { ...DEFAULT_RETRIEVAL, rerank } };
  return valueOf(await service.handle("search", query, never)) as Values["search"];
}

describe("The memory process with a reranker", () => {
  afterEach(cleanUp);

  it("loads it only for a search that wants it, and then lets it judge", async () => {
    let loads = 0;
    const service = await make(() => {
      loads += 1;
      return Promise.resolve(success(judge));
    });
    const plain = await search(service, false);
    assert.equal(loads, 0);
    assert.equal(plain.hits[0]?.episode.question, "boat boat boat");
    const judged = await search(service, true);
    assert.equal(loads, 1);
    assert.equal(judged.hits[0]?.episode.question, "boat?");
    assert.equal(judged.hits[0].parts["rerank"], 1);
    assert.equal(judged.note, NO_MODEL);
  });

  it("searches without it where it can't be had, and says both what is missing", async () => {
    const service = await make(() => Promise.resolve(failed("memory_unavailable", "no luck.")));
    const found = await search(service, true);
    assert.equal(found.hits[0]?.episode.question, "boat boat boat");
    assert.equal(found.note, `${NO_MODEL} Without the reranker: no luck.`);
  });
});
