import assert from "node:assert/strict";
import type { Intent, Sentiment } from "../../../../src/agent/memory/port.ts";
import { entitiesIn, intentOf, sentimentOf } from "../../../../src/agent/remember/rules/classify.ts";
import { extractByRules } from "../../../../src/agent/remember/rules/extract.ts";
import { isSmallTalk } from "../../../../src/agent/remember/rules/small-talk.ts";
import { saidIn } from "../../../../src/agent/remember/said.ts";

/** Facts, as rules read them; "tomorrow" is the only time they know here. */
function facts(said: string): string[] {
  return extractByRules(said, (words) => words.includes("tomorrow")).facts.map(({ text }) => text);
}

function relations(said: string): string[] {
  return extractByRules(said, () => false).edges.map(
    ({ from, type, to, holds }) => `${from} ${type} ${to}${holds ? "" : " (over)"}`,
  );
}

describe("small talk", () => {
  for (const said of [
    "hi",
    "ok thanks",
    "can you make that shorter?",
    "run it again",
    "Hello! How are you?",
    "Could you please rewrite that more briefly?",
    "Thanks a lot, that's great!",
    "👍",
    "Danke!",
    "d'accord, merci",
    "谢谢",
  ]) {
    it(`is: ${said}`, () => assert.equal(isSmallTalk(said), true));
  }
  for (const said of [
    "ok, my name is Ana",
    "I like tea",
    "thanks, the dentist is tomorrow",
    "Make the deployment shorter for Kestrel",
    "yes, I moved to Bergen",
  ]) {
    it(`is not: ${said}`, () => assert.equal(isSmallTalk(said), false));
  }
});

describe("a question's intent, by rules", () => {
  const MEANT: readonly (readonly [string, Intent])[] = [
    ["When was the dentist?", "fact"],
    ["Who wrote it?", "fact"],
    ["Why does the parser fail?", "explanation"],
    ["What is the difference between Go and Rust?", "comparison"],
    ["How do I install it?", "procedure"],
    ["Can you recommend a book?", "preference"],
    ["I really like mornings.", "preference"],
    ["I'm so sad today.", "emotion"],
    ["Deploy it.", "other"],
    ["Wann war der Zahnarzt?", "fact"],
    ["Wie kann ich das installieren?", "procedure"],
    ["Pourquoi le ciel est bleu ?", "explanation"],
    ["¿Cuándo es la reunión?", "fact"],
  ];
  for (const [said, intent] of MEANT) it(`${intent}: ${said}`, () => assert.equal(intentOf(said), intent));
});

describe("a question's mood, by rules", () => {
  const MEANT: readonly (readonly [string, Sentiment])[] = [
    ["This is great, thanks!", "positive"],
    ["This is not good.", "negative"],
    ["It crashed again, I hate it.", "negative"],
    ["I don't hate it.", "positive"],
    ["Where is the file?", "neutral"],
    ["Das ist wunderbar", "positive"],
    ["Estoy muy triste", "negative"],
  ];
  for (const [said, mood] of MEANT) it(`${mood}: ${said}`, () => assert.equal(sentimentOf(said), mood));
});

describe("names, by rules", () => {
  it("are people, places and code that a message names, not words that only begin a sentence", () => {
    const said =
      "My sister Ana works at Kestrel Labs. Fix parseEvent in event-schema.ts on Friday. Please do.";
    assert.deepEqual(entitiesIn(said), ["Ana", "Kestrel Labs", "parseEvent", "event-schema.ts"]);
  });

  it("of a German message are not its nouns", () => {
    assert.deepEqual(
      entitiesIn("Ich wohne in Bergen und mag den Kaffee nicht. Meine Schwester Ana ist da."),
      ["Bergen", "Ana"],
    );
  });

  it("are bounded", () => {
    const many = Array.from({ length: 50 }, (_, at) => `and Mo${String.fromCharCode(97 + (at % 26))}${at}`);
    assert.equal(entitiesIn(many.join(" ")).length, 12);
  });
});

describe("what rules learn", () => {
  const LEARNT: readonly (readonly [string, readonly string[]])[] = [
    ["My name is Dara O'Neil.", ["The user is called Dara O'Neil."]],
    ["I really like tea but I hate coffee.", ["The user likes tea.", "The user dislikes coffee."]],
    ["I'm a marine biologist.", ["The user is a marine biologist."]],
    ["I work at Kestrel as a data engineer.", ["The user works at Kestrel as a data engineer."]],
    ["My brother Bo lives in Oslo.", ["Bo is the user's brother.", "Bo lives in Oslo."]],
    ["I am allergic to nuts, so no walnut cake.", ["The user is allergic to nuts."]],
    ["My favourite colour is green.", ["The user's favourite colour is green."]],
    ["My dentist is tomorrow.", ["The user's dentist is tomorrow."]],
    ["Ich wohne in Bergen.", ["The user lives in Bergen."]],
    ["J'adore le thé.", ["The user likes le thé."]],
    ["Me llamo Ana.", ["The user is called Ana."]],
  ];
  for (const [said, expected] of LEARNT) it(`of: ${said}`, () => assert.deepEqual(facts(said), expected));

  it("is nothing where nothing is told", () => {
    for (const said of [
      "Do I like tea?",
      "Where do I live?",
      "I'd like to know how this works.",
      "I like to know things.",
      "Fix the parser, it fails.",
      "Write a story about a man who lives in a boat.",
    ]) {
      assert.deepEqual(facts(said), [], said);
    }
  });

  it("is told with the very words that say it", () => {
    const { facts: learnt } = extractByRules("Well. I like tea. Why not?", () => false);
    assert.deepEqual(
      learnt.map(({ quote }) => quote),
      ["I like tea"],
    );
  });

  it("is less sure when the user is not", () => {
    const sure = (said: string): number => extractByRules(said, () => false).facts[0]!.confidence;
    assert.ok(sure("Maybe I prefer tabs.") < sure("I prefer tabs."));
  });

  it("holds relations, and says which are over", () => {
    assert.deepEqual(relations("My sister Ana works at Kestrel Labs."), [
      "Ana sister_of user",
      "Ana works_at Kestrel Labs",
    ]);
    assert.deepEqual(relations("I used to live in Oslo, but I moved to Bergen."), [
      "user lives_in Oslo (over)",
      "user lives_in Bergen",
    ]);
  });
});

describe("the user's own words", () => {
  it("are those outside of code, quotations and markup", () => {
    const question = [
      "I like tea.",
      "> I like coffee.",
      "```",
      "I like code.",
      "```",
      "<page>I like pages.</page>",
      "I live in Bergen.",
    ].join("\n");
    assert.equal(saidIn(question), "I like tea.\nI live in Bergen.");
  });

  it("are bounded, whatever was pasted", () => {
    assert.ok(saidIn("I like tea. ".repeat(100_000)).length <= 6_000);
    assert.equal(saidIn(`I like tea.\n\`\`\`\n${"x".repeat(50_000)}`), "I like tea.");
  });
});
