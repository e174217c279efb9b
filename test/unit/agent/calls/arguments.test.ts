import assert from "node:assert/strict";
import fc from "fast-check";
import { z } from "zod";
import { checkCall } from "../../../../src/agent/calls/arguments.ts";
import type { Json } from "../../../../src/agent/models/types.ts";
import { call, makeTool, toolSet } from "../support.ts";

const search = makeTool({
  name: "web_search",
  aliases: ["search_web"],
  parameters: z.object({
    query: z.string(),
    maxResults: z.int().default(5),
    exact: z.boolean().optional(),
    sites: z.array(z.string()).optional(),
    kind: z.enum(["news", "pages"]).optional(),
    score: z.number().optional(),
    range: z.object({ from: z.int(), to: z.int().optional() }).optional(),
  }),
});
const read = makeTool({ name: "read_file", parameters: z.object({ id: z.string() }) as never });
const tools = toolSet(search, read, makeTool({ name: "web_fetch" }));

function checked(args: Json, name = "web_search"): { args: unknown; mended: readonly string[] } {
  const result = checkCall(call(name, args), tools);
  assert.ok(result.ok, JSON.stringify(result));
  return result.value;
}

function refused(args: Json, name = "web_search"): string {
  const result = checkCall(call(name, args), tools);
  assert.ok(!result.ok);
  return result.failure.message;
}

/** Arguments as models write them, and what they mean. */
const MENDED: readonly [string, Json, object][] = [
  ["a number in quotes", { query: "a", maxResults: "7" }, { query: "a", maxResults: 7 }],
  ["a number with a fraction in quotes", { query: "a", score: " -0.5 " }, { query: "a", score: -0.5 }],
  ["a boolean in quotes", { query: "a", exact: "True" }, { query: "a", exact: true }],
  ["a lone string for a list", { query: "a", sites: "x.test" }, { query: "a", sites: ["x.test"] }],
  ["a list written as text", { query: "a", sites: '["x","y"]' }, { query: "a", sites: ["x", "y"] }],
  ["an object written as text", { query: "a", range: '{"from":"1"}' }, { query: "a", range: { from: 1 } }],
  ["a number for a text", { query: 2026 }, { query: "2026" }],
  ["one text in a list for a text", { query: ["a"] }, { query: "a" }],
  ["another case of a choice", { query: "a", kind: "News" }, { query: "a", kind: "news" }],
  ["null for what is optional", { query: "a", exact: null, sites: null }, { query: "a" }],
  ["an empty text for a number", { query: "a", score: "" }, { query: "a" }],
  ["the whole as JSON text", '{"query":"a"}', { query: "a" }],
  ["the whole as bare text", { __input: '{"query": "a"}' }, { query: "a" }],
  ["one level too deep", { arguments: { query: "a" } }, { query: "a" }],
  ["too deep beside the name", { name: "web_search", parameters: { query: "a" } }, { query: "a" }],
  ["too deep, as text", { parameters: '{"query":"a"}' }, { query: "a" }],
  ["in a list", [{ query: "a" }], { query: "a" }],
  ["names in another case", { Query: "a", max_results: 3 }, { query: "a", maxResults: 3 }],
  ["bare words", { __input: "tide Oban" }, { query: "tide Oban" }],
];

describe("arguments of a tool call", () => {
  for (const [what, args, meant] of MENDED) {
    it(`are mended, and it is said: ${what}`, () => {
      const result = checked(args);
      assert.deepEqual(result.args, { maxResults: 5, ...meant });
      assert.ok(result.mended.length > 0, "nothing was said");
    });
  }

  it("are left alone when they are right", () => {
    const args = { query: "a", maxResults: 1, exact: false, sites: ["x"], kind: "news", range: { from: 1 } };
    assert.deepEqual(checked(args), { ...checked(args), args, mended: [] });
  });

  it("lose the fields that the tool does not know, and it is said", () => {
    const result = checkCall(call("web_search", { query: "a", maxResults: 1, page: 2 }), tools);
    assert.ok(result.ok);
    assert.deepEqual(result.value.shown, { query: "a", maxResults: 1 });
    assert.match(result.value.mended.join(), /page: the tool knows no such field/);
  });

  it("show the defaults that were filled in, which is no mending", () => {
    const result = checkCall(call("web_search", { query: "a" }), tools);
    assert.ok(result.ok);
    assert.deepEqual([result.value.shown, result.value.mended], [{ query: "a", maxResults: 5 }, []]);
  });

  it("keep an integer that no number can hold digit for digit, as text", () => {
    assert.deepEqual(checked('{"id": 9223372036854775807}', "read_file").args, { id: "9223372036854775807" });
    assert.match(refused({ query: "a", maxResults: "9223372036854775807" }), /maxResults/);
    assert.match(refused({ id: 2 ** 63 }, "read_file"), /id: /, "its last digits are lost already");
  });

  it("of any right kind pass unchanged", () => {
    const right = fc.record(
      {
        query: fc.string(),
        maxResults: fc.integer(),
        exact: fc.boolean(),
        sites: fc.array(fc.string()),
        score: fc.double({ noNaN: true, noDefaultInfinity: true }),
      },
      { requiredKeys: ["query", "maxResults"] },
    );
    fc.assert(
      fc.property(right, (args) => {
        const result = checked(args);
        assert.deepEqual(result.args, { ...args });
        assert.deepEqual(result.mended, []);
      }),
    );
  });

  it("never break the check, whatever they are", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (args) => {
        const result = checkCall(call("web_search", args as Json), tools);
        assert.equal(typeof result.ok, "boolean");
        assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
      }),
    );
  });

  it("do not reach the prototype of objects", () => {
    const result = checked(JSON.parse('{"query":"a","__proto__":{"polluted":1}}') as Json);
    assert.equal((result.args as Record<string, unknown>)["polluted"], undefined);
  });

  it("that can't be mended are refused with what is wrong and what is expected", () => {
    const message = refused({ maxResults: "many", sites: 3, range: { from: "x" } });
    assert.match(message, /- query: /);
    assert.match(message, /- maxResults: .*expected/);
    assert.match(message, /- range\.from: /);
    assert.match(message, /"maxResults":\{.*"type":"integer"/);
  });

  it("are not guessed: words for a number, several lists, a text in pieces", () => {
    for (const args of [
      { query: "a", maxResults: "five" },
      { query: ["a", "b"] },
      { query: { text: "a" } },
      { query: "a", exact: "yes" },
    ]) {
      refused(args);
    }
  });

  it("bare text is refused where the tool has no single text that matters", () => {
    const two = makeTool({ name: "two", parameters: z.object({ a: z.string(), b: z.string() }) as never });
    assert.ok(!checkCall(call("two", "hello"), toolSet(two)).ok);
  });

  it("stay within bounds when they are refused, however long they are", () => {
    assert.ok(refused({ query: 1, sites: Array.from({ length: 5_000 }, () => ({})) }).length <= 4_000);
  });

  it("survive a check that throws", () => {
    const bad = z.object({ query: z.string() }).refine(() => {
      throw new Error("boom");
    });
    const result = checkCall(
      call("bad", { query: "a" }),
      toolSet(makeTool({ name: "bad", parameters: bad })),
    );
    assert.ok(!result.ok && result.failure.code === "tool_arguments");
  });
});

describe("the name of a called tool", () => {
  it("may be another name that the tool goes by", () => {
    const result = checkCall(call("search_web", { query: "a" }), tools);
    assert.ok(result.ok && result.value.tool.name === "web_search");
  });

  it("that nobody knows is answered with the real ones, the nearest of them first in mind", () => {
    const message = refused({ query: "a" }, "searchTheWeb");
    assert.match(message, /"searchTheWeb"/);
    assert.match(message, /web_search, read_file, web_fetch/);
    assert.match(message, /Did you mean web_search\?/);
    assert.doesNotMatch(refused({}, "launch_rocket"), /Did you mean/);
  });

  it("is cut when it is very long", () => {
    assert.ok(refused({}, "x".repeat(100_000)).length < 300);
  });

  it("gets a clear word when there are no tools at all", () => {
    const result = checkCall(call("web_search"), toolSet());
    assert.ok(!result.ok && /no tool "web_search", and no other/.test(result.failure.message));
  });
});
