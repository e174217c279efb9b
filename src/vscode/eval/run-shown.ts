import { join } from "node:path";
import { systemTimer } from "../../agent/timer.ts";
import type { EvalCase } from "../../cli/eval/case/types.ts";
import type { Configuration } from "../../cli/eval/configurations.ts";
import type { EvalDeps } from "../../cli/eval/deps.ts";
import { liveServer } from "../../cli/eval/model-server.ts";
import { runEvaluation, type EvalProgress } from "../../cli/eval/run.ts";
import { REPORT_FORMATS, writeReport } from "../../cli/report/write.ts";
import { clientOptions } from "../../cli/settings/client-options.ts";
import { MemoryClient } from "../../memory/process/client.ts";
import { workerReader } from "../../tools/web/worker-reader.ts";
import type { EvalReport } from "../../trace/eval/report.ts";
import type { Container } from "../container.ts";
import { withCancellableProgress } from "../editor.ts";
import { EVALS_FOLDER } from "../panel/eval-port.ts";
import { proxySetting } from "../settings.ts";

/** Longest wait for what comes after an answer, in milliseconds. */
const PATIENCE_MS = 180_000;

/** Longest run, in milliseconds. */
const RUN_MS = 3_600_000;

/** What is to be run. */
export interface WantedEvaluation {
  readonly cases: readonly EvalCase[];
  readonly model: string;
  readonly configurations: readonly Configuration[];
  readonly repeats: number;
  readonly seed: number;
}

/** Runs cases under a notification with progress and Cancel, and writes the report into the extension's storage. */
export async function runShown(
  container: Container,
  { model, ...plan }: WantedEvaluation,
): Promise<{ readonly report: EvalReport; readonly folder: string }> {
  const { extension } = container;
  const name = new Date().toISOString().slice(0, 19).replace(/[:T]/gu, "-");
  const folder = join(extension.globalStorageUri.fsPath, EVALS_FOLDER, name);
  const deps = await depsOf(container, model);
  const { version } = extension.extension.packageJSON as { readonly version: string };
  const report = await withCancellableProgress("Conclave: running the evaluation", (signal, progress) => {
    const onProgress = ({ of, job, run }: EvalProgress): void => {
      if (run === undefined) progress.report({ message: job.case.name });
      else progress.report({ message: `${job.case.name}: ${run.outcome}`, increment: 100 / of });
    };
    return runEvaluation(plan, { ...deps, version, onProgress, traces: join(folder, "traces") }, signal);
  });
  const written = await writeReport(report, folder, REPORT_FORMATS);
  if (!written.ok) container.output.error(`${written.failure.message} ${written.failure.cause ?? ""}`);
  return { report, folder };
}

/** What runs are made with: the user's settings and agents, and memories of their own in processes of their own. */
async function depsOf(container: Container, model: string): Promise<EvalDeps> {
  const { extension } = container;
  const services = await container.services();
  const { settings } = services.settings();
  const storage = extension.globalStorageUri.fsPath;
  return {
    server: liveServer(model, settings.ollamaHost),
    settings,
    agents: services.agents(),
    rubrics: () => services.rubrics(),
    memory: (folder, own) =>
      new MemoryClient({
        ...clientOptions(own, { storage: folder, extension: extension.extensionPath }),
        modelCacheDir: join(storage, "models"),
        proxy: proxySetting,
        onLog: (line) => container.output.info(line),
      }),
    reader: () => workerReader({ script: join(extension.extensionPath, "dist", "reader-worker.cjs") }),
    timer: systemTimer,
    patienceMs: PATIENCE_MS,
    runMs: RUN_MS,
  };
}
