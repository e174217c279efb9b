import assert from "node:assert/strict";
import fc from "fast-check";
import { parsePersona, type Persona, type PersonaProblem } from "../../../src/agent/persona.ts";

function persona(text: string): Persona {
  const parsed = parsePersona(text);
  assert.ok(parsed.ok, parsed.ok ? "" : parsed.failure.message);
  return parsed.persona;
}

function problems(text: string): readonly PersonaProblem[] {
  const parsed = parsePersona(text);
  assert.ok(!parsed.ok);
  return parsed.problems;
}

const FILE = `
name: Vera
kind: persona
description: "Knows the sea"
prompt: |
  Be exact.
tools: [search_memory]
model: 3.10
bio: Grew up on a boat.
job: marine biologist
family:
  - relation: brother
    name: Ole
  - a cat
traits: [dry, no]
interests:
  - jazz
  - name: whales
    score: 0.9
relationships:
  - to: Milo
    type: rival of
    strength: 0.4
    since: 2024-03
`;

describe("a persona's file", () => {
  it("says who the agent is, in YAML", () => {
    const { name, bio, job, family, traits, interests, relationships, tools, model } = persona(FILE);
    assert.deepEqual([name, bio, job], ["Vera", "Grew up on a boat.", "marine biologist"]);
    assert.deepEqual(family, ["brother: Ole", "a cat"]);
    assert.deepEqual(interests, [
      { name: "jazz", score: 0.5 },
      { name: "whales", score: 0.9 },
    ]);
    assert.deepEqual(relationships, [{ to: "Milo", type: "rival of", strength: 0.4, since: "2024-03" }]);
    assert.deepEqual([tools, model, traits], [["search_memory"], "3.10", ["dry", "no"]]);
  });

  it("may be JSON as well", () => {
    assert.deepEqual(
      persona(JSON.stringify({ name: "Vera", interests: [{ name: "whales", score: 1 }] })).interests,
      [{ name: "whales", score: 1 }],
    );
  });

  it("needs a name only; fields of other kinds of agent are named and left alone", () => {
    const parsed = parsePersona("name: Vera\ntemperature: 0.2\n");
    assert.ok(parsed.ok);
    assert.deepEqual(parsed.ignored, ["temperature"]);
    assert.deepEqual(parsed.persona.interests, []);
  });

  it("with a fault says what and where", () => {
    const at = (text: string): unknown[] =>
      problems(text).map(({ line, message }) => [line, message.split(":")[0]]);
    assert.deepEqual(at("name: Vera\ninterests:\n  - name: whales\n    score: 7\n"), [
      [4, "interests.0.score"],
    ]);
    assert.deepEqual(at("name: Vera\nrelationships:\n  - to: Milo\n    type: rival\n    since: soon\n"), [
      [5, "relationships.0.since"],
    ]);
    assert.deepEqual(at("kind: persona\n"), [[undefined, "name"]]);
    assert.equal(problems("name: Vera\nname: Milo\n")[0]!.line, 2);
    assert.equal(problems("name: Vera\n\t- x\n")[0]!.line, 2);
    assert.match(problems("")[0]!.message, /empty/);
    assert.match(problems("just words")[0]!.message, /no fields/);
  });

  it("never throws, whatever it holds", () => {
    const text = fc.oneof(fc.string({ unit: "binary", maxLength: 200 }), fc.json());
    fc.assert(fc.property(text, (given) => void parsePersona(given)));
    // Each line holds nine of the one before: 9^9 values.
    const names = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
    const bomb = names
      .map(
        (name, at) =>
          `${name}: &${name} [${Array(9)
            .fill(at === 0 ? "x" : `*${names[at - 1]!}`)
            .join(",")}]`,
      )
      .join("\n");
    assert.equal(parsePersona(bomb).ok, false);
    assert.equal(parsePersona(`name: ${"x".repeat(300_000)}`).ok, false);
  });
});
