import assert from "node:assert/strict";
import { OllamaApi } from "../../../../src/agent/models/api.ts";
import { ModelDirectory } from "../../../../src/agent/models/capabilities.ts";
import { OllamaCatalog } from "../../../../src/agent/models/catalog.ts";
import { DEFAULT_LIMITS } from "../../../../src/agent/models/ollama.ts";
import { pullModel, type PullUpdate } from "../../../../src/agent/models/pull.ts";
import { toWire } from "../../../../src/agent/models/wire.ts";
import {
  errorLine,
  gate,
  line,
  raw,
  startScriptedOllama,
  wait,
  type PullScript,
  type ReplyStep,
  type ScriptedOllama,
} from "../../../support/ollama/index.ts";
import { apiAt, ASK, collect, hostOf, ManualClock, NEVER, startBare } from "./support.ts";

describe("the catalogue of a server", () => {
  let server: ScriptedOllama;
  let catalog: OllamaCatalog;
  beforeEach(async () => {
    server = await startScriptedOllama({
      version: "0.0.0",
      models: [
        { name: "m:7b", size: 4_700_000_000, family: "qwen3", quantization: "Q4_K_M", loaded: true },
        { name: "embed:latest", capabilities: ["embedding"], dimensions: 8 },
      ],
    });
    const api = apiAt(server.host);
    catalog = new OllamaCatalog(api, new ModelDirectory(api));
  });
  afterEach(() => server.close());

  it("lists models with size, family, quantisation and what they can do", async () => {
    const models = await catalog.list(NEVER);
    assert.ok(models.ok);
    const [first] = models.value.filter(({ name }) => name === "m:7b");
    assert.equal(first?.size, 4_700_000_000);
    assert.deepEqual([first.family, first.quantization], ["qwen3", "Q4_K_M"]);
    assert.deepEqual(first.capabilities, ["completion", "tools", "thinking"]);
    const embedder = models.value.find(({ name }) => name === "embed:latest");
    assert.deepEqual(embedder?.capabilities, ["embedding"]);
  });

  it("says which models are in memory, with the context they really have", async () => {
    const running = await catalog.running(NEVER);
    assert.ok(running.ok);
    assert.equal(running.value[0]?.name, "m:7b");
    assert.ok((running.value[0].contextLength ?? 0) > 0);
  });

  it("takes any version, also 0.0.0 of a server built from source", async () => {
    assert.deepEqual(await catalog.version(NEVER), { ok: true, value: "0.0.0" });
  });

  it("embeds texts in order", async () => {
    const embed = (input: string[]): ReturnType<typeof catalog.embed> =>
      catalog.embed({ model: "embed", input }, DEFAULT_LIMITS, NEVER);
    const [both, second] = [await embed(["a", "b"]), await embed(["b"])];
    assert.ok(both.ok && second.ok);
    assert.deepEqual([both.value.length, both.value[0]?.length], [2, 8]);
    assert.deepEqual(both.value[1], second.value[0]);
    assert.deepEqual(await embed([]), { ok: true, value: [] });
  });

  it("embeds with the options that the model's chats have, so that it is not loaded anew", async () => {
    const { runner } = ASK;
    await catalog.embed({ model: "embed", input: ["a"], runner }, DEFAULT_LIMITS, NEVER);
    const sent = server.requests.at(-1)?.body as Record<string, unknown>;
    const { options, keep_alive } = toWire("embed", ASK, undefined);
    assert.deepEqual([sent["options"], sent["keep_alive"]], [{ num_ctx: options?.num_ctx }, keep_alive]);
  });

  it("fails in words when the embedding model is missing", async () => {
    const vectors = await catalog.embed({ model: "nope", input: ["a"] }, DEFAULT_LIMITS, NEVER);
    assert.ok(!vectors.ok);
    assert.deepEqual([vectors.failure.code, vectors.failure.target], ["model_missing", "nope"]);
  });

  it("fails in words, in every endpoint, when no server is there", async () => {
    await server.close();
    for (const result of [
      await catalog.list(NEVER),
      await catalog.running(NEVER),
      await catalog.version(NEVER),
    ]) {
      assert.ok(!result.ok);
      assert.equal(result.failure.code, "server_unreachable");
    }
  });

  it("stops when the signal fires", async () => {
    const models = await catalog.list(AbortSignal.abort());
    assert.ok(!models.ok && models.failure.code === "cancelled");
  });
});

describe("a list that takes too long", () => {
  it("says so in seconds, and sends nobody to a setting that does not change it", async () => {
    const clock = new ManualClock();
    const asked = gate();
    const server = await startBare(() => asked.open());
    const api = new OllamaApi(hostOf(server.address), clock);
    const version = new OllamaCatalog(api, new ModelDirectory(api)).version(NEVER);
    await asked.passed;
    clock.advance(30_000);
    const late = await version;
    await server.close();
    assert.ok(!late.ok);
    assert.match(late.failure.message, /within 30 s/);
    assert.equal(late.failure.action, "retry");
  });
});

describe("a model that was made anew under its name", () => {
  it("is asked anew what it can do", async () => {
    let [digest, capabilities] = ["one", ["completion", "tools"]];
    const server = await startBare((request, response) => {
      request.resume();
      const tags = { models: [{ name: "m", size: 1, digest }] };
      response.end(JSON.stringify(request.url === "/api/tags" ? tags : { capabilities }));
    });
    const api = apiAt(server.address);
    const catalog = new OllamaCatalog(api, new ModelDirectory(api));
    const can = async (): Promise<unknown> => {
      const models = await catalog.list(NEVER);
      return models.ok && models.value[0]?.capabilities;
    };
    assert.deepEqual(await can(), ["completion", "tools"]);
    capabilities = ["completion"];
    assert.deepEqual(await can(), ["completion", "tools"], "the same digest: not asked");
    digest = "two";
    assert.deepEqual(await can(), ["completion"]);
    await server.close();
  });
});

describe("pulling a model", () => {
  let server: ScriptedOllama | undefined;
  afterEach(() => server?.close());

  async function pull(
    script: readonly ReplyStep[] | PullScript,
    signal = NEVER,
  ): Promise<AsyncIterable<PullUpdate>> {
    const pulls = {
      m: Array.isArray(script) ? { steps: script as readonly ReplyStep[] } : (script as PullScript),
    };
    server = await startScriptedOllama({ models: [], pulls });
    const api = apiAt(server.host);
    return pullModel(api, new ModelDirectory(api), "m", signal);
  }

  it("tells how far it is over all parts, then that it is done", async () => {
    const goOn = gate();
    const stream = await pull([
      line({ status: "pulling manifest" }),
      line({ status: "pulling a", digest: "a", total: 100, completed: 60 }),
      line({ status: "pulling b", digest: "b", total: 50 }),
      wait(goOn),
      line({ status: "success" }),
    ]);
    const updates: PullUpdate[] = [];
    for await (const update of stream) {
      updates.push(update);
      if (update.type === "progress" && update.total === 150) goOn.open();
    }
    assert.deepEqual(updates.at(-2), { type: "progress", status: "pulling b", completed: 60, total: 150 });
    assert.deepEqual(updates.at(-1), { type: "done" });
  });

  it("of a name that the library lacks says so", async () => {
    const [last] = await collect(await pull([errorLine("pull model manifest: file does not exist", 200)]));
    assert.ok(last?.type === "failure" && last.failure.code === "model_missing");
    assert.match(last.failure.message, /library has no model called m/);
  });

  const failures: readonly (readonly [string, readonly ReplyStep[], RegExp])[] = [
    [
      "no network",
      [line({ error: "dial tcp: lookup registry.example: no such host" })],
      /could not reach the model library/,
    ],
    ["a full disk", [line({ status: "x" }), line({ error: "write: no space left on device" })], /no room/],
    ["an end before success", [line({ status: "x" }), { kind: "end" }], /ended before all was there/],
    ["a bad line", [raw("nonsense\n")], /not JSON/],
    ["a line without status", [line({ digest: "a" })], /no status/],
  ];
  for (const [name, steps, sentence] of failures) {
    it(`broken by ${name} fails in words`, async () => {
      const last = (await collect(await pull(steps))).at(-1);
      assert.ok(last?.type === "failure");
      assert.match(last.failure.message, sentence);
    });
  }

  it("stops, and the server with it, when the signal fires", async () => {
    const abort = new AbortController();
    const stream = await pull(
      [line({ status: "pulling a" }), wait(new Promise(() => undefined))],
      abort.signal,
    );
    const updates: PullUpdate[] = [];
    for await (const update of stream) {
      updates.push(update);
      abort.abort();
    }
    const last = updates.at(-1);
    assert.ok(last?.type === "failure" && last.failure.code === "cancelled");
    assert.equal(await server?.requests.at(-1)?.ended, "aborted");
  });
});
