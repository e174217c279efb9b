import assert from "node:assert/strict";
import fc from "fast-check";
import { analyze, type AskedRange } from "../../../../src/memory/retrieval/analyze.ts";

const OSLO = "Europe/Oslo";
const PACIFIC = "America/Los_Angeles";
/** Saturday 5 December 2026, 10:00 in Oslo. */
const NOW = Date.UTC(2026, 11, 5, 9);

function range(question: string, now = NOW, zone = OSLO): AskedRange | undefined {
  return analyze(question, now, zone).range;
}

/** First and last day of a range, as the zone's calendar shows them. */
function days(question: string, now = NOW, zone = OSLO): readonly (string | undefined)[] {
  const asked = range(question, now, zone);
  const format = new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" });
  return asked === undefined ? [] : [format.format(asked.from), format.format(asked.to)];
}

describe("The time that a question asks about", () => {
  it("is last week from Monday to Sunday, and nothing else is wanted", () => {
    assert.deepEqual(days("What did I tell you last week?"), ["2026-11-23", "2026-11-29"]);
    assert.equal(range("What did I tell you last week?")?.strict, true);
  });

  it("is none when the question asks when", () => {
    assert.equal(range("When was the dentist?"), undefined);
    assert.equal(range("May I march on with the second issue?"), undefined);
  });

  it("is the day of the user's own clock", () => {
    const lateInTheEvening = Date.UTC(2026, 10, 20, 7, 50);
    assert.deepEqual(days("What happened yesterday?", lateInTheEvening, PACIFIC), [
      "2026-11-18",
      "2026-11-18",
    ]);
    assert.deepEqual(days("What happened yesterday?", lateInTheEvening, OSLO), ["2026-11-19", "2026-11-19"]);
    assert.deepEqual(days("What is tomorrow?"), ["2026-12-06", "2026-12-06"]);
  });

  it("is a month or a day by its name, for which what was said later may count too", () => {
    assert.deepEqual(days("What did Ana buy in May 2023?"), ["2023-05-01", "2023-05-31"]);
    assert.deepEqual(days("Who called on 3 June, 2023?"), ["2023-06-03", "2023-06-03"]);
    assert.equal(range("What did Ana buy in May 2023?")?.strict, false);
  });

  it("is one stretch between two ends", () => {
    assert.deepEqual(days("Where was I between 11 August 2023 and 15 August 2023?"), [
      "2023-08-11",
      "2023-08-15",
    ]);
  });

  it("is open towards now with since, and up to a day with before", () => {
    assert.deepEqual(days("What changed since 1 December 2026?"), ["2026-12-01", "2026-12-05"]);
    assert.equal(days("What was said before 3 June 2023?")[1], "2023-06-02");
    assert.deepEqual(days("Where was I in the week before 16 November 2023?"), ["2023-11-09", "2023-11-15"]);
  });

  it("counts relative words from a full date beside them", () => {
    assert.deepEqual(days("What went wrong last week, as told on 6 November 2023?"), [
      "2023-10-30",
      "2023-11-05",
    ]);
  });

  it("never begins after its end, whatever is asked", () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 80 }),
        fc.constantFrom("last week", "in May", "between", "before"),
        (text, words) => {
          const asked = range(`${text} ${words} ${text} 3 June 2023`);
          assert.ok(asked === undefined || asked.from <= asked.to);
        },
      ),
    );
  });
});

describe("What a question is after", () => {
  it("is seen by the same rules as when a turn is remembered", () => {
    assert.equal(analyze("What do I like to drink?", NOW, OSLO).intent, "preference");
    assert.equal(analyze("How do I set up the printer?", NOW, OSLO).intent, "procedure");
    assert.equal(analyze("Where is the boat?", NOW, OSLO).intent, "fact");
  });
});
