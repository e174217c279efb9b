import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import esbuild from "esbuild";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const CHILD = join(ROOT, "bench", "support", "activation-child.cjs");

describe("an editor that lacks a part of VS Code's API", () => {
  let folder: string;
  let bundle: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "conclave-forks-"));
    bundle = join(folder, "extension.cjs");
    await esbuild.build({
      entryPoints: [join(ROOT, "src", "extension.ts")],
      outfile: bundle,
      bundle: true,
      platform: "node",
      format: "cjs",
      target: "node20",
      logLevel: "silent",
      external: ["vscode", "@lancedb/lancedb", "apache-arrow", "@xenova/transformers", "onnxruntime-node"],
    });
  });
  after(() => rm(folder, { recursive: true, force: true }));

  for (const without of ["chat", "lm", "chat,lm"]) {
    it(`still gets commands and the panel: without ${without}`, async () => {
      const run = promisify(execFile)(process.execPath, [CHILD, bundle, ROOT, without]);
      const { stdout } = await run;
      const { native, commands } = JSON.parse(stdout) as { native: string[]; commands: string[] };
      assert.deepEqual(native, []);
      for (const id of ["conclave.ask", "conclave.openTracePanel", "conclave.checkSetup"])
        assert.ok(commands.includes(id), id);
    });
  }
});
