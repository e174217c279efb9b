import assert from "node:assert/strict";
import type { TurnEvent } from "../../../../src/agent/events.ts";
import { jsonForLog } from "../../../../src/trace/bounded.ts";
import { readLogBytes, type LogBytes } from "../../../../src/trace/notebook/log-bytes.ts";
import { showNotebook, type ShownNotebook } from "../../../../src/trace/notebook/shown-notebook.ts";
import { writeNotebook, type AddedTurn, type EditedCell } from "../../../../src/trace/notebook/write.ts";
import { sessionLine } from "../../../../src/trace/session-line.ts";
import { TurnScript } from "../support/turn-script.ts";
import { SteadyIdentity } from "../support/steady-identity.ts";

/** The session of the tests' logs. */
export const SESSION = { sessionId: "6f1e2d3c-0000-4000-8000-00000000000f", createdAt: 5 };

/** A log out of bytes or text. */
export async function read(content: Uint8Array | string): Promise<LogBytes> {
  const log = await readLogBytes(typeof content === "string" ? Buffer.from(content) : content);
  assert.ok(log);
  return log;
}

/** What a log shows. */
export async function show(log: LogBytes): Promise<ShownNotebook> {
  const shown = await showNotebook(log);
  assert.ok(shown);
  return shown;
}

/** The cells as an editor gives them back. */
export function edited({ cells }: ShownNotebook): EditedCell[] {
  return cells.flatMap((cell): EditedCell[] => {
    if (cell.kind === "notice") return [];
    if (cell.kind === "markdown") return [{ kind: "markdown", text: cell.text }];
    return [{ kind: "question", text: cell.text, ...(cell.output && { turn: cell.output.turnId }) }];
  });
}

/** Saves cells. */
export function write(
  log: LogBytes,
  cells: readonly EditedCell[],
  added: readonly AddedTurn[] = [],
  unshown = 0,
): Uint8Array {
  return writeNotebook({ log, unshown, cells, added, session: SESSION });
}

/** The text of what was saved. */
export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("utf8");
}

/** The events of an answered turn. */
export function answered(question: string, answer: string, seed: number, parent?: string): TurnEvent[] {
  const events: TurnEvent[] = [];
  const identity = new SteadyIdentity(1_700_000_000_000, seed);
  const script = new TurnScript((event) => events.push(event), {
    ...{ question, identity, sessionId: SESSION.sessionId },
    ...(parent === undefined ? {} : { parent }),
  });
  script.wait(10).ask().wait(1000).reply({ content: answer }).stepEnd().answered(answer);
  return events.filter(({ type }) => type !== "model.delta");
}

/** A log of events as its text. */
export function logOf(events: readonly TurnEvent[]): string {
  const lines = events.map((event) => `${jsonForLog(event)}\n`);
  return sessionLine(SESSION.sessionId, SESSION.createdAt) + lines.join("");
}
