import { basename } from "node:path";
import * as vscode from "vscode";
import { describeError, failed, type Result } from "../../agent/failure.ts";
import { foreignEvents } from "../../trace/files/foreign-events.ts";
import type { ImportedTrace } from "../../trace/files/import.ts";
import type { Container } from "../container.ts";
import { showFailure, withCancellableProgress } from "../editor.ts";
import type { Services } from "../services.ts";
import { uriSource } from "./uri-source.ts";

/** How often the notification says how far it is, in milliseconds. */
const TELL_MS = 200;

/**
 * Takes a trace from a file: the named one, or the one that the user chooses. It is opened in the trace panel. Gives the
 * new sessions; nothing when the user backs out or the file holds no trace.
 */
export async function importTrace(
  container: Container,
  args: readonly unknown[],
): Promise<readonly string[] | undefined> {
  const uri = args[0] instanceof vscode.Uri ? args[0] : await chooseTrace();
  if (uri === undefined) return undefined;
  const services = await container.services();
  const imported = await withCancellableProgress("Conclave: importing a trace", (signal, progress) =>
    take(services, uri, signal, (share) => progress.report({ message: `${Math.floor(share * 100)}%` })),
  );
  if (!imported.ok) {
    void showFailure(imported.failure);
    return undefined;
  }
  await show(container, basename(uri.path), imported.value);
  return imported.value.sessionIds;
}

async function take(
  { log, identity }: Services,
  uri: vscode.Uri,
  signal: AbortSignal,
  tell: (share: number) => void,
): Promise<Result<ImportedTrace>> {
  const name = basename(uri.path);
  let told = performance.now();
  const onProgress = (share: number): void => {
    if (performance.now() - told < TELL_MS) return;
    told = performance.now();
    tell(share);
  };
  try {
    const from = await foreignEvents(uriSource(uri));
    return await log.adopt({ from, name, now: Math.round(identity.now()), signal, onProgress });
  } catch (error) {
    return failed("bad_input", `${name} can't be read.`, { cause: describeError(error) });
  }
}

async function chooseTrace(): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    title: "Import a trace",
    openLabel: "Import",
    filters: { Traces: ["conclave", "jsonl", "json"], "All files": ["*"] },
  });
  return chosen?.[0];
}

async function show(container: Container, name: string, imported: ImportedTrace): Promise<void> {
  const { turns, sessionIds, notes } = imported;
  for (const note of notes) container.output.info(`Import of ${name}: ${note}`);
  const [sessionId] = sessionIds;
  const services = await container.services();
  const rows = sessionId === undefined ? undefined : await services.log.rows(sessionId);
  const first = rows?.ok === true ? rows.value[0] : undefined;
  (await container.panel()).reveal(first);
  const count = turns === 1 ? "1 turn was" : `${turns} turns were`;
  const more = notes.length === 0 ? "" : " Not all of it could be taken: the log says what.";
  void vscode.window.showInformationMessage(
    `Conclave: ${count} imported from ${name}. Nothing of it is remembered.${more}`,
  );
}
