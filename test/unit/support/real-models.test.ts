import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { z } from "zod";

const SCRIPT = fileURLToPath(new URL("../../../scripts/real-models.mjs", import.meta.url));
const Prepared = z.strictObject({
  chatModels: z.strictObject({ full: z.string(), plain: z.string() }),
  skipped: z.array(z.string()),
});

describe("scripts/real-models.mjs on a machine without Go and Python", () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "conclave-bare-"));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const run = (...flags: readonly string[]) =>
    promisify(execFile)(process.execPath, [SCRIPT, ...flags], {
      env: { PATH: folder, CONCLAVE_CACHE: join(folder, "cache") },
    });

  it("ends well, says in a line each what is left out, and leaves nothing behind", async () => {
    const { stdout } = await run();
    assert.match(
      stdout,
      /^Left out: the real Ollama server and its chat models: Python with pip is not installed\.$/m,
    );
    assert.match(stdout, /^Left out: the embedding model: Python with pip is not installed\.$/m);
    assert.deepEqual(await readdir(folder), []);
  });

  it("says the same as JSON", async () => {
    const { stdout } = await run("--json");
    assert.equal(Prepared.parse(JSON.parse(stdout)).skipped.length, 2);
  });
});
