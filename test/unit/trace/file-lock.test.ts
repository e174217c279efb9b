import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { underLock } from "../../../src/trace/file-lock.ts";

describe("the lock of a log", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "conclave-lock-"));
  });

  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it("is held by one at a time, and is gone afterwards", async () => {
    const path = join(folder, "new", "x.lock");
    let inside = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      inside += 1;
      most = Math.max(most, inside);
      await readdir(folder);
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 20 }, () => underLock(path, work)));
    assert.equal(most, 1);
    assert.deepEqual(await readdir(join(folder, "new")), []);
  });

  it("is given back when the work fails, with the work's own failure", async () => {
    const path = join(folder, "x.lock");
    await assert.rejects(
      underLock(path, () => Promise.reject(new Error("full"))),
      /full/,
    );
    assert.equal(await underLock(path, () => Promise.resolve("free")), "free");
  });

  it("is taken over from a holder that died", async () => {
    const path = join(folder, "x.lock");
    await mkdir(path);
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(path, longAgo, longAgo);
    const all = await Promise.all([1, 2, 3].map((one) => underLock(path, () => Promise.resolve(one))));
    assert.deepEqual(all, [1, 2, 3]);
    assert.deepEqual(await readdir(folder), []);
  });

  it("fails at once where nothing can be written", async () => {
    await writeFile(join(folder, "file"), "");
    await assert.rejects(underLock(join(folder, "file", "x.lock"), () => Promise.resolve()));
  });
});
