import assert from "node:assert/strict";
import { failed, success } from "../../../../src/agent/failure.ts";
import type { Embedder } from "../../../../src/memory/embed/embedder.ts";
import { openStore, type Store } from "../store-support.ts";
import { cleanUp, episode, fakeEmbedder, never, temporaryFolder, valueOf } from "../support.ts";
import { conversation, handTimer, jobOn, moment, watched } from "./job-support.ts";

const MODEL_A = fakeEmbedder({}, "model-a");
const MODEL_B: Embedder = {
  model: "model-b",
  dimensions: 3,
  embed: (texts) => Promise.resolve(success(texts.map(({ length }) => Float32Array.from([length, 1, 0])))),
};

/** How many rows of each kind a model has embedded. */
async function kindsOf(store: Store, model: string): Promise<Readonly<Record<string, number>> | undefined> {
  return valueOf(await store.vectors.models(never)).find((known) => known.model === model)?.kinds;
}

describe("Memories that wait for their embedding", () => {
  afterEach(cleanUp);

  it("are all embedded in the background, each alone and with its neighbours, and how far it is is told", async () => {
    const store = await openStore();
    valueOf(await store.episodes.append(conversation(100), never));
    const { job, progress } = jobOn(store);
    job.start(MODEL_A);
    await job.settled();
    assert.deepEqual(await kindsOf(store, "model-a"), { episode: 100, window: 100 });
    assert.match(
      progress[0]?.message ?? "",
      /^Embedding memories for the search by meaning: 0 %, 200 rows left/,
    );
    assert.equal(progress.at(-1)?.percent, 100);
    const percents = progress.map(({ percent }) => percent);
    assert.deepEqual(
      percents,
      percents.toSorted((a, b) => a - b),
    );
    assert.deepEqual(job.state, { state: "idle", remaining: 0, percent: 100 });
  });

  it("cost nothing when there are none: the embedder is not asked and nothing is told", async () => {
    const store = await openStore();
    valueOf(await store.episodes.append(conversation(5), never));
    const first = jobOn(store);
    first.job.start(MODEL_A);
    await first.job.settled();
    const batches: number[] = [];
    const again = jobOn(store);
    again.job.start(watched(MODEL_A, (texts) => void batches.push(texts.length)));
    await again.job.settled();
    assert.deepEqual([batches, again.progress], [[], []]);
  });

  it("are embedded anew with another model, and the old embeddings stay until the last of them is", async () => {
    const store = await openStore();
    valueOf(await store.episodes.append(conversation(40), never));
    const { job } = jobOn(store);
    job.start(MODEL_A);
    await job.settled();
    const seen: (object | undefined)[] = [];
    job.start(watched(MODEL_B, async () => void seen.push(await kindsOf(store, "model-a"))));
    await job.settled();
    assert.ok(seen.length > 5);
    assert.ok(seen.every((kinds) => JSON.stringify(kinds) === JSON.stringify({ episode: 40, window: 40 })));
    assert.deepEqual(await kindsOf(store, "model-b"), { episode: 40, window: 40 });
    assert.equal(await kindsOf(store, "model-a"), undefined);
  });

  it("lose nothing when the user switches back midway", async () => {
    const store = await openStore();
    valueOf(await store.episodes.append(conversation(40), never));
    const { job } = jobOn(store);
    job.start(MODEL_A);
    await job.settled();
    const midway = moment();
    let batches = 0;
    job.start(
      watched(MODEL_B, () => {
        batches += 1;
        if (batches === 3) midway.reach();
      }),
    );
    await midway.reached;
    let asked = 0;
    job.start(watched(MODEL_A, () => void (asked += 1)));
    await job.settled();
    assert.equal(asked, 0, "nothing had to be embedded again");
    assert.deepEqual(await kindsOf(store, "model-a"), { episode: 40, window: 40 });
    assert.equal(await kindsOf(store, "model-b"), undefined);
  });

  it("can be left as they are: what is embedded stays, and the next start goes on from there", async () => {
    const store = await openStore();
    valueOf(await store.episodes.append(conversation(200), never));
    const { job } = jobOn(store);
    const midway = moment();
    let texts = 0;
    job.start(
      watched(MODEL_A, (batch) => {
        texts += batch.length;
        if (texts > 150) midway.reach();
      }),
    );
    await midway.reached;
    assert.equal(job.cancel(), true);
    await job.settled();
    assert.equal(job.state.state, "stopped");
    assert.match(job.state.message ?? "", /stopped at \d+ %: \d+ rows found by words only/);
    const kept = (await kindsOf(store, "model-a"))?.episode ?? 0;
    assert.ok(kept >= 128 && kept < 200, String(kept));
    job.wake();
    await job.settled();
    assert.equal((await kindsOf(store, "model-a"))?.episode, kept, "a new row does not undo the user's word");
    let rest = 0;
    const next = jobOn(store);
    next.job.start(watched(MODEL_A, (batch) => void (rest += batch.length)));
    await next.job.settled();
    assert.equal(rest, 400 - kept, "only the rest was embedded");
    assert.equal(job.cancel(), false);
  });

  it("step back while somebody waits for an answer", async () => {
    const store = await openStore();
    valueOf(await store.episodes.append(conversation(20), never));
    const { job, priority } = jobOn(store);
    const answer = moment();
    let batches = 0;
    const search = priority.first(async () => {
      job.start(watched(MODEL_A, () => void (batches += 1)));
      await answer.reached;
      return batches;
    });
    while (job.state.state !== "running") await store.vectors.models(never);
    // As many reads as a batch would long have come before.
    for (let reads = 0; reads < 200; reads += 1) await store.vectors.models(never);
    answer.reach();
    assert.equal(await search, 0);
    await job.settled();
    assert.deepEqual(await kindsOf(store, "model-a"), { episode: 20, window: 20 });
  });

  it("are embedded by one window at a time, and by the other when that one is gone", async () => {
    const folder = await temporaryFolder();
    const [one, other] = [await openStore({ folder }), await openStore({ folder })];
    valueOf(await one.episodes.append(conversation(10), never));
    const begun = moment();
    const hold = moment();
    const first = jobOn(one);
    first.job.start(
      watched(MODEL_A, () => {
        begun.reach();
        return hold.reached;
      }),
    );
    await begun.reached;
    const hand = handTimer();
    const asked: number[] = [];
    const second = jobOn(other, { timer: hand.timer });
    second.job.start(watched(MODEL_A, (texts) => void asked.push(texts.length)));
    while (hand.waits.length === 0) await other.vectors.models(never);
    assert.deepEqual([second.job.state.state, asked], ["elsewhere", []]);
    assert.match(second.job.state.message ?? "", /Another window/);
    const closed = first.job.close();
    hold.reach();
    await closed;
    hand.end();
    await second.job.settled();
    assert.deepEqual(await kindsOf(other, "model-a"), { episode: 10, window: 10 });
    assert.ok(asked.length > 0);
  });

  it("wait when the embedder fails, are tried again ever less often, and the reason is told", async () => {
    const store = await openStore();
    valueOf(await store.episodes.append(conversation(3), never));
    let works = false;
    const hand = handTimer();
    const { job, log } = jobOn(store, { timer: hand.timer });
    job.start({
      ...MODEL_A,
      embed: (texts, kind, signal) =>
        works
          ? MODEL_A.embed(texts, kind, signal)
          : Promise.resolve(failed("server_unreachable", "Ollama is not running.")),
    });
    while (hand.waits.length < 1) await store.vectors.models(never);
    assert.equal(job.state.message, "Embedding waits: Ollama is not running.");
    assert.equal(job.state.remaining, 6);
    hand.end();
    while (hand.waits.length < 2) await store.vectors.models(never);
    assert.deepEqual(hand.waits, [15_000, 30_000]);
    assert.match(log[0] ?? "", /embedding: Ollama is not running/);
    works = true;
    hand.end();
    await job.settled();
    assert.deepEqual(await kindsOf(store, "model-a"), { episode: 3, window: 3 });
  });

  it("are not kept from it by one that can't be embedded", async () => {
    const store = await openStore();
    const rows = conversation(20);
    const poison = { ...episode({ question: "poison", answer: "" }), sessionId: "alone" };
    valueOf(await store.episodes.append([...rows, poison], never));
    const { job } = jobOn(store);
    job.start({
      ...MODEL_A,
      embed: (texts, kind, signal) =>
        texts.some((text) => text.includes("poison"))
          ? Promise.resolve(failed("server_error", "unsupported value: NaN"))
          : MODEL_A.embed(texts, kind, signal),
    });
    await job.settled();
    assert.deepEqual(await kindsOf(store, "model-a"), { episode: 20, window: 20 });
    assert.deepEqual([job.state.state, job.state.remaining], ["idle", 2]);
  });

  it("get no embedding when they were forgotten meanwhile", async () => {
    const store = await openStore();
    const rows = conversation(8);
    valueOf(await store.episodes.append(rows, never));
    const { job } = jobOn(store);
    let forgotten = false;
    job.start(
      watched(MODEL_A, async () => {
        if (forgotten) return;
        forgotten = true;
        valueOf(await store.episodes.forget([rows[3]?.id ?? ""], never));
      }),
    );
    await job.settled();
    assert.deepEqual(await kindsOf(store, "model-a"), { episode: 7, window: 7 });
    assert.deepEqual(valueOf(await store.vectors.missing("model-a", "episode", [rows[3]?.id ?? ""], never)), [
      rows[3]?.id,
    ]);
  });

  it("are embedded anew when the model of a name makes vectors of another length", async () => {
    const store = await openStore();
    valueOf(await store.episodes.append(conversation(4), never));
    const { job } = jobOn(store);
    job.start({ ...MODEL_B, model: "model-a" });
    await job.settled();
    job.start(MODEL_A);
    await job.settled();
    const [known] = valueOf(await store.vectors.models(never));
    assert.deepEqual([known?.dimensions, known?.kinds], [MODEL_A.dimensions, { episode: 4, window: 4 }]);
  });
});
