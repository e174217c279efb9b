import assert from "node:assert/strict";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { findModel } from "../../../../src/memory/embed/model-files.ts";
import { cleanUp, later, never, temporaryFolder, valueOf } from "../support.ts";

const MODEL = "Xenova/all-MiniLM-L6-v2";
const FILES = ["config.json", "onnx/model_quantized.onnx", "tokenizer.json", "tokenizer_config.json"];

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  later(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function modelFolder(files = FILES): Promise<string> {
  const folder = await temporaryFolder();
  for (const file of files) {
    const path = join(folder, MODEL, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, "{}");
  }
  return folder;
}

const ignore = (): void => undefined;

describe("The files of the embedding model", () => {
  afterEach(cleanUp);

  it("are taken from the user's folder, without a word to the network", async () => {
    const modelDir = await modelFolder();
    const cacheDir = await temporaryFolder();
    const places = { modelDir, cacheDir, allowDownload: true, modelHost: "http://127.0.0.1:1/" };
    assert.equal(valueOf(await findModel(places, ignore, never)), modelDir);
  });

  it("are named when the user's folder lacks them and nothing may be downloaded", async () => {
    const modelDir = await modelFolder(["config.json", "tokenizer.json"]);
    const found = await findModel(
      { modelDir, cacheDir: await temporaryFolder(), allowDownload: false },
      ignore,
      never,
    );
    assert.ok(!found.ok);
    assert.match(
      found.failure.message,
      /lacks Xenova\/all-MiniLM-L6-v2\/tokenizer_config.json, onnx\/model_quantized.onnx/,
    );
    assert.ok(found.failure.message.includes(modelDir));
  });

  it("are asked for in words when there is neither folder nor leave to download", async () => {
    const found = await findModel({ cacheDir: await temporaryFolder(), allowDownload: false }, ignore, never);
    assert.ok(!found.ok);
    assert.match(
      found.failure.message,
      /Allow its download .* or name a folder .* in the setting conclave\.memory\.embedder\.folder/,
    );
    assert.equal(found.failure.action, "open_settings");
  });

  it("are downloaded whole, and not asked for again", async () => {
    const asked: string[] = [];
    const modelHost = await serve((request, response) => {
      asked.push(request.url ?? "");
      response.end(`body of ${request.url}`);
    });
    const places = { cacheDir: await temporaryFolder(), allowDownload: true, modelHost };
    const percents: number[] = [];
    const folder = valueOf(await findModel(places, (percent) => percents.push(percent), never));
    assert.equal(folder, places.cacheDir);
    assert.deepEqual(
      asked.sort(),
      FILES.map((file) => `/${MODEL}/resolve/main/${file}`),
    );
    assert.match(await readFile(join(folder, MODEL, "onnx/model_quantized.onnx"), "utf8"), /^body of/);
    assert.equal(percents.at(-1), 100);
    valueOf(await findModel(places, ignore, never));
    assert.equal(asked.length, 4);
  });

  it("are downloaded by the proxy that leads out", async () => {
    const asked: string[] = [];
    const proxy = await serve((request, response) => {
      asked.push(request.url ?? "");
      response.end("body");
    });
    const modelHost = "http://models.example/";
    const places = { cacheDir: await temporaryFolder(), allowDownload: true, modelHost, proxy };
    valueOf(await findModel(places, ignore, never));
    assert.deepEqual(
      asked.sort(),
      FILES.map((file) => `${modelHost}${MODEL}/resolve/main/${file}`),
    );
  });

  it("are downloaded from a mirror, whose address may hold a path, and may end with a slash or not", async () => {
    const asked: string[] = [];
    const mirror = await serve((request, response) => {
      asked.push(request.url ?? "");
      response.end("body");
    });
    for (const modelHost of [`${mirror}hub`, `${mirror}hub//`]) {
      asked.length = 0;
      const places = { cacheDir: await temporaryFolder(), allowDownload: true, modelHost };
      valueOf(await findModel(places, ignore, never));
      assert.deepEqual(
        asked.sort(),
        FILES.map((file) => `/hub/${MODEL}/resolve/main/${file}`),
      );
    }
  });

  it("are never half there: a download that breaks off leaves nothing, and the next one mends it", async () => {
    let broken = true;
    const modelHost = await serve((request, response) => {
      if (broken && request.url?.endsWith(".onnx") === true) {
        response.writeHead(200, { "content-length": 1_000 });
        response.write("half");
        setImmediate(() => response.destroy());
      } else {
        response.end("whole");
      }
    });
    const places = { cacheDir: await temporaryFolder(), allowDownload: true, modelHost };
    const found = await findModel(places, ignore, never);
    assert.ok(!found.ok);
    assert.match(
      found.failure.message,
      /can't be downloaded from 127.0.0.1:\d+. Put its files into a folder and name that folder in the setting conclave\.memory\.embedder\.folder/,
    );
    assert.deepEqual(await readdir(join(places.cacheDir, MODEL, "onnx")), []);
    broken = false;
    valueOf(await findModel(places, ignore, never));
  });

  it("are not an error page that came in their place", async () => {
    const modelHost = await serve((_, response) => response.writeHead(404).end("<html>not here"));
    const cacheDir = await temporaryFolder();
    const found = await findModel({ cacheDir, allowDownload: true, modelHost }, ignore, never);
    assert.ok(!found.ok);
    assert.match(found.failure.cause ?? "", /404/);
    assert.deepEqual(await readdir(join(cacheDir, MODEL)), []);
  });

  it("are no longer fetched once the signal fires", async () => {
    const stop = new AbortController();
    const modelHost = await serve((_, response) => {
      response.writeHead(200, { "content-length": 1_000 });
      response.write("begun");
      setImmediate(() => stop.abort());
    });
    const cacheDir = await temporaryFolder();
    const found = await findModel({ cacheDir, allowDownload: true, modelHost }, ignore, stop.signal);
    assert.equal(found.ok ? "" : found.failure.code, "cancelled");
    assert.deepEqual(await readdir(join(cacheDir, MODEL)), []);
  });
});
