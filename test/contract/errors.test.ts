import assert from "node:assert/strict";
import { contract } from "./targets.ts";
import { errorOf, post, SEARCH_TOOL, SHORT, user } from "./wire.ts";

const HISTORY_CALL = (args: unknown) => ({
  role: "assistant",
  content: "",
  tool_calls: [{ function: { name: "search_memory", arguments: args } }],
});

contract("errors", (target) => {
  const chat = (extra: object) =>
    post(target, "/api/chat", { model: target.full, messages: [user("Hello")], options: SHORT, ...extra });

  it("a model that is not there is 404, by name", async () => {
    const answer = await chat({ model: "nope" });
    assert.equal(answer.status, 404);
    assert.equal(errorOf(answer), "model 'nope' not found");
    const shown = await post(target, "/api/show", { model: "nope" });
    assert.deepEqual([shown.status, errorOf(shown)], [404, "model 'nope' not found"]);
    const embedded = await post(target, "/api/embed", { model: "nope", input: "x" });
    assert.deepEqual(
      [embedded.status, errorOf(embedded)],
      [404, 'model "nope" not found, try pulling it first'],
    );
  });

  it("no model, or a name that can't be one, is 400", async () => {
    for (const model of ["", "a b/c d"]) {
      const answer = await chat({ model });
      assert.deepEqual([answer.status, errorOf(answer)], [400, "model is required"]);
    }
    const shown = await post(target, "/api/show", {});
    assert.deepEqual([shown.status, errorOf(shown)], [400, "model is required"]);
  });

  it("tools on a model without them are 400", async () => {
    const answer = await chat({ model: target.plain, tools: [SEARCH_TOOL] });
    assert.equal(answer.status, 400);
    assert.equal(errorOf(answer), `registry.ollama.ai/library/${target.plain}:latest does not support tools`);
  });

  it("thinking on a model that can't is 400, before tools are looked at", async () => {
    const answer = await chat({ model: target.plain, think: true, tools: [SEARCH_TOOL] });
    assert.equal(answer.status, 400);
    assert.equal(errorOf(answer), `"${target.plain}" does not support thinking`);
  });

  it("a level of thinking on a model that only knows yes and no is 400", async () => {
    const answer = await chat({ think: "low" });
    assert.deepEqual(
      [answer.status, errorOf(answer)],
      [400, 'think value "low" is not supported for this model'],
    );
  });

  for (const think of ["silly", 3]) {
    it(`${JSON.stringify(think)} is no way to think: 400`, async () => {
      const answer = await chat({ think });
      assert.equal(answer.status, 400);
      assert.match(errorOf(answer), /think (?:value: "silly" \()?must be|\(must be/);
    });
  }

  const badSchemas = [
    { type: "nonsense" },
    { type: "object", properties: { a: { type: "zzz" } } },
    { $ref: "#/nope" },
    { anyOf: "x" },
    { type: "string", pattern: "[" },
  ];
  for (const format of badSchemas) {
    it(`the schema ${JSON.stringify(format)} is 500 before anything is streamed`, async () => {
      const answer = await chat({ format, think: false });
      assert.match(answer.contentType, /^application\/json/);
      assert.deepEqual([answer.status, errorOf(answer)], [500, "invalid JSON schema in format"]);
    });
  }

  it("a format that is no schema is 500, shown back", async () => {
    const answer = await chat({ format: "xml", think: false });
    assert.equal(answer.status, 500);
    assert.equal(
      errorOf(answer),
      'invalid format: "\\"xml\\""; expected "json" or a valid JSON Schema object',
    );
  });

  for (const args of ['{"query":"cache"}', "cache", ["cache"]]) {
    it(`arguments in the history that are ${JSON.stringify(args)}, not an object, are 400`, async () => {
      const answer = await chat({ messages: [user("Hello"), HISTORY_CALL(args)] });
      assert.equal(answer.status, 400);
      assert.match(errorOf(answer), /object/);
    });
  }

  const badBodies: readonly (readonly [string, RegExp])[] = [
    ["", /^missing request body$/],
    ["{", /^unexpected EOF$/],
    ["hello", /^invalid character 'h' looking for beginning of value$/],
    ["[]", /^json: cannot unmarshal array into Go value of type api\.ChatRequest$/],
    ['{"model":5}', /^json: cannot unmarshal number into Go struct field ChatRequest\.model of type string$/],
    [
      '{"model":"m","messages":[{"role":"user","content":5}]}',
      /^json: cannot unmarshal number into Go struct field ChatRequest\.messages\.content of type string$/,
    ],
  ];
  for (const [body, expected] of badBodies) {
    it(`the body ${JSON.stringify(body)} is 400, in the words of the server's parser`, async () => {
      const answer = await post(target, "/api/chat", body);
      assert.equal(answer.status, 400);
      assert.match(errorOf(answer), expected);
    });
  }

  it("an address that is not there is plain text", async () => {
    const absent = await fetch(`${target.host}/api/nope`);
    assert.equal(absent.status, 404);
    assert.match(absent.headers.get("content-type") ?? "", /^text\/plain/);
    assert.match(await absent.text(), /404 page not found/);
    const wrong = await fetch(`${target.host}/api/chat`);
    assert.deepEqual([wrong.status, await wrong.text()], [405, "405 method not allowed"]);
  });
});
