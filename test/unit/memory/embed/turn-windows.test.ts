import assert from "node:assert/strict";
import { success } from "../../../../src/agent/failure.ts";
import type { Episode } from "../../../../src/agent/memory/port.ts";
import type { Embedder } from "../../../../src/memory/embed/embedder.ts";
import { embedTurns } from "../../../../src/memory/embed/embed-turns.ts";
import { turnOrder, windowTexts } from "../../../../src/memory/embed/turn-windows.ts";
import { openStore, type Store } from "../store-support.ts";
import { cleanUp, episode, never, valueOf } from "../support.ts";
import { conversation } from "./job-support.ts";

/** The numbers of the questions that a window's text holds. */
const questionsOf = (text: string): string[] =>
  [...text.matchAll(/question (\w+)/g)].map((match) => match[1] ?? "");

async function textsOf(store: Store, episodes: readonly Episode[]): Promise<readonly string[]> {
  const order = valueOf(
    await turnOrder(
      store.episodes,
      episodes.map(({ sessionId }) => sessionId),
      never,
    ),
  );
  const ids = episodes.map(({ id }) => id);
  return valueOf(await windowTexts(store, ids, order, never));
}

describe("A turn with its neighbours", () => {
  afterEach(cleanUp);

  it("is two turns before it and two after it, in the order they were said", async () => {
    const store = await openStore();
    const rows = conversation(6);
    valueOf(await store.episodes.append([...rows].reverse(), never));
    const texts = await textsOf(store, rows);
    assert.deepEqual(questionsOf(texts[3] ?? ""), ["s1", "s2", "s3", "s4", "s5"]);
    assert.deepEqual(questionsOf(texts[0] ?? ""), ["s0", "s1", "s2"]);
    assert.deepEqual(questionsOf(texts[5] ?? ""), ["s3", "s4", "s5"]);
  });

  it("never holds turns of another session", async () => {
    const store = await openStore();
    const [one, other] = [conversation(2, "a"), conversation(2, "b")];
    valueOf(await store.episodes.append([...one, ...other], never));
    const texts = await textsOf(store, [...one, ...other]);
    assert.deepEqual(questionsOf(texts[1] ?? ""), ["a0", "a1"]);
    assert.deepEqual(questionsOf(texts[2] ?? ""), ["b0", "b1"]);
  });

  it("counts several answers to one question as one turn", async () => {
    const store = await openStore();
    const rows = conversation(4);
    const shadow = episode({ ...rows[1], id: episode().id, respondent: "B", question: "question shadow" });
    valueOf(await store.episodes.append([...rows, { ...shadow, time: (rows[1]?.time ?? 0) + 1 }], never));
    const texts = await textsOf(store, [...rows, shadow]);
    assert.deepEqual(questionsOf(texts[2] ?? ""), ["s0", "s1", "s2", "s3"]);
    assert.deepEqual(questionsOf(texts[4] ?? ""), ["s0", "shadow", "s2", "s3"]);
  });

  it("is embedded anew when the next turns arrive", async () => {
    const store = await openStore();
    const embedded = new Map<string, string>();
    const embedder: Embedder = {
      model: "m",
      dimensions: 2,
      embed: (texts) => Promise.resolve(success(texts.map(({ length }) => Float32Array.from([length, 1])))),
    };
    const rows = conversation(5);
    const written: string[][] = [];
    for (const row of rows) {
      valueOf(await store.episodes.append([row], never));
      const texts: string[] = [];
      const watching: Embedder = {
        ...embedder,
        embed: (some, kind, signal) => {
          texts.push(...some);
          return embedder.embed(some, kind, signal);
        },
      };
      valueOf(await embedTurns(store, watching, [row], never));
      written.push(texts.slice(1).map((text) => questionsOf(text).join(" ")));
      texts.slice(1).forEach((text) => embedded.set(questionsOf(text)[0] ?? "", text));
    }
    assert.deepEqual(written[4]?.toSorted(), ["s0 s1 s2 s3 s4", "s1 s2 s3 s4", "s2 s3 s4"]);
    const [known] = valueOf(await store.vectors.models(never));
    assert.deepEqual(known?.kinds, { episode: 5, window: 5 });
    const [first] = await textsOf(store, rows.slice(0, 1));
    const near = valueOf(
      await store.vectors.near(
        "m",
        "window",
        Float32Array.from([first?.length ?? 0, 1]),
        { limit: 5 },
        never,
      ),
    );
    assert.ok(near.some(({ id, similarity }) => id === rows[0]?.id && similarity > 0.999_999));
  });
});
