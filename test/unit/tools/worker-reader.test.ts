import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import type { FetchedBody } from "../../../src/tools/web/reader.ts";
import { workerReader } from "../../../src/tools/web/worker-reader.ts";
import { makePdf } from "../../support/web/pdf.ts";

const never = new AbortController().signal;

function bodyOf(text: string | Buffer, contentType = "text/html"): FetchedBody {
  return { url: "https://example.com/a", contentType, bytes: Buffer.from(text), cut: false };
}

describe("the reading thread", function () {
  this.timeout(60_000);
  let folder: string;
  let bundle: string;
  let scripts = 0;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "conclave-reader-"));
    bundle = join(folder, "reader.cjs");
    await build({
      entryPoints: ["src/tools/web/reader-worker.ts"],
      outfile: bundle,
      bundle: true,
      platform: "node",
      format: "cjs",
      logLevel: "silent",
      external: ["canvas", "@napi-rs/canvas"],
    });
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  function script(code: string): string {
    scripts += 1;
    const path = join(folder, `script-${scripts}.mjs`);
    writeFileSync(path, `import { parentPort } from "node:worker_threads";\n${code}`);
    return path;
  }

  it("reads pages and PDFs as the product ships it: bundled, with no module folder beside it", async () => {
    const reader = workerReader({ script: bundle });
    const page = await reader.read(
      bodyOf("<title>Pier</title><main><p>The pier reopens on 3 May, they say.</p></main>"),
      never,
    );
    const pdf = await reader.read(bodyOf(makePdf({ pages: ["High tide"] }), "application/pdf"), never);
    await reader.dispose();
    assert.ok(page.ok);
    assert.equal(page.value.title, "Pier");
    assert.ok(pdf.ok, pdf.ok ? "" : JSON.stringify(pdf.failure));
    assert.match(pdf.value.text, /High tide/);
  });

  it("runs without the hooks that the environment would load into it", async () => {
    const before = process.env.NODE_OPTIONS;
    process.env.NODE_OPTIONS = "--require=/nowhere/hook.js";
    const reader = workerReader({ script: bundle });
    try {
      assert.equal((await reader.read(bodyOf("High tide at 14:10", "text/plain"), never)).ok, true);
    } finally {
      if (before === undefined) delete process.env.NODE_OPTIONS;
      else process.env.NODE_OPTIONS = before;
      await reader.dispose();
    }
  });

  it("is ended at once when what it works on is cancelled, and reads the next body", async () => {
    const path = script(`
      parentPort.on("message", ({ id, url, bytes }) => {
        if (bytes.length > 3) for (;;);
        parentPort.postMessage({ id, result: { ok: true, value: { kind: "text", title: "", text: url, notes: [] } } });
      });`);
    const reader = workerReader({ script: path });
    const controller = new AbortController();
    const stuck = reader.read(bodyOf("for ever"), controller.signal);
    const next = reader.read(bodyOf("ok"), never);
    controller.abort();
    const result = await stuck;
    assert.equal(!result.ok && result.failure.code, "cancelled");
    assert.equal((await next).ok, true);
    await reader.dispose();
  });

  it("names a page that is too heavy when the thread dies of it, and reads the next body", async () => {
    const path = script(`
      parentPort.on("message", ({ id, bytes }) => {
        if (bytes.length > 3) process.exit(1);
        parentPort.postMessage({ id, result: { ok: true, value: { kind: "text", title: "", text: "", notes: [] } } });
      });`);
    const reader = workerReader({ script: path });
    const heavy = await reader.read(bodyOf("heavy"), never);
    assert.equal(!heavy.ok && heavy.failure.message, "The page is too heavy to be read here.");
    assert.equal((await reader.read(bodyOf("ok"), never)).ok, true);
    await reader.dispose();
  });

  it("says so when it can't start", async () => {
    const reader = workerReader({ script: join(folder, "not-there.mjs") });
    assert.equal((await reader.read(bodyOf("x"), never)).ok, false);
    await reader.dispose();
  });

  it("ends its reads as cancelled when it is disposed of, and takes no more", async () => {
    const reader = workerReader({ script: script(`parentPort.on("message", () => {});`) });
    const running = [reader.read(bodyOf("a"), never), reader.read(bodyOf("b"), never)];
    await reader.dispose();
    running.push(reader.read(bodyOf("c"), never));
    for (const result of await Promise.all(running))
      assert.equal(!result.ok && result.failure.code, "cancelled");
  });
});
