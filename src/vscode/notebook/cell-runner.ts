import { LRUCache } from "lru-cache";
import * as vscode from "vscode";
import { CANCELLED, describeError, failure, type Failure } from "../../agent/failure.ts";
import { systemTimer } from "../../agent/timer.ts";
import type { TurnOutput } from "../../trace/notebook/turn-output.ts";
import { showFailure, signalOf } from "../editor.ts";
import { failureButton } from "../failure-button.ts";
import type { Services } from "../services.ts";
import { findLog } from "./find-log.ts";
import { above } from "./history.ts";
import type { KeptLogs } from "./kept-logs.ts";
import { cellOutput, keyOf, outputItems, turnOf, turnOfCell } from "./notebook-data.ts";
import { refusal } from "./refusal.ts";
import { runTurn } from "./run-turn.ts";

/** Notebooks whose session is remembered; another one begins a new session with its next run. */
const MAX_SESSIONS = 100;

/** What cells are run with. */
export interface CellRunnerDeps {
  readonly output: Pick<vscode.LogOutputChannel, "warn" | "debug">;
  services(): Promise<Services>;
}

/** Runs the cells of notebooks, one after the other, each as a turn with the cells above it as its history. */
export class CellRunner {
  readonly #deps: CellRunnerDeps;
  readonly #logs: KeptLogs;
  /** What runs in a notebook, by its address: the next cells wait for it. */
  readonly #running = new Map<string, { readonly stop: AbortController; last: Promise<void> }>();
  /** The sessions of this machine's log that notebooks run in, by their addresses. */
  readonly #sessions = new LRUCache<string, string>({ max: MAX_SESSIONS });
  #order = 0;
  #isListening = false;

  constructor(deps: CellRunnerDeps, logs: KeptLogs) {
    this.#deps = deps;
    this.#logs = logs;
  }

  /** Stops what runs in a notebook, and what waits there. */
  interrupt(notebook: vscode.NotebookDocument): void {
    this.#running.get(notebook.uri.toString())?.stop.abort();
  }

  /** Runs cells of a notebook in order. Resolves when all have ended; never rejects. */
  async execute(
    cells: readonly vscode.NotebookCell[],
    notebook: vscode.NotebookDocument,
    controller: vscode.NotebookController,
  ): Promise<void> {
    const address = notebook.uri.toString();
    const before = this.#running.get(address);
    const goesOn = before !== undefined && !before.stop.signal.aborted;
    const run = { stop: goesOn ? before.stop : new AbortController(), last: Promise.resolve() };
    // All of them at once, so that each shows that it waits.
    const executions = cells.map((cell) => controller.createNotebookCellExecution(cell));
    run.last = (before?.last ?? Promise.resolve()).then(() => this.#runAll(executions, run.stop.signal));
    this.#running.set(address, run);
    await run.last;
    if (this.#running.get(address) === run) this.#running.delete(address);
  }

  /** Runs cells in order. What stands below one that was not answered is not asked: it would be asked without it. */
  async #runAll(executions: readonly vscode.NotebookCellExecution[], signal: AbortSignal): Promise<void> {
    let goesOn = true;
    for (const execution of executions) {
      const isEmpty = execution.cell.document.getText().trim() === "";
      if (!goesOn || isEmpty || signal.aborted) execution.end(undefined);
      else goesOn = await this.#run(execution, signal);
    }
  }

  /** Runs a cell; true when it was answered. */
  async #run(execution: vscode.NotebookCellExecution, stop: AbortSignal): Promise<boolean> {
    const token = signalOf(execution.token);
    this.#order += 1;
    execution.executionOrder = this.#order;
    execution.start(Date.now());
    let isAnswered = false;
    try {
      const problem = await this.#ask(execution, AbortSignal.any([stop, token.signal]));
      isAnswered = problem === undefined;
      if (problem !== undefined && problem.code !== "cancelled") await this.#tell(execution, problem);
    } catch (error) {
      // A cell that was deleted while it ran takes no outputs any more.
      this.#deps.output.warn(`A cell could not be run: ${describeError(error)}`);
    } finally {
      token.dispose();
      execution.end(isAnswered, Date.now());
    }
    return isAnswered;
  }

  /** Asks a cell's question; gives why it was not answered. */
  async #ask(execution: vscode.NotebookCellExecution, signal: AbortSignal): Promise<Failure | undefined> {
    const services = await this.#deps.services();
    const { settings } = services.settings();
    const refused = refusal(vscode.workspace.isTrusted, settings.model);
    if (refused !== undefined) return refused;
    const { notebook, index, document } = execution.cell;
    const key = keyOf(notebook.metadata);
    const kept = key === undefined ? undefined : await findLog(this.#logs, key);
    if (kept === undefined) return NO_LOG;
    this.#listen(services);
    const address = notebook.uri.toString();
    const turns = notebook
      .getCells(new vscode.NotebookRange(0, index))
      .flatMap((cell) => turnOfCell(cell) ?? []);
    const { history, parentTurnId } = above(turns, (turnId) => this.#logs.events(kept.base, turnId));
    const sessionId = this.#sessions.get(address);
    const end = await runTurn(
      {
        ...{ question: document.getText(), history },
        ...(settings.committeeEnabled ? { options: { committee: {} } } : {}),
        ...(sessionId === undefined ? {} : { sessionId }),
        place: { sessionId: kept.session, parentTurnId },
      },
      {
        engine: services.engine,
        timer: systemTimer,
        keep: (turn) => this.#logs.run(turn, kept.base, address),
        draw: this.#drawer(execution),
      },
      signal,
    );
    if (end.outcome !== "refused") this.#sessions.set(address, end.sessionId);
    if (end.outcome === "answered") return undefined;
    return end.outcome === "cancelled" ? CANCELLED : (end.error ?? NO_ANSWER);
  }

  /** Draws a turn into a cell: first in the place of what stands there, then into the same output. */
  #drawer(execution: vscode.NotebookCellExecution): (output: TurnOutput) => Promise<void> {
    let drawn: vscode.NotebookCellOutput | undefined;
    return async (output) => {
      try {
        if (drawn !== undefined) {
          await execution.replaceOutputItems(outputItems(output), drawn);
          return;
        }
        drawn = cellOutput(output);
        await execution.replaceOutput(drawn);
      } catch (error) {
        // The cell is gone: the turn goes on, and its lines are kept.
        this.#deps.output.debug(`An output could not be drawn: ${describeError(error)}`);
      }
    };
  }

  /** Says what went wrong under the turn, and once with the button that mends it. */
  async #tell(execution: vscode.NotebookCellExecution, problem: Failure): Promise<void> {
    const button = failureButton(problem);
    const text = button === undefined ? problem.message : `${problem.message} (${button.title})`;
    const error = { name: "Conclave", message: text };
    const turns = execution.cell.outputs.filter((output) => turnOf(output) !== undefined);
    const item = vscode.NotebookCellOutputItem.error(error);
    void showFailure(problem);
    await execution.replaceOutput([...turns, new vscode.NotebookCellOutput([item])]);
  }

  /** What is said of turns after their end belongs to them as well. */
  #listen({ engine }: Services): void {
    if (this.#isListening) return;
    this.#isListening = true;
    engine.onEvent((event) => this.#logs.ran(event.turnId)?.hear(event));
  }
}

const NO_LOG = failure(
  "internal",
  "Conclave no longer holds the log of this notebook. Close it and open it again.",
);
const NO_ANSWER = failure("internal", "The turn ended without an answer.");
