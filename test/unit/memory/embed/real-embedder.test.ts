import assert from "node:assert/strict";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { EMBEDDING_MODEL } from "../../../../src/memory/embed/embedder.ts";
import {
  bundledHost,
  cleanUp,
  client,
  episode,
  later,
  never,
  removeBundledHost,
  temporaryFolder,
  valueOf,
} from "../support.ts";

import { foundSoon } from "./job-support.ts";

const modelDir = process.env.CONCLAVE_EMBEDDER_DIR;

/** Serves the model's files as the hub does, and counts what is asked for. */
async function modelHost(folder: string): Promise<{ readonly address: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    asked.push(path);
    const file = join(folder, path.replace("/resolve/main/", "/"));
    stat(file).then(
      ({ size }) => {
        response.writeHead(200, { "content-length": size });
        createReadStream(file).pipe(response);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  later(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked };
}

describe("Memory with a real embedding model", function () {
  this.timeout(60_000);
  before(async function () {
    if (modelDir === undefined || modelDir === "") {
      assert.notEqual(process.env.CI, "true", "CONCLAVE_EMBEDDER_DIR must be set in CI");
      this.skip();
    }
    await bundledHost();
  });
  afterEach(cleanUp);
  after(removeBundledHost);

  const cat = episode({ question: "What sits outside?", answer: "The cat.", sessionId: "1" });
  const guitar = episode({ question: "What is the man playing?", answer: "A guitar.", sessionId: "2" });

  it("finds by meaning what shares no word", async () => {
    const memory = await client({ modelDir: modelDir! });
    valueOf(await memory.search({ query: "loads the model", limit: 1 }, never));
    valueOf(await memory.add([guitar, cat], never));
    const found = await foundSoon(memory, { query: "a feline in the garden", limit: 2 });
    assert.equal(found.hits[0]?.episode.id, cat.id);
    assert.equal((await memory.status(never)).embedder, EMBEDDING_MODEL);
  });

  it("finds nothing for a question about something else", async () => {
    const memory = await client({ modelDir: modelDir! });
    valueOf(await memory.search({ query: "loads the model", limit: 1 }, never));
    valueOf(await memory.add([guitar, cat], never));
    const found = valueOf(
      await memory.search({ query: "At what degree does the tungsten melt?", limit: 5 }, never),
    );
    assert.deepEqual(found.hits, []);
    assert.equal(found.searched, 2);
  });

  it("embeds later what was saved while there was no model", async () => {
    const uri = await temporaryFolder();
    const without = await client({ uri });
    valueOf(await without.add([guitar, cat], never));
    await without.dispose();
    let embedded = (): void => undefined;
    const backfilled = new Promise<void>((resolve) => (embedded = resolve));
    const memory = await client({
      uri,
      modelDir: modelDir!,
      onProgress: ({ task }) => task === "embed" && embedded(),
    });
    valueOf(await memory.search({ query: "anything", limit: 1 }, never));
    await backfilled;
    const found = await foundSoon(memory, { query: "a feline in the garden", limit: 2 });
    assert.equal(found.hits[0]?.episode.id, cat.id);
    assert.ok((found.hits[0].parts.vector ?? 0) > 0);
    assert.equal(valueOf(await memory.list({ table: "episodes", offset: 0, limit: 5 }, never)).total, 2);
  });

  it("is downloaded once, with progress, and then works without any network", async () => {
    const { address, asked } = await modelHost(modelDir!);
    const modelCacheDir = await temporaryFolder();
    const percents: number[] = [];
    let whole = (): void => undefined;
    const downloaded = new Promise<void>((resolve) => (whole = resolve));
    const first = await client({
      allowDownload: true,
      modelHost: address,
      modelCacheDir,
      onProgress: ({ task, percent }) => {
        if (task === "download" && percent !== undefined) {
          percents.push(percent);
          if (percent === 100) whole();
        }
      },
    });
    valueOf(await first.add([guitar, cat], never));
    await downloaded;
    assert.ok(percents.length > 10);
    assert.deepEqual(
      percents,
      [...percents].sort((a, b) => a - b),
    );
    const requests = asked.length;
    assert.equal(requests, 4);
    await first.dispose();
    const second = await client({ allowDownload: true, modelHost: address, modelCacheDir });
    valueOf(await second.search({ query: "loads the model", limit: 1 }, never));
    valueOf(await second.add([guitar, cat], never));
    const found = await foundSoon(second, { query: "a feline in the garden", limit: 2 });
    assert.equal(found.hits[0]?.episode.id, cat.id);
    assert.equal(found.note, undefined);
    assert.equal(asked.length, requests);
  });
});
