import assert from "node:assert/strict";
import { contextLengthFor, ModelDirectory, readShow } from "../../../../src/agent/models/capabilities.ts";
import { gate, startScriptedOllama, type Gate, type ScriptedOllama } from "../../../support/ollama/index.ts";
import { apiAt, NEVER, startBare, type BareServer } from "./support.ts";

describe("what is known of a model", () => {
  let server: ScriptedOllama;
  let directory: ModelDirectory;
  beforeEach(async () => {
    server = await startScriptedOllama({
      models: [
        {
          name: "m:7b",
          contextLength: 8_192,
          family: "qwen3",
          parameterSize: "7B",
          parameters: 7_000_000_000,
          quantization: "Q4_K_M",
        },
      ],
    });
    directory = new ModelDirectory(apiAt(server.host));
  });
  afterEach(() => server.close());

  const asked = (): number => server.requests.filter(({ path }) => path === "/api/show").length;

  it("is what the server says", async () => {
    const info = await directory.describe("m:7b", NEVER);
    assert.deepEqual(info, {
      ok: true,
      value: {
        name: "m:7b",
        capabilities: ["completion", "tools", "thinking"],
        contextLength: 8_192,
        family: "qwen3",
        parameterSize: "7B",
        parameters: 7_000_000_000,
        quantization: "Q4_K_M",
        template: "{{ .Prompt }}",
      },
    });
  });

  it("is asked for once, by many at once and later", async () => {
    const all = await Promise.all([1, 2, 3].map(() => directory.describe("m:7b", NEVER)));
    await directory.describe("m:7b", NEVER);
    assert.ok(all.every(({ ok }) => ok));
    assert.equal(asked(), 1);
  });

  it("is asked for anew once it was invalidated", async () => {
    await directory.describe("m:7b", NEVER);
    directory.invalidate("m:7b");
    await directory.describe("m:7b", NEVER);
    assert.equal(asked(), 2);
  });

  it("is not remembered when it was a failure", async () => {
    const first = await directory.describe("new", NEVER);
    assert.ok(!first.ok && first.failure.code === "model_missing");
    server.addModel({ name: "new" });
    assert.ok((await directory.describe("new", NEVER)).ok);
  });
});

describe("a question about a model that hangs", () => {
  let server: BareServer;
  let directory: ModelDirectory;
  let received: Gate;
  let closed: Gate;
  let goOn: Gate;
  beforeEach(async () => {
    [received, closed, goOn] = [gate(), gate(), gate()];
    server = await startBare((request, response) => {
      request.resume();
      received.open();
      response.on("close", closed.open);
      void goOn.passed.then(() => response.end('{"capabilities":["completion"]}'));
    });
    directory = new ModelDirectory(apiAt(server.address));
  });
  afterEach(() => server.close());

  it("is given up by one caller without harm to another, and ended when all have left", async () => {
    const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()];
    const answers = [first, second].map(({ signal }) => directory.describe("m", signal));
    await received.passed;
    first.abort();
    const given = await answers[0];
    assert.ok(given && !given.ok && given.failure.code === "cancelled");
    const joined = directory.describe("m", third.signal);
    second.abort();
    third.abort();
    await Promise.all([...answers, joined]);
    await closed.passed;
  });

  it("can be asked anew at once after it was given up", async () => {
    const abort = new AbortController();
    const given = directory.describe("m", abort.signal);
    abort.abort();
    await given;
    const again = directory.describe("m", NEVER);
    goOn.open();
    assert.ok((await again).ok);
  });
});

describe("an answer about a model", () => {
  const read = (body: unknown): ReturnType<typeof readShow> =>
    readShow("m", JSON.stringify(body), "http://h");

  it("of an old server, which names no capabilities, is told from the template", () => {
    const withTools = read({ template: "{{ if .Tools }}...", details: {} });
    assert.ok(withTools.ok);
    assert.deepEqual(withTools.value.capabilities, ["completion", "tools"]);
    const without = read({ template: "{{ .Prompt }}" });
    assert.ok(without.ok);
    assert.deepEqual(without.value.capabilities, ["completion"]);
  });

  it("may name capabilities that are not known yet", () => {
    const info = read({ capabilities: ["completion", "telepathy", "thinking"] });
    assert.ok(info.ok);
    assert.deepEqual(info.value.capabilities, ["completion", "thinking"]);
  });

  it("has the context length under the name of the architecture", () => {
    const facts = {
      "general.architecture": "qwen3",
      "clip.context_length": 77,
      "qwen3.context_length": 40_960,
    };
    const info = read({ capabilities: [], model_info: facts });
    assert.ok(info.ok);
    assert.equal(info.value.contextLength, 40_960);
  });

  it("with nonsense in it gives what can be used", () => {
    const info = read({
      capabilities: ["completion"],
      model_info: { "x.context_length": "many" },
      details: 5,
    });
    assert.ok(info.ok);
    assert.deepEqual(info.value, { name: "m", capabilities: ["completion"] });
  });

  it("that is a web page says that this is not Ollama", () => {
    const info = readShow("m", "<html>", "http://h");
    assert.ok(!info.ok);
    assert.match(info.failure.message, /http:\/\/h is not Ollama/);
  });
});

describe("the context length that is asked for", () => {
  it("is what is wanted, but never more than the model's own", () => {
    const info = { name: "m", capabilities: [], contextLength: 8_192 };
    assert.equal(contextLengthFor(32_768, info), 8_192);
    assert.equal(contextLengthFor(4_096, info), 4_096);
    assert.equal(contextLengthFor(32_768, { name: "m", capabilities: [] }), 32_768);
    assert.equal(contextLengthFor(32_768, undefined), 32_768);
  });
});
