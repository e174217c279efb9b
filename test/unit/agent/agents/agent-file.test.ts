import assert from "node:assert/strict";
import { agent, assertSaid, read, said } from "./support.ts";

const WHOLE = `
name: Vera
kind: persona
description: Knows the sea
prompt: |
  Be exact: say what you don't know.
tools:
  - search_memory
  - name: web_search
    description: Looks for papers.
model: qwen3:8b
temperature: 0.3
think: low
limits: { steps: 2, tokens: 5000, seconds: 60 }
properties:
  mood:
    type: string
    enum: [no, calm]
  depth: { type: integer, minimum: 1 }
  why: What speaks for it
required: [mood]
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

describe("an agent file in our own form", () => {
  it("says all there is to say of an agent", () => {
    assert.deepEqual(said(WHOLE), []);
    const { source, persona, ...vera } = agent(WHOLE);
    assert.equal(source.origin, "workspace");
    assert.deepEqual(vera, {
      name: "Vera",
      kind: "persona",
      description: "Knows the sea",
      prompt: "Be exact: say what you don't know.",
      tools: [{ name: "search_memory" }, { name: "web_search", description: "Looks for papers." }],
      model: "qwen3:8b",
      temperature: 0.3,
      think: "low",
      limits: { steps: 2, tokens: 5000, seconds: 60 },
      properties: {
        mood: { type: "string", enum: ["no", "calm"] },
        depth: { type: "integer", minimum: 1 },
        why: { type: "string", description: "What speaks for it" },
      },
      required: ["mood"],
      structuredOutput: false,
    });
    assert.deepEqual(persona, {
      name: "Vera",
      kind: "persona",
      bio: "Grew up on a boat.",
      job: "marine biologist",
      family: ["brother: Ole", "a cat"],
      traits: ["dry", "no"],
      interests: [
        { name: "jazz", score: 0.5 },
        { name: "whales", score: 0.9 },
      ],
      relationships: [{ to: "Milo", type: "rival of", strength: 0.4, since: "2024-03" }],
    });
  });

  it("may be JSON, with tabs and with comments, which are said", () => {
    const path = "/ws/.conclave/agents/vera.json";
    const fields = {
      name: "Vera",
      prompt: "Be exact.",
      tools: ["a"],
      limits: { steps: 1 },
      structured_output: true,
    };
    const text = JSON.stringify(
      { ...fields, properties: { x: { type: "number", minimum: 1.5 } } },
      null,
      "\t",
    );
    const { limits, structuredOutput, properties } = agent(text, path);
    assert.deepEqual([limits, structuredOutput], [{ steps: 1 }, true]);
    assert.deepEqual(properties, { x: { type: "number", minimum: 1.5 } });
    assert.deepEqual(said(text, path), []);
    assertSaid(
      `{\n  // who\n  "name": "Vera", "prompt": "http://x"\n}`,
      "warning",
      "//",
      /no comments/,
      path,
    );
  });

  it("is a JSON schema as well: `type: object` on top, or a whole schema below properties", () => {
    const flat = agent(
      "name: V\nprompt: p\ntype: object\nproperties:\n  a: { type: string }\nrequired: [a]\nstructured_output: true\n",
    );
    assert.deepEqual([flat.properties, flat.required], [{ a: { type: "string" } }, ["a"]]);
    const nested = agent(
      "name: V\nprompt: p\nproperties:\n  type: object\n  properties:\n    a: { type: string }\n  required: [a]\n",
    );
    assert.deepEqual([nested.properties, nested.required], [flat.properties, flat.required]);
    // A field of the answer may be called `type` all the same.
    assert.deepEqual(agent("name: V\nprompt: p\nproperties:\n  type: { type: string }\n").properties, {
      type: { type: "string" },
    });
  });

  it("does with a description in place of a prompt", () => {
    assert.equal(agent("name: V\ndescription: Finds holes\n").prompt, "Finds holes");
    assert.deepEqual(said("name: V\ndescription: Finds holes\n"), []);
    assertSaid("name: V\n", "warning", "name: V", /neither a prompt nor a description/);
  });

  it("gives no tools at all for an empty list, and all for none", () => {
    assert.deepEqual(agent("name: V\nprompt: p\ntools: []\n").tools, []);
    assert.equal(agent("name: V\nprompt: p\n").tools, undefined);
    assertSaid(
      "name: V\nprompt: p\ntools:\n",
      "warning",
      "tools",
      /all tools that are on.*`tools: \[\]` for none/,
    );
  });

  it("is a persona where it says who that is, and an agent otherwise", () => {
    assert.equal(agent("name: V\njob: pilot\n").kind, "persona");
    assert.equal(agent("name: V\nprompt: p\n").kind, "agent");
    assert.equal(agent("name: V\nprompt: p\n").persona, undefined);
    assert.equal(agent("name: V\nkind: synthesizer\nprompt: p\n").kind, "synthesizer");
  });

  it("without a name is called as its file, and says so", () => {
    assert.equal(agent("prompt: p\n").name, "vera");
    assertSaid("prompt: p\n", "warning", "prompt: p", /`name` is missing; the agent is called vera/);
  });

  it("takes several models in the order of the wish", () => {
    assert.deepEqual(read("name: V\nprompt: p\nmodel: [qwen3:8b, llama3.2]\n").models, [
      "qwen3:8b",
      "llama3.2",
    ]);
  });

  it("with values that can't be is not used, and says of each where and what it must be", () => {
    const at = (text: string): unknown[] =>
      said(`name: V\nprompt: p\n${text}`).map(([level, place]) => [level, place]);
    assert.deepEqual(at("temperature: 9\n"), [["error", "9"]]);
    assert.deepEqual(at("temperature: warm\n"), [["error", "warm"]]);
    assert.deepEqual(at("kind: boss\n"), [["error", "boss"]]);
    assert.deepEqual(at("think: maybe\n"), [["error", "maybe"]]);
    assert.deepEqual(at("limits: { steps: 0 }\n"), [["error", "0"]]);
    assert.deepEqual(at("limits: { seconds: 1,5 }\n").length > 0, true);
    assert.deepEqual(at("interests:\n  - name: whales\n    score: 7\n"), [["error", "7"]]);
    assert.deepEqual(at("relationships:\n  - to: Milo\n    type: rival\n    since: soon\n"), [
      ["error", "soon"],
    ]);
    assert.deepEqual(at("properties: { a: { type: strng } }\n"), [["error", "strng"]]);
    assert.deepEqual(at("structured_output: true\n"), [["error", "true"]]);
    assert.equal(read("name: V\nprompt: p\ntemperature: 9\n").definition, undefined);
    assert.match(
      said("name: V\nprompt: p\ntemperature: 9\n")[0]![2],
      /`temperature` must be a number from 0 to 2/,
    );
    assert.match(
      said("name: V\nprompt: p\nproperties: { a: { type: strng } }\n")[0]![2],
      /did you mean `string`/i,
    );
  });

  it("with fields that mean nothing alone says so", () => {
    assertSaid(
      "name: V\nprompt: p\nchained_tool: save_moments\n",
      "warning",
      "save_moments",
      /structured_output: true/,
    );
    assertSaid(
      "name: V\nprompt: p\nproperties: { mood: a word }\nrequired: [mod]\n",
      "warning",
      "mod",
      /no field of `properties`.*Did you mean `mood`/,
    );
  });
});
