import * as vscode from "vscode";
import type { Reference } from "../../agent/events.ts";
import { describeError } from "../../agent/failure.ts";
import { fitReferences, looksBinary, referenceBudget, type FittedReferences } from "./reference-text.ts";

/** Files and selections of one question at most. */
const MAX_REFERENCES = 40;
/** Larger files are not opened at all. */
const MAX_FILE_BYTES = 20_000_000;
/** Names of a folder that are listed at most. */
const MAX_NAMES = 300;

type Reading = { readonly reference: Reference } | { readonly note: string };

/** What a person calls a file: the folder's name comes first where there are several folders. */
function labelOf(uri: vscode.Uri): string {
  return vscode.workspace.asRelativePath(uri);
}

async function readFolder(uri: vscode.Uri): Promise<Reading> {
  const entries = await vscode.workspace.fs.readDirectory(uri);
  const names = entries.map(([name, type]) => (type === vscode.FileType.Directory ? `${name}/` : name));
  const more = names.length > MAX_NAMES ? `\n(${names.length - MAX_NAMES} more)` : "";
  const text = names.toSorted().slice(0, MAX_NAMES).join("\n") + more;
  return { reference: { label: `${labelOf(uri)}/`, uri: uri.toString(), text } };
}

/** The text as the editor has it, unsaved changes included. */
async function readFile(uri: vscode.Uri, range?: vscode.Range): Promise<Reading> {
  const label = labelOf(uri);
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open === undefined) {
    const stat = await vscode.workspace.fs.stat(uri);
    if ((stat.type & vscode.FileType.Directory) !== 0) return await readFolder(uri);
    if (stat.size > MAX_FILE_BYTES) return { note: `${label} is too large to be read.` };
  }
  const document = open ?? (await vscode.workspace.openTextDocument(uri));
  const text = document.getText(range);
  if (looksBinary(text)) return { note: `${label} is not a text file.` };
  const lines = range === undefined ? "" : `:${range.start.line + 1}-${range.end.line + 1}`;
  return { reference: { label: label + lines, uri: uri.toString(), text } };
}

async function readValue({ value, id, modelDescription }: vscode.ChatPromptReference): Promise<Reading> {
  if (value instanceof vscode.Uri) return await readFile(value);
  if (value instanceof vscode.Location) return await readFile(value.uri, value.range);
  if (typeof value === "string") {
    return {
      reference: { label: modelDescription ?? id, uri: `reference:${encodeURIComponent(id)}`, text: value },
    };
  }
  return { note: `${modelDescription ?? id} is of a kind that can't be read as text.` };
}

/**
 * Resolves what the user attached to text that fits a context of `contextLength` tokens. What can't be read or had to
 * be cut is said in `notes`; nothing throws.
 */
export async function resolveReferences(
  attached: readonly vscode.ChatPromptReference[],
  contextLength: number,
): Promise<FittedReferences> {
  // VS Code lists the last one first.
  const chosen = attached.toReversed().slice(0, MAX_REFERENCES);
  const readings = await Promise.all(
    chosen.map((one) =>
      readValue(one).catch((error: unknown): Reading => {
        const what = one.value instanceof vscode.Uri ? labelOf(one.value) : one.id;
        return { note: `${what} can't be read: ${describeError(error)}` };
      }),
    ),
  );
  const fitted = fitReferences(
    readings.flatMap((reading) => ("reference" in reading ? [reading.reference] : [])),
    referenceBudget(contextLength),
  );
  const notes = readings.flatMap((reading) => ("note" in reading ? [reading.note] : []));
  if (attached.length > chosen.length)
    notes.push(`${attached.length - chosen.length} attachments were left out.`);
  return { references: fitted.references, notes: [...notes, ...fitted.notes] };
}

/** The selection of the active editor as a reference; undefined where nothing is selected. */
export async function selectionReference(contextLength: number): Promise<Reference | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || editor.selection.isEmpty) return undefined;
  const reading = await readFile(editor.document.uri, editor.selection);
  if (!("reference" in reading)) return undefined;
  return fitReferences([reading.reference], referenceBudget(contextLength)).references[0];
}
