import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { jobsOf, type Job } from "../../../bench/real/main-job/plan.ts";
import { RecordFile } from "../../../bench/real/main-job/records.ts";
import { cleanUp, temporaryFolder, valueOf } from "../memory/support.ts";
import { halfOf, record, SET_TEXT } from "./real-support.ts";

function job(id = "why"): Job {
  const { half, set } = halfOf("first", SET_TEXT);
  const question = set.questions.find((one) => one.id === id)!;
  return jobsOf([{ model: "m", recall: "auto" }], [{ half, question }], 1)[0]!;
}

describe("the results of the main job", () => {
  afterEach(cleanUp);
  let path: string;
  beforeEach(async () => {
    path = join(await temporaryFolder(), "out", "main-job.json");
  });

  it("are there after a run that was stopped, one record a question", async () => {
    const first = valueOf(await RecordFile.open(path));
    assert.equal(first.find(job()), undefined);
    await first.add(record(), record({ recall: "first" }));
    await first.add(record({ answer: "Redis.", trace: "t.conclave" }));
    const second = valueOf(await RecordFile.open(path));
    assert.equal(second.find(job())?.answer, "Redis.");
    assert.equal((JSON.parse(await readFile(path, "utf8")) as unknown[]).length, 2);
  });

  it("hold as long as question, settings and what was told are the same, whichever product answered", async () => {
    const file = valueOf(await RecordFile.open(path));
    await file.add(record());
    const same = { ask: "Why?", told: "t", settings: "s" };
    assert.equal(file.findSame(job(), same)?.product.commit, "c0ffee");
    for (const other of [{ ask: "Who?" }, { told: "u" }, { settings: "r" }])
      assert.equal(file.findSame(job(), { ...same, ...other }), undefined, JSON.stringify(other));
  });

  it("that are to be asked anew are dropped, and no others", async () => {
    const file = valueOf(await RecordFile.open(path));
    await file.add(record(), record({ question: "port" }));
    await file.drop([job()]);
    const again = valueOf(await RecordFile.open(path));
    assert.equal(again.find(job()), undefined);
    assert.notEqual(again.find(job("port")), undefined);
  });

  it("in a file that holds something else are refused in a sentence, and the file stays", async () => {
    const file = valueOf(await RecordFile.open(path));
    await file.add(record());
    for (const [text, why] of [
      ['[{ "model": 1 }]', /holds something else than results/u],
      ["{", /can't be used/u],
    ] as const) {
      await writeFile(path, text);
      const opened = await RecordFile.open(path);
      assert.ok(!opened.ok && why.test(opened.failure.message));
      assert.equal(await readFile(path, "utf8"), text);
    }
  });
});
