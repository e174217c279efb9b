import assert from "node:assert/strict";
import { failed } from "../../../src/agent/failure.ts";
import { remindMe } from "../../../src/tools/remind-me.ts";
import { readWhen } from "../../../src/tools/reminders/when.ts";
import { contextOf, textOf } from "../../support/web/tools.ts";
import { KeptReminders } from "./editor.ts";

/** Thursday, 19 November 2026, ten to four in the afternoon. */
const NOW = new Date(2026, 10, 19, 15, 50).getTime();
const at = (day: number, hour: number, minute = 0, month = 10, year = 2026): number =>
  new Date(year, month, day, hour, minute).getTime();

describe("when a reminder is due", () => {
  const due = (when: string): number | string => {
    const read = readWhen(when, NOW);
    return read.ok ? read.value : read.failure.message;
  };
  const cases: readonly (readonly [string, number])[] = [
    ["tomorrow at 3pm", at(20, 15)],
    ["tomorrow, at 15:30", at(20, 15, 30)],
    ["at 3pm tomorrow", at(20, 15)],
    ["tomorrow", at(20, 9)],
    ["tomorrow morning", at(20, 5)],
    ["on Monday at 10:00", at(23, 10)],
    ["next Friday", at(27, 9)],
    ["in 20 minutes", NOW + 20 * 60_000],
    ["in 20 min", NOW + 20 * 60_000],
    ["20 minutes from now", NOW + 20 * 60_000],
    ["in an hour", NOW + 3_600_000],
    ["in half an hour", NOW + 1_800_000],
    ["in an hour and a half", NOW + 5_400_000],
    ["in 2 hours and 15 minutes", NOW + 8_100_000],
    ["in two days", at(21, 15, 50)],
    ["in two weeks", at(33, 15, 50)],
    ["in a month", at(19, 15, 50, 11)],
    ["in two years", at(19, 15, 50, 10, 2028)],
    ["at 4pm", at(19, 16)],
    ["at 3pm", at(20, 15)],
    ["16:30", at(19, 16, 30)],
    ["at noon", at(20, 12)],
    ["midnight", at(20, 0)],
    ["this evening", at(19, 18)],
    ["tonight", at(19, 18)],
    ["2026-12-01", at(1, 9, 0, 11)],
    ["2026-12-01 14:00", at(1, 14, 0, 11)],
    ["2026-12-01T14:00:30", at(1, 14, 0, 11) + 30_000],
    ["2026-12-01T14:00Z", Date.UTC(2026, 11, 1, 14)],
    ["2026-12-01T14:00:00.000+02:00", Date.UTC(2026, 11, 1, 12)],
    ["1 December at 9:00", at(1, 9, 0, 11)],
  ];
  for (const [when, time] of cases) {
    it(`"${when}" is that time`, () => {
      assert.equal(due(when), time, new Date(Number(due(when))).toString());
    });
  }

  for (const when of ["yesterday", "2020-01-01", "2026-11-19 15:00", "in 0 minutes", "last week"]) {
    it(`"${when}" is past or no time, and refused`, () => {
      assert.match(String(due(when)), /is past|not clear/);
    });
  }

  for (const when of [
    ...[
      "soon",
      "later",
      "when I get home",
      "tomorrow when I get home",
      "today",
      "this afternoon",
      "next week",
    ],
    ...[
      "in December",
      "Monday or Tuesday",
      "25:00",
      "at 13pm",
      "2026-02-30",
      "2026-13-01 10:00",
      "in 3 half days",
    ],
  ]) {
    it(`"${when}" is not clear, and refused with what is missing`, () => {
      assert.match(String(due(when)), /not clear when .* (Give a|more than one)/);
    });
  }

  it("is not in a hundred years", () => {
    assert.match(String(due("in 100 years")), /more than 10 years away/);
  });
});

describe("remind_me", () => {
  const reminders = new KeptReminders();
  const options = { reminders, timeoutMs: () => 1_000, now: () => NOW };
  const run = (text: string, when: string, more: object = {}) =>
    remindMe({ ...options, ...more }).run({ text, when }, contextOf());

  it("keeps the words, the time and the turn, and tells the model the day", async () => {
    const outcome = await run("Call\nthe harbour", "tomorrow at 3pm");
    assert.equal(textOf(outcome), "The user will be reminded on Friday 2026-11-20 15:00: Call the harbour");
    assert.deepEqual(reminders.kept, [
      { text: "Call the harbour", at: at(20, 15), sessionId: "session-1", turnId: "turn-1" },
    ]);
  });

  it("keeps nothing when the time is refused, of a private session, or when it can't be written", async () => {
    reminders.kept.length = 0;
    assert.match(textOf(await run("x", "yesterday")), /is past/);
    assert.match(textOf(await run("x", "tomorrow", { isPrivate: () => true })), /private/);
    const broken = { add: () => Promise.resolve(failed("internal", "No disk.")) };
    assert.equal(textOf(await run("x", "tomorrow", { reminders: broken })), "No disk.");
    assert.deepEqual(reminders.kept, []);
  });
});
