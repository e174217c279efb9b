import assert from "node:assert/strict";
import {
  compareQuestions,
  isSameByMeaning,
  isSameByWords,
} from "../../../../src/agent/reward/asked-again.ts";

const MINI = "Xenova/all-MiniLM-L6-v2";

/** Pairs that ask the same, with the cosine that the extension's own model gives them. */
const SAME: readonly (readonly [string, string, number])[] = [
  ["Why is my query slow?", "What makes this query take so long?", 0.87],
  ["How can I undo the last commit in git?", "I want to take back my most recent git commit, how?", 0.82],
  ["When was the Python GIL introduced?", "In what year did the GIL come into Python?", 0.96],
  ["Where is the config of the linter kept?", "In which file do we store the linter's configuration?", 0.87],
];

/** Pairs that look alike to a model and ask for something else. */
const OTHER: readonly (readonly [string, string, number])[] = [
  ["When was the GIL introduced?", "Why was the GIL introduced?", 0.94],
  ["Explain closures", "Explain closures with an example", 0.94],
  ["Who wrote the parser?", "When did they write the parser?", 0.88],
  ["How do I enable dark mode?", "What is the way to turn dark mode off and on?", 0.7],
  ["How do I enable dark mode?", "What is the way to turn dark mode off?", 0.87],
  ["How do I turn dark mode on?", "What is the way to turn dark mode off?", 0.9],
  ["Summarise the first chapter", "Summarise the second chapter of the book", 0.81],
  ["How do I read a file in Node?", "How do I write a file in Node?", 0.8],
  ["What is the capital of France?", "What is the capital of Spain?", 0.9],
  ["How do I install Postgres 15?", "What is the way to install Postgres 16?", 0.95],
  ["Why does it start?", "Why doesn't it start?", 0.95],
  ["What is the capital of France?", "And what is the capital of France's neighbour?", 0.9],
  ["What is the capital of France?", "what is the capital of France", 1],
  ["Go on", "Go on, then", 1],
  ["How do I convert celsius to fahrenheit?", "How can I convert fahrenheit to celsius?", 0.98],
  ["Does Alice manage Bob?", "Does Bob manage Alice?", 0.97],
  ["Translate it from German to English", "Translate it from English to German", 0.98],
];

describe("A question that was asked before", () => {
  it("is seen in other words, by its meaning", () => {
    for (const [earlier, question, alike] of SAME)
      assert.ok(isSameByMeaning(compareQuestions(question, earlier), alike, MINI), question);
  });

  it("is not seen where something else is asked, however alike they look", () => {
    for (const [earlier, question, alike] of OTHER) {
      const compared = compareQuestions(question, earlier);
      assert.equal(isSameByMeaning(compared, alike, MINI), false, question);
      assert.equal(isSameByWords(compared), false, question);
    }
  });

  it("needs to be more alike for a model that finds everything alike", () => {
    const compared = compareQuestions("What makes this query take so long?", "Why is my query slow?");
    assert.equal(isSameByMeaning(compared, 0.85, "nomic-embed-text"), false);
    assert.equal(isSameByMeaning(compared, 0.93, "nomic-embed-text"), true);
  });

  it("is seen by its words where no model tells meaning: the same ones in another order", () => {
    const earlier = "How do I sort a list of names in Python?";
    assert.equal(
      isSameByWords(compareQuestions("In Python, names in a list: how are they sorted?", earlier)),
      true,
    );
    assert.equal(
      isSameByWords(compareQuestions("How do I sort a dict by its values in Python?", earlier)),
      false,
    );
  });
});
