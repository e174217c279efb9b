import * as vscode from "vscode";
import { jsonForLog } from "../../trace/bounded.ts";
import { layoutOf, visible } from "../../trace/notebook/layout.ts";
import { readLogBytes } from "../../trace/notebook/log-bytes.ts";
import { MAX_CELLS, noticeOf, showNotebook } from "../../trace/notebook/shown-notebook.ts";
import { readOutput } from "../../trace/notebook/turn-output.ts";
import { writeNotebook, type AddedTurn } from "../../trace/notebook/write.ts";
import { signalOf } from "../editor.ts";
import { findLog, notebooksSaved } from "./find-log.ts";
import type { KeptLog, KeptLogs } from "./kept-logs.ts";
import { editedCells, keyOf, notebookData, outputValue, sessionOf, turnOf } from "./notebook-data.ts";

/** Reads logs as notebooks and writes them back; what a notebook does not show stays in its log, byte for byte. */
export class TraceSerializer implements vscode.NotebookSerializer {
  readonly #logs: KeptLogs;

  constructor(logs: KeptLogs) {
    this.#logs = logs;
  }

  async deserializeNotebook(
    content: Uint8Array,
    token: vscode.CancellationToken,
  ): Promise<vscode.NotebookData> {
    const cancelled = signalOf(token);
    const { signal } = cancelled;
    try {
      // VS Code may use its buffer again.
      const log = await readLogBytes(content.slice(), signal);
      const shown = log === undefined ? undefined : await showNotebook(log, signal);
      if (log === undefined || shown === undefined) throw new vscode.CancellationError();
      return notebookData(shown, await this.#logs.keep(log));
    } finally {
      cancelled.dispose();
    }
  }

  async serializeNotebook(data: vscode.NotebookData): Promise<Uint8Array> {
    const { kept, notebook } = await this.#sourceOf(data);
    const unshown = Math.max(0, visible(layoutOf(kept.log)).length - MAX_CELLS);
    return writeNotebook({
      log: kept.log,
      unshown,
      cells: editedCells(data, noticeOf(kept.log, unshown)),
      added: this.#added(data, kept, notebook),
      session: { sessionId: kept.session, createdAt: kept.createdAt },
    });
  }

  /** The log of a notebook. Saving without it would lose it: so it is looked for, and else nothing is saved. */
  async #sourceOf(data: vscode.NotebookData): Promise<Source> {
    const session = sessionOf(data.metadata);
    if (session === undefined) {
      const empty = await readLogBytes(new Uint8Array());
      if (empty === undefined) throw new vscode.CancellationError();
      return { kept: await this.#logs.keep(empty) };
    }
    const notebooks = notebooksSaved(data, session);
    const keys = notebooks.flatMap(({ metadata }) => keyOf(metadata) ?? []);
    const [key] = keys;
    if (key === undefined) throw new Error(LOST);
    if (keys.some(({ base }) => base !== key.base)) throw new Error(ALIKE);
    const kept = await findLog(this.#logs, key);
    if (kept === undefined) throw new Error(LOST);
    // Of two notebooks with the same log it can't be told whose turns they are: then those count that are shown.
    const [only, ...others] = notebooks;
    return { kept, ...(only !== undefined && others.length === 0 ? { notebook: only } : {}) };
  }

  /** The turns that the log lacks: those that this notebook ran, and those of cells that were pasted into it. */
  #added(
    data: vscode.NotebookData,
    { base, session, log }: KeptLog,
    notebook: vscode.NotebookDocument | undefined,
  ): readonly AddedTurn[] {
    const ran = notebook === undefined ? [] : this.#logs.ranIn(notebook.uri.toString(), base);
    // A file that is read anew while a cell runs holds the beginning of its turn: the rest is still here.
    const begun = [...log.turns.keys()].flatMap((turnId) => this.#logs.ran(turnId) ?? []);
    const added = new Map<string, AddedTurn>([...begun, ...ran].map((turn) => [turn.turnId, turn]));
    for (const output of data.cells.flatMap(({ outputs }) => outputs ?? [])) {
      const turnId = turnOf(output);
      if (turnId === undefined || added.has(turnId) || log.turns.has(turnId)) continue;
      const turn = this.#logs.lacking(turnId, session) ?? outOfOutput(output, session);
      if (turn !== undefined) added.set(turnId, turn);
    }
    return [...added.values()];
  }
}

/** What a notebook that is saved was read from, and which of the open ones it is, where that can be told. */
interface Source {
  readonly kept: KeptLog;
  readonly notebook?: vscode.NotebookDocument;
}

const LOST =
  "Conclave no longer holds the log that this notebook was opened from, and saving would lose it. Copy what you wrote, then open the file again.";
const ALIKE =
  "Two open notebooks of this session show the same cells but come from different files, and saving could mix them up. Close the other one, then save again.";

/** A turn out of what an output shows of it, where nothing else is left. */
function outOfOutput(output: vscode.NotebookCellOutput, sessionId: string): AddedTurn | undefined {
  const value = outputValue(output);
  const drawn = readOutput(value);
  if (drawn === undefined) return undefined;
  const { turnId } = drawn.output;
  const lines = drawn.events.map((event) => jsonForLog({ ...event, sessionId }));
  return { turnId, question: drawn.turn.question, lines };
}
