import assert from "node:assert/strict";
import { embedderOf } from "../../../src/agent/embed.ts";
import { failed, success } from "../../../src/agent/failure.ts";
import type { MemoryPort } from "../../../src/agent/memory/port.ts";
import { emptyMemory } from "./memory.ts";

const never = new AbortController().signal;

/** A memory whose vectors tell a text's length; `calls` holds how many texts came at a time. */
function memoryBy(model: (call: number) => string = () => "m") {
  const calls: number[] = [];
  const embed: MemoryPort["embed"] = (texts) => {
    calls.push(texts.length);
    const embeddings = texts.map(({ length }) => Float32Array.of(length));
    return Promise.resolve(success({ model: model(calls.length), embeddings }));
  };
  return { calls, memory: emptyMemory({ embed }) };
}

describe("What embeds texts by memory", () => {
  it("is nothing without a memory that can", () => {
    assert.equal(embedderOf(undefined), undefined);
    assert.equal(embedderOf(emptyMemory()), undefined);
  });

  it("hands over as many at a time as memory takes, and keeps their order", async () => {
    const { calls, memory } = memoryBy();
    const texts = Array.from({ length: 150 }, (_, at) => "x".repeat(at));
    const made = await embedderOf(memory)!(texts, never);
    assert.deepEqual(calls, [64, 64, 22]);
    assert.deepEqual(
      made.ok && made.value.map(([length]) => length),
      texts.map(({ length }) => length),
    );
  });

  it("embeds long texts by their beginning", async () => {
    const made = await embedderOf(memoryBy().memory)!(["x".repeat(20_000)], never);
    assert.deepEqual(made, success([[8_000]]));
  });

  it("never mixes vectors of two models", async () => {
    const { memory } = memoryBy((call) => `model ${call}`);
    const made = await embedderOf(memory)!(
      Array.from({ length: 65 }, () => "x"),
      never,
    );
    assert.equal(made.ok, false);
  });

  it("is a failure like any other where memory fails or throws", async () => {
    const broken = [
      () => Promise.resolve(failed("memory_unavailable", "It is off.")),
      () => Promise.reject(new Error("gone")),
    ];
    for (const embed of broken) {
      const made = await embedderOf(emptyMemory({ embed }))!(["x"], never);
      assert.equal(!made.ok && made.failure.code, "memory_unavailable");
    }
  });

  it("stops within a moment of the signal, whether memory heeds it or not", async () => {
    const stop = new AbortController();
    const embed = (): Promise<never> => {
      stop.abort();
      return new Promise(() => undefined);
    };
    const made = await embedderOf(emptyMemory({ embed }))!(["x"], stop.signal);
    assert.equal(!made.ok && made.failure.code, "cancelled");
  });
});
