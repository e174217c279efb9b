import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { z } from "zod";
import { agentFileName } from "../../agent/agents/agent-text.ts";
import { failure } from "../../agent/failure.ts";
import { newCaseText } from "../../cli/eval/case/new-case.ts";
import type { EvalCase } from "../../cli/eval/case/types.ts";
import { AS_WRITTEN, parseConfiguration, type Configuration } from "../../cli/eval/configurations.ts";
import { problemLine } from "../../cli/eval/words.ts";
import { headline } from "../../cli/report/markdown.ts";
import { trustedFolders } from "../watched-folders.ts";
import { readArgs } from "../ask-args.ts";
import type { Container } from "../container.ts";
import { showFailure } from "../editor.ts";
import { caseFiles, readCases, shownFile } from "./find.ts";
import { pickConfigurations, pickFiles, pickModel } from "./picks.ts";
import { openReport } from "./report.ts";
import { runShown, type WantedEvaluation } from "./run-shown.ts";
import { askLine } from "../pickers.ts";

/** How many files of the same name are tried before giving up. */
const MAX_SAME = 50;

const RunArgs = z.object({
  /** Absolute paths of files or folders. */
  files: z.array(z.string().max(4_096)).max(2_000).optional(),
  model: z.string().max(300).optional(),
  configurations: z.array(z.string().max(200)).max(20).optional(),
  repeats: z.int().min(1).max(100).optional(),
  seed: z.int().min(0).max(2_000_000_000).optional(),
  /** Whether the report is opened; true unless said otherwise. */
  open: z.boolean().optional(),
});
const NewCaseArgs = z.object({ name: z.string().trim().min(1).max(200).optional() });

/** What `conclave.runEvaluation` resolves with. */
export interface EvaluationResult {
  readonly outcome: "finished" | "cancelled";
  /** How it came out, in one line. */
  readonly summary: string;
  /** The folder of the report and its traces. */
  readonly folder: string;
}

/**
 * Runs evaluation cases with progress and a Cancel button, and opens the report: files, model and configurations of the
 * arguments, or those that the user picks. Undefined where nothing was run, which has then been said.
 */
export async function runEvaluationCommand(
  container: Container,
  args: readonly unknown[],
): Promise<EvaluationResult | undefined> {
  // Cases decide what models are asked and what is run on which pages: only those of people one trusts.
  if (!vscode.workspace.isTrusted) {
    void vscode.window.showErrorMessage(
      "Evaluations run in trusted folders only: a case says what models are asked.",
    );
    return undefined;
  }
  const given = readArgs(RunArgs, args[0]) ?? {};
  const wanted = await wantedEvaluation(container, given);
  if (wanted === undefined) return undefined;
  const { report, folder } = await runShown(container, wanted);
  if (given.open !== false) await openReport(container, report);
  return { outcome: report.outcome, summary: headline(report), folder };
}

async function wantedEvaluation(
  container: Container,
  given: z.output<typeof RunArgs>,
): Promise<WantedEvaluation | undefined> {
  const cases = await chosenCases(given.files);
  if (cases === undefined) return undefined;
  const services = await container.services();
  const model = given.model ?? (await pickModel(services));
  if (model === undefined) return undefined;
  const configurations = await chosenConfigurations(given);
  if (configurations === undefined) return undefined;
  return { cases, model, configurations, repeats: given.repeats ?? 1, seed: given.seed ?? 1 };
}

/** The cases of the files that are given, or picked; nothing where some can't be used, which is said. */
async function chosenCases(files: readonly string[] | undefined): Promise<readonly EvalCase[] | undefined> {
  const there = files ?? (await caseFiles());
  if (there.length === 0) {
    const make = "New Evaluation Case";
    const text = "There are no evaluation cases yet. They are files in .conclave/evals.";
    const pressed = await vscode.window.showInformationMessage(text, make);
    if (pressed === make) await vscode.commands.executeCommand("conclave.newEvaluationCase");
    return undefined;
  }
  const picked = files ?? (await pickFiles(there, shownFile));
  if (picked === undefined || picked.length === 0) return undefined;
  const { cases, problems, missing } = await readCases(picked);
  const errors = problems.filter(({ severity }) => severity === "error");
  const [first] = [...missing, ...errors.map(problemLine)];
  if (first === undefined) return cases;
  const more = missing.length + errors.length - 1;
  await showFailure(failure("bad_input", `${first}${more > 0 ? ` (and ${more} more)` : ""}`));
  return undefined;
}

async function chosenConfigurations(
  given: z.output<typeof RunArgs>,
): Promise<readonly Configuration[] | undefined> {
  if (given.configurations !== undefined) {
    const parsed = given.configurations.map(parseConfiguration);
    const known = parsed.filter((one) => one !== undefined);
    if (known.length === parsed.length) return known;
    await showFailure(
      failure("bad_input", `There is no such configuration: ${given.configurations.join(", ")}.`),
    );
    return undefined;
  }
  // Called by code, it asks nothing that it can do without.
  return given.files === undefined ? await pickConfigurations() : [AS_WRITTEN];
}

/** Makes the file of a new case and opens it; gives its path. */
export async function newEvaluationCase(
  _container: Container,
  args: readonly unknown[],
): Promise<string | undefined> {
  const given = readArgs(NewCaseArgs, args[0]) ?? {};
  const [folder] = trustedFolders();
  if (folder === undefined) {
    void vscode.window.showErrorMessage(
      "Open a folder first: evaluation cases are files in its .conclave/evals.",
    );
    return undefined;
  }
  const name =
    given.name ??
    (await askLine({
      title: "Conclave: New Evaluation Case",
      prompt: "What the case is called",
      validateInput: (text) => (text.trim() === "" ? "A name, in a line." : undefined),
    }));
  if (name === undefined || name.trim() === "") return undefined;
  const evals = join(folder.fsPath, ".conclave", "evals");
  await mkdir(evals, { recursive: true });
  const stem = agentFileName(name);
  for (let count = 1; count <= MAX_SAME; count += 1) {
    const path = join(evals, `${stem}${count === 1 ? "" : `-${count}`}.yaml`);
    try {
      await writeFile(path, newCaseText(name.trim()), { flag: "wx" });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") continue;
      throw error;
    }
    await vscode.window.showTextDocument(vscode.Uri.file(path));
    return path;
  }
  return undefined;
}
