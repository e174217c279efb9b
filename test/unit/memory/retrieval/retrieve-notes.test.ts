import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { DEFAULT_RETRIEVAL, type AnnotationValue } from "../../../../src/agent/memory/port.ts";
import type { Store } from "../store-support.ts";
import { openStore } from "../store-support.ts";
import { cleanUp, episode, never, valueOf } from "../support.ts";
import { alone, ask, embedder, found, without, withEmbedder } from "./ask-support.ts";

describe("Searching memory by more than words", () => {
  afterEach(cleanUp);

  it("puts what is told in a turn's own words of the time asked about before the rest", async () => {
    const store = await openStore();
    const [march, june] = [alone("The convention was last month."), alone("The convention is a bore.")];
    await store.add([
      { ...march, time: Date.UTC(2026, 3, 18, 12) },
      { ...june, time: Date.UTC(2026, 5, 18, 12) },
    ]);
    const search = await ask(store, "Which convention was in March 2026?", without);
    assert.equal(found(search)[0], march.id);
    assert.equal(search.hits[0]?.parts.time, 1);
  });

  describe("with a time in the question", () => {
    const week = { ...alone("The dentist moved the boat."), time: Date.UTC(2026, 10, 25, 12) };
    const earlier = { ...alone("The dentist bought a boat."), time: Date.UTC(2026, 9, 2, 12) };
    const told = { ...alone("The dentist is on 27 November 2026."), time: Date.UTC(2026, 9, 3, 12) };

    it("gives what was said or happens then alone, when it says so: last week", async () => {
      const store = await openStore();
      await store.add([week, earlier, told]);
      const search = await ask(store, "What did I say of the dentist last week?", without);
      assert.deepEqual(new Set(found(search)), new Set([week.id, told.id]));
      assert.deepEqual(search.range, { from: Date.UTC(2026, 10, 23), to: Date.UTC(2026, 10, 30) - 1 });
    });

    it("gives nothing, rather than what is of another year, when there was nothing then", async () => {
      const store = await openStore();
      await store.add([{ ...earlier, time: Date.UTC(2025, 10, 25, 12) }]);
      const search = await ask(store, "What did I say of the dentist last week?", without);
      assert.deepEqual(found(search), []);
      assert.equal(search.dropped, 1);
    });

    it("looks everywhere when it names no time: when was the dentist?", async () => {
      const store = await openStore();
      await store.add([week, earlier]);
      const search = await ask(store, "When was the dentist?", without);
      assert.equal(search.range, undefined);
      assert.equal(found(search).length, 2);
    });

    it("keeps to the range it is given", async () => {
      const store = await openStore();
      await store.add([week, earlier], embedder);
      const from = Date.UTC(2026, 10, 1);
      assert.deepEqual(found(await ask(store, "dentist boat", withEmbedder, { from })), [week.id]);
      assert.deepEqual(found(await ask(store, "dentist boat", withEmbedder, { to: from })), [earlier.id]);
    });
  });

  it("keeps to the scopes it is given; the turns beside are of them too", async () => {
    const store = await openStore();
    const one = { ...alone("Where is the boat?"), scope: "one", sessionId: "shared" };
    const other = { ...alone("Where is the other boat?"), scope: "two", sessionId: "shared" };
    const everywhere = alone("Where is the ferry boat?");
    await store.add([one, other, everywhere], embedder);
    const scoped = await ask(store, "boat", withEmbedder, { scopes: ["one", ""] });
    assert.deepEqual(new Set(found(scoped)), new Set([one.id, everywhere.id]));
    assert.equal(scoped.searched, 2);
  });

  it("puts what one named speaker said before what was said to them", async () => {
    const store = await openStore();
    const lines = [
      "Ana: the boat is blue today",
      "Bo: the boat is red today",
      "Ana: and the tea is cold now",
    ];
    const talk = lines.map((question, index) =>
      episode({ question, answer: "", sessionId: "talk", time: index }),
    );
    await store.add(talk);
    const ofBo = await ask(store, "What did Bo say of the boat?", without);
    assert.equal(found(ofBo)[0], talk[1]?.id);
    assert.equal(ofBo.hits[0]?.parts.speaker, 1);
    assert.equal(found(await ask(store, "What did Ana say of the boat?", without))[0], talk[0]?.id);
  });

  it("puts what the question is after first among equals: a preference, and not a fact about the same", async () => {
    const store = await openStore();
    const fact = { ...alone("The tin with coffee is here"), intent: "fact", time: 2 } as const;
    const preference = { ...alone("The cup with coffee is here"), intent: "preference", time: 1 } as const;
    await store.add([fact, preference]);
    const liked = await ask(store, "What coffee do I like?", without);
    assert.deepEqual(found(liked), [preference.id, fact.id]);
    assert.equal(liked.hits[0]?.parts.intent, 1);
    const other = await ask(store, "Which coffee is it?", without);
    assert.deepEqual(found(other), [fact.id, preference.id]);
    assert.equal(other.hits[0]?.parts.intent, undefined);
  });

  describe("with what is known of a memory", () => {
    const pair = [alone("Where is the boat?", "In Oban."), alone("Where is the boat?", "In Mallaig.")];

    async function noted(...values: AnnotationValue[]): Promise<Store> {
      const store = await openStore();
      await store.add(pair, embedder);
      const written = values.map((value) => ({
        ...value,
        ...{ id: randomUUID(), episodeId: pair[0]!.id, by: "user" as const, time: Date.UTC(2026, 11, 4) },
      }));
      valueOf(await store.annotations.append(written, never));
      return store;
    }

    const lifts: AnnotationValue[] = [
      { kind: "score", value: 5 },
      { kind: "verdict", value: "winner" },
      { kind: "reward", value: 1 },
      { kind: "pin", value: true },
    ];
    for (const lift of lifts) {
      it(`lifts it by its ${lift.kind}, and shows by how much`, async () => {
        const search = await ask(await noted(lift), "boat");
        assert.equal(found(search)[0], pair[0]?.id);
        assert.ok((search.hits[0]?.parts[lift.kind] ?? 0) > 0);
        assert.ok(search.hits[0]!.score > search.hits[1]!.score);
      });
    }

    it("lowers it by a bad grade, a lost duel or a bad reward", async () => {
      for (const value of [
        { kind: "score", value: 1 },
        { kind: "verdict", value: "loser" },
        { kind: "reward", value: -1 },
      ] as const) {
        assert.equal(found(await ask(await noted(value), "boat"))[0], pair[1]?.id, value.kind);
      }
    });

    it("brings nothing back by a good grade that the threshold dropped", async () => {
      const store = await noted(...lifts);
      await store.add([alone("A boat, a boat, a boat and another boat: all of them boats.")], embedder);
      const settings = { ...DEFAULT_RETRIEVAL, threshold: 1, scoreWeight: 1 };
      const search = await ask(store, "boat", withEmbedder, { settings });
      assert.deepEqual(found(search), []);
      assert.equal(search.dropped, 3);
    });

    it("drops nothing of what it finds where who asks judges that themselves", async () => {
      const store = await noted(...lifts);
      const settings = { ...DEFAULT_RETRIEVAL, threshold: 1 };
      const search = await ask(store, "boat", withEmbedder, { settings, unjudged: true });
      assert.ok(found(search).length > 0);
      assert.equal(search.dropped, 0);
    });

    it("finds an edited memory by the user's words, and no longer by those that were said", async () => {
      const store = await noted({ kind: "edit", value: { answer: "In Tobermory." } });
      const [hit] = (await ask(store, "Tobermory", without)).hits;
      assert.equal(hit?.episode.id, pair[0]?.id);
      assert.equal(hit?.notes?.edit?.answer, "In Tobermory.");
      assert.deepEqual(found(await ask(store, "Oban", without)), []);
    });

    it("gives a shadow's answer only when the user took it", async () => {
      const shadow = { ...alone("Where is the boat?", "In Skye."), respondent: "B" };
      const store = await openStore();
      await store.add([shadow], embedder);
      assert.deepEqual(found(await ask(store, "boat Skye")), []);
      const taken = { kind: "taken", value: true } as const;
      const annotation = { ...taken, id: randomUUID(), episodeId: shadow.id, by: "user" as const, time: 1 };
      valueOf(await store.annotations.append([annotation], never));
      assert.deepEqual(found(await ask(store, "boat Skye")), [shadow.id]);
    });
  });
});
