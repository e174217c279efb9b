import assert from "node:assert/strict";
import {
  canChat,
  modelItems,
  pickerModels,
  STAND_IN_ID,
  type ModelEntry,
} from "../../../src/vscode/models/entry.ts";
import { PullProgress } from "../../../src/vscode/models/pull-progress.ts";
import { ServerSource } from "../../../src/vscode/models/server-source.ts";
import { sameModel } from "../../../src/vscode/models/server.ts";
import { gate, line, startScriptedOllama, wait } from "../../support/ollama/index.ts";
import type { Gate, ScriptedOllama } from "../../support/ollama/index.ts";

const QWEN: ModelEntry = {
  name: "qwen3:8b",
  sizeBytes: 5_200_000_000,
  parameterSize: "8.2B",
  quantization: "Q4_K_M",
  family: "qwen3",
  capabilities: ["completion", "tools", "thinking"],
  contextLength: 40_960,
};
const PLAIN: ModelEntry = { name: "plain:latest", capabilities: ["completion"], loaded: true };
const EMBED: ModelEntry = { name: "embed:latest", capabilities: ["embedding"] };
const LIMITS = { contextLength: 32_768, maxOutputTokens: 8_192 };

describe("the list of models to select from", () => {
  it("shows size and what a model can do, and marks the chosen one", () => {
    const [item] = modelItems([QWEN], "qwen3:8b");
    assert.equal(item?.label, "$(check) qwen3:8b");
    assert.equal(item.description, "5.2 GB · tools, thinking");
    assert.equal(item.detail, "8.2B · Q4_K_M · 40,960 tokens of context");
  });

  it("has what is loaded first, and no model that only embeds", () => {
    const names = modelItems([EMBED, QWEN, PLAIN], "").map((item) => item.name);
    assert.deepEqual(names, ["plain:latest", "qwen3:8b"]);
  });

  it("keeps a model of which the server tells nothing", () => {
    assert.equal(canChat({ name: "m" }), true);
    assert.equal(modelItems([{ name: "m" }], "")[0]?.description, "");
  });
});

describe("VS Code's model picker", () => {
  it("has a model that calls tools also while Ollama is down", () => {
    const models = pickerModels([], "", LIMITS);
    assert.deepEqual(
      models.map((model) => [model.id, model.capabilities.toolCalling]),
      [[STAND_IN_ID, true]],
    );
  });

  it("has the stand-in first, so that the picker's own choice means the model of the settings", () => {
    const models = pickerModels([QWEN, EMBED, PLAIN], "qwen3:8b", LIMITS);
    assert.deepEqual(
      models.map((model) => model.name),
      ["Conclave (qwen3:8b)", "qwen3:8b", "plain:latest"],
    );
  });

  it("promises no more context than model and settings have together", () => {
    const small = { ...PLAIN, contextLength: 2_048 };
    const [, model] = pickerModels([small], "", LIMITS);
    assert.equal((model?.maxInputTokens ?? 0) + (model?.maxOutputTokens ?? 0), 2_048);
  });

  it("gives every model an id of its own and numbers that VS Code accepts", () => {
    const models = pickerModels([QWEN, PLAIN], "x", { contextLength: 512, maxOutputTokens: 8_192 });
    assert.equal(new Set(models.map((model) => model.id)).size, models.length);
    for (const model of models) assert.ok(model.maxInputTokens > 0 && model.maxOutputTokens > 0, model.id);
  });
});

describe("the bar of a pull", () => {
  it("shows percent of what is known, never goes back, and ends at a hundred", () => {
    const bar = new PullProgress();
    const steps = [
      { status: "pulling manifest" },
      { status: "pulling a", completed: 50, total: 100 },
      { status: "pulling b", completed: 60, total: 1_000 },
      { status: "pulling b", completed: 1_000, total: 1_000 },
      { status: "verifying sha256 digest", completed: 1_000, total: 1_000 },
    ].map((state) => bar.take(state));
    assert.deepEqual(
      steps.map((step) => step.increment),
      [0, 50, 0, 50, 0],
    );
    assert.deepEqual(
      steps.map((step) => step.message),
      ["pulling manifest", "50 % of 100 B", "6 % of 1.0 kB", "pulling b", "verifying sha256 digest"],
    );
  });
});

describe("the Ollama server of the settings", () => {
  let ollama: ScriptedOllama;
  let heard: Gate;
  const { signal } = new AbortController();

  beforeEach(async () => {
    heard = gate();
    ollama = await startScriptedOllama({
      models: [
        { name: "a", loaded: true, capabilities: ["completion", "tools"], contextLength: 8_192 },
        { name: "b", capabilities: ["completion"] },
      ],
      pulls: {
        "c:1b": {
          steps: [line({ status: "pulling manifest" }), wait(heard), line({ status: "success" })],
          model: { name: "c:1b" },
        },
      },
    });
  });
  afterEach(() => ollama.close());

  const source = (ollamaHost: string, requestTimeout = 30) =>
    new ServerSource(() => ({ ollamaHost, requestTimeout }));
  const serverAt = (host: string) => {
    const server = source(host).current();
    assert.ok(server.ok);
    return server.value;
  };

  it("lists its models with what they can do and which are loaded", async () => {
    const listed = await serverAt(ollama.host).list(signal);
    assert.ok(listed.ok);
    assert.deepEqual(
      listed.value.map(({ name, capabilities, contextLength, loaded }) => [
        name,
        capabilities,
        contextLength,
        loaded,
      ]),
      [
        ["a:latest", ["completion", "tools"], 8_192, true],
        ["b:latest", ["completion"], 32_768, false],
      ],
    );
  });

  it("pulls a model with progress, after which it is listed", async () => {
    const server = serverAt(ollama.host);
    const lines: string[] = [];
    const onLine = ({ status }: { readonly status: string }) => {
      lines.push(status);
      heard.open();
    };
    const pulled = await server.pull("c:1b", onLine, signal);
    assert.deepEqual(pulled, { ok: true, value: "c:1b" });
    assert.deepEqual(lines, ["pulling manifest"]);
    const listed = await server.list(signal);
    assert.ok(listed.ok && listed.value.some((model) => model.name === "c:1b"));
  });

  it("says that a model to pull is not in the library", async () => {
    const pulled = await serverAt(ollama.host).pull("nope", () => undefined, signal);
    assert.equal(pulled.ok, false);
    assert.equal(pulled.failure.code, "model_missing");
  });

  it("stays the same while the settings do, and is another when the address changes", () => {
    let host = ollama.host;
    const changing = new ServerSource(() => ({ ollamaHost: host, requestTimeout: 30 }));
    const first = changing.current();
    assert.equal(changing.current(), first);
    host = "http://127.0.0.1:1";
    const second = changing.current();
    assert.ok(second.ok && second !== first);
    assert.equal(second.value.display, "http://127.0.0.1:1");
  });

  it("is another one at another address, and is kept for each of a few addresses, not for all there ever were", () => {
    const servers = source(ollama.host);
    const other = servers.at("http://127.0.0.1:1");
    assert.ok(other.ok);
    assert.equal(other.value.display, "http://127.0.0.1:1");
    assert.equal(servers.at("http://127.0.0.1:1"), other);
    assert.equal(servers.at(ollama.host), servers.current());
    for (let port = 2; port < 40; port += 1) servers.at(`http://127.0.0.1:${port}`);
    assert.notEqual(servers.at("http://127.0.0.1:1"), other);
  });

  it("is a failure with a button to the settings where the address is none", () => {
    const none = source("ftp://o.test").current();
    assert.equal(none.ok, false);
    assert.equal(none.failure.action, "open_settings");
  });

  it("is known to be down by a failure, not by an exception", async () => {
    const { host } = ollama;
    await ollama.close();
    const listed = await serverAt(host).list(signal);
    assert.equal(listed.ok, false);
    assert.equal(listed.failure.code, "server_unreachable");
  });

  it("knows a name with and without its tag as the same model", () => {
    assert.ok(sameModel("a", "a:latest"));
    assert.ok(!sameModel("a:1b", "a"));
    assert.ok(sameModel("host:5000/x/a", "host:5000/x/a:latest"));
  });
});
