import assert from "node:assert/strict";
import fc from "fast-check";
import { age } from "../../../src/webview/format.ts";
import { parsePanelMessage } from "../../../src/trace/panel-protocol.ts";
import { changeOf, editValue } from "../../../src/webview/memory/edits.ts";
import { readMemory } from "../../../src/webview/memory/saved.ts";
import { scoreParts, whyRecalled } from "../../../src/webview/score-parts.ts";
import { episodes, facts, moments, people } from "../../browser/support/memories.ts";

const NOW = Date.UTC(2026, 10, 28);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe("memory view: why something was recalled", () => {
  it("names the strongest reasons first, then what lifted and what lowered it", () => {
    assert.equal(
      whyRecalled({
        text: 0.4,
        vector: 0.9,
        relevance: 0.7,
        score: 0.1,
        verdict: -0.05,
        reward: -0.1,
        recency: 0.04,
      }),
      "Recalled because it means much the same as what was asked; lifted by its good grade (+0.10) and being recent (+0.04); lowered by the verdict against it (−0.05) and your poor opinion of it (−0.10).",
    );
  });

  it("says who said it and when, where that was asked", () => {
    const why = whyRecalled({ text: 0.8, speaker: 1, time: 1, substance: 0.5, relevance: 0.9 });
    assert.match(why, /the one who was asked about said it/);
    assert.match(why, /it is of the time that was asked about/);
    assert.match(why, /it shares words/);
  });

  it("says so when only what stands beside it fits", () => {
    assert.match(whyRecalled({ text: 0, textNeighbours: 0.6, relevance: 0.3 }), /what stands beside it fits/);
  });

  it("makes a sentence of any parts, and tells each of them once", () => {
    const parts = fc.dictionary(fc.string({ maxLength: 12 }), fc.double({ min: -1, max: 1, noNaN: true }));
    fc.assert(
      fc.property(parts, (any) => {
        assert.match(whyRecalled(any), /^Recalled.*\.$/s);
        const told = scoreParts(any).map(({ name }) => name);
        assert.equal(new Set(told).size, told.length);
        const expected = Object.keys(any).filter((name) => name !== "relevance" && any[name] !== 0);
        assert.deepEqual([...told].sort(), expected.sort());
      }),
    );
  });
});

describe("memory view: what the user writes", () => {
  const fact = { table: "facts", row: facts(1, NOW)[0]!, cut: false } as const;
  const person = { table: "people", row: people(NOW)[0]!, cut: false } as const;
  const episode = { table: "episodes", row: episodes(1, NOW)[0]!, cut: false } as const;
  const moment = { table: "moments", row: moments(1, NOW)[0]!, cut: false } as const;

  it("becomes a change of the one field", () => {
    assert.deepEqual(changeOf(fact, "text", "  New words "), {
      edit: { table: "facts", id: fact.row.id, text: "New words" },
    });
    assert.deepEqual(changeOf(fact, "confidence", "0,35"), {
      edit: { table: "facts", id: fact.row.id, confidence: 0.35 },
    });
    assert.deepEqual(changeOf(person, "aliases", "Mimi, , M. K.,"), {
      edit: { table: "people", id: person.row.id, aliases: ["Mimi", "M. K."] },
    });
    assert.deepEqual(changeOf(person, "aliases", ""), {
      edit: { table: "people", id: person.row.id, aliases: [] },
    });
  });

  it("is refused in words when no row can hold it", () => {
    for (const wrong of ["", "much", "1.2", "-1", "NaN", "Infinity"])
      assert.ok("problem" in changeOf(fact, "confidence", wrong), wrong);
    assert.ok("problem" in changeOf(fact, "text", "   "));
    assert.ok("problem" in changeOf(fact, "id", "x"));
    assert.ok("problem" in changeOf(fact, "__proto__", "x"));
  });

  it("is refused in words, or taken by the host, whatever its length: no editor waits for ever", () => {
    const fields = [
      ...["text", "subject"].map((field) => [fact, field] as const),
      ...["name", "aliases"].map((field) => [person, field] as const),
      ...["question", "answer"].map((field) => [episode, field] as const),
      ...["title", "text"].map((field) => [moment, field] as const),
    ];
    const written = fc.tuple(fc.constantFrom("fact", "rye bread ", "a,", "\u{1F35E}"), fc.nat(3_000));
    fc.assert(
      fc.property(fc.constantFrom(...fields), written, ([line, field], [part, times]) => {
        const change = changeOf(line, field, part.repeat(times));
        if ("problem" in change) assert.match(change.problem, /\.$/);
        else assert.ok(parsePanelMessage({ type: "memory.edit", request: 1, edit: change.edit }), field);
      }),
    );
  });

  it("begins with what is there: the user's own words of an episode where there are some", () => {
    assert.equal(editValue(episode, "answer"), episode.row.answer);
    const row = { ...episode.row, notes: { edit: { answer: "mine" } } };
    assert.equal(editValue({ ...episode, row }, "answer"), "mine");
    assert.equal(editValue(person, "aliases"), "Mira K.");
    assert.equal(editValue(fact, "confidence"), "0.9");
  });
});

describe("memory view: what outlives the page", () => {
  it("is read back as it was, and anything else is as on a first visit", () => {
    const first = readMemory(undefined);
    assert.equal(first.table, "episodes");
    assert.deepEqual(first.tabs.facts.sort, { column: "updatedAt", ascending: false });
    const sort = { column: "confidence", ascending: true };
    const saved = {
      ...first,
      table: "facts",
      tabs: {
        ...first.tabs,
        facts: { ...first.tabs.facts, filter: "x", sort, top: 280, open: { id: "a", index: 9 } },
        moments: { ...first.tabs.moments, days: { from: "2026-03-12", to: "" } },
      },
    };
    assert.deepEqual(readMemory(structuredClone(saved)), saved);
    fc.assert(
      fc.property(fc.anything(), (any) => {
        assert.deepEqual(
          readMemory({
            table: any,
            tabs: { facts: any, people: { sort: any, open: any }, moments: { days: any } },
          }),
          first,
        );
      }),
      {
        examples: [
          [{ column: "1; drop", ascending: true }],
          [{ top: -1, open: { id: 4 } }],
          [null],
          [{ from: "2026-13-40", to: 7 }],
        ],
      },
    );
  });
});

describe("memory view: ages", () => {
  it("says how long ago in a word or two", () => {
    const ages = [0, 5 * MINUTE, 3 * 60 * MINUTE, 2 * DAY, 20 * DAY, 100 * DAY, 800 * DAY];
    assert.deepEqual(
      ages.map((ms) => age(NOW - ms, NOW)),
      ["now", "5 min", "3 h", "2 d", "2 wk", "3 mo", "2 y"],
    );
    assert.equal(age(NOW + DAY, NOW), "now");
  });
});
