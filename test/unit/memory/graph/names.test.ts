import assert from "node:assert/strict";
import fc from "fast-check";
import { cleanName, nameKey, namesIn, nameWords, sameSpelling } from "../../../../src/memory/graph/names.ts";
import { relationType } from "../../../../src/memory/graph/relations.ts";

describe("names", () => {
  it("are the same whatever their case, accents, signs, titles and possessives", () => {
    for (const [one, other] of [
      ["Anna", "ANNA"],
      ["José Álvarez", "Jose Alvarez"],
      ["Dr. Anna Berg", "anna berg"],
      ["Prof. Dr. Berg", "Berg"],
      ["Anna’s", "Anna"],
      ["O'Malley", "OMalley"],
      ["Jean-Luc", "Jean Luc"],
      ["Øyvind Ærø", "Oyvind Aero"],
      ["Straße", "Strasse"],
      ["Ł. Łódź", "L. Lodz"],
      ["the Netherlands", "Netherlands"],
      ["I", "the user"],
      ["Me", "user"],
    ] as const) {
      assert.equal(nameKey(one), nameKey(other), `${one} / ${other}`);
    }
  });

  it("that differ stay different", () => {
    for (const [one, other] of [
      ["Ann", "Anna"],
      ["Anna Berg", "Anna"],
      ["John Smith", "John Smith Jr"],
      ["C", "C++"],
      ["C", "C#"],
      ["か", "が"],
      ["phase 1", "phase 2"],
      ["Doctor", "Mister"],
    ] as const) {
      assert.notEqual(nameKey(one), nameKey(other), `${one} / ${other}`);
    }
  });

  it("that are none are left out", () => {
    for (const name of ["", "...", "she", "It", "someone", "the", "x".repeat(300)].filter(
      (each) => each !== "the",
    )) {
      assert.equal(cleanName(name), "", name);
    }
    assert.equal(cleanName('  "Anna\'s" '), "Anna");
    assert.equal(cleanName("Anna\n Berg,"), "Anna Berg");
    assert.equal(cleanName("The User"), "user");
  });

  it("have a form that is a form of itself, whatever they are made of", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (name) => {
        const key = nameKey(name);
        assert.equal(nameKey(key), key);
        assert.equal(nameKey(name.toUpperCase()), nameKey(name.toLowerCase()));
      }),
      { seed: 7, numRuns: 500 },
    );
  });

  it("are in a text only as whole words", () => {
    const said = nameWords("Yesterday Anna Berg's boat sank, said Mary-Ann.");
    assert.ok(namesIn(said, nameKey("Anna Berg")));
    assert.ok(namesIn(said, "boat"));
    assert.ok(!namesIn(said, nameKey("Berg Anna")));
    assert.ok(!namesIn(nameWords("Anna came"), "ann"));
    assert.ok(!namesIn(said, ""));
  });

  it("of things are spelt alike with a word like project more, in another order, or one letter off in a long word", () => {
    for (const [one, other] of [
      ["Conclave", "the Conclave project"],
      ["Kubernetes", "Kubernets"],
      ["Acme Ltd", "ACME"],
      ["memory design", "design memory"],
    ] as const) {
      assert.ok(sameSpelling(one, other), `${one} / ${other}`);
    }
    for (const [one, other] of [
      ["Ann", "Anna"],
      ["GPT-4", "GPT-5"],
      ["version10", "version11"],
      ["Berlin office", "Paris office"],
      ["project", "app"],
      ["Oslo", "Olso"],
    ] as const) {
      assert.ok(!sameSpelling(one, other), `${one} / ${other}`);
    }
  });
});

describe("kinds of relations", () => {
  it("have one word for each kind", () => {
    for (const type of ["lives_in", "Lives In", "livesIn", "resides-in", "moved_to"]) {
      assert.equal(relationType(type), "lives_in", type);
    }
    assert.equal(relationType("is married to"), "married_to");
    assert.equal(relationType("wife_of"), "married_to");
    assert.equal(relationType("works for"), "works_at");
    assert.equal(relationType("--"), "");
    assert.ok(relationType("x".repeat(500)).length <= 60);
  });
});
