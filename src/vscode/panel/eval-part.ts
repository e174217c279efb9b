import { lstat, readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, isAbsolute } from "node:path";
import { failed, failure, success, type Failure, type Result } from "../../agent/failure.ts";
import { readReport, type EvalReport, type EvalRun } from "../../trace/eval/report.ts";
import { headOf, rowOf, viewOf, type EvalHead, type EvalRunRow } from "../../trace/eval/view.ts";
import type { EvalHostMessage } from "../../trace/panel-eval.ts";
import { MAX_MESSAGE_BYTES } from "../../trace/panel-limits.ts";
import type { PanelMessage } from "../../trace/panel-protocol.ts";
import type { HostPart } from "./part.ts";

type MessageOf<Type extends PanelMessage["type"]> = Extract<PanelMessage, { readonly type: Type }>;

/** The name of a report's file in its folder. */
const REPORT_FILE = "report.json";
/** A larger file is no report that anybody looks through. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Reports that are listed: the newest. */
const MAX_LISTED = 50;
const PAGE = 100;

/** Where reports are, and how one is chosen. */
export interface EvalPort {
  /** The folder in which each report has a folder of its own. */
  readonly folder: string;
  /** Asks the user for a report's file; its path, undefined when the user backs out. */
  choose(): Promise<string | undefined>;
  /** Shows a trace file; the path is absolute. */
  showTrace(path: string): Promise<void>;
}

/** What the panel's part for reports needs of its host. */
export interface EvalPartDeps {
  /** Left out: there are no reports to look at. */
  readonly evals?: EvalPort;
  readonly post: (message: EvalHostMessage) => void;
  /** Says why something was not done. */
  readonly notice: (problem: Failure) => void;
}

/** A report that was read. */
interface OpenReport {
  readonly id: string;
  /** The file it came from. */
  readonly path: string;
  readonly report: EvalReport;
}

/** Lists the reports of evaluations, reads one, and gives its runs page by page. What a file says is checked. */
export class EvalPart implements HostPart {
  private readonly deps: EvalPartDeps;
  /** Files that the user chose, by the ids that the panel knows them by. */
  private readonly chosen = new Map<string, string>();
  private open: OpenReport | undefined;

  constructor(deps: EvalPartDeps) {
    this.deps = deps;
  }

  async receive(message: PanelMessage): Promise<void> {
    const { evals, post } = this.deps;
    if (evals === undefined) return;
    switch (message.type) {
      case "eval.list":
        post({ type: "eval.list", request: message.request, reports: await this.list(evals) });
        return;
      case "eval.open":
        await this.show(message, evals);
        return;
      case "eval.runs":
        this.runs(message);
        return;
      case "eval.trace":
        await this.trace(message, evals);
        return;
      default:
        // The other parts' messages.
        return;
    }
  }

  sleep(): void {
    this.open = undefined;
  }

  /** The reports there are, newest first. What is no report is passed over. */
  private async list({ folder }: EvalPort): Promise<readonly EvalHead[]> {
    const names = await readdir(folder).catch(() => []);
    const dated = await Promise.all(
      names.map(async (name) => ({ name, time: await timeOf(join(folder, name, REPORT_FILE)) })),
    );
    const newest = dated
      .filter(({ time }) => time > 0)
      .sort((one, other) => other.time - one.time)
      .slice(0, MAX_LISTED);
    const heads: EvalHead[] = [];
    for (const { name } of newest) {
      const report = await readFileReport(join(folder, name, REPORT_FILE));
      if (report.ok) heads.push(headOf(name, report.value));
    }
    return heads;
  }

  private async show({ request, report: id }: MessageOf<"eval.open">, evals: EvalPort): Promise<void> {
    const { post } = this.deps;
    const place = id === null ? await this.choose(evals) : this.placeOf(id, evals);
    if (place === undefined) {
      post({ type: "eval.report", request });
      return;
    }
    const read = await readFileReport(place.path);
    if (!read.ok) {
      post({ type: "eval.report", request, problem: read.failure.message });
      return;
    }
    this.open = { ...place, report: read.value };
    post({ type: "eval.report", request, id: place.id, view: viewOf(read.value) });
  }

  private async choose(evals: EvalPort): Promise<{ readonly id: string; readonly path: string } | undefined> {
    const path = await evals.choose();
    if (path === undefined) return undefined;
    const id = `file ${this.chosen.size + 1}: ${basename(path).slice(0, 100)}`;
    this.chosen.set(id, path);
    return { id, path };
  }

  /** Where a report is that the panel names: a folder of ours, or a file that the user chose. */
  private placeOf(
    id: string,
    { folder }: EvalPort,
  ): { readonly id: string; readonly path: string } | undefined {
    const path = this.chosen.get(id);
    if (path !== undefined) return { id, path };
    return id === basename(id) && id !== ".." && id !== "."
      ? { id, path: join(folder, id, REPORT_FILE) }
      : undefined;
  }

  private runsOf(id: string, onlyFailed: boolean): readonly EvalRun[] {
    const { open } = this;
    if (open?.id !== id) return [];
    return onlyFailed ? open.report.runs.filter(({ outcome }) => outcome !== "passed") : open.report.runs;
  }

  private runs({ request, report: id, from, failed: onlyFailed }: MessageOf<"eval.runs">): void {
    const runs = this.runsOf(id, onlyFailed);
    const rows: EvalRunRow[] = [];
    let bytes = 0;
    for (const run of runs.slice(from, from + PAGE)) {
      const row = rowOf(run);
      bytes += Buffer.byteLength(JSON.stringify(row));
      if (bytes > MAX_MESSAGE_BYTES / 2) break;
      rows.push(row);
    }
    this.deps.post({ type: "eval.runs", request, from, total: runs.length, rows });
  }

  private async trace(
    { report: id, at, failed: onlyFailed }: MessageOf<"eval.trace">,
    evals: EvalPort,
  ): Promise<void> {
    const [trace] = this.runsOf(id, onlyFailed)[at]?.traces ?? [];
    const path = trace === undefined ? undefined : await inside(dirname(this.open?.path ?? ""), trace);
    if (path === undefined) {
      this.deps.notice(failure("bad_input", "The trace of this run is not beside its report any more."));
      return;
    }
    await evals.showTrace(path);
  }
}

/** When a file was written; 0 where it is none. A link may lead anywhere: it is no report of ours. */
async function timeOf(path: string): Promise<number> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isFile() === true ? found.mtimeMs : 0;
}

/** The path of a file that lies under a folder, wherever links lead; undefined for any other. */
async function inside(folder: string, name: string): Promise<string | undefined> {
  try {
    const [root, path] = await Promise.all([realpath(folder), realpath(resolve(folder, name))]);
    const way = relative(root, path);
    const isInside = way !== "" && !way.startsWith("..") && !isAbsolute(way);
    return isInside && (await stat(path)).isFile() ? path : undefined;
  } catch {
    return undefined;
  }
}

async function readFileReport(path: string): Promise<Result<EvalReport>> {
  try {
    const { size } = await stat(path);
    if (size > MAX_BYTES)
      return failed("bad_input", "The file is too large to be a report of an evaluation.");
    const report = readReport(await readFile(path, "utf8"));
    return report === undefined
      ? failed("bad_input", "The file is no report of an evaluation that this version can read.")
      : success(report);
  } catch {
    return failed("bad_input", "The report can't be read: its file is gone, or nobody may read it.");
  }
}
