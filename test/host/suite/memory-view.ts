/** The memory view as a person uses it: its tabs, rows, editors and dialogs. */
import * as vscode from "vscode";
import { window } from "./driver.ts";
import { answerDialog, type AskedDialog } from "./user.ts";

/** A line of the table. */
export const MEMORY_ROW = "main .memory-row";
/** What is open of a row. */
export const OPEN_ROW = "main .memory-detail";
/** What the view says of what came of something. */
export const TOLD = "main .memory-told";

/** A table by its tab. */
export type Tab = "episodes" | "facts" | "people" | "relationships" | "resources";

/** Opens the panel on the memory view, with all the room it can have. */
export async function openMemory(): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.closeAuxiliaryBar");
  await vscode.commands.executeCommand("conclave.showMemory");
  await window.waitForText("main .memory-tabs", "Facts");
}

/** Shows a table, filtered by words; none for all rows. */
export async function showTable(tab: Tab, filter = ""): Promise<void> {
  await window.click(`main [data-table=${tab}]`);
  await window.waitForText(`main [data-table=${tab}][aria-selected=true]`, "");
  await window.fill("main .memory-filter .search input", filter);
  await window.pressIn("main .memory-filter .search input", "Enter");
  await window.waitGone("main .memory-reading");
}

/** Opens a row by a click on what it says, unless it is open since the view was last there. */
export async function openRow(text: string): Promise<void> {
  await window.waitForText(MEMORY_ROW, text);
  const isOpen = (await window.count(`${MEMORY_ROW}.open`)) > 0;
  if (!isOpen) await window.click(`${MEMORY_ROW} .main`, text);
  await window.waitForText(OPEN_ROW, text);
}

/** Changes a field of the row that is open; `label` is the one of its pencil. */
export async function changeField(label: string, content: string, keys = "Enter"): Promise<void> {
  await window.click(`${OPEN_ROW} [aria-label='Edit: ${label}']`);
  await window.fill(`${OPEN_ROW} .editor input, ${OPEN_ROW} .editor textarea`, content);
  await window.pressIn(`${OPEN_ROW} .editor input, ${OPEN_ROW} .editor textarea`, keys);
}

/** Presses a button of the view and answers the question that comes; gives what was asked. */
export async function forgetBy(selector: string, button: string, answer?: string): Promise<AskedDialog> {
  const asked = answerDialog(answer);
  await window.click(selector, button);
  return await asked;
}

/** Answers the next dialog for a file to save or to open with a path: VS Code shows none while it runs tests. */
export function chooseFile(which: "showSaveDialog" | "showOpenDialog", path: string): void {
  const shown = vscode.window[which];
  const uri = vscode.Uri.file(path);
  const answer = (): Promise<vscode.Uri | vscode.Uri[]> => {
    Object.assign(vscode.window, { [which]: shown });
    return Promise.resolve(which === "showSaveDialog" ? uri : [uri]);
  };
  Object.assign(vscode.window, { [which]: answer });
}
