import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import type { GradeJob } from "../../../src/agent/critic/jobs.ts";
import { CriticJobs } from "../../../src/trace/critic-jobs.ts";

describe("the critic's jobs on disk", () => {
  // One moment for all: how long a test takes is not to order the jobs.
  const now = Date.now();
  let folder = "";
  const job = (at: number, part: Partial<GradeJob> = {}): GradeJob => {
    const place = { sessionId: "s", turnId: `t${at}` };
    return { kind: "grade", ...place, askedBy: "critic", askedAt: now + at, ...part };
  };
  const files = async (): Promise<readonly string[]> =>
    (await readdir(folder)).filter((name) => name.endsWith(".json"));

  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), "conclave-jobs-")), "critic");
  });
  afterEach(async () => {
    await rm(join(folder, ".."), { recursive: true, force: true });
  });

  /** A job as a process left it. */
  async function left(one: unknown, owner: unknown, name = "left"): Promise<void> {
    await writeFile(join(folder, `${name}.json`), JSON.stringify({ owner, job: one }));
  }

  it("are left to the next window when this one ends, oldest first", async () => {
    const one = new CriticJobs(folder);
    one.keep(job(1));
    one.keep(job(2));
    await one.release();
    const turns = (await new CriticJobs(folder).takeUp()).map(({ turnId }) => turnId);
    assert.deepEqual(turns, ["t1", "t2"]);
  });

  it("are nobody else's while the window that has them lives", async () => {
    const one = new CriticJobs(folder);
    one.keep(job(1));
    assert.deepEqual(await one.takeUp(), []);
    assert.deepEqual(await new CriticJobs(folder).takeUp(), []);
  });

  it("are given to one of two windows that look at the same time", async () => {
    const one = new CriticJobs(folder);
    for (let at = 0; at < 10; at += 1) one.keep(job(at));
    await one.release();
    const taken = await Promise.all([new CriticJobs(folder).takeUp(), new CriticJobs(folder).takeUp()]);
    assert.equal(taken.flat().length, 10);
    assert.equal(new Set(taken.flat().map(({ turnId }) => turnId)).size, 10);
  });

  it("of a process that was killed are taken up", async () => {
    const child = spawn(process.execPath, ["--eval", ""], { stdio: "ignore" });
    const { pid } = child;
    await once(child, "exit");
    await new CriticJobs(folder).takeUp();
    const kept = new CriticJobs(folder);
    kept.keep(job(9));
    await kept.release();
    await left(job(1), { host: hostname(), pid, run: "another" });
    const turns = (await new CriticJobs(folder).takeUp()).map(({ turnId }) => turnId);
    assert.deepEqual(turns, ["t1", "t9"]);
  });

  it("of another run of a process with this one's number are taken up", async () => {
    const made = new CriticJobs(folder);
    made.keep(job(5));
    await made.release();
    await left(job(1), { host: hostname(), pid: process.pid, run: "an earlier one" });
    assert.equal((await new CriticJobs(folder).takeUp()).length, 2);
  });

  it("are gone once they are done", async () => {
    const one = new CriticJobs(folder);
    one.keep(job(1));
    one.drop(job(1));
    await one.release();
    assert.deepEqual(await files(), []);
  });

  it("stay few: the newest are taken up, the others cleared away", async () => {
    const one = new CriticJobs(folder);
    for (let at = 0; at < 60; at += 1) one.keep(job(at));
    await one.release();
    const turns = (await new CriticJobs(folder).takeUp()).map(({ turnId }) => turnId);
    assert.deepEqual([turns.length, turns.at(-1)], [20, "t59"]);
    assert.equal((await files()).length, 20);
  });

  it("that are old, broken or hostile are cleared away", async () => {
    const one = new CriticJobs(folder);
    one.keep(job(1));
    await one.release();
    await left(job(2, { askedAt: 1 }), null, "old");
    await left({ ...job(3), sessionId: 5 }, null, "wrong");
    await writeFile(join(folder, "cut.json"), '{"owner":');
    const turns = (await new CriticJobs(folder).takeUp()).map(({ turnId }) => turnId);
    assert.deepEqual(turns, ["t1"]);
    assert.equal((await files()).length, 1);
  });

  it("hold nothing of what was asked or answered", async () => {
    const one = new CriticJobs(folder);
    one.keep(job(1, { reference: "A secret reference." }));
    await one.release();
    const [name = ""] = await files();
    const kept = JSON.parse(await readFile(join(folder, name), "utf8")) as { readonly job: object };
    assert.deepEqual(Object.keys(kept.job).sort(), ["askedAt", "askedBy", "kind", "sessionId", "turnId"]);
  });

  it("end with the window where they can't be written, and nothing breaks", async () => {
    const one = new CriticJobs("/dev/null/critic");
    one.keep(job(1));
    one.drop(job(1));
    assert.deepEqual(await one.takeUp(), []);
    await one.release();
  });
});
