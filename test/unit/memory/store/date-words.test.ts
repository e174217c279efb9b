import assert from "node:assert/strict";
import { dateWords, searchedText } from "../../../../src/memory/store/rows.ts";
import { cleanUp, later } from "../support.ts";

/** A machine's time zone, until the test is over. */
function live(zone: string): void {
  const before = process.env["TZ"];
  process.env["TZ"] = zone;
  later(() => {
    if (before === undefined) delete process.env["TZ"];
    else process.env["TZ"] = before;
    return Promise.resolve();
  });
}

describe("The day of a memory in words", () => {
  afterEach(cleanUp);

  it("is that of the time zone the machine is in, also after it changed", () => {
    const evening = Date.UTC(2026, 11, 31, 23, 30);
    live("America/Los_Angeles");
    assert.equal(dateWords(evening), "Thursday 31 December 2026");
    live("Asia/Tokyo");
    assert.equal(dateWords(evening), "Friday 1 January 2027");
    live("UTC");
    assert.equal(dateWords(evening), "Thursday 31 December 2026");
    live("Pacific/Kiritimati");
    assert.match(searchedText({ time: evening, question: "q", answer: "a" }), /^Friday 1 January 2027\n/);
  });

  it("names every weekday and month", () => {
    live("UTC");
    const english = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone: "UTC" });
    for (let day = 0; day < 400; day += 1) {
      const time = Date.UTC(2024, 0, 1 + day, 12);
      assert.equal(dateWords(time), english.format(time).replaceAll(",", ""));
    }
  });
});
