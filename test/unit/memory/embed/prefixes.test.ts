import assert from "node:assert/strict";
import { prefixOf } from "../../../../src/memory/embed/prefixes.ts";

describe("What a model is given before a text", () => {
  const asked: readonly (readonly [string, string, string])[] = [
    ["nomic-embed-text", "search_query: ", "search_document: "],
    ["nomic-embed-text:v1.5", "search_query: ", "search_document: "],
    ["nomic-ai/nomic-embed-text-v2-moe", "search_query: ", "search_document: "],
    ["Xenova/e5-small-v2", "query: ", "passage: "],
    ["jeffh/intfloat-multilingual-e5-large:f16", "query: ", "passage: "],
    ["bge-large:latest", "Represent this sentence for searching relevant passages: ", ""],
    ["Xenova/bge-small-en-v1.5", "Represent this sentence for searching relevant passages: ", ""],
    ["mxbai-embed-large", "Represent this sentence for searching relevant passages: ", ""],
    ["snowflake-arctic-embed:335m", "Represent this sentence for searching relevant passages: ", ""],
    ["snowflake-arctic-embed2", "query: ", ""],
    ["Snowflake/snowflake-arctic-embed-m-v2.0", "query: ", ""],
    ["embeddinggemma:300m", "task: search result | query: ", "title: none | text: "],
  ];
  for (const [model, query, document] of asked) {
    it(`is what ${model} was trained with`, () => {
      assert.equal(prefixOf(model, "query"), query);
      assert.equal(prefixOf(model, "document"), document);
    });
  }

  it("is an instruction before queries alone for models that follow one", () => {
    for (const model of ["qwen3-embedding:0.6b", "intfloat/multilingual-e5-large-instruct"]) {
      assert.match(prefixOf(model, "query"), /^Instruct: .*\nQuery: $/);
      assert.equal(prefixOf(model, "document"), "");
    }
  });

  it("is nothing for models that want nothing, and for unknown ones", () => {
    for (const model of [
      "Xenova/all-MiniLM-L6-v2",
      "all-minilm",
      "bge-m3",
      "conclave-smollm2",
      "somebodys-model:7b",
      "",
    ]) {
      assert.equal(prefixOf(model, "query") + prefixOf(model, "document"), "", model);
    }
  });
});
