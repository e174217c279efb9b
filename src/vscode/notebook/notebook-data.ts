import * as vscode from "vscode";
import { z } from "zod";
import type { TurnModel } from "../../trace/model.ts";
import type { ShownNotebook, ShownNotebookCell } from "../../trace/notebook/shown-notebook.ts";
import { turnMarkdown } from "../../trace/notebook/turn-markdown.ts";
import { readOutput, TURN_MIME, type TurnOutput } from "../../trace/notebook/turn-output.ts";
import type { EditedCell } from "../../trace/notebook/write.ts";
import { QUESTION_LANGUAGE } from "../contributions.ts";
import type { NotebookKey } from "./kept-logs.ts";
import { LOG_KEY } from "./transient.ts";
import type { ToldCell } from "./which-notebook.ts";

const name = z.string().max(100);
const OfSession = z.object({ conclave: z.object({ session: name }) });
const OfLog = z.object({ [LOG_KEY]: z.object({ base: name }) });
const OfTurn = z.object({ conclave: z.object({ turn: z.string().min(1).max(200) }) });
const Notice = z.object({ conclave: z.object({ notice: z.literal(true) }) });

/** Whose log a notebook is, by its metadata; undefined for one that was made by someone else. */
export function sessionOf(metadata: unknown): string | undefined {
  return OfSession.safeParse(metadata).data?.conclave.session;
}

/** What an open notebook's metadata says of its log; undefined for one that was made by someone else. */
export function keyOf(metadata: unknown): NotebookKey | undefined {
  const session = sessionOf(metadata);
  const base = OfLog.safeParse(metadata).data?.[LOG_KEY].base;
  return session === undefined || base === undefined ? undefined : { base, session };
}

/** The turn that an output shows; undefined for any other output. */
export function turnOf(output: { readonly metadata?: unknown }): string | undefined {
  const parsed = OfTurn.safeParse(output.metadata);
  return parsed.success ? parsed.data.conclave.turn : undefined;
}

/** The turn that a cell shows. */
export function turnOfCell(cell: {
  readonly outputs?: readonly { readonly metadata?: unknown }[];
}): string | undefined {
  return (cell.outputs ?? []).map(turnOf).find((turn) => turn !== undefined);
}

/** The cells of an open notebook, as far as it is told from others by them. */
export function toldOfDocument(notebook: vscode.NotebookDocument): readonly ToldCell[] {
  return notebook.getCells().map((cell) => told(cell.kind, cell.document.getText(), turnOfCell(cell)));
}

/** The cells of a notebook that is being saved, likewise. */
export function toldOfData(data: vscode.NotebookData): readonly ToldCell[] {
  return data.cells.map((cell) => told(cell.kind, cell.value, turnOfCell(cell)));
}

function told(kind: vscode.NotebookCellKind, text: string, turn: string | undefined): ToldCell {
  return { text, isQuestion: kind === vscode.NotebookCellKind.Code, turn };
}

/** What an output is made of: our drawing's, and the markdown where there is nobody to draw it. */
export function outputItems(output: TurnOutput): vscode.NotebookCellOutputItem[] {
  const drawn = readOutput(output);
  const items = [vscode.NotebookCellOutputItem.json(output, TURN_MIME)];
  if (drawn !== undefined)
    items.push(vscode.NotebookCellOutputItem.text(turnMarkdown(drawn.turn), "text/markdown"));
  return items;
}

/** A turn as an output. Its metadata is all that is needed to find its lines again. */
export function cellOutput(output: TurnOutput): vscode.NotebookCellOutput {
  return new vscode.NotebookCellOutput(outputItems(output), { conclave: { turn: output.turnId } });
}

/** What an output of ours holds; undefined for any other. */
export function outputValue(output: vscode.NotebookCellOutput): unknown {
  const item = output.items.find(({ mime }) => mime === TURN_MIME);
  if (item === undefined) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(item.data)) as unknown;
  } catch {
    return undefined;
  }
}

/** How a turn went, as the line under a cell says it. */
function summaryOf(turn: TurnModel, order: number): vscode.NotebookCellExecutionSummary {
  const timing = turn.end === undefined ? {} : { timing: { startTime: turn.start, endTime: turn.end } };
  return { executionOrder: order, success: turn.status === "answered", ...timing };
}

function cellData(cell: ShownNotebookCell, order: number): vscode.NotebookCellData {
  if (cell.kind !== "question") {
    const data = new vscode.NotebookCellData(vscode.NotebookCellKind.Markup, cell.text, "markdown");
    if (cell.kind === "notice") data.metadata = { conclave: { notice: true } };
    return data;
  }
  const data = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, cell.text, QUESTION_LANGUAGE);
  if (cell.output === undefined) return data;
  data.outputs = [cellOutput(cell.output)];
  const drawn = readOutput(cell.output);
  if (drawn !== undefined) data.executionSummary = summaryOf(drawn.turn, order);
  return data;
}

/** What a log shows, as VS Code holds it. One that shows nothing has an empty cell to begin with. */
export function notebookData(shown: ShownNotebook, key: NotebookKey): vscode.NotebookData {
  const cells = shown.cells.map((cell, at) => cellData(cell, shown.unshown + at + 1));
  const empty = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, "", QUESTION_LANGUAGE);
  const data = new vscode.NotebookData(cells.length === 0 ? [empty] : cells);
  const { base, session } = key;
  data.metadata = { conclave: { session }, [LOG_KEY]: { base } };
  return data;
}

/** The cells that are saved. A notice is none, unless somebody wrote into it. */
export function editedCells(data: vscode.NotebookData, notice: string): readonly EditedCell[] {
  return data.cells.flatMap((cell): EditedCell[] => {
    const text = cell.value;
    if (cell.kind === vscode.NotebookCellKind.Markup) {
      const isNotice = Notice.safeParse(cell.metadata).success && text === notice;
      return isNotice ? [] : [{ kind: "markdown", text }];
    }
    const turn = turnOfCell(cell);
    return [{ kind: "question", text, ...(turn === undefined ? {} : { turn }) }];
  });
}
