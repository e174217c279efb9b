import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readCase } from "../../../src/cli/eval/case/file.ts";
import type { EvalCase } from "../../../src/cli/eval/case/types.ts";
import { AS_WRITTEN } from "../../../src/cli/eval/configurations.ts";
import { runCase } from "../../../src/cli/eval/run-case.ts";
import type { EvalRun } from "../../../src/trace/eval/report.ts";
import { inProcess } from "../../support/eval/in-process.ts";
import { scriptedServer } from "../../support/eval/scripted-server.ts";

const ROOT = fileURLToPath(new URL("../../eval", import.meta.url));
/** The story that needs windows. */
const S8 = {
  file: new URL("../../host/suite/08-critic.test.ts", import.meta.url),
  title: "shows grade and reasons in the panel, takes a thumb, and memory shows the episode",
};

/** A model that has nothing to say, whatever it is asked. */
const CLUELESS = [{ when: {}, say: "I have no idea.", status: 500 }];

async function load(folder: string): Promise<readonly EvalCase[]> {
  const names = (await readdir(join(ROOT, folder))).filter((file) => file.endsWith(".yaml")).sort();
  const parsed = await Promise.all(names.map((file) => readCase(join(ROOT, folder, file), file)));
  const problems = parsed.flatMap((one) => one.problems);
  assert.deepEqual(problems, []);
  return parsed.flatMap((one) => one.case ?? []);
}

function run(one: EvalCase): Promise<EvalRun> {
  const job = { case: one, configuration: AS_WRITTEN, repeat: 1, seed: 1 };
  return runCase(job, inProcess(scriptedServer()), new AbortController().signal);
}

/** What a run did not do, one line each. */
function faults({ checks, error }: EvalRun): readonly string[] {
  const failed = checks.filter(({ passed }) => !passed);
  const lines = failed.map(({ turn, name, reason }) => `turn ${turn ?? "-"}, ${name}: ${reason}`);
  return error === undefined ? lines : [error, ...lines];
}

const stories = await load("stories");
const cases = await load("cases");

describe("the acceptance stories", () => {
  for (const story of stories) {
    it(`${story.name}: ${story.description ?? ""}`, async () => {
      assert.deepEqual(faults(await run(story)), []);
    });

    it(`${story.name}: fails where the model is clueless`, async () => {
      assert.equal((await run({ ...story, script: CLUELESS })).outcome, "failed");
    });
  }

  it("are all there; S8, what the panels show, is told in the real VS Code", async () => {
    const told = stories.map(({ name }) => /^S\d+/u.exec(name)?.[0]);
    const all = Array.from({ length: 14 }, (_, at) => `S${at + 1}`);
    assert.deepEqual(
      all.filter((name) => !told.includes(name)),
      ["S8"],
    );
    const host = await readFile(fileURLToPath(S8.file), "utf8");
    assert.ok(host.includes(S8.title), S8.title);
  });
});

describe("the shipped cases", () => {
  for (const one of cases)
    it(`${one.name}: ${one.description ?? ""}`, async () => {
      assert.deepEqual(faults(await run(one)), []);
    });
});
