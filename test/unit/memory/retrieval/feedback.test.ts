import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { whyRecalled } from "../../../../src/agent/memory/explain-hit.ts";
import {
  DEFAULT_RETRIEVAL,
  type Annotation,
  type AnnotationValue,
  type RetrievalSettings,
} from "../../../../src/agent/memory/port.ts";
import { searchAll } from "../../../../src/memory/graph/search-all.ts";
import { success } from "../../../../src/agent/failure.ts";
import { additions } from "../../../../src/memory/retrieval/value.ts";
import { ANNOTATIONS } from "../../../../src/memory/store/annotations.ts";
import { bed, begins, feedback, ingested, verdict, event, agent, grade } from "../../agent/reward/bed.ts";
import { openStore, rawTable, type Store } from "../store-support.ts";
import { cleanUp, never, valueOf } from "../support.ts";
import { alone, ask, embedder, found, withEmbedder } from "./ask-support.ts";

const DAY = 86_400_000;
/** The moment of all searches, as `ask` has it. */
const NOW = Date.UTC(2026, 11, 5, 12);
/** No weight counts: what is left is the order by relevance. */
const NO_WEIGHTS: RetrievalSettings = {
  ...DEFAULT_RETRIEVAL,
  ...{ scoreWeight: 0, verdictWeight: 0, rewardWeight: 0, recencyWeight: 0 },
};

/** Notes of one episode, a millisecond apart. */
async function note(
  store: Store,
  episodeId: string,
  values: readonly AnnotationValue[],
  by: Annotation["by"] = "user",
  time = NOW - DAY,
): Promise<void> {
  const notes = values.map((value, index) => ({
    ...value,
    ...{ id: randomUUID(), episodeId, by, time: time + index },
  }));
  valueOf(await store.annotations.append(notes, never));
}

/** Three memories that fit a question alike, in a store of their own. */
async function three(): Promise<{ readonly store: Store; readonly ids: readonly string[] }> {
  const store = await openStore();
  const rows = ["In Oban.", "In Mallaig.", "In Skye."].map((answer) => alone("Where is the boat?", answer));
  await store.add(rows, embedder);
  return { store, ids: rows.map(({ id }) => id) };
}

/** What people and critics say in a window, written into the store. */
function window(store: Store) {
  return bed({
    deps: {
      memory: {
        annotate: async (annotations, signal) => {
          const added = await store.annotations.append(annotations, signal);
          return added.ok ? success({ added: added.value.size }) : added;
        },
      },
    },
  });
}

describe("Feedback in what is recalled, over the real store", () => {
  afterEach(cleanUp);

  it("lets a downvoted memory sink, says so, and gives its place back when it is taken back", async () => {
    const { store, ids } = await three();
    const before = found(await ask(store, "Where is the boat?"));
    const [top = ""] = before;
    const { hear } = window(store);
    await hear(...begins(), ingested([top]), feedback("down"));
    const search = await ask(store, "Where is the boat?");
    assert.deepEqual(found(search), [...before.slice(1), top]);
    const [hit] = search.hits.slice(-1);
    assert.match(
      whyRecalled(hit?.parts ?? {}, { notes: hit?.notes, now: NOW }),
      /thumbed down \d+ days ago, −0\.0/,
    );
    await hear(feedback("none"));
    assert.deepEqual(found(await ask(store, "Where is the boat?")), before);
    assert.equal(ids.length, 3);
  });

  it("lets a preferred memory rise, and the other one not until it was taken", async () => {
    const { store } = await three();
    const before = found(await ask(store, "Where is the boat?"));
    const last = before.at(-1) ?? "";
    const shadow = { ...alone("Where is the boat?", "In the harbour of Skye."), respondent: "B" };
    await store.add([shadow], embedder);
    const { hear } = window(store);
    await hear(...begins(), ingested([last]));
    await hear(
      event("agent.start", agent("other", "big", "shadow"), { id: "b".repeat(16), respondent: "B" }),
    );
    const answered = { answer: "In Skye.", outcome: "answered" as const, "gen_ai.request.model": "big" };
    const data = { ...answered, "conclave.duration_ms": 1, "conclave.episode_ids": [shadow.id] };
    await hear(event("shadow.answer", data, { respondent: "B" }), verdict("A", ["A", "A"]));
    const search = await ask(store, "Where is the boat?");
    assert.equal(found(search)[0], last);
    assert.equal(found(search).includes(shadow.id), false);
    const [hit] = search.hits;
    assert.match(whyRecalled(hit?.parts ?? {}, { notes: hit?.notes, now: NOW }), /\(preferred, \+0\.05\)/);
    await note(store, shadow.id, [{ kind: "taken", value: true }]);
    const later = await ask(store, "Where is the boat?");
    assert.equal(later.hits.find(({ episode }) => episode.id === shadow.id)?.notes?.verdict, "loser");
  });

  it("puts an answer graded 5 before an equal one graded 1", async () => {
    const { store, ids } = await three();
    const [one = "", other = ""] = ids;
    const { hear } = window(store);
    await hear(...begins(), ingested([one]), grade(1));
    await note(store, other, [{ kind: "score", value: 5 }], "critic");
    const search = await ask(store, "Where is the boat?");
    assert.equal(found(search)[0], other);
    assert.equal(found(search).at(-1), one);
    assert.match(whyRecalled(search.hits[0]?.parts ?? {}, search.hits[0]), /critic 5\/5, \+0\.10/);
  });

  it("never brings back what the threshold removed, whatever the weights", async () => {
    const { store, ids } = await three();
    const off = alone(
      "What do we eat for supper on the boat of my sister's neighbour in the north?",
      "Fish.",
    );
    await store.add([off], embedder);
    const all = await ask(store, "Where is the boat?", withEmbedder, {
      settings: { ...DEFAULT_RETRIEVAL, threshold: 0 },
    });
    const relevance = (id: string) =>
      all.hits.find(({ episode }) => episode.id === id)?.parts["relevance"] ?? 0;
    const least = Math.min(...ids.map(relevance));
    assert.ok(relevance(off.id) < least, "it fits less well");
    const settings = { ...DEFAULT_RETRIEVAL, threshold: (relevance(off.id) + least) / 2 };
    await note(store, off.id, [
      { kind: "score", value: 5 },
      { kind: "verdict", value: "winner" },
      { kind: "reward", value: 1 },
      { kind: "pin", value: true },
    ]);
    const heavy = { ...settings, scoreWeight: 1, verdictWeight: 1, rewardWeight: 1, recencyWeight: 1 };
    const search = await ask(store, "Where is the boat?", withEmbedder, { settings: heavy });
    assert.deepEqual(new Set(found(search)), new Set(ids));
  });

  for (const [weight, value] of [
    ["scoreWeight", { kind: "score", value: 1 }],
    ["verdictWeight", { kind: "verdict", value: "loser" }],
    ["rewardWeight", { kind: "reward", value: -1 }],
  ] as const) {
    it(`can be switched off: with ${weight} at 0 the order is as without the note, from the next search on`, async () => {
      const { store } = await three();
      const settings = { ...DEFAULT_RETRIEVAL, [weight]: 0 };
      const before = found(await ask(store, "Where is the boat?", withEmbedder, { settings }));
      await note(store, before[0] ?? "", [value]);
      assert.deepEqual(found(await ask(store, "Where is the boat?", withEmbedder, { settings })), before);
      assert.equal(found(await ask(store, "Where is the boat?")).at(-1), before[0]);
    });
  }

  it("can be switched off as a whole: with all weights at 0 only relevance is left", async () => {
    const { store, ids } = await three();
    const settings = NO_WEIGHTS;
    const before = await ask(store, "Where is the boat?", withEmbedder, { settings });
    for (const [index, id] of ids.entries())
      await note(store, id, [
        { kind: "score", value: 1 + 2 * index },
        { kind: "reward", value: index - 1 },
      ]);
    const after = await ask(store, "Where is the boat?", withEmbedder, { settings });
    assert.deepEqual(found(after), found(before));
    assert.deepEqual(
      after.hits.map(({ score }) => score),
      before.hits.map(({ score }) => score),
    );
  });

  it("fades: what was said half a year ago weighs half, and with a half-life of 0 all of it", async () => {
    const { store, ids } = await three();
    const [id = ""] = ids;
    await note(store, id, [{ kind: "reward", value: -1 }], "reward", NOW - 180 * DAY);
    const rewardOf = async (settings: RetrievalSettings) =>
      (await ask(store, "Where is the boat?", withEmbedder, { settings })).hits.find(
        ({ episode }) => episode.id === id,
      )?.parts["reward"];
    assert.ok(Math.abs(((await rewardOf(DEFAULT_RETRIEVAL)) ?? 0) + 0.05) < 1e-9);
    assert.ok(
      Math.abs(((await rewardOf({ ...DEFAULT_RETRIEVAL, rewardHalfLifeDays: 90 })) ?? 0) + 0.025) < 1e-9,
    );
    assert.equal(await rewardOf({ ...DEFAULT_RETRIEVAL, rewardHalfLifeDays: 0 }), -0.1);
  });

  it("keeps the user's grade over a later one of the critic, also once the store was tidied up", async () => {
    const { store, ids } = await three();
    const [id = ""] = ids;
    await note(store, id, [{ kind: "score", value: 1 }], "user", NOW - 3 * DAY);
    await note(store, id, [{ kind: "score", value: 5 }], "critic", NOW - 2 * DAY);
    const noted = async () => valueOf(await store.annotations.fold([id], never)).get(id);
    assert.deepEqual(await noted(), { score: 1, scoreBy: "user" });
    await ANNOTATIONS.tidy?.(await rawTable(store.folder, "annotations"));
    assert.deepEqual(await noted(), { score: 1, scoreBy: "user" });
    await note(store, id, [{ kind: "score", value: null }], "user", NOW - DAY);
    await note(store, id, [{ kind: "score", value: 4 }], "critic", NOW);
    assert.deepEqual(await noted(), {});
  });

  it("counts in a search over everything too, after the threshold", async () => {
    const { store, ids } = await three();
    const [liked = "", , disliked = ""] = ids;
    await note(store, liked, [{ kind: "reward", value: 1 }]);
    await note(store, disliked, [{ kind: "reward", value: -1 }]);
    const parts = {
      search: async () => success(await ask(store, "Where is the boat?")),
      ...{ facts: { search: nothing }, graph: { search: nothing }, resources: { search: nothing } },
      moments: { find: () => Promise.resolve(success({ moments: [], total: 0 })) },
      now: () => NOW,
    } as unknown as Parameters<typeof searchAll>[0];
    const { hits } = valueOf(await searchAll(parts, { query: "Where is the boat?" }, never));
    assert.equal(hits[0]?.id, liked);
    assert.equal(hits.at(-1)?.id, disliked);
    assert.ok((hits.at(-1)?.parts?.["reward"] ?? 0) < 0);
  });

  it("never adds more than its weight, nor less with time than nothing", () => {
    const settings = DEFAULT_RETRIEVAL;
    fc.assert(
      fc.property(
        fc.double({ min: -1, max: 1, noNaN: true }),
        fc.integer({ min: 0, max: 40_000 }),
        (reward, days) => {
          const { reward: part = 0 } = additions({ reward, rewardAt: NOW - days * DAY }, NOW, NOW, settings);
          assert.ok(Math.abs(part) <= settings.rewardWeight);
          assert.ok(Math.sign(part) * Math.sign(reward) >= 0);
        },
      ),
      { seed: 3 },
    );
  });
});

const nothing = () => Promise.resolve(success([]));
