import assert from "node:assert/strict";
import fc from "fast-check";
import type { Result } from "../../../../src/agent/failure.ts";
import { failed, success } from "../../../../src/agent/failure.ts";
import { meanDirection, partsOf } from "../../../../src/memory/embed/parts.ts";
import { partsEmbedder } from "../../../../src/memory/embed/parts-embedder.ts";
import { never, valueOf } from "../support.ts";

describe("The parts of a long text", () => {
  it("are never longer than what the model reads, and hold the text in its order", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 400 }),
        fc.integer({ min: 60, max: 200 }),
        (text, size) => {
          const parts = partsOf(text, size);
          assert.ok(parts.every((part) => part.length <= size));
          const squeezed = (some: string): string => some.replace(/\s+/g, "");
          assert.ok(squeezed(text.toWellFormed()).startsWith(squeezed(parts[0] ?? "")));
          assert.equal(squeezed(parts.join("")).length, squeezed(text).length);
        },
      ),
    );
  });

  it("end where a line, a sentence or a word ends", () => {
    const text = "The first line is here.\nThe second one is there. And on it goes for a while";
    assert.deepEqual(partsOf(text, 30), [
      "The first line is here.",
      "The second one is there.",
      "And on it goes for a while",
    ]);
  });

  it("are bounded in number, so that a book costs no more than some pages", () => {
    assert.equal(partsOf("word ".repeat(100_000), 100).length, 8);
  });

  it("count as much as they are long", () => {
    const mean = meanDirection([
      { vector: [2, 0], weight: 300 },
      { vector: [0, 1], weight: 400 },
    ]);
    assert.deepEqual(
      [...(mean ?? [])].map((value) => Number(value.toFixed(5))),
      [0.6, 0.8],
    );
  });

  it("give no direction when one of them has none or is of another length", () => {
    assert.equal(meanDirection([{ vector: [0, 0], weight: 1 }]), undefined);
    assert.equal(meanDirection([{ vector: [NaN, 1], weight: 1 }]), undefined);
    assert.equal(
      meanDirection([
        { vector: [1], weight: 1 },
        { vector: [1, 0], weight: 1 },
      ]),
      undefined,
    );
    assert.equal(meanDirection([]), undefined);
  });
});

describe("An embedder of a model that reads so much", () => {
  const asked: string[][] = [];
  beforeEach(() => asked.splice(0));
  const model = (
    answer: (texts: readonly string[]) => Result<readonly ArrayLike<number>[]>,
    window = 40,
  ): Parameters<typeof partsEmbedder>[0] => ({
    model: "m",
    knownAs: "nomic-embed-text",
    window,
    batch: 3,
    embed: (texts) => {
      asked.push([...texts]);
      return Promise.resolve(answer(texts));
    },
  });
  const ones = (texts: readonly string[]) => success(texts.map((text) => [text.length, 1]));

  it("says what kind a text is, before each part of it", async () => {
    const embedder = valueOf(await partsEmbedder(model(ones), never));
    asked.splice(0);
    valueOf(await embedder.embed(["a word and another one and more of them"], "document", never));
    valueOf(await embedder.embed(["a question that is longer than the window is"], "query", never));
    assert.ok(asked.length === 2 && (asked[0]?.length ?? 0) > 1);
    assert.ok(asked[0]?.every((text) => text.startsWith("search_document: ") && text.length <= 40));
    assert.deepEqual(
      asked[1]?.map((text) => text.slice(0, 14)),
      ["search_query: "],
    );
  });

  it("gives one vector of length 1 for each text in its order, whatever their lengths", async () => {
    const embedder = valueOf(await partsEmbedder(model(ones), never));
    const texts = ["short", "word ".repeat(30), "", "a bit longer"];
    const vectors = valueOf(await embedder.embed(texts, "document", never));
    assert.equal(vectors.length, 4);
    assert.ok(vectors.every((vector) => Math.abs(Math.hypot(...vector) - 1) < 1e-6));
    const [alone] = valueOf(await embedder.embed(["a bit longer"], "document", never));
    assert.deepEqual(vectors[3], alone);
    assert.equal(embedder.dimensions, 2);
  });

  it("refuses vectors that are none, in words", async () => {
    const made = await partsEmbedder(
      model((texts) => success(texts.map(() => [NaN, 0]))),
      never,
    );
    assert.ok(!made.ok);
    assert.match(made.failure.message, /gave a vector that is not one/);
  });

  it("refuses vectors of another length than before: the model was changed under its name", async () => {
    let length = 2;
    const embedder = valueOf(
      await partsEmbedder(
        model((texts) => success(texts.map(() => Array.from({ length }, () => 1)))),
        never,
      ),
    );
    length = 3;
    const made = await embedder.embed(["text"], "query", never);
    assert.ok(!made.ok);
    assert.match(made.failure.message, /vectors of 3 floats and 2 before: it was changed/);
  });

  it("hands on the model's failure, and a cancel as one", async () => {
    const off = await partsEmbedder(
      model(() => failed("server_unreachable", "Not running.")),
      never,
    );
    assert.equal(off.ok ? "" : off.failure.message, "Not running.");
    const embedder = valueOf(await partsEmbedder(model(ones), never));
    const stopped = await embedder.embed(["text"], "query", AbortSignal.abort());
    assert.equal(stopped.ok ? "" : stopped.failure.code, "cancelled");
  });
});
