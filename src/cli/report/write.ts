import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describeError, failed, success, type Result } from "../../agent/failure.ts";
import type { EvalReport } from "../../trace/eval/report.ts";
import { reportAsJunit } from "./junit.ts";
import { reportAsMarkdown } from "./markdown.ts";

/** How a report can be written. */
export const REPORT_FORMATS = ["md", "json", "junit"] as const;
/** How a report can be written. */
export type ReportFormat = (typeof REPORT_FORMATS)[number];

const WRITERS: Readonly<
  Record<ReportFormat, { readonly file: string; readonly write: (report: EvalReport) => string }>
> = {
  md: { file: "report.md", write: reportAsMarkdown },
  json: { file: "report.json", write: (report) => `${JSON.stringify(report, null, 2)}\n` },
  junit: { file: "report.xml", write: reportAsJunit },
};

/** A report as text in one of its forms. */
export function reportAs(report: EvalReport, format: ReportFormat): string {
  return WRITERS[format].write(report);
}

/** Writes a report into a folder, which is made where it is not there. Gives the paths of its files. Never throws. */
export async function writeReport(
  report: EvalReport,
  folder: string,
  formats: readonly ReportFormat[],
): Promise<Result<readonly string[]>> {
  try {
    await mkdir(folder, { recursive: true });
    const paths: string[] = [];
    for (const format of formats) {
      const path = join(folder, WRITERS[format].file);
      await writeFile(path, reportAs(report, format));
      paths.push(path);
    }
    return success(paths);
  } catch (error) {
    return failed("internal", `The report can't be written into ${folder}.`, { cause: describeError(error) });
  }
}
