import assert from "node:assert/strict";
import { recallOnce } from "../../../../src/agent/committee/recall-once.ts";
import { failed, success, type Result } from "../../../../src/agent/failure.ts";
import type { MemoryPort, MemorySearch } from "../../../../src/agent/memory/port.ts";

const SIGNAL = new AbortController().signal;

/** A memory whose answers count up, with state that only its own methods see. */
class Counting {
  #searches = 0;

  search(): Promise<Result<MemorySearch>> {
    this.#searches += 1;
    // Only what is handed on matters here.
    return Promise.resolve(success({ hits: [], total: this.#searches } as unknown as MemorySearch));
  }

  status(): Promise<number> {
    return Promise.resolve(this.#searches);
  }
}

describe("what a committee recalls", () => {
  it("is found once for a question, and is the same for all speakers whatever is learnt meanwhile", async () => {
    const real = new Counting();
    const memory = recallOnce(real as unknown as MemoryPort);
    const query = { query: "boats", limit: 3 } as Parameters<MemoryPort["search"]>[0];
    const [first, second] = [await memory.search(query, SIGNAL), await memory.search({ ...query }, SIGNAL)];
    assert.equal(first, second);
    assert.notEqual(await memory.search({ ...query, query: "tides" }, SIGNAL), first);
    assert.equal(await real.status(), 2);
    assert.equal(await memory.status(SIGNAL), 2);
  });

  it("is asked for again when it failed", async () => {
    let asked = 0;
    const card = () => {
      asked += 1;
      return Promise.resolve(failed("memory_unavailable", "Not now."));
    };
    const memory = recallOnce({ card } as unknown as MemoryPort);
    const query = { question: "boats" } as Parameters<MemoryPort["card"]>[0];
    for (let times = 0; times < 2; times += 1) assert.equal((await memory.card(query, SIGNAL)).ok, false);
    assert.equal(asked, 2);
  });
});
