import assert from "node:assert/strict";
import type { Result } from "../../../../src/agent/failure.ts";
import { failed, success } from "../../../../src/agent/failure.ts";
import type { Embedder } from "../../../../src/memory/embed/embedder.ts";
import { MAX_EMBEDDED, MAX_EMBEDDED_TEXT } from "../../../../src/memory/process/params.ts";
import type { Values } from "../../../../src/memory/process/values.ts";
import { MemoryService } from "../../../../src/memory/process/service.ts";
import { scriptedHost } from "./host-support.ts";
import { cleanUp, client, fakeEmbedder, later, never, temporaryFolder, valueOf } from "../support.ts";

async function service(embedder: () => Promise<Result<Embedder>>): Promise<MemoryService> {
  const made = new MemoryService({
    store: { uri: await temporaryFolder() },
    embedder,
    onProgress: () => undefined,
    onLog: () => undefined,
  });
  later(() => made.close());
  return made;
}

describe("Embedding texts for others than memory", () => {
  afterEach(cleanUp);

  it("gives one vector for each text, in order, and the model they are of", async () => {
    const { handle } = await bound(() => Promise.resolve(success(fakeEmbedder({ feline: "cat" }))));
    const made = valueOf(
      await handle({ texts: ["cat", "feline", "boat"], kind: "document" }, never),
    ) as Values["embed"];
    assert.equal(made.model, "fake");
    const [cat, feline, boat] = made.embeddings;
    assert.deepEqual(cat, feline);
    assert.notDeepEqual(cat, boat);
  });

  it("says why there is no embedder", async () => {
    const { handle } = await bound(() => Promise.resolve(failed("memory_unavailable", "there is no model.")));
    const result = await handle({ texts: ["cat"], kind: "query" }, never);
    assert.match(result.ok ? "" : result.failure.message, /there is no model/u);
    assert.equal(!result.ok && result.failure.code, "memory_unavailable");
  });

  it("takes only so many texts of only such a length", async () => {
    const { handle } = await bound(() => Promise.resolve(success(fakeEmbedder())));
    const many = Array.from({ length: MAX_EMBEDDED + 1 }, () => "cat");
    for (const texts of [many, ["x".repeat(MAX_EMBEDDED_TEXT + 1)], "cat", undefined]) {
      const result = await handle({ texts, kind: "document" }, never);
      assert.equal(!result.ok && result.failure.code, "bad_input");
    }
  });

  it("stops when it is told to", async () => {
    const stop = new AbortController();
    const waits: Embedder = {
      ...fakeEmbedder(),
      embed: (_texts, _kind, signal) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => resolve(failed("cancelled", "Cancelled.")), { once: true });
          stop.abort();
        }),
    };
    const { handle } = await bound(() => Promise.resolve(success(waits)));
    const result = await handle({ texts: ["cat"], kind: "document" }, stop.signal);
    assert.equal(!result.ok && result.failure.code, "cancelled");
  });

  it("comes over the channel as floats", async () => {
    const script = `reply({ model: "m", embeddings: message.params.texts.map(() => [0.5, -0.25]) });`;
    const memory = await client({ hostPath: await scriptedHost(script) });
    const made = valueOf(await memory.embed(["a", "b"], "document", never));
    assert.equal(made.model, "m");
    assert.deepEqual(made.embeddings, [Float32Array.of(0.5, -0.25), Float32Array.of(0.5, -0.25)]);
  });

  it("is refused where the process gives other than it was asked", async () => {
    for (const value of [`{ model: "m", embeddings: [] }`, `{ model: "m", embeddings: [["x"]] }`]) {
      const memory = await client({ hostPath: await scriptedHost(`reply(${value});`) });
      const made = await memory.embed(["a"], "document", never);
      assert.equal(!made.ok && made.failure.code, "internal");
    }
  });
});

async function bound(embedder: () => Promise<Result<Embedder>>) {
  const made = await service(embedder);
  return { handle: (params: unknown, signal: AbortSignal) => made.handle("embed", params, signal) };
}
