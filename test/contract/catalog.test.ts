import assert from "node:assert/strict";
import { z } from "zod";
import { startTinyRegistry, type TinyRegistry } from "../support/ollama/registry.ts";
import { CONTEXT_LENGTH, contract, DIMENSIONS } from "./targets.ts";
import { errorOf, post } from "./wire.ts";

const Details = z.strictObject({
  parent_model: z.string(),
  format: z.literal("gguf"),
  family: z.string(),
  families: z.array(z.string()).nullable(),
  parameter_size: z.string(),
  quantization_level: z.string(),
});
const Tags = z.strictObject({
  models: z.array(
    z.strictObject({
      name: z.string(),
      model: z.string(),
      modified_at: z.string(),
      size: z.int(),
      digest: z.string().regex(/^[0-9a-f]{64}$/),
      details: Details,
    }),
  ),
});
const Show = z.looseObject({
  details: Details,
  parameters: z.string().optional(),
  model_info: z.record(z.string(), z.unknown()),
  capabilities: z.array(z.string()),
});
const Progress = z.strictObject({
  status: z.string(),
  digest: z.string().optional(),
  total: z.int().optional(),
  completed: z.int().optional(),
});

contract("the list of models", (target) => {
  it("names each with its tag, size and digest", async () => {
    const response = await fetch(`${target.host}/api/tags`);
    const names = Tags.parse(await response.json()).models.map((model) => model.name);
    assert.ok(names.includes(`${target.full}:latest`));
    assert.ok(names.includes(`${target.plain}:latest`));
  });

  it("says of a model what it can do and how long its context is", async () => {
    const full = Show.parse(JSON.parse((await post(target, "/api/show", { model: target.full })).text));
    assert.deepEqual(full.capabilities.toSorted(), ["completion", "thinking", "tools"]);
    const architecture = String(full.model_info["general.architecture"]);
    assert.equal(full.model_info[`${architecture}.context_length`], CONTEXT_LENGTH);
    assert.match(full.parameters ?? "", /^stop +"<\|im_end\|>"$/m);
    const plain = Show.parse(JSON.parse((await post(target, "/api/show", { model: target.plain })).text));
    assert.deepEqual(plain.capabilities, ["completion"]);
  });

  it("finds a model by its old field too", async () => {
    assert.equal((await post(target, "/api/show", { name: target.full })).status, 200);
  });
});

contract("the server itself", (target) => {
  it("says that it runs, and its version", async () => {
    const root = await fetch(target.host);
    assert.equal(await root.text(), "Ollama is running");
    const version = await fetch(`${target.host}/api/version`);
    assert.match(
      z.strictObject({ version: z.string() }).parse(await version.json()).version,
      /^\d+\.\d+\.\d+/,
    );
  });

  it("answers HEAD where clients look whether it is there", async () => {
    for (const path of ["/", "/api/tags", "/api/version"]) {
      assert.equal((await fetch(target.host + path, { method: "HEAD" })).status, 200, path);
    }
    assert.equal((await fetch(`${target.host}/api/ps`, { method: "HEAD" })).status, 405);
  });

  it("refuses pages of other origins, and lets the editor in", async () => {
    const from = async (origin: string) =>
      (await fetch(`${target.host}/api/version`, { headers: { origin } })).status;
    assert.equal(await from("http://evil.test"), 403);
    assert.equal(await from("vscode-webview://abc"), 200);
    assert.equal(await from("http://localhost:3000"), 200);
  });
});

contract("embedding", (target) => {
  const Embedded = z.strictObject({
    model: z.string(),
    embeddings: z.array(z.array(z.number())),
    total_duration: z.int().positive(),
    load_duration: z.int().positive(),
    prompt_eval_count: z.int().positive(),
  });
  const embed = (extra: object) => post(target, "/api/embed", { model: target.full, ...extra });

  it("gives one vector of length 1 for each text, the same for the same text", async () => {
    const answer = await embed({ input: ["the cache", "the harbour", "the cache"] });
    const { embeddings } = Embedded.parse(JSON.parse(answer.text));
    assert.deepEqual(
      embeddings.map((vector) => [vector.length, Math.hypot(...vector).toFixed(3)]),
      Array(3).fill([DIMENSIONS, "1.000"]),
    );
    const [first = [], second = [], third = []] = embeddings;
    const cosine = (a: readonly number[], b: readonly number[]) =>
      a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
    assert.ok(cosine(first, third) > 0.999);
    assert.ok(cosine(first, second) < cosine(first, third));
  });

  it("takes one text, and fewer dimensions", async () => {
    const answer = await embed({ input: "the cache", dimensions: 32 });
    const { embeddings } = Embedded.parse(JSON.parse(answer.text));
    assert.deepEqual(
      embeddings.map((vector) => [vector.length, Math.hypot(...vector).toFixed(3)]),
      [[32, "1.000"]],
    );
  });

  it("gives nothing for nothing", async () => {
    for (const input of [[], "", undefined]) {
      const answer = await embed({ input });
      assert.deepEqual(JSON.parse(answer.text), { model: target.full, embeddings: [] });
    }
  });

  it("refuses what is not text", async () => {
    for (const input of [5, [5]]) {
      const answer = await embed({ input });
      assert.deepEqual([answer.status, errorOf(answer)], [400, "invalid input type"]);
    }
  });

  it("refuses a text that is too long when nothing may be cut", async () => {
    const input = Array.from({ length: 600 }, (_, index) => `word${index}`).join(" ");
    const options = { num_ctx: 256 };
    const refused = await embed({ input, options, truncate: false });
    assert.deepEqual(
      [refused.status, errorOf(refused)],
      [400, "the input length exceeds the context length"],
    );
    assert.equal((await embed({ input, options })).status, 200);
  });
});

contract("pulling a model", (target) => {
  let registry: TinyRegistry | undefined;
  before(async () => {
    registry = await startTinyRegistry();
    target.allowPull(registry.model);
  });
  after(() => registry?.close());

  const pull = (extra: object) =>
    post(target, "/api/pull", { model: registry?.model, insecure: true, ...extra });

  it("reports its progress in lines and ends with success; the model is there then", async () => {
    const answer = await pull({});
    assert.match(answer.contentType, /^application\/x-ndjson/);
    const lines = answer.text
      .trimEnd()
      .split("\n")
      .map((line) => Progress.parse(JSON.parse(line)));
    const statuses = lines.map((line) => line.status);
    assert.equal(statuses[0], "pulling manifest");
    assert.deepEqual(statuses.slice(-3), ["verifying sha256 digest", "writing manifest", "success"]);
    const parts = lines.filter((line) => line.digest !== undefined);
    assert.ok(parts.every((line) => line.status === `pulling ${line.digest?.slice(7, 19)}`));
    assert.ok(parts.some((line) => line.completed === line.total));
    const tags = await (await fetch(`${target.host}/api/tags`)).text();
    assert.ok(tags.includes("conclave/tiny"));
    const removed = await fetch(`${target.host}/api/delete`, {
      method: "DELETE",
      body: JSON.stringify({ model: registry?.model }),
    });
    assert.equal(removed.status, 200);
  });

  it("fails in a line after 200 when the registry can't be reached", async () => {
    const answer = await pull({ model: "http://127.0.0.1:1/conclave/absent" });
    assert.equal(answer.status, 200);
    const lines = answer.text.trimEnd().split("\n");
    assert.deepEqual(JSON.parse(lines[0] ?? ""), { status: "pulling manifest" });
    const last = z.strictObject({ error: z.string() }).parse(JSON.parse(lines.at(-1) ?? ""));
    assert.match(last.error, /^pull model manifest: /);
  });

  it("fails with a status when it is not to stream", async () => {
    const answer = await pull({ model: "http://127.0.0.1:1/conclave/absent", stream: false });
    assert.equal(answer.status, 500);
    assert.match(errorOf(answer), /^pull model manifest: /);
  });

  it("refuses what can't be a name", async () => {
    for (const model of ["", "a b c"]) {
      const answer = await pull({ model });
      assert.deepEqual([answer.status, errorOf(answer)], [400, "invalid model name"]);
    }
  });
});
