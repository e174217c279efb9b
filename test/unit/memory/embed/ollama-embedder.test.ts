import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import { loadOllamaEmbedder } from "../../../../src/memory/embed/ollama-embedder.ts";
import {
  startScriptedOllama,
  type ScriptedOllama,
  type ScriptedModel,
} from "../../../support/ollama/index.ts";
import { cleanUp, later, never, valueOf } from "../support.ts";

const NOMIC: ScriptedModel = {
  name: "nomic-embed-text",
  family: "nomic-bert",
  capabilities: ["embedding"],
  contextLength: 2_048,
  dimensions: 768,
};

async function scripted(models: readonly ScriptedModel[] = [NOMIC]): Promise<ScriptedOllama> {
  const server = await startScriptedOllama({ models });
  later(() => server.close());
  return server;
}

/** A server whose answers to `/api/embed` the test makes. */
async function bare(
  embed: (input: readonly string[], request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<string> {
  const server = createServer((request, response) => {
    void readText(request).then((body) => {
      if (request.url !== "/api/embed") {
        response.end(
          JSON.stringify({ capabilities: ["embedding"], model_info: { "bert.context_length": 512 } }),
        );
        return;
      }
      const { input } = JSON.parse(body) as { input: string[] };
      const answer = embed(input, request, response);
      if (answer !== undefined) response.end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  later(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const inputsOf = (server: ScriptedOllama): readonly string[][] =>
  server.requests
    .filter(({ path }) => path === "/api/embed")
    .map(({ body }) => (body as { input: string[] }).input);

describe("An embedding model on an Ollama server", () => {
  afterEach(cleanUp);

  it("tells the length of its vectors by its first answer, and is known by server and name", async () => {
    const { host } = await scripted();
    const embedder = valueOf(await loadOllamaEmbedder({ host, model: "nomic-embed-text:latest" }, never));
    assert.equal(embedder.dimensions, 768);
    assert.equal(embedder.model, "ollama/nomic-embed-text");
    const [vector] = valueOf(await embedder.embed(["the cache"], "query", never));
    assert.equal(vector?.length, 768);
    assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-5);
  });

  it("is given queries and documents as it was trained", async () => {
    const server = await scripted();
    const embedder = valueOf(
      await loadOllamaEmbedder({ host: server.host, model: "nomic-embed-text" }, never),
    );
    valueOf(await embedder.embed(["where is it?"], "query", never));
    valueOf(await embedder.embed(["It is on disk."], "document", never));
    assert.deepEqual(inputsOf(server).slice(1), [
      ["search_query: where is it?"],
      ["search_document: It is on disk."],
    ]);
  });

  it("is asked in batches", async () => {
    const server = await scripted();
    const embedder = valueOf(
      await loadOllamaEmbedder({ host: server.host, model: "nomic-embed-text" }, never),
    );
    const texts = Array.from({ length: 40 }, (_, index) => `text ${index + 10}`);
    const vectors = valueOf(await embedder.embed(texts, "document", never));
    assert.deepEqual(
      inputsOf(server)
        .slice(1)
        .map(({ length }) => length),
      [8, 8, 8, 8, 8],
    );
    const [alone] = valueOf(await embedder.embed(["text 37"], "document", never));
    assert.deepEqual(vectors[27], alone);
  });

  it("is sent the options of its chats when it chats too, so that it is not loaded anew", async () => {
    const server = await scripted([{ ...NOMIC, name: "chat", capabilities: ["completion"] }]);
    const runner = { contextLength: 1_024, keepAlive: "30m" };
    valueOf(await loadOllamaEmbedder({ host: server.host, model: "chat", runner }, never));
    const sent = server.requests.find(({ path }) => path === "/api/embed")?.body as Record<string, unknown>;
    assert.deepEqual([sent.options, sent.keep_alive], [{ num_ctx: 1_024 }, "30m"]);
  });

  it("that is not running, not pulled or not named is said in words", async () => {
    const { host } = await scripted();
    const off = await loadOllamaEmbedder({ host: "http://127.0.0.1:1", model: "nomic-embed-text" }, never);
    assert.match(off.ok ? "" : off.failure.message, /Ollama is not running at http:\/\/127.0.0.1:1\b/);
    const absent = await loadOllamaEmbedder({ host, model: "nope" }, never);
    assert.match(absent.ok ? "" : absent.failure.message, /The model nope is not on the Ollama server/);
    const unnamed = await loadOllamaEmbedder({ host, model: " " }, never);
    assert.match(unnamed.ok ? "" : unnamed.failure.message, /no embedding model of Ollama was chosen/);
  });

  it("that hangs is given up after its time", async () => {
    const host = await bare(() => undefined);
    const limits = { firstByteMs: 40 };
    const made = await loadOllamaEmbedder({ host, model: "m", limits }, never);
    assert.equal(made.ok ? "" : made.failure.code, "timeout");
  });

  it("stops within a moment of the signal", async () => {
    const stop = new AbortController();
    const host = await bare((input) => {
      if (input[0] === "ready") return { embeddings: [[1, 0]] };
      stop.abort();
      return undefined;
    });
    const embedder = valueOf(await loadOllamaEmbedder({ host, model: "m" }, never));
    const made = await embedder.embed(["text"], "document", stop.signal);
    assert.equal(made.ok ? "" : made.failure.code, "cancelled");
  });

  it("that refuses a batch for one long text gets that text cut, and the others whole", async () => {
    const whole: string[] = [];
    const host = await bare((input, _request, response) => {
      if (input.some(({ length }) => length > 400)) {
        response.statusCode = 400;
        return { error: "the input length exceeds the context length" };
      }
      whole.push(...input);
      return { embeddings: input.map(() => [1, 0]) };
    });
    const embedder = valueOf(await loadOllamaEmbedder({ host, model: "m" }, never));
    whole.splice(0);
    const long = "x".repeat(1_200);
    assert.equal(valueOf(await embedder.embed(["short", long], "document", never)).length, 2);
    assert.deepEqual(whole, ["short", "x".repeat(300)]);
  });

  it("that answers with something else is a failure in words", async () => {
    let answer: object = { embeddings: [[1, 0]] };
    const host = await bare(() => answer);
    const embedder = valueOf(await loadOllamaEmbedder({ host, model: "m" }, never));
    for (const wrong of [{ embeddings: [] }, { embedding: [1, 0] }, { embeddings: [[1, null]] }, {}]) {
      answer = wrong;
      const made = await embedder.embed(["text"], "document", never);
      assert.match(
        made.ok ? "" : made.failure.message,
        /did not give one vector for each/,
        JSON.stringify(wrong),
      );
    }
  });
});
