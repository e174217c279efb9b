import { headline } from "../../cli/report/markdown.ts";
import type { EvalReport } from "../../trace/eval/report.ts";
import type { Container } from "../container.ts";
import * as vscode from "vscode";

/** Opens the trace panel's view of evaluation reports, the newest of which is the one that was just written. */
export async function openReport(container: Container, report: EvalReport): Promise<void> {
  (await container.panel()).reveal(undefined, "eval");
  void vscode.window.showInformationMessage(`Evaluation: ${headline(report)}.`);
}
