import assert from "node:assert/strict";
import type { Table } from "@lancedb/lancedb";
import fc from "fast-check";
import type { Episode } from "../../../../src/agent/memory/port.ts";
import type { Turn } from "../../../../src/memory/retrieval/candidates.ts";
import { LaidTurns } from "../../../../src/memory/retrieval/laid/laid-turns.ts";
import { LaidPlaces } from "../../../../src/memory/retrieval/laid/laid-places.ts";
import { RowRuns } from "../../../../src/memory/retrieval/laid/row-runs.ts";
import { turnsWhere } from "../../../../src/memory/retrieval/laid/turn-columns.ts";
import { retrieve } from "../../../../src/memory/retrieval/retrieve.ts";
import { StoreCandidates } from "../../../../src/memory/retrieval/store-candidates.ts";
import { Maintenance } from "../../../../src/memory/store/maintenance.ts";
import { openStore, rawTable, type Store } from "../store-support.ts";
import { cleanUp, episode, never, valueOf } from "../support.ts";
import { alone, ask, deps, embedder, found } from "./ask-support.ts";

/** A window on a store that has searched before, so that it knows where all turns stand. */
async function window(store: Store): Promise<{ readonly store: Store; readonly source: StoreCandidates }> {
  const source = new StoreCandidates(store);
  await search(source, "boat");
  return { store, source };
}

/** A search, and what it began to read beside itself. */
async function search(source: StoreCandidates, query: string) {
  const searched = valueOf(await retrieve(deps(source), { query, limit: 5 }, never));
  await source.settled();
  return searched;
}

/** What a window finds that knows the store; the same as one finds that was opened just now. */
async function both(store: Store, source: StoreCandidates, query: string): Promise<readonly string[]> {
  const known = await search(source, query);
  assert.deepEqual(known, await ask(await openStore({ folder: store.folder }), query));
  return found(known);
}

async function forget(store: Store, { id }: Episode): Promise<void> {
  valueOf(await store.episodes.forget([id], never));
  valueOf(await store.vectors.wipe([id], never));
}

/** How often a store asks its table of episodes for rows from now on. */
async function countQueries({ episodes }: Store): Promise<() => number> {
  const table = valueOf(
    await episodes.table.read<Table | undefined>(undefined, (own) => Promise.resolve(own), never),
  );
  assert.ok(table);
  let count = 0;
  const query = table.query.bind(table);
  table.query = () => {
    count += 1;
    return query();
  };
  return () => count;
}

const inOrder = (turns: readonly Turn[]): Turn[] => [...turns].sort((a, b) => (a.id < b.id ? -1 : 1));

describe("What a window knows of the turns of a store", () => {
  afterEach(cleanUp);

  it("is found as by a new window, whatever two windows write, forget, tidy up and search in whatever order", async () => {
    const step = fc.record({
      by: fc.nat(1),
      does: fc.constantFrom("add", "add", "forget", "tidy", "search", "search"),
      session: fc.nat(2),
      which: fc.nat(9),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
        const store = await openStore();
        const rows = [1, 2, 3].map((at) =>
          episode({ question: `The boat ${at} is new.`, sessionId: "s1", time: at }),
        );
        await store.add(rows, embedder);
        const windows = [await window(store), await window(await openStore({ folder: store.folder }))];
        for (const { by, does, session, which } of steps) {
          const own = windows[by];
          const row = rows[which % rows.length];
          assert.ok(own && row);
          if (does === "add") {
            const said = {
              question: `Boat ${rows.length}?`,
              sessionId: `s${session}`,
              time: 10 + rows.length,
            };
            rows.push(episode(said));
            await own.store.add(rows.slice(-1), embedder);
          } else if (does === "forget" && rows.length > 1) {
            rows.splice(rows.indexOf(row), 1);
            await forget(own.store, row);
          } else if (does === "tidy") {
            valueOf(await new Maintenance(own.store.database).run(never));
          } else {
            await both(own.store, own.source, "Where is the boat?");
          }
        }
        for (const { store: last, source } of windows) await both(last, source, "Where is the boat?");
      }),
      { numRuns: 5 },
    );
  });

  it("has another window's new turn in a session it knows at once, and never one that was forgotten", async () => {
    const other = await openStore();
    const said = (question: string, time: number): Episode => episode({ question, sessionId: "s", time });
    const [one, two] = [said("The boat lies in Oban.", 1), said("It is new?", 2)];
    await other.add([one, two], embedder);
    const { store, source } = await window(await openStore({ folder: other.folder }));
    const three = said("Yes, the boat was built last year.", 3);
    await other.add([three], embedder);
    assert.ok((await both(store, source, "Where is the boat?")).includes(three.id));
    await forget(other, one);
    assert.ok(!(await both(store, source, "Where is the boat?")).includes(one.id));
    await forget(store, three);
    assert.ok(!(await both(store, source, "Where is the boat?")).includes(three.id));
    valueOf(await new Maintenance(other.database).run(never));
    await both(store, source, "Where is the boat?");
  });

  it("takes no row for another after embeddings were dropped and made anew in another window", async () => {
    const store = await openStore();
    const [boat, cat] = [alone("The boat is in Oban."), alone("The cat sleeps.")];
    await store.add([boat, cat], embedder);
    const { source } = await window(store);
    assert.equal((await both(store, source, "vessel"))[0], boat.id);
    const other = await openStore({ folder: store.folder });
    valueOf(await other.vectors.drop(embedder.model, never));
    // In the other order, so that each lies where the other lay.
    const texts = ["The cat sleeps.", "The boat is in Oban."];
    const embedded = valueOf(await embedder.embed(texts, "document", never));
    const rows = [cat, boat].map(({ id, sessionId, turnId, time }, at) => ({
      ...{ id, sessionId, turnId, time, kind: "episode" as const, scope: "", embedding: embedded[at]! },
    }));
    valueOf(await other.vectors.put(embedder.model, rows, never));
    assert.equal((await both(store, source, "vessel"))[0], boat.id);
  });

  it("is asked of the store no more, until somebody writes", async () => {
    const store = await openStore();
    const rows = [1, 2].map((time) => episode({ question: "boat", sessionId: "s", time }));
    await store.add(rows);
    const { source } = await window(store);
    const asked = await countQueries(store);
    const turns = async (limit = 100): Promise<string[]> =>
      inOrder(valueOf(await source.turnsOf(["s", "none"], { limit, filter: {} }, never))).map(({ id }) => id);
    assert.deepEqual(
      await turns(),
      inOrder(await allTurns(store)).map(({ id }) => id),
    );
    assert.equal(asked(), 1, "by this test alone");
    await (await openStore({ folder: store.folder })).add([episode({ question: "boat", sessionId: "s" })]);
    assert.equal((await turns()).length, 3);
    assert.ok(asked() > 1);
    assert.equal((await turns(2)).length, 2, "no more than are wanted");
  });

  it("stops to be read with the search that began it, and is read by a later one", async () => {
    const store = await openStore();
    await store.add([alone("The boat is in Oban.")], embedder);
    const source = new StoreCandidates(store);
    const stop = new AbortController();
    valueOf(await source.turnsOf(["s"], { limit: 5, filter: {} }, stop.signal));
    stop.abort();
    await source.settled();
    await both(store, source, "Where is the boat?");
    const asked = await countQueries(store);
    valueOf(await source.turnsOf(["s"], { limit: 5, filter: {} }, never));
    assert.equal(asked(), 0);
  });

  async function allTurns(store: Store): Promise<readonly Turn[]> {
    const all = (table: Table) => turnsWhere(table, "true", 1_000);
    return valueOf(await store.episodes.table.read<readonly Turn[]>([], all, never));
  }

  it("is what the store says of each turn, whatever it holds, of these scopes alone where any are given", async () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 80 }),
      fc.constantFrom("", "Vera: why?", "who?"),
    );
    const row = fc.record({
      question: text,
      answer: text,
      sessionId: fc.constantFrom("s", "t", "ü"),
      turnId: fc.oneof(fc.constantFrom("a", "é"), fc.uuid()),
      agent: fc.constantFrom("conclave", "Vera"),
      scope: fc.constantFrom("", "home", "work"),
      time: fc.nat(100),
    });
    const files = fc.array(fc.array(row, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(files, fc.subarray(["", "home"]), async (batches, scopes) => {
        const store = await openStore();
        for (const batch of batches) await store.add(batch.map((fields) => episode(fields)));
        const table = await rawTable(store.folder);
        const laid = await LaidTurns.read(table, batches.flat().length, never);
        const turns = await turnsWhere(table, "true", 1_000);
        assert.deepEqual(
          turns.map(({ row: at }) => laid?.at(at)),
          turns,
        );
        assert.equal(laid?.at(-1), undefined);
        const wanted = ["ü", "s", "none"];
        const options = { limit: 1_000, filter: { scopes } };
        const asked = await new StoreCandidates(store).turnsOf(wanted, options, never);
        assert.deepEqual(inOrder(laid?.ofSessions(wanted, scopes) ?? []), inOrder(valueOf(asked)));
        assert.equal(await LaidTurns.read(table, turns.length + 1, never), undefined);
        assert.equal(await LaidTurns.read(table, turns.length - 1, never), undefined);
      }),
      { numRuns: 12 },
    );
  });
});

describe("Where the embeddings of turns stand", () => {
  afterEach(cleanUp);

  it("is where their turns do, whatever order they were written in, and not known of one without a turn", async () => {
    const store = await openStore();
    const rows = [1, 2, 3, 4].map((at) =>
      episode({ question: `boat ${at}`, turnId: `türn ${at}`, time: at }),
    );
    await store.add(rows, embedder);
    const other = episode({ question: "boat" });
    const embedded = [other, ...rows.slice(0, 2)].map((row) => {
      const embedding = new Float32Array(384).fill(0.1);
      return { ...row, kind: "window" as const, scope: "", embedding };
    });
    valueOf(await store.vectors.put("other model", embedded, never));
    const turns = await LaidTurns.read(await rawTable(store.folder), rows.length, never);
    const own = store.vectors.tableOf("other model", "window");
    assert.ok(turns);
    const laid = valueOf(
      await own.read(undefined, async (table) => LaidPlaces.read(table, turns, 3, never), never),
    );
    const near = async (table: Table) => {
      const stored = await table.query().select(["id"]).withRowId().toArrow();
      return new Map(
        [...(stored.getChild("_rowid") ?? [])].map((row, at) => [stored.get(at)?.["id"], Number(row)]),
      );
    };
    const at = valueOf(await own.read(new Map<unknown, number>(), near, never));
    for (const { id, sessionId, turnId, time } of rows.slice(0, 2)) {
      const { row, ...place } = laid?.at(at.get(id) ?? -1) ?? {};
      assert.deepEqual(place, { id, sessionId, turnId, time });
      assert.deepEqual(
        valueOf(await store.episodes.byIds([id], never, new Map([[id, row ?? -1]])))[0]?.id,
        id,
      );
    }
    assert.equal(laid?.at(at.get(other.id) ?? -1), undefined);
    assert.equal(laid?.at(-1), undefined);
  });
});

describe("Where rows are by where they lie", () => {
  it("is found in whatever order they come, and nowhere else", () => {
    const rows = fc.uniqueArray(
      fc.oneof(
        fc.nat(60),
        fc.nat(60).map((at) => at + 2 ** 33),
      ),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(rows, fc.boolean(), (given, sorted) => {
        const wanted = sorted ? [...given].sort((a, b) => a - b) : given;
        const runs = new RowRuns();
        wanted.forEach((row) => runs.add(row));
        assert.equal(runs.count, wanted.length);
        for (let row = -1; row < 62; row += 1) {
          for (const at of [row, row + 2 ** 33]) {
            const index = wanted.indexOf(at);
            assert.equal(runs.indexOf(at), index < 0 ? undefined : index);
          }
        }
      }),
    );
  });
});
