import * as vscode from "vscode";
import type { Container } from "../container.ts";
import { COMMANDS } from "../contributions.ts";
import { withCancellableProgress } from "../editor.ts";
import { setupReport } from "../setup/report.ts";
import { gatherFacts } from "../setup/gather.ts";

/** Looks at everything a question needs and shows what it found, with what to do. Gives the report's Markdown. */
export async function checkSetup(container: Container): Promise<string> {
  const facts = await withCancellableProgress("Conclave: checking the set-up", (signal) =>
    gatherFacts(container, signal),
  );
  const report = setupReport(facts);
  await container.documents.showMarkdown("Conclave set-up.md", report);
  return report;
}

const DOWNLOAD_PAGE = "https://ollama.com/download";

/** Says how to start Ollama: runs it in a terminal where the user wants that and it is on this machine, or opens its page. */
export async function startOllama(container: Container): Promise<void> {
  const services = await container.services();
  const server = services.server();
  const host = server.ok ? server.value.display : services.settings().settings.ollamaHost;
  const local = /\/\/(127\.\d+\.\d+\.\d+|localhost|\[::1\])(:|\/|$)/.test(host);
  const detail = local
    ? "It is started by its app, or by `ollama serve` in a terminal."
    : "It is on another machine: start it there.";
  const buttons = local
    ? ["Run in terminal", "Get Ollama", "Check again"]
    : ["Check again", "Change address"];
  const pressed = await vscode.window.showInformationMessage(
    `No Ollama answers at ${host}. ${detail}`,
    ...buttons,
  );
  if (pressed === "Run in terminal") {
    const terminal = vscode.window.createTerminal({ name: "Ollama" });
    terminal.show(true);
    terminal.sendText("ollama serve");
  } else if (pressed === "Get Ollama") {
    await vscode.env.openExternal(vscode.Uri.parse(DOWNLOAD_PAGE));
  } else if (pressed === "Check again") {
    await vscode.commands.executeCommand(COMMANDS.checkSetup);
  } else if (pressed === "Change address") {
    await vscode.commands.executeCommand(COMMANDS.openSettings, "conclave.ollama.host");
  }
}
