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
  json: { file: "report.json", write: jsonOf },
  junit: { file: "report.xml", write: reportAsJunit },
};

/** JSON writes most control characters as escapes by itself; some that terminals heed it leaves as they are. */
function jsonOf(report: EvalReport): string {
  const escape = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return `${JSON.stringify(report, null, 2).replace(/[\u007f-\u009f]/gu, escape)}\n`;
}

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
