/**
 * Unpacks the package that `npm run package` made and runs the command line and memory out of it, as it is and on
 * machines that lack a part:
 *
 *   CONCLAVE_EMBEDDER_DIR=FOLDER node scripts/check-package.mjs [FILE]
 *
 * Ends with 1 when something is not as a user should find it.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { tsImport } from "tsx/esm/api";
import { mustRun, say } from "./lib/shell.mjs";

const execFileAsync = promisify(execFile);
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const TARGET = `${process.platform}-${process.arch}`;
const VSIX = process.argv[2] ?? join(ROOT, `conclave-${TARGET}.vsix`);
/** How long a model may take to load and a turn to be embedded. */
const PATIENCE_MS = 60_000;

const episode = () => ({
  id: randomUUID(),
  sessionId: "session",
  turnId: randomUUID(),
  question: "Where does the ferry leave from?",
  answer: "From the small harbour behind the church.",
  agent: "conclave",
  respondent: "A",
  model: "none",
  time: Date.now(),
  kind: "turn",
});

/** Writes a turn and looks for it by its meaning, in the memory process of the unpacked extension. */
async function tryMemory(extension) {
  const { MemoryClient } = await tsImport("../src/memory/process/client.ts", import.meta.url);
  const folder = await mkdtemp(join(tmpdir(), "conclave-packed-store-"));
  const memory = new MemoryClient({
    uri: join(folder, "store"),
    hostPath: join(extension, "dist", "memory-host.cjs"),
    modelCacheDir: join(folder, "models"),
    modelDir: process.env.CONCLAVE_EMBEDDER_DIR,
    allowDownload: false,
  });
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    const added = await memory.add([episode()], signal);
    if (!added.ok) return { failure: added.failure };
    for (;;) {
      const found = await memory.search({ query: "Which pier do boats go from?" }, signal);
      const { embedder, message } = await memory.status(signal);
      if (!found.ok) return { failure: found.failure };
      const parts = found.value.hits[0]?.parts;
      if (parts?.vector !== undefined || signal.aborted) return { parts, embedder, message };
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  } finally {
    await memory.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs the command line of the unpacked extension: it must start with what is in the package. */
async function tryCli(extension) {
  const cli = join(extension, "dist", "cli.cjs");
  for (const [args, said] of [
    [["--help"], /conclave ask/],
    [["eval", "--help"], /--live MODEL/],
  ]) {
    const { stdout } = await execFileAsync(process.execPath, [cli, ...args], { timeout: PATIENCE_MS });
    assert.match(stdout, said);
  }
}

async function main() {
  assert.ok(process.env.CONCLAVE_EMBEDDER_DIR, "CONCLAVE_EMBEDDER_DIR names no folder of models");
  const folder = await mkdtemp(join(tmpdir(), "conclave-packed-"));
  try {
    await mustRun("unzip", ["-q", VSIX, "-d", folder], { quiet: true });
    const extension = join(folder, "extension");
    const modules = join(extension, "node_modules");
    say(`${VSIX}: ${(statSync(VSIX).size / 2 ** 20).toFixed(1)} MB`);

    await tryCli(extension);
    say("the command line starts");

    const whole = await tryMemory(extension);
    assert.ok(whole.parts?.vector > 0, `nothing was embedded: ${JSON.stringify(whole)}`);
    assert.doesNotMatch(whole.message ?? "", /slower/);
    say("as packed: embedded by the native runtime");

    await rm(join(modules, "@xenova", "transformers", "node_modules", "onnxruntime-node"), {
      recursive: true,
    });
    const slow = await tryMemory(extension);
    assert.ok(slow.parts?.vector > 0, `nothing was embedded: ${JSON.stringify(slow)}`);
    assert.match(slow.message ?? "", /slower .* WebAssembly/);
    say(`without the native runtime: embedded by WebAssembly, and said: ${slow.message}`);

    const parts = await readdir(join(modules, "@lancedb"));
    for (const name of parts.filter((part) => part !== "lancedb")) {
      await rm(join(modules, "@lancedb", name), { recursive: true });
    }
    const without = await tryMemory(extension);
    assert.equal(without.failure?.code, "memory_unavailable");
    say(`without the database's native part: ${without.failure.message}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

await main();
