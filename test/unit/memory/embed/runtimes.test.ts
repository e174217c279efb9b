import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFile, cp, mkdir, readdir, rm, symlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { z } from "zod";
import {
  cleanUp,
  client,
  later,
  never,
  temporaryFolder,
  valueOf,
  episode,
  bundledHost,
  removeBundledHost,
} from "../support.ts";

import { foundSoon } from "./job-support.ts";

const ROOT = resolve(import.meta.dirname, "../../../..");
const MODULES = join(ROOT, "node_modules");
const LIBRARY = join("@xenova", "transformers");
const modelDir = process.env.CONCLAVE_EMBEDDER_DIR ?? "";
const TEXTS = ["The cat sits outside", "a feline rests in the garden", "word ".repeat(900)];

const toldSchema = z.object({
  outside: z.array(z.string()),
  model: z.string().optional(),
  dimensions: z.int().optional(),
  note: z.string().optional(),
  vectors: z.array(z.array(z.number())).optional(),
  failure: z.object({ message: z.string() }).optional(),
});

/** The packages as they ship, in a folder of their own, without those named. */
async function packagesWithout(...absent: readonly string[]): Promise<string> {
  const folder = await temporaryFolder();
  const modules = join(folder, "node_modules");
  const library = join(modules, LIBRARY);
  await mkdir(join(library, "node_modules"), { recursive: true });
  for (const part of ["package.json", "src", "dist"]) {
    await cp(join(MODULES, LIBRARY, part), join(library, part), { recursive: true });
  }
  for (const name of await readdir(join(MODULES, LIBRARY, "node_modules"))) {
    if (absent.includes(name)) continue;
    await symlink(join(MODULES, LIBRARY, "node_modules", name), join(library, "node_modules", name));
  }
  for (const name of ["sharp", "@lancedb", "apache-arrow"])
    if (!absent.includes(name)) await symlink(join(MODULES, name), join(modules, name));
  return folder;
}

describe("What runs the embedding model", function () {
  this.timeout(120_000);
  let bundle = "";
  before(async function () {
    if (modelDir === "") {
      assert.notEqual(process.env.CI, "true", "CONCLAVE_EMBEDDER_DIR must be set in CI");
      this.skip();
    }
    bundle = join(MODULES, ".cache", `conclave-vectors-${process.pid}`, "vectors.cjs");
    await build({
      entryPoints: [join(import.meta.dirname, "vectors-process.ts")],
      outfile: bundle,
      bundle: true,
      platform: "node",
      format: "cjs",
      target: "node20",
      minify: true,
      external: ["@xenova/transformers", "onnxruntime-node"],
      logLevel: "error",
    });
  });
  afterEach(cleanUp);
  after(async () => {
    if (bundle !== "") await rm(dirname(bundle), { recursive: true, force: true });
    await removeBundledHost();
  });

  const embedWith = async (file: string): Promise<z.infer<typeof toldSchema>> => {
    const { stdout } = await promisify(execFile)(process.execPath, [file, modelDir, ...TEXTS]);
    return toldSchema.parse(JSON.parse(stdout));
  };
  const embedIn = async (folder: string): Promise<z.infer<typeof toldSchema>> => {
    const file = join(folder, "vectors.cjs");
    await copyFile(bundle, file);
    return embedWith(file);
  };

  it("is WebAssembly where the native runtime is missing: the same vectors, and it is said that it is slower", async () => {
    const native = await embedWith(bundle);
    const wasm = await embedIn(await packagesWithout("onnxruntime-node"));
    assert.equal(native.note, undefined);
    assert.match(wasm.note ?? "", /slower.*onnxruntime-node/);
    assert.deepEqual([wasm.model, wasm.dimensions], [native.model, 384]);
    assert.equal(wasm.vectors?.length, TEXTS.length);
    wasm.vectors.forEach((vector, text) =>
      vector.forEach((value, place) => {
        assert.ok(Math.abs(value - (native.vectors?.[text]?.[place] ?? NaN)) < 1e-3);
      }),
    );
  });

  it("needs no library for images: without one the vectors are the same, native or not", async () => {
    const native = await embedWith(bundle);
    const without = await embedIn(await packagesWithout("sharp"));
    assert.equal(without.note, undefined);
    assert.deepEqual(without.vectors, native.vectors);
    const neither = await embedIn(await packagesWithout("sharp", "onnxruntime-node"));
    assert.match(neither.note ?? "", /slower/);
    assert.equal(neither.vectors?.length, TEXTS.length);
  });

  it("is found on this machine: with the model there, nothing is asked of any other", async () => {
    assert.deepEqual((await embedWith(bundle)).outside, []);
    assert.deepEqual((await embedIn(await packagesWithout("onnxruntime-node"))).outside, []);
  });

  it("is not missed with an exception where there is none: the reason is said", async () => {
    const told = await embedIn(await packagesWithout("onnxruntime-node", "onnxruntime-web"));
    assert.match(told.failure?.message ?? "", /the library that runs embedding models can't be loaded/);
  });

  it("may be the slower one in the memory process: memories are found by meaning, and the status says why", async () => {
    const folder = await packagesWithout("onnxruntime-node");
    const hostPath = join(folder, "memory-host.cjs");
    await copyFile(await bundledHost(), hostPath);
    const memory = await client({ hostPath, modelDir });
    later(() => memory.dispose());
    valueOf(await memory.search({ query: "loads the model", limit: 1 }, never));
    const cat = episode({ question: "What sits outside?", answer: "The cat.", sessionId: "1" });
    valueOf(await memory.add([cat], never));
    const found = await foundSoon(memory, { query: "a feline in the garden", limit: 1 });
    assert.equal(found.hits[0]?.episode.id, cat.id);
    assert.match((await memory.status(never)).message ?? "", /slower/);
  });
});
