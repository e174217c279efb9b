import * as vscode from "vscode";
import { AgentSource } from "./vscode/agents/agent-source.ts";
import { afterStart } from "./vscode/after-start.ts";
import { registerAgents } from "./vscode/agents/register.ts";
import { registerParticipant } from "./vscode/chat/register.ts";
import { registerCommands } from "./vscode/commands/register.ts";
import { Container } from "./vscode/container.ts";
import { resumeAtStart } from "./vscode/critic/resume-at-start.ts";
import { Documents } from "./vscode/documents.ts";
import { registerCases } from "./vscode/eval/register.ts";
import { registerTraceFiles } from "./vscode/files/register.ts";
import { startSweeping } from "./vscode/files/start-sweeping.ts";
import { registerModelProvider } from "./vscode/lm/register.ts";
import { registerNotebooks } from "./vscode/notebook/register.ts";
import { restorePanel } from "./vscode/restore-panel.ts";
import { registerRubrics } from "./vscode/rubrics/register.ts";
import { RubricSource } from "./vscode/rubrics/rubric-source.ts";
import { StatusBar } from "./vscode/status-bar.ts";
import { registerOfferedTools } from "./vscode/tools/language-model-tools.ts";
import { Reminders } from "./vscode/tools/reminders/source.ts";

/** What host tests get, and nobody else. */
export interface TestApi {
  readonly container: Container;
}

let container: Container | undefined;

/** Registers what package.json contributes. Loads nothing heavy: engine, memory and models come with first use. */
export function activate(extension: vscode.ExtensionContext): TestApi | undefined {
  const output = vscode.window.createOutputChannel("Conclave", { log: true });
  const status = new StatusBar();
  const documents = new Documents();
  const agents = new AgentSource();
  const rubrics = new RubricSource();
  const reminders = new Reminders(extension, output);
  container = new Container({ extension, output, status, documents, agents, rubrics, reminders });
  extension.subscriptions.push(
    output,
    status,
    documents,
    agents,
    rubrics,
    reminders,
    registerCommands(container),
    registerParticipant(container),
    registerModelProvider(container),
    registerAgents(container),
    registerRubrics(container),
    registerNotebooks(container),
    registerTraceFiles(container),
    registerCases(container),
    startSweeping(container),
    resumeAtStart(container),
    registerOfferedTools(container),
    afterStart(() => void reminders.start()),
  );
  restorePanel(container);
  return extension.extensionMode === vscode.ExtensionMode.Test ? { container } : undefined;
}

/** Cancels what runs and writes what waits. */
export async function deactivate(): Promise<void> {
  await container?.dispose();
  container = undefined;
}
