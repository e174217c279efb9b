import assert from "node:assert/strict";
import type { Episode } from "../../../../src/agent/memory/port.ts";
import { openStore, rawTable, type Store } from "../store-support.ts";
import { cleanUp, episode, never, valueOf } from "../support.ts";

/** More rows than a table may have whose index for full text is made anew while something is forgotten. */
const ROWS = 5_200;
const TEXT_INDEX = "text_idx";

function rows(count: number): Episode[] {
  return Array.from({ length: count }, (_, at) =>
    episode({ sessionId: `session-${at}`, question: `Question ${at}`, answer: `Answer ${at}` }),
  );
}

async function indexesOf({ folder }: Store): Promise<readonly string[]> {
  return (await (await rawTable(folder)).listIndices()).map(({ name }) => name);
}

async function idsOf({ episodes }: Store, word: string): Promise<readonly string[]> {
  const found = valueOf(await episodes.matching([word], { limit: 5 }, never));
  return found.map(({ place }) => place.id);
}

describe("The index for full text of a large table from which something is forgotten", function () {
  this.timeout(120_000);
  afterEach(cleanUp);

  it("is taken away with the words, so that forgetting does not wait for it, and made anew by the next search", async () => {
    const store = await openStore();
    const secret = episode({ question: "Where is the zanzibar key?", answer: "Under the quokka." });
    const boat = episode({ question: "Where is the boat?", answer: "In Oban." });
    await store.add([...rows(ROWS), secret, boat]);
    assert.deepEqual(await idsOf(store, "quokka"), [secret.id]);
    assert.ok((await indexesOf(store)).includes(TEXT_INDEX));

    assert.equal(valueOf(await store.episodes.forget([secret.id], never)), 1);
    assert.ok(!(await indexesOf(store)).includes(TEXT_INDEX));

    assert.deepEqual(await idsOf(store, "boat"), [boat.id]);
    assert.deepEqual(await idsOf(store, "quokka"), []);
    assert.ok((await indexesOf(store)).includes(TEXT_INDEX));
  });

  it("is made once when two searches ask for it in the same moment, in two windows too", async () => {
    const store = await openStore();
    const boat = episode({ question: "Where is the boat?", answer: "In Oban." });
    const secret = episode({ question: "Where is the zanzibar key?" });
    await store.add([...rows(ROWS), secret, boat]);
    valueOf(await store.episodes.forget([secret.id], never));
    const other = await openStore({ folder: store.folder });
    const found = await Promise.all([idsOf(store, "boat"), idsOf(store, "boat"), idsOf(other, "boat")]);
    assert.deepEqual(found, [[boat.id], [boat.id], [boat.id]]);
    assert.deepEqual(
      (await indexesOf(store)).filter((name) => name === TEXT_INDEX),
      [TEXT_INDEX],
    );
  });
});
