import assert from "node:assert/strict";
import fc from "fast-check";
import { analyze } from "../../../../src/memory/retrieval/analyze.ts";
import { timeFit } from "../../../../src/memory/retrieval/told-times.ts";
import { openStore } from "../store-support.ts";
import { cleanUp, episode } from "../support.ts";
import { ask, found, without } from "./ask-support.ts";

const march = { from: Date.UTC(2026, 2, 1), to: Date.UTC(2026, 3, 1) - 1 };
/** Wednesday 18 April 2026, noon. */
const APRIL = Date.UTC(2026, 3, 18, 12);

function fit(question: string, answer = "", time = APRIL): number {
  return timeFit(march, { time, question, answer }, "UTC");
}

describe("How well a memory fits a time", () => {
  it("is full when it was said then, or the user tells of it", () => {
    assert.equal(fit("Fine.", "", Date.UTC(2026, 2, 9)), 1);
    assert.equal(fit("We went last month."), 1);
    assert.equal(fit("We went in March 2026.", "Nice."), 1);
  });

  it("is a part when it tells of a longer time, and nothing otherwise", () => {
    const partly = fit("We went last year.", "", Date.UTC(2027, 3, 18));
    assert.ok(partly > 0.05 && partly < 0.2);
    assert.equal(fit("We went yesterday."), 0);
  });

  it("is nothing for who only asks about the time, with a question mark or without", () => {
    for (const question of [
      "What did I tell you last month?",
      "what did we do last month",
      "Where was I last month, and with whom?",
      "Last month, what did I buy?",
      "Please remind me of what I said last month",
      "Show me last month.",
      "¿Qué te dije el mes pasado?",
      "Was habe ich dir letzten Monat erzählt?",
    ]) {
      assert.equal(fit(question), 0, question);
    }
  });

  it("is full for what a question tells before it asks", () => {
    assert.equal(fit("We moved last month, do you remember?"), 1);
    assert.equal(fit("My boat sank last month. What now?"), 1);
  });

  it("is nothing for an answer that repeats what was told before, whoever asked", () => {
    for (const answer of [
      "Last month you moved to Oban.",
      "You told me last month that the boat leaks.",
      'You wrote: "the dentist was last month".',
      "Nothing was said last month.",
      "Letzten Monat war das Boot undicht.",
    ]) {
      assert.equal(fit("And the boat?", answer), 0, answer);
    }
  });

  it("is nothing for what is quoted, by the user too", () => {
    assert.equal(fit('He wrote "we met last month" to me.'), 0);
    assert.equal(fit("> we met last month\nIs that so?"), 0);
    assert.equal(fit("“Last month” is how the letter begins."), 0);
  });

  it("counts an answer half where it gives the date, or tells of what lies ahead", () => {
    assert.equal(fit("And the boat?", "It sank in March 2026."), 0.5);
    const february = Date.UTC(2026, 1, 18);
    assert.equal(fit("And the fair?", "It is next month.", february), 0.5);
    assert.equal(fit("And the fair?", "You said that it is next month.", february), 0);
  });

  it("stays within 0..1, whatever is said", () => {
    const words = fc.constantFrom(
      "last month",
      "in March 2026",
      "?",
      '"',
      "you said",
      "what",
      "tomorrow",
      ",",
    );
    const texts = fc.array(fc.oneof(words, fc.string({ maxLength: 9 })), { maxLength: 8 });
    fc.assert(
      fc.property(texts, texts, (question, answer) => {
        const how = fit(question.join(" "), answer.join(" "));
        assert.ok(how >= 0 && how <= 1);
      }),
    );
  });
});

describe("A search for what was told in a week", () => {
  afterEach(cleanUp);

  /** `ask` searches on Saturday 5 December 2026, so that last week is 23 to 29 November. */
  const today = Date.UTC(2026, 11, 5, 9);
  const then = Date.UTC(2026, 10, 25, 9);

  it("finds what was told then, not the turns of today that speak of that week", async () => {
    const store = await openStore();
    const told = episode({ question: "The boat leaks.", answer: "Noted.", time: then });
    const asked = episode({
      question: "What did I tell you of the boat last week?",
      answer: "Last week you told me that the boat leaks.",
      time: today,
    });
    const quoting = episode({
      question: "And the boat?",
      answer: 'You said "the boat leaks" last week.',
      time: today,
    });
    await store.add([told, asked, quoting]);
    const question = "What did I tell you of the boat last week?";
    assert.equal(analyze(question, today, "UTC").range?.strict, true);
    assert.deepEqual(found(await ask(store, question, without)), [told.id]);
  });

  it("finds what the user tells today of that week", async () => {
    const store = await openStore();
    const told = episode({ question: "The boat sank last week.", answer: "I am sorry.", time: today });
    await store.add([told]);
    assert.deepEqual(found(await ask(store, "What of the boat last week?", without)), [told.id]);
  });
});
