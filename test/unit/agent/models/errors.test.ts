import assert from "node:assert/strict";
import { fromFault } from "../../../../src/agent/models/errors.ts";

const CONTEXT = { host: "http://box:11434", model: "m:7b" };

function unreachable(error: Error): ReturnType<typeof fromFault> {
  return fromFault({ kind: "unreachable", error }, CONTEXT);
}

describe("a server that can't be reached", () => {
  const reasons: readonly (readonly [string, RegExp])[] = [
    [
      "ECONNREFUSED",
      /^Ollama is not running at http:\/\/box:11434\. Start it, or change conclave\.ollama\.host\.$/,
    ],
    ["ENOTFOUND", /the name is not known/],
    ["EAI_AGAIN", /the name is not known/],
    ["EHOSTUNREACH", /no way to that address/],
    ["ETIMEDOUT", /nothing answered/],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", /certificate is not trusted/],
    ["ERR_SSL_WRONG_VERSION_NUMBER", /does not speak https/],
    ["EWHATEVER", /no connection was made/],
  ];
  for (const [code, sentence] of reasons) {
    it(`by ${code} says why, where, and what to change`, () => {
      const failure = unreachable(Object.assign(new Error(`connect ${code}`), { code }));
      assert.equal(failure.code, "server_unreachable");
      assert.match(failure.message, sentence);
      assert.match(failure.message, /http:\/\/box:11434/);
      assert.match(failure.message, /conclave\.ollama\.host/);
    });
  }

  it("by any of its addresses is told by the first of the errors", () => {
    const inner = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
    assert.equal(unreachable(new AggregateError([inner, inner])).action, "start_ollama");
    assert.equal(unreachable(new TypeError("fetch failed", { cause: inner })).action, "start_ollama");
  });
});

describe("a time limit", () => {
  const limits = [
    ["connect", 10_000, /m:7b at http:\/\/box:11434 .* within 10 s .*connecting.*conclave\.ollama\.host/],
    ["first_byte", 900_000, /within 900 s .*loading the model.*conclave\.requestTimeout/],
    ["idle", 1_500, /within 1\.5 s .*between two pieces.*conclave\.requestTimeout/],
  ] as const;
  for (const [limit, ms, sentence] of limits) {
    it(`that is over is named, in seconds, with the setting for it: ${limit}`, () => {
      const failure = fromFault({ kind: "timeout", limit, ms }, CONTEXT);
      assert.equal(failure.code, "timeout");
      assert.match(failure.message, sentence);
    });
  }

  it("that no setting changes sends nobody to the settings", () => {
    const fault = { kind: "timeout", limit: "first_byte", ms: 30_000 } as const;
    const { message, action } = fromFault(fault, { ...CONTEXT, isFixed: true });
    assert.match(message, /within 30 s/);
    assert.doesNotMatch(message, /conclave\./);
    assert.equal(action, "retry");
  });
});
