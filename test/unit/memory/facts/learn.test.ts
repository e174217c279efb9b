import assert from "node:assert/strict";
import { success } from "../../../../src/agent/failure.ts";
import type { Fact, Learnt } from "../../../../src/agent/memory/types.ts";
import type { Embedder } from "../../../../src/memory/embed/embedder.ts";
import { cleanUp, fakeEmbedder, never, valueOf } from "../support.ts";
import { DAY, START, allFacts, learnt, openWindow, proposal, telling, type Window } from "./support.ts";

async function learn(window: Window, ...turns: Learnt[]) {
  const learned = [];
  for (const turn of turns) learned.push(valueOf(await window.facts.learn(turn, never)));
  return learned.at(-1)!;
}

function said(facts: readonly Fact[]): string[] {
  return facts.map(({ text, validTo }) => `${validTo === null ? "IS" : "WAS"} ${text}`).sort();
}

describe("Learning facts", () => {
  afterEach(cleanUp);

  it("small talk teaches nothing of the user, whatever the extractor claims, and says why", async () => {
    const window = await openWindow();
    const persona = "Vera, marine biologist in Tromsoe, formal tone";
    const claims = ["User is a marine biologist", "User prefers formal tone", "User said ok"];
    for (const words of ["hi", "ok thanks", "can you make that shorter?", "run it again"]) {
      for (const quote of ["", words, "marine biologist"]) {
        const facts = claims.map((text) => proposal(text, { quote }));
        const { added, rejected } = await learn(window, learnt(words, { persona, facts }));
        assert.deepEqual(added, []);
        assert.equal(rejected.length, claims.length);
        assert.ok(rejected.every(({ reason }) => reason.length > 3));
      }
    }
    assert.deepEqual(await allFacts(window), []);
  });

  it("twenty memories that are recalled and restated for fifty turns stay twenty; their mentions rise", async () => {
    const window = await openWindow();
    const things =
      `sailing chess pottery archery jazz sushi knitting astronomy origami falconry cycling opera judo
      gardening surfing baking poetry fencing painting climbing`.split(/\s+/);
    for (const thing of things) await learn(window, telling(`I like ${thing} a lot`, `User likes ${thing}`));
    const talk = ["nice weather today", "ok thanks", "hm, let me think", "good morning", "what a day it is"];
    for (let turn = 0; turn < 50; turn += 1) {
      const five = Array.from({ length: 5 }, (_, index) => things[(turn * 5 + index) % things.length]!);
      const words = talk[turn % talk.length]!;
      const recalled = five.map((thing) => `[2026-11-02] User likes ${thing}`);
      const restated = `User is very fond of ${five[0]!} these days`;
      const facts = [proposal(restated, { quote: turn % 2 === 0 ? "" : words })];
      const { added, repeated } = await learn(window, learnt(words, { recalled, facts }));
      assert.deepEqual([added.length, repeated.length], [0, 1]);
    }
    const rows = await allFacts(window);
    assert.equal(rows.length, things.length);
    assert.equal(
      rows.reduce((sum, { mentions }) => sum + mentions, 0),
      things.length + 50,
    );
    assert.ok(rows.every(({ confidence }) => confidence === 0.7));
  });

  it("what the user says again gains confidence, never beyond .95, and stays one fact", async () => {
    const window = await openWindow();
    const again = ["I like tea", "I love tea", "really, I do like tea", "tea is what I like"];
    for (let turn = 0; turn < 12; turn += 1) {
      await learn(window, telling(again[turn % again.length]!, "User likes tea"));
    }
    const [fact, ...others] = await allFacts(window);
    assert.deepEqual(others, []);
    assert.deepEqual([fact!.mentions, fact!.confidence], [12, 0.95]);
  });

  it("confidence begins within .2 and .95 whatever the extractor says", async () => {
    const window = await openWindow();
    await learn(
      window,
      learnt("I like tea and rum", {
        facts: [
          proposal("User likes tea", { confidence: 1 }),
          proposal("User likes rum", { confidence: 0.01 }),
        ],
      }),
    );
    assert.deepEqual((await allFacts(window)).map(({ confidence }) => confidence).sort(), [0.2, 0.95]);
  });

  it("a contradiction closes the older fact when it was said and deletes nothing", async () => {
    const window = await openWindow();
    await learn(window, telling("I live in Oslo", "User lives in Oslo"));
    const moved = telling("I moved to Rome", "User moved to Rome");
    const { closed, added } = await learn(window, moved);
    assert.deepEqual([closed.length, added.length], [1, 1]);
    const rows = await allFacts(window);
    assert.deepEqual(said(rows), ["IS User moved to Rome", "WAS User lives in Oslo"]);
    assert.equal(rows.find(({ validTo }) => validTo !== null)?.validTo, moved.source.time);
  });

  it("one can like many things, and live in one place again after another", async () => {
    const window = await openWindow();
    await learn(
      window,
      telling("I like tea", "User likes tea"),
      telling("I like coffee too", "User likes coffee"),
      telling("I live in Oslo", "User lives in Oslo"),
      telling("I live in Rome now", "User lives in Rome"),
      telling("I live in Oslo again", "User lives in Oslo"),
    );
    assert.deepEqual(said(await allFacts(window)), [
      "IS User likes coffee",
      "IS User likes tea",
      "IS User lives in Oslo",
      "WAS User lives in Oslo",
      "WAS User lives in Rome",
    ]);
  });

  it("who lives in a country may live in a town of it: only a move closes either", async () => {
    const window = await openWindow();
    await learn(window, telling("I live in Norway", "User lives in Norway"));
    await learn(window, telling("I live in Oslo", "User lives in Oslo"));
    assert.deepEqual(said(await allFacts(window)), ["IS User lives in Norway", "IS User lives in Oslo"]);
    await learn(window, telling("I moved to Rome", "User moved to Rome"));
    assert.deepEqual(said(await allFacts(window)), [
      "IS User moved to Rome",
      "WAS User lives in Norway",
      "WAS User lives in Oslo",
    ]);
    const other = await openWindow();
    await learn(other, telling("I live in Oslo", "User lives in Oslo"));
    await learn(other, telling("I live in Bergen", "User lives in Bergen"));
    assert.deepEqual(said(await allFacts(other)), ["IS User lives in Bergen", "WAS User lives in Oslo"]);
  });

  it("an older statement that is learnt later never closes a newer one", async () => {
    const window = await openWindow();
    await learn(window, telling("I live in Rome", "User lives in Rome"));
    const old = telling("I live in Oslo", "User lives in Oslo");
    await learn(window, { ...old, source: { ...old.source, time: START - DAY } });
    assert.deepEqual(said(await allFacts(window)), ["IS User lives in Rome", "WAS User lives in Oslo"]);
  });

  it("what an extractor says is contradicted is closed, unless both can hold side by side", async () => {
    const window = await openWindow();
    await learn(
      window,
      telling("I am vegetarian", "User is vegetarian"),
      telling("I like tea", "User likes tea"),
      learnt("I eat meat now, and I like coffee", {
        facts: [
          proposal("User eats meat", { contradicts: "User is vegetarian" }),
          proposal("User likes coffee", { contradicts: "User likes tea" }),
        ],
      }),
    );
    assert.deepEqual(said(await allFacts(window)), [
      "IS User eats meat",
      "IS User likes coffee",
      "IS User likes tea",
      "WAS User is vegetarian",
    ]);
  });

  it("a guess does not close what is known well", async () => {
    const window = await openWindow();
    await learn(window, telling("I live in Oslo", "User lives in Oslo"));
    const facts = [proposal("User lives in Rome", { confidence: 0.3 })];
    const { rejected } = await learn(window, learnt("Maybe I live in Rome soon", { facts }));
    assert.match(rejected[0]!.reason, /less certain/);
    assert.deepEqual(said(await allFacts(window)), ["IS User lives in Oslo"]);
  });

  it("an appointment that is put off closes the old one; two that were stay two", async () => {
    const window = await openWindow();
    const dentist = (day: number, time: number) => {
      const text = `The dentist is on 2026-11-${String(day)}`;
      const facts = [proposal(text, { kind: "event", eventFrom: Date.UTC(2026, 10, day) })];
      const turn = learnt(`My dentist is on 2026-11-${String(day)}`, { facts });
      return { ...turn, source: { ...turn.source, time } };
    };
    await learn(window, dentist(20, START), dentist(27, START + DAY), dentist(29, Date.UTC(2026, 10, 28)));
    assert.deepEqual(said(await allFacts(window)), [
      "IS The dentist is on 2026-11-27",
      "IS The dentist is on 2026-11-29",
      "WAS The dentist is on 2026-11-20",
    ]);
  });

  it("words such as tomorrow stay as they were said, and mean the day they stood for then", async () => {
    const window = await openWindow();
    const time = new Date(2026, 10, 19, 23, 50).getTime();
    const turn = telling("My dentist is tomorrow at 3pm", "The dentist is tomorrow at 3pm");
    await learn(window, { ...turn, source: { ...turn.source, time } });
    const [fact] = await allFacts(window);
    assert.equal(fact!.text, "The dentist is tomorrow at 3pm");
    assert.equal(fact!.quote, "My dentist is tomorrow at 3pm");
    const same = telling("My dentist is on 2026-11-20 at 15:00", "The dentist is on 2026-11-20 at 15:00");
    await learn(
      window,
      { ...same, source: { ...same.source, time: time + 60_000 } },
      { ...turn, source: { ...turn.source, turnId: "later", time: time + 9 * DAY } },
    );
    assert.equal(
      (await allFacts(window)).length,
      2,
      "the same day is the same fact, another day is another one",
    );
  });

  it("another project's facts are neither repeated nor closed; global ones are", async () => {
    const window = await openWindow();
    await learn(
      window,
      { ...telling("our deadline is 2026-12-01", "The deadline is 2026-12-01"), scope: "boat" },
      { ...telling("our deadline is 2026-12-24", "The deadline is 2026-12-24"), scope: "house" },
      telling("I live in Oslo", "User lives in Oslo"),
      { ...telling("I live in Rome now", "User lives in Rome"), scope: "boat" },
    );
    assert.deepEqual(said(await allFacts(window)), [
      "IS The deadline is 2026-12-01",
      "IS The deadline is 2026-12-24",
      "IS User lives in Rome",
      "WAS User lives in Oslo",
    ]);
  });

  it("what differs in words only is one fact where there is an embedder, and never what differs in value", async () => {
    const same = { adores: "like", loves: "like", felines: "cat", cats: "cat", likes: "like" };
    const window = await openWindow({ embedder: fakeEmbedder(same) });
    await learn(
      window,
      telling("I love cats", "User loves cats"),
      telling("I adore felines, you know", "User adores felines"),
      telling("I don't like cats any more", "User does not like cats"),
    );
    assert.deepEqual(said(await allFacts(window)), ["IS User does not like cats", "WAS User loves cats"]);
  });

  it("an embedder to which all is alike makes no denial, name, number or place the same as another", async () => {
    const alike: Embedder = {
      model: "alike",
      dimensions: 2,
      embed: (texts) => Promise.resolve(success(texts.map(() => new Float32Array([1, 0])))),
    };
    const window = await openWindow({ embedder: alike });
    await learn(
      window,
      telling("I met Anna", "User met Anna"),
      telling("I met Bea", "User met Bea"),
      telling("I run 5 km", "User runs 5 km"),
      telling("I run 10 km", "User runs 10 km"),
      telling("I like tea", "User likes tea"),
      telling("I don't like tea", "User does not like tea"),
      telling("I live in Oslo", "User lives in Oslo"),
      telling("I live in Rome", "User lives in Rome"),
    );
    assert.deepEqual(said(await allFacts(window)), [
      "IS User does not like tea",
      "IS User lives in Rome",
      "IS User met Anna",
      "IS User met Bea",
      "IS User runs 10 km",
      "IS User runs 5 km",
      "WAS User likes tea",
      "WAS User lives in Oslo",
    ]);
  });

  it("two windows that learn the same in the same moment make one fact of it", async () => {
    const one = await openWindow();
    const two = await openWindow({ folder: one.folder });
    await learn(one, telling("I like rum", "User likes rum"));
    const turns = [telling("I like tea", "User likes tea"), telling("I really like tea", "User likes tea")];
    const done = await Promise.all([one.facts.learn(turns[0]!, never), two.facts.learn(turns[1]!, never)]);
    assert.equal(done.flatMap((result) => valueOf(result).added).length, 1);
    for (const window of [one, two]) {
      const tea = (await allFacts(window)).filter(({ text }) => text === "User likes tea");
      assert.deepEqual(
        tea.map(({ mentions }) => mentions),
        [2],
      );
    }
  });

  it("quotes and signs in texts are just text", async () => {
    const window = await openWindow();
    const text = `User's motto is it's "fine" -- 100 % 'x' OR '1'='1'`;
    await learn(window, telling(`My motto is it's "fine" -- 100 % 'x' OR '1'='1'`, text));
    assert.deepEqual(said(await allFacts(window)), [`IS ${text}`]);
  });

  it("a cancelled learning changes nothing and says so", async () => {
    const window = await openWindow();
    const result = await window.facts.learn(telling("I like tea", "User likes tea"), AbortSignal.abort());
    assert.equal(!result.ok && result.failure.code, "cancelled");
    assert.deepEqual(await allFacts(window), []);
  });
});
