import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseCase, type CaseProblem } from "../../../src/cli/eval/case/file.ts";
import type { EvalCase } from "../../../src/cli/eval/case/types.ts";
import { parseConfiguration, type Configuration } from "../../../src/cli/eval/configurations.ts";
import type { EvalDeps } from "../../../src/cli/eval/deps.ts";
import { runEvaluation, type EvalPlan } from "../../../src/cli/eval/run.ts";
import type { EvalReport, EvalRun } from "../../../src/trace/eval/report.ts";
import { inProcess } from "../../support/eval/in-process.ts";
import { scriptedServer } from "../../support/eval/scripted-server.ts";

/** A signal that never fires. */
export const never = new AbortController().signal;

/** Folders that are gone after the test: call `cleanUp` in `afterEach`. */
const folders: string[] = [];

/** A new folder with these files in it. */
export async function folderWith(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "conclave-cli-test-"));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

/** Takes the folders away. */
export async function cleanUp(): Promise<void> {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
}

/** A case out of its text, which must have nothing wrong with it. */
export async function caseOf(text: string, file = "case.yaml"): Promise<EvalCase> {
  const parsed = await parseCase(file, text);
  assert.deepEqual(parsed.problems, []);
  assert.ok(parsed.case);
  return parsed.case;
}

/** What is wrong with a text, as `line:column message`. */
export async function faultsOf(text: string): Promise<readonly string[]> {
  const { problems } = await parseCase("case.yaml", text);
  return problems.map(({ line, column, message }: CaseProblem) => `${line}:${column} ${message}`);
}

/** Configurations by their names. */
export function configurations(...names: readonly string[]): readonly Configuration[] {
  return names.map((name) => {
    const configuration = parseConfiguration(name);
    assert.ok(configuration, name);
    return configuration;
  });
}

/** Runs cases on the scripted server and a real store. */
export function evaluate(
  cases: readonly EvalCase[],
  plan: Partial<EvalPlan> = {},
  deps: Partial<Parameters<typeof runEvaluation>[1]> = {},
  signal: AbortSignal = never,
): Promise<EvalReport> {
  const parts: EvalDeps = inProcess(scriptedServer());
  return runEvaluation(
    { cases, configurations: [], repeats: 1, seed: 1, ...plan },
    { ...parts, version: "1.2.3", ...deps },
    signal,
  );
}

/** The only run of a report. */
export function onlyRun({ runs }: EvalReport): EvalRun {
  const [run, ...others] = runs;
  assert.ok(run);
  assert.equal(others.length, 0);
  return run;
}

/** What failed in a run, as `name: reason`. */
export function failuresOf({ checks, error }: EvalRun): readonly string[] {
  const failed = checks.filter(({ passed }) => !passed).map(({ name, reason }) => `${name}: ${reason}`);
  return error === undefined ? failed : [`error: ${error}`, ...failed];
}
