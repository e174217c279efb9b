import { basename } from "node:path";
import * as vscode from "vscode";
import { TraceFile } from "../../trace/files/trace-file.ts";
import type { TraceLog } from "../../trace/log.ts";
import type { Container } from "../container.ts";
import { FILE_VIEWS } from "../contributions.ts";
import { withCancellableProgress } from "../editor.ts";
import { uriSource } from "../files/uri-source.ts";
import type { ExportArgs } from "./args.ts";

/** What an export reads: which sessions and turns there are, and their events. */
export type ExportLog = Pick<TraceLog, "read" | "sessions" | "rows">;

/** Where an export is made from. */
export interface ExportOrigin {
  readonly log: ExportLog;
  /** The session that one looks at; empty when it is not known. */
  readonly shown: string;
}

const VIEWS: ReadonlySet<string> = new Set(Object.values(FILE_VIEWS));

/** The trace file that one looks at. */
function activeFile(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputCustom && VIEWS.has(input.viewType) ? input.uri : undefined;
}

/** Reads a file to its end; undefined when the user did not wait for it. */
async function read(uri: vscode.Uri): Promise<TraceFile | undefined> {
  const file = new TraceFile(uriSource(uri));
  return await withCancellableProgress(`Conclave: reading ${basename(uri.path)}`, async (signal) => {
    signal.addEventListener("abort", () => file.dispose(), { once: true });
    await file.load();
    return signal.aborted ? undefined : file;
  });
}

/**
 * What an export is made from: the trace file that is named or that one looks at, else this machine's own log. Undefined
 * when the user gave up waiting for the file. What a menu means by a session that the file lacks is in the log.
 */
export async function exportOrigin(
  container: Container,
  given: ExportArgs,
): Promise<ExportOrigin | undefined> {
  const uri = given.file === undefined ? activeFile() : vscode.Uri.parse(given.file);
  if (uri !== undefined) {
    const file = await read(uri);
    if (file === undefined) return undefined;
    const { sessionId } = given;
    const rows = sessionId === undefined ? undefined : await file.rows(sessionId);
    const isThere = rows === undefined || (rows.ok && rows.value.length > 0);
    if (isThere || given.file !== undefined) return { log: file, shown: "" };
  }
  const { log } = await container.services();
  await log.flush();
  return { log, shown: (await container.panel()).shownSession() };
}
