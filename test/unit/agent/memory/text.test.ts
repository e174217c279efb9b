import assert from "node:assert/strict";
import type { Episode } from "../../../../src/agent/memory/port.ts";
import {
  dayOf,
  factLines,
  graphLines,
  memoryLines,
  memoryLineText,
} from "../../../../src/agent/memory/text.ts";

const NOW = new Date(2026, 10, 5, 12).getTime();

const EPISODE: Episode = {
  ...{ id: "e1", sessionId: "5e55104e-0000-4000", turnId: "t1", question: "Which\nport?", answer: "8080." },
  ...{ agent: "conclave", respondent: "A", model: "m", time: NOW, kind: "turn" },
};

describe("memory as a model reads it", () => {
  it("is one line a memory, with the day of this machine's time and the session", () => {
    assert.deepEqual(
      memoryLines([{ episode: EPISODE }, { episode: { ...EPISODE, question: "", kind: "moment" } }]),
      [
        "[2026-11-05] [5e55104e] Asked: Which port? Answered: 8080.",
        "[2026-11-05] [5e55104e] Noted (moment): 8080.",
      ],
    );
    assert.equal(dayOf(new Date(2026, 10, 5, 23, 59).getTime()), "2026-11-05");
    assert.equal(dayOf(new Date(2026, 10, 5, 0, 1).getTime()), "2026-11-05");
    assert.equal(dayOf(Number.NaN), "unknown date");
  });

  it("has the user's own words where they corrected it", () => {
    const notes = { edit: { answer: "9090." } };
    assert.match(memoryLines([{ episode: EPISODE, notes }])[0] ?? "", /Answered: 9090\.$/);
  });

  it("tells facts as IS, WAS and what is still to come, by their month", () => {
    const month = (index: number): number => new Date(2026, index, 1, 12).getTime();
    const facts = [
      { text: "Anna lives in Rome.", validFrom: month(4), validTo: null },
      { text: "Anna lives in Oslo", validFrom: month(0), validTo: month(4) },
      { text: "Anna works at Acme", validFrom: month(0), validTo: month(11) },
      { text: "Anna moves to Lima", validFrom: month(11), validTo: null },
    ];
    assert.deepEqual(factLines(facts, NOW), [
      "IS Anna lives in Rome (current, since 2026-05)",
      "WAS Anna lives in Oslo (past, until 2026-05)",
      "IS Anna works at Acme (current, since 2026-01)",
      "WILL BE Anna moves to Lima (planned, from 2026-12)",
    ]);
  });

  it("tells beside a fact's own words the time that they mean", () => {
    const at = (day: number, hour: number): number => new Date(2026, 4, day, hour).getTime();
    const holds = { validFrom: at(1, 0), validTo: null };
    const facts = [
      { text: "The dentist is tomorrow at 3pm", eventFrom: at(8, 15), eventTo: at(8, 15) },
      { text: "The fair is tomorrow", eventFrom: at(8, 0), eventTo: at(9, 0) - 1 },
      { text: "Anna is away next week", eventFrom: at(11, 0), eventTo: at(18, 0) - 1 },
      { text: "Anna likes tea", eventFrom: null, eventTo: null },
    ].map((fact) => ({ ...fact, ...holds }));
    assert.deepEqual(factLines(facts, NOW), [
      "IS The dentist is tomorrow at 3pm [2026-05-08 15:00] (current, since 2026-05)",
      "IS The fair is tomorrow [2026-05-08] (current, since 2026-05)",
      "IS Anna is away next week [2026-05-11 to 2026-05-17] (current, since 2026-05)",
      "IS Anna likes tea (current, since 2026-05)",
    ]);
  });

  it("makes a sentence of a relation that was told without one", () => {
    const relationship = {
      ...{
        id: "r",
        from: "Anna",
        to: "Bo",
        fromId: "a",
        toId: "b",
        type: "sister_of",
        text: " ",
        strength: 1,
      },
      ...{ validFrom: NOW, validTo: null, owner: "user", scope: "", mentions: 1, updatedAt: NOW },
      source: { sessionId: "s", turnId: "t", time: NOW },
    };
    assert.deepEqual(graphLines([{ relationship }], NOW), ["IS Anna sister of Bo (current, since 2026-11)"]);
  });

  it("is one line without signs that nobody sees, cut at a whole sign", () => {
    assert.equal(
      memoryLineText("a\u202e\u200b\u{E0041}\u0000 b\r\n\tc\u2028d \ud83d", 100),
      "a b c d \ufffd",
    );
    assert.equal(memoryLineText("👩‍🚀 flies", 100), "👩‍🚀 flies");
    assert.equal(memoryLineText("x👩‍🚀👩‍🚀", 8), "x👩‍🚀…");
    assert.ok(memoryLineText("word ".repeat(1_000), 300).length <= 300);
  });
});
