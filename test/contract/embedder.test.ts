import assert from "node:assert/strict";
import { loadOllamaEmbedder } from "../../src/memory/embed/ollama-embedder.ts";
import { contract, DIMENSIONS } from "./targets.ts";

contract("memory's embedder", (target) => {
  const never = new AbortController().signal;
  const load = async (model = target.plain) => {
    const loaded = await loadOllamaEmbedder({ host: target.host, model }, never);
    assert.ok(loaded.ok, loaded.ok ? "" : loaded.failure.message);
    return loaded.value;
  };

  it("takes the length of its vectors from the server, here a chat model's", async () => {
    const embedder = await load();
    assert.equal(embedder.dimensions, DIMENSIONS);
    const made = await embedder.embed(
      ["The cat sits outside.", "A man plays the guitar."],
      "document",
      never,
    );
    assert.ok(made.ok);
    assert.equal(made.value.length, 2);
    for (const vector of made.value) {
      assert.equal(vector.length, DIMENSIONS);
      assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-4);
    }
  });

  it("gives the same vector for the same text, alone or among others", async () => {
    const embedder = await load();
    const together = await embedder.embed(["one", "two and more words", "three"], "document", never);
    const alone = await embedder.embed(["two and more words"], "document", never);
    assert.ok(together.ok && alone.ok);
    const [of, other] = [together.value[1], alone.value[0]];
    assert.ok(of !== undefined && other !== undefined);
    assert.ok(of.reduce((sum, value, place) => sum + value * (other[place] ?? 0), 0) > 0.999);
  });

  it("embeds an empty text and one longer than is embedded as one", async () => {
    const embedder = await load();
    const long = Array.from({ length: 1_500 }, (_, index) => `word${index}`).join(" ");
    const made = await embedder.embed(["", long], "document", never);
    assert.ok(made.ok, made.ok ? "" : made.failure.message);
    assert.equal(made.value.length, 2);
  });

  it("names a model that is not there", async () => {
    const loaded = await loadOllamaEmbedder({ host: target.host, model: "nope" }, never);
    assert.ok(!loaded.ok);
    assert.deepEqual([loaded.failure.code, loaded.failure.target], ["model_missing", "nope"]);
  });

  it("stops within a moment of the signal", async () => {
    const embedder = await load();
    const stop = new AbortController();
    const texts = Array.from({ length: 400 }, (_, index) => `A text about the number ${index}. `.repeat(20));
    const made = embedder.embed(texts, "document", stop.signal);
    await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    const result = await made;
    assert.ok(!result.ok && result.failure.code === "cancelled");
  });
});
