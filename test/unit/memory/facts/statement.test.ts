import assert from "node:assert/strict";
import fc from "fast-check";
import type { Comparison } from "../../../../src/memory/facts/statement.ts";
import {
  compareStatements,
  mayBeSame,
  readStatement,
  statementKey,
} from "../../../../src/memory/facts/statement.ts";

function compared(one: string, other: string): Comparison {
  return compareStatements(readStatement(one, "User"), readStatement(other, "user"));
}

const SAME: readonly (readonly [string, string])[] = [
  ["User likes tea", "The user loves tea very much"],
  ["User lives in Oslo", "The user is living in Oslo now"],
  ["User lives in Oslo", "User lives in Oslo, Norway"],
  ["User has lived in Oslo", "User lives in Oslo"],
  ["User likes hiking in the mountains", "User enjoys mountain hikes"],
  ["User's name is Max", "User is called Max"],
  ["User's dog is called Rex", "User's dog's name is Rex"],
  ["User doesn't drink coffee", "User does not drink coffee"],
  ["User has three cats", "User has 3 cats"],
  ["User has a dog", "User owns a dog"],
  ["User lives in Tromsø", "User lives in Tromso"],
  ["The dentist is on 2026-11-20 at 15:00", "The dentist is on 20 November 2026 at 3 pm"],
];

const CONTRADICTING: readonly (readonly [string, string])[] = [
  ["User likes tea", "User does not like tea"],
  ["User likes tea", "User hates tea"],
  ["User lives in Oslo", "User lives in Rome"],
  ["User lives in Oslo", "User moved to Rome"],
  ["User lives in Oslo", "User moved from Oslo to Rome"],
  ["User lives in Oslo", "User no longer lives in Oslo"],
  ["User used to live in Oslo", "User lives in Oslo"],
  ["User works at Acme", "User works for Initech"],
  ["User works as a nurse", "User's job is teacher"],
  ["User has a dog", "User has no dog"],
  ["User has a dog", "User does not own a dog"],
  ["User prefers tea over coffee", "User prefers coffee over tea"],
  ["User's wife is Anna", "User's wife is Bea"],
  ["User's favourite color is blue", "User's favorite colour is green"],
  ["The deploy port is 8080", "The deploy port is 9090"],
  ["User is 34 years old", "User is 35 years old"],
  ["User smokes", "User quit smoking"],
  ["User is vegetarian", "User is no longer vegetarian"],
  ["User is married", "User is divorced"],
];

const DIFFERENT: readonly (readonly [string, string])[] = [
  ["User likes tea", "User likes coffee"],
  ["User likes green tea", "User likes black tea"],
  ["User has a dog", "User likes dogs"],
  ["User has a dog", "User has a cat"],
  ["User is a nurse", "User has a nurse"],
  ["User's sister is Anna", "User's sister is Bea"],
  ["User lives in Rome", "User no longer lives in Oslo"],
  ["User lives in Oslo", "User lives in a flat"],
  ["User works at night", "User works at Acme"],
  ["User flies to Oslo", "User flies from Oslo"],
  ["User speaks German", "User speaks French"],
  ["User's cat is called Rex", "User's dog is called Tom"],
  ["User's sister Anna lives in Bergen", "User lives in Oslo"],
  ["User went to the dentist on 2026-05-03", "User went to the dentist on 2026-06-05"],
  ["User was a nurse", "User is a nurse"],
];

describe("What facts state", () => {
  for (const [kind, pairs] of [
    ["same", SAME],
    ["contradicts", CONTRADICTING],
    ["different", DIFFERENT],
  ] as const) {
    for (const [one, other] of pairs) {
      it(`"${one}" and "${other}": ${kind}`, () => {
        assert.equal(compared(one, other), kind);
        assert.equal(compared(other, one), kind);
      });
    }
  }

  it("whom it is about may stand in the subject or in the text", () => {
    const named = readStatement("Anna lives in Bergen", "Anna");
    assert.equal(compareStatements(named, readStatement("Lives in Bergen", "Anna")), "same");
    assert.equal(compareStatements(named, readStatement("Anna lives in Bergen", "User")), "same");
    assert.equal(compareStatements(named, readStatement("Anna lives in Oslo", "User")), "contradicts");
    assert.equal(compareStatements(named, readStatement("Lives in Bergen", "Bob")), "different");
  });

  it("what an embedder takes for the same is not, where a denial, a name, a number or a value differs", () => {
    const near = (one: string, other: string): boolean =>
      mayBeSame(readStatement(one, "User"), readStatement(other, "User"));
    assert.equal(near("User adores felines", "User loves cats"), true);
    assert.equal(near("User likes tea", "User does not like tea"), false);
    assert.equal(near("User lives in Oslo", "User lives in Rome"), false);
    assert.equal(near("User met Anna", "User met Bea"), false);
    assert.equal(near("User runs 5 km", "User runs 10 km"), false);
    assert.equal(near("User was a nurse", "User is a nurse"), false);
  });

  it("any text compares the same both ways, and is the same as itself when it says anything", () => {
    const word = fc.constantFrom(
      ..."user likes not lives in oslo rome is no longer has a dog 3 over tea was anna's the 2026-01-02".split(
        " ",
      ),
    );
    const text = fc.oneof(
      fc.array(word, { maxLength: 8 }).map((words) => words.join(" ")),
      fc.string(),
    );
    fc.assert(
      fc.property(text, text, (one, other) => {
        const [left, right] = [readStatement(one, "User"), readStatement(other, "User")];
        assert.equal(compareStatements(left, right), compareStatements(right, left));
        assert.equal(compareStatements(left, left), left.all.size === 0 ? "different" : "same");
        assert.equal(statementKey(left), statementKey(readStatement(one, "the user")));
      }),
      { numRuns: 300, seed: 7 },
    );
  });
});
