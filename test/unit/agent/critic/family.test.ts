import assert from "node:assert/strict";
import { isPrometheus, judgeFamily } from "../../../../src/agent/critic/family.ts";

/** The family that two models have in common, by their names and what the server says of them. */
function shared(judge: string, writer: string, judgeIs?: string, writerIs?: string): string | undefined {
  return judgeFamily(
    { name: judge, ...(judgeIs !== undefined && { family: judgeIs }) },
    { name: writer, ...(writerIs !== undefined && { family: writerIs }) },
  );
}

describe("judge and writer of one family", () => {
  const same: readonly (readonly [string, string, string, string?, string?])[] = [
    ["qwen3:8b", "qwen2.5-coder:32b", "qwen"],
    ["qwq:latest", "qwen3:8b", "qwen"],
    ["llama3.2:3b", "codellama:7b", "llama"],
    ["ggozad/prometheus2:latest", "mistral-nemo:12b", "mistral"],
    ["mixtral:8x7b", "hf.co/someone/Codestral-22B-GGUF:Q4_K_M", "mistral"],
    ["gemma3:12b", "codegemma:7b", "gemma"],
    ["phi4-mini", "phi3:14b", "phi"],
    ["deepseek-r1:8b", "deepseek-v3", "deepseek", "qwen3", "deepseek2"],
    ["deepseek-r1:7b", "qwen2.5:7b", "qwen", "qwen2", "qwen2"],
    ["deepseek-r1:8b", "llama3.1:8b", "llama", "llama", "llama"],
    ["my-judge", "qwen3:8b", "qwen", "qwen2", "qwen3"],
    ["house-model:v1", "house-model:v2", "house-model"],
  ];
  for (const [judge, writer, family, judgeIs, writerIs] of same) {
    it(`${judge} and ${writer} are ${family}`, () => {
      assert.equal(shared(judge, writer, judgeIs, writerIs), family);
      assert.equal(shared(writer, judge, writerIs, judgeIs), family);
    });
  }

  const different: readonly (readonly [string, string, string?, string?])[] = [
    ["qwen3:8b", "llama3.2:3b"],
    // Both are built like Llama; only one of them is one.
    ["mistral:7b", "llama3.1:8b", "llama", "llama"],
    ["ggozad/prometheus2", "llama3.1:8b", "llama", "llama"],
    ["smollm2:135m", "llama3.1:8b", "llama", "llama"],
    ["gemma3:12b", "phi4"],
    ["graphite:1b", "phi4"],
    ["house-model", "other-model"],
    ["", ""],
  ];
  for (const [judge, writer, judgeIs, writerIs] of different) {
    it(`${judge} and ${writer} are none`, () => {
      assert.equal(shared(judge, writer, judgeIs, writerIs), undefined);
    });
  }

  it("a Prometheus is known by its name", () => {
    assert.ok(isPrometheus({ name: "ggozad/prometheus2:latest" }));
    assert.ok(isPrometheus({ name: "hf.co/prometheus-eval/Prometheus-7b-v2.0" }));
    assert.ok(!isPrometheus({ name: "mistral:7b", family: "llama" }));
  });
});
