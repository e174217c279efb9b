import assert from "node:assert/strict";
import fc from "fast-check";
import { instantOf, wallTime } from "../../../../src/agent/time/civil.ts";
import { resolveTimeWords } from "../../../../src/agent/time/time-words.ts";

const WEST = "America/Los_Angeles";
/** Thursday, 2026-11-19, 23:50 in the west of America: already Friday in UTC. */
const LATE_ON_THURSDAY = Date.UTC(2026, 10, 20, 7, 50);

/** A text with its times written out, as said late on that Thursday. */
function written(text: string): string {
  return resolveTimeWords(text, LATE_ON_THURSDAY, WEST).reduceRight(
    (rest, time) => rest.slice(0, time.index) + time.written + rest.slice(time.index + time.text.length),
    text,
  );
}

/** The only time of a text, as days of the west, both ends included. */
function days(text: string): string {
  const [time, ...others] = resolveTimeWords(text, LATE_ON_THURSDAY, WEST);
  assert.ok(time !== undefined && others.length === 0, `${others.length + (time ? 1 : 0)} times in ${text}`);
  const day = (instant: number): string => new Date(wallTime(instant, WEST)).toISOString().slice(0, 10);
  return `${day(time.from)}..${day(time.to)}`;
}

describe("time words", () => {
  it("mean what the clock of the turn and its zone make of them, not the day in UTC", () => {
    const said = "The dentist is tomorrow at 3pm, and we moved last week.";
    assert.equal(
      written(said),
      "The dentist is on 2026-11-20 at 15:00, and we moved in the week of 2026-11-09.",
    );
    const [dentist, move] = resolveTimeWords(said, LATE_ON_THURSDAY, WEST);
    assert.equal(dentist!.from, Date.UTC(2026, 10, 20, 23));
    assert.equal(dentist!.to, dentist!.from);
    assert.equal(move!.from, Date.UTC(2026, 10, 9, 8));
    assert.equal(move!.to, Date.UTC(2026, 10, 16, 8) - 1);
  });

  const MEANT: readonly (readonly [string, string])[] = [
    ["today", "2026-11-19..2026-11-19"],
    ["the day before yesterday", "2026-11-17..2026-11-17"],
    ["the day after tomorrow", "2026-11-21..2026-11-21"],
    ["last night", "2026-11-18..2026-11-18"],
    ["this week", "2026-11-16..2026-11-22"],
    ["the week before last", "2026-11-02..2026-11-08"],
    ["next week", "2026-11-23..2026-11-29"],
    ["last weekend", "2026-11-14..2026-11-15"],
    ["last month", "2026-10-01..2026-10-31"],
    ["next year", "2027-01-01..2027-12-31"],
    ["three days ago", "2026-11-16..2026-11-16"],
    ["two weeks ago", "2026-11-02..2026-11-08"],
    ["in two weeks", "2026-11-30..2026-12-06"],
    ["in a fortnight", "2026-11-30..2026-12-06"],
    ["a month ago", "2026-10-01..2026-10-31"],
    ["in the last 7 days", "2026-11-12..2026-11-19"],
    ["We meet on Friday", "2026-11-20..2026-11-20"],
    ["We met on Friday", "2026-11-13..2026-11-13"],
    ["next Tuesday", "2026-11-24..2026-11-24"],
    ["last Monday", "2026-11-16..2026-11-16"],
    ["Tuesday last week", "2026-11-10..2026-11-10"],
    ["We will go in March", "2027-03-01..2027-03-31"],
    ["I was there in March", "2026-03-01..2026-03-31"],
    ["last summer", "2026-06-01..2026-08-31"],
    ["Saturday 5 December 2026 was the day", "2026-12-05..2026-12-05"],
    ["It was on Friday, 6 November.", "2026-11-06..2026-11-06"],
    ["on 3 May 2024", "2024-05-03..2024-05-03"],
    ["May 3rd, 2024", "2024-05-03..2024-05-03"],
    ["since 2010", "2010-01-01..2010-12-31"],
    ["the night before last", "2026-11-17..2026-11-17"],
    ["the call is in two hours", "2026-11-20..2026-11-20"],
    ["three hours ago", "2026-11-19..2026-11-19"],
    ["an hour and a half ago", "2026-11-19..2026-11-19"],
    ["Saturday after next", "2026-11-28..2026-11-28"],
    ["the Monday before last", "2026-11-09..2026-11-09"],
    ["Monday week", "2026-11-30..2026-11-30"],
    ["on Tuesday the 24th", "2026-11-24..2026-11-24"],
    ["It is on the 5th.", "2026-12-05..2026-12-05"],
    ["It was on the 5th.", "2026-11-05..2026-11-05"],
    ["at the end of the month", "2026-11-01..2026-11-30"],
    ["at the beginning of this year", "2026-01-01..2026-12-31"],
    ["a year and a half ago", "2025-05-01..2025-05-31"],
    ["two and a half years ago", "2024-05-01..2024-05-31"],
    ["half a year ago", "2026-05-01..2026-05-31"],
    ["2026-02-28", "2026-02-28..2026-02-28"],
    ["28.2.2026", "2026-02-28..2026-02-28"],
    ["übermorgen", "2026-11-21..2026-11-21"],
    ["letzte Woche", "2026-11-09..2026-11-15"],
    ["vor drei Tagen", "2026-11-16..2026-11-16"],
    ["hier", "2026-11-18..2026-11-18"],
    ["la semaine prochaine", "2026-11-23..2026-11-29"],
    ["il y a deux jours", "2026-11-17..2026-11-17"],
    ["ayer", "2026-11-18..2026-11-18"],
    ["dentro de dos semanas", "2026-11-30..2026-12-06"],
    ["Am Montag fange ich an", "2026-11-23..2026-11-23"],
    ["Am Montag habe ich angefangen", "2026-11-16..2026-11-16"],
    ["nächsten Freitag", "2026-11-20..2026-11-20"],
    ["mardi prochain", "2026-11-24..2026-11-24"],
    ["samedi dernier", "2026-11-14..2026-11-14"],
    ["El lunes fui al dentista", "2026-11-16..2026-11-16"],
    ["el próximo lunes", "2026-11-23..2026-11-23"],
    ["明日の午後に歯医者です", "2026-11-20..2026-11-20"],
    ["来週引っ越します", "2026-11-23..2026-11-29"],
    ["后天去上海", "2026-11-21..2026-11-21"],
    ["上个月我们搬家了", "2026-10-01..2026-10-31"],
  ];
  for (const [words, meant] of MEANT) it(`"${words}" is ${meant}`, () => assert.equal(days(words), meant));

  it("that only look like times are left alone", () => {
    const said = [
      "May I ask you something? Give me a second.",
      "I sat down in the sun and march on.",
      "Every Monday we run. Guten Morgen!",
      "Version 2010 of it, section 3.4, at last.",
      "2026-02-30 is no day. I learned it in two weeks.",
      "The tests run in 5 minutes. It takes two hours, on the 5th floor.",
      "Le lundi je nage. My best day was a Tuesday. Monday is my worst day.",
    ].join(" ");
    assert.deepEqual(resolveTimeWords(said, LATE_ON_THURSDAY, WEST), []);
  });

  it("take the time of day that stands beside them, before or behind", () => {
    assert.equal(written("See you at 5 pm on Friday."), "See you on 2026-11-20 at 17:00.");
    assert.equal(written("tomorrow at noon"), "on 2026-11-20 at 12:00");
    assert.equal(written("next Tuesday, 14:30"), "on 2026-11-24 at 14:30");
    assert.equal(written("tomorrow at 25:10"), "on 2026-11-20 at 25:10");
    assert.equal(written("tomorrow at 3 in the afternoon"), "on 2026-11-20 at 15:00");
    assert.equal(written("tomorrow evening at 8."), "on 2026-11-20 at 20:00.");
    assert.equal(written("this morning at 7"), "on 2026-11-19 at 07:00");
    assert.equal(written("morgen um 15 Uhr"), "on 2026-11-20 at 15:00");
    assert.equal(written("demain à 9h30"), "on 2026-11-20 at 09:30");
    assert.equal(written("tomorrow at 8"), "on 2026-11-20 at 8");
    assert.equal(written("The call is in two hours."), "The call is on 2026-11-20 at 01:50.");
  });

  it("keep what leads to them: since, until, before", () => {
    assert.equal(written("since last week"), "since the week of 2026-11-09");
    assert.equal(written("not before Friday"), "not before 2026-11-20");
    assert.equal(written("since last spring"), "since 2026-03-01");
    assert.equal(written("before next weekend"), "before 2026-11-28");
    assert.equal(written("until next weekend"), "until 2026-11-29");
    assert.equal(written("at the end of the month"), "at the end of 2026-11");
    assert.equal(written("上周我们搬家了"), "2026-11-09~2026-11-15我们搬家了");
  });

  it("stay as they are where they name the date in full", () => {
    assert.equal(written("We moved in March 2020, on 3 May 2020."), "We moved in March 2020, on 3 May 2020.");
  });

  it("are found without fail or delay, whatever the text", () => {
    const text = fc.array(
      fc.oneof(
        fc.string({ unit: "binary" }),
        fc.constantFrom("tomorrow", " last ", "week", "3pm", " in ", "two", " Friday", "\u0130", " at "),
      ),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 4e12 }), (parts, now) => {
        const said = parts.join("");
        for (const { from, to, text: words, index } of resolveTimeWords(said, now, WEST)) {
          assert.ok(Number.isFinite(from) && from <= to);
          assert.equal(said.slice(index, index + words.length), words);
        }
      }),
      { numRuns: 300 },
    );
    resolveTimeWords("in the last few ".repeat(20_000), LATE_ON_THURSDAY, WEST);
  });

  it("give the same days wherever the reader of them is, clock changes included", () => {
    const zones = fc.constantFrom(WEST, "Europe/Oslo", "Asia/Kolkata", "Pacific/Auckland", "UTC", "No/Where");
    fc.assert(
      fc.property(zones, fc.integer({ min: 0, max: 4e12 }), (zone, now) => {
        const [time] = resolveTimeWords("tomorrow", now, zone);
        const wall = (instant: number): number => Math.floor(wallTime(instant, zone) / 86_400_000);
        assert.equal(wall(time!.from), wall(now) + 1);
        assert.equal(wall(time!.to), wall(now) + 1);
      }),
    );
    // The night of 8 March 2026 has no 02:30 there.
    const missing = instantOf(Date.UTC(2026, 2, 8, 2, 30), WEST);
    assert.ok(Math.abs(missing - Date.UTC(2026, 2, 8, 10)) <= 3_600_000);
  });
});
