import type { Figure } from "../frame.ts";
import { inVsCode } from "../support/in-vscode.ts";
import { panelFirstRow } from "./panel-first-row.ts";
import { traceRead } from "./trace-read.ts";

/** A figure, taken once more in the real VS Code: its webview, its extension host. */
function again({ name, unit, goal, about }: Figure): Figure {
  const there = `${name}.vscode`;
  return { name: there, unit, goal, about: `in the real VS Code: ${about}`, measure: () => inVsCode(there) };
}

/** Figures of the panel and of large traces in the real VS Code. */
export const vscode: readonly Figure[] = [again(panelFirstRow), again(traceRead)];
