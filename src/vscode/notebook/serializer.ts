import * as vscode from "vscode";
import { jsonForLog } from "../../trace/bounded.ts";
import { layoutOf, visible } from "../../trace/notebook/layout.ts";
import { readLogBytes } from "../../trace/notebook/log-bytes.ts";
import { MAX_CELLS, noticeOf, showNotebook } from "../../trace/notebook/shown-notebook.ts";
import { readOutput } from "../../trace/notebook/turn-output.ts";
import { writeNotebook, type AddedTurn } from "../../trace/notebook/write.ts";
import { signalOf } from "../editor.ts";
import { findLog, notebooksOf } from "./find-log.ts";
import type { KeptLog, KeptLogs } from "./kept-logs.ts";
import { editedCells, keyOf, notebookData, outputValue, turnOf } from "./notebook-data.ts";

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
    const kept = await this.#logOf(data);
    const unshown = Math.max(0, visible(layoutOf(kept.log)).length - MAX_CELLS);
    return writeNotebook({
      log: kept.log,
      unshown,
      cells: editedCells(data, noticeOf(kept.log, unshown)),
      added: this.#added(data, kept),
      session: { sessionId: kept.session, createdAt: kept.createdAt },
    });
  }

  /** The log of a notebook. Saving without it would lose it: so it is looked for, and else nothing is saved. */
  async #logOf(data: vscode.NotebookData): Promise<KeptLog> {
    const key = keyOf(data.metadata);
    if (key === undefined) {
      const empty = await readLogBytes(new Uint8Array());
      if (empty === undefined) throw new vscode.CancellationError();
      return this.#logs.keep(empty);
    }
    const kept = await findLog(this.#logs, key);
    if (kept !== undefined) return kept;
    throw new Error(
      "Conclave no longer holds the log that this notebook was opened from, and saving would lose it. Copy what you wrote, then open the file again.",
    );
  }

  /** The turns that the log lacks: those that this notebook ran, and those of cells that were pasted into it. */
  #added(data: vscode.NotebookData, { base, session, log }: KeptLog): readonly AddedTurn[] {
    const added = new Map<string, AddedTurn>();
    // Of two notebooks with the same log it can't be told whose turns they are: then those count that are shown.
    const [only, ...others] = notebooksOf(base);
    if (only !== undefined && others.length === 0)
      for (const turn of this.#logs.ranIn(only.uri.toString(), base)) added.set(turn.turnId, turn);
    for (const output of data.cells.flatMap(({ outputs }) => outputs ?? [])) {
      const turnId = turnOf(output);
      if (turnId === undefined || added.has(turnId) || log.turns.has(turnId)) continue;
      const turn = this.#logs.lacking(turnId, session) ?? outOfOutput(output, session);
      if (turn !== undefined) added.set(turnId, turn);
    }
    return [...added.values()];
  }
}

/** A turn out of what an output shows of it, where nothing else is left. */
function outOfOutput(output: vscode.NotebookCellOutput, sessionId: string): AddedTurn | undefined {
  const value = outputValue(output);
  const drawn = readOutput(value);
  if (drawn === undefined) return undefined;
  const { turnId } = drawn.output;
  const lines = drawn.events.map((event) => jsonForLog({ ...event, sessionId }));
  return { turnId, question: drawn.turn.question, lines };
}
