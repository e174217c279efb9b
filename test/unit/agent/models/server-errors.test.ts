import assert from "node:assert/strict";
import type { FailureCode } from "../../../../src/agent/failure.ts";
import { errorWords, fromServer } from "../../../../src/agent/models/server-errors.ts";

const CONTEXT = {
  host: "http://127.0.0.1:11434",
  model: "m:7b",
  contextLength: 4_096,
  estimatedTokens: () => 9_000,
};

interface Example {
  readonly status: number;
  readonly words: string;
  readonly code: FailureCode;
  /** What the sentence must name for a person to act on it. */
  readonly names: RegExp;
}

const EXAMPLES: readonly Example[] = [
  { status: 404, words: "model 'm:7b' not found", code: "model_missing", names: /m:7b.*Pull it/ },
  {
    status: 404,
    words: 'model "m:7b" not found, try pulling it first',
    code: "model_missing",
    names: /m:7b/,
  },
  { status: 400, words: "registry/m:7b does not support tools", code: "tools_unsupported", names: /m:7b/ },
  { status: 400, words: '"m:7b" does not support thinking', code: "thinking_unsupported", names: /m:7b/ },
  {
    status: 400,
    words: 'think value "max" is not supported for this model',
    code: "thinking_unsupported",
    names: /m/,
  },
  {
    status: 400,
    words: "the input length exceeds the context length",
    code: "context_overflow",
    names: /9,000 tokens.*4,096 tokens.*conclave\.contextLength/,
  },
  {
    status: 500,
    words: "error parsing tool call: raw='{', err=eof",
    code: "tool_call_unparsable",
    names: /m:7b/,
  },
  { status: 500, words: "invalid JSON schema in format", code: "invalid_format", names: /m:7b/ },
  {
    status: 500,
    words: "model runner has unexpectedly stopped, this may be",
    code: "runner_stopped",
    names: /memory/,
  },
  {
    status: 500,
    words: "llama runner process has terminated: exit status 2",
    code: "runner_stopped",
    names: /m:7b/,
  },
  {
    status: 500,
    words: "model requires more system memory (9.1 GiB) than is available (3.2 GiB)",
    code: "runner_stopped",
    names: /9\.1 GiB.*3\.2 GiB.*smaller model/,
  },
  { status: 503, words: "server busy, please try again.", code: "server_busy", names: /127\.0\.0\.1:11434/ },
  { status: 429, words: "too many requests", code: "rate_limited", names: /later/ },
  { status: 401, words: "unauthorized", code: "unauthorized", names: /ollama signin/ },
  { status: 403, words: "", code: "unauthorized", names: /sign-in/ },
  { status: 400, words: "invalid model name", code: "bad_input", names: /m:7b/ },
  {
    status: 404,
    words: "404 page not found",
    code: "server_error",
    names: /not Ollama.*conclave\.ollama\.host/,
  },
  { status: 502, words: "<html>Bad Gateway</html>", code: "server_error", names: /not Ollama/ },
  {
    status: 301,
    words: "redirects to https://x.test",
    code: "server_error",
    names: /conclave\.ollama\.host/,
  },
  { status: 500, words: "something new", code: "server_error", names: /something new/ },
  { status: 500, words: "", code: "server_error", names: /HTTP 500/ },
];

describe("the server's errors", () => {
  for (const { status, words, code, names } of EXAMPLES) {
    it(`${status} "${words}" is ${code}, in a sentence that helps`, () => {
      const failure = fromServer({ status, words }, CONTEXT);
      assert.equal(failure.code, code);
      assert.match(failure.message, names);
      assert.ok(failure.cause?.includes(words.trim()));
    });
  }

  it("mean the same within a stream as by a status", () => {
    for (const { words, code } of EXAMPLES.filter(({ status, words }) => status === 500 && words !== "")) {
      assert.equal(fromServer({ status: 200, words }, CONTEXT).code, code);
    }
  });

  it("name the missing model for the button that pulls it", () => {
    const failure = fromServer({ status: 404, words: "model 'm:7b' not found" }, CONTEXT);
    assert.deepEqual([failure.action, failure.target], ["pull_model", "m:7b"]);
  });

  it("are read from every form of body", () => {
    assert.equal(errorWords('{"error":"a"}'), "a");
    assert.equal(errorWords('{"error":{"message":"a","type":"x"}}'), "a");
    assert.equal(errorWords("plain words"), "plain words");
    assert.equal(errorWords('{"other":1}'), '{"other":1}');
  });

  it("never flood a message", () => {
    const failure = fromServer({ status: 500, words: "x".repeat(100_000) }, CONTEXT);
    assert.ok(failure.message.length < 500 && (failure.cause?.length ?? 0) < 3_000);
  });
});
