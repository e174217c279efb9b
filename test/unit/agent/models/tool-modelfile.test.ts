import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { toolModelfile } from "../../../../src/agent/models/tool-modelfile.ts";

describe("The Modelfile that has a server read a model's calls", () => {
  it("is the one that the tests' own model is made with", () => {
    const own = readFileSync(new URL("../../../../scripts/models/Modelfile.qwen", import.meta.url), "utf8");
    const made = toolModelfile({ name: "qwen", capabilities: [], template: "<|im_start|>" });
    const template = /TEMPLATE """[^]*?"""/;
    assert.equal(template.exec(made ?? "")?.[0], template.exec(own)?.[0]);
  });
});
