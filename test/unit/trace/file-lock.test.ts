import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import FakeTimers from "@sinonjs/fake-timers";
import { giveBackLock, underLock } from "../../../src/trace/file-lock.ts";

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
    // It was a folder once, and may have been left behind by a window of then.
    for (const take of [() => writeFile(path, ""), () => mkdir(path)]) {
      await take();
      const longAgo = new Date(Date.now() - 60_000);
      await utimes(path, longAgo, longAgo);
      const all = await Promise.all([1, 2, 3].map((one) => underLock(path, () => Promise.resolve(one))));
      assert.deepEqual(all, [1, 2, 3]);
      assert.deepEqual(await readdir(folder), []);
    }
  });

  it("is waited for while another window has it", async () => {
    const path = join(folder, "x.lock");
    await writeFile(path, "");
    let isFree = false;
    const waited = underLock(path, () => Promise.resolve(isFree));
    await readdir(folder);
    isFree = true;
    await rm(path);
    assert.equal(await waited, true);
  });

  it("fails at once where nothing can be written", async () => {
    await writeFile(join(folder, "file"), "");
    await assert.rejects(underLock(join(folder, "file", "x.lock"), () => Promise.resolve()));
  });

  it("is kept between works for as long as was asked, and no longer", async () => {
    const path = join(folder, "x.lock");
    const clock = FakeTimers.install({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    try {
      await underLock(path, () => Promise.resolve(), { keepMs: 100 });
      assert.deepEqual(await readdir(folder), ["x.lock"]);
      clock.tick(99);
      await underLock(path, () => Promise.resolve(), { keepMs: 100 });
      assert.deepEqual(await readdir(folder), ["x.lock"]);
      clock.tick(1);
      await giveBackLock(path);
      assert.deepEqual(await readdir(folder), []);
    } finally {
      clock.uninstall();
    }
  });

  it("is given back before its time to who asks for it, once the works that wait are done", async () => {
    const path = join(folder, "x.lock");
    const done: number[] = [];
    for (const work of [1, 2, 3])
      void underLock(path, () => Promise.resolve(done.push(work)), { keepMs: 60_000 });
    await giveBackLock(path);
    assert.deepEqual(done, [1, 2, 3]);
    assert.deepEqual(await readdir(folder), []);
  });

  it("can't be kept away from others by work without end", async () => {
    const path = join(folder, "x.lock");
    const clock = FakeTimers.install({ toFake: ["performance"] });
    try {
      const seen: boolean[] = [];
      for (let work = 0; work < 5; work += 1) {
        await underLock(
          path,
          async () => {
            clock.tick(60);
            await readdir(folder);
          },
          { keepMs: 100 },
        );
        seen.push((await readdir(folder)).length === 1);
      }
      // Each second work finds the time used up, and gives the lock back.
      assert.deepEqual(seen, [true, false, true, false, true]);
      await giveBackLock(path);
    } finally {
      clock.uninstall();
    }
  });

  it("has what is kept open under it closed before anybody else works under it, and before it is given back", async () => {
    const path = join(folder, "x.lock");
    const told: string[] = [];
    const keeper = (name: string) => ({
      letGo: async () => {
        told.push(`${name} closed, ${(await readdir(folder)).length} lock`);
      },
    });
    const work = (name: string) => () => Promise.resolve(told.push(name));
    const [one, two] = [keeper("one"), keeper("two")];
    await underLock(path, work("one writes"), { keepMs: 60_000, keeper: one });
    await underLock(path, work("one writes"), { keepMs: 60_000, keeper: one });
    await underLock(path, work("a rewrite"));
    await underLock(path, work("two writes"), { keepMs: 60_000, keeper: two });
    await giveBackLock(path);
    assert.deepEqual(told, [
      ...["one writes", "one writes", "one closed, 1 lock"],
      ...["a rewrite", "two writes", "two closed, 1 lock"],
    ]);
    assert.deepEqual(await readdir(folder), []);
  });

  it("keeps nothing open over a time in which it may have been taken for dead", async () => {
    const path = join(folder, "x.lock");
    const clock = FakeTimers.install({ toFake: ["Date"] });
    let closed = 0;
    const keeping = { keepMs: 60_000, keeper: { letGo: () => Promise.resolve(void (closed += 1)) } };
    try {
      await underLock(path, () => Promise.resolve(), keeping);
      await underLock(path, () => Promise.resolve(), keeping);
      assert.equal(closed, 0);
      clock.tick(6_000);
      await underLock(path, () => Promise.resolve(), keeping);
      assert.equal(closed, 1);
    } finally {
      clock.uninstall();
      await giveBackLock(path);
    }
  });
});
