import * as vscode from "vscode";
import { describeError } from "../../agent/failure.ts";
import type { Container } from "../container.ts";
import { COMMANDS, type CommandId } from "../contributions.ts";
import type { CommandHandler } from "./handler.ts";

/** Where each command's code is, loaded when it is first run. */
const LOADERS: Readonly<Record<CommandId, () => Promise<CommandHandler>>> = {
  [COMMANDS.chooseCommittee]: async () => (await import("./choose-committee.ts")).chooseCommittee,
  [COMMANDS.askCommittee]: async () => (await import("./ask.ts")).askCommittee,
  [COMMANDS.ask]: async () => (await import("./ask.ts")).ask,
  [COMMANDS.startSandbox]: async () => (await import("./sandbox.ts")).startSandbox,
  [COMMANDS.dream]: async () => (await import("./sandbox.ts")).dreamNow,
  [COMMANDS.retrySynthesis]: async () => (await import("./committee.ts")).retrySynthesis,
  [COMMANDS.runTurnAgain]: async () => (await import("./run-again.ts")).runTurnAgain,
  [COMMANDS.restoreContext]: async () => (await import("./committee.ts")).restoreContext,
  [COMMANDS.openTracePanel]: async () => (await import("./turns.ts")).openTracePanel,
  [COMMANDS.reloadTracePanel]: async () => (await import("./turns.ts")).reloadTracePanel,
  [COMMANDS.importTrace]: async () => (await import("../files/import.ts")).importTrace,
  [COMMANDS.deleteSession]: async () => (await import("../files/delete.ts")).deleteSession,
  [COMMANDS.deleteAllSessions]: async () => (await import("../files/delete.ts")).deleteAllSessions,
  [COMMANDS.newSession]: async () => (await import("./turns.ts")).newSession,
  [COMMANDS.cancelTurn]: async () => (await import("./turns.ts")).cancelTurn,
  [COMMANDS.exportTurn]: async () => (await import("../export/commands.ts")).exportTurn,
  [COMMANDS.exportSession]: async () => (await import("../export/commands.ts")).exportSession,
  [COMMANDS.saveExport]: async () => (await import("../export/commands.ts")).saveExport,
  [COMMANDS.copyExport]: async () => (await import("../export/commands.ts")).copyExport,
  [COMMANDS.showMemory]: async () => (await import("./memory.ts")).showMemory,
  [COMMANDS.showTools]: async () => (await import("./turns.ts")).showTools,
  [COMMANDS.showCritic]: async () => (await import("./turns.ts")).showCritic,
  [COMMANDS.sayWhy]: async () => (await import("../feedback/say-why.ts")).sayWhy,
  [COMMANDS.gradeAnswer]: async () => (await import("../critic/commands.ts")).gradeAnswer,
  [COMMANDS.compareAnswer]: async () => (await import("../critic/commands.ts")).compareAnswer,
  [COMMANDS.takeAnswer]: async () => (await import("../critic/commands.ts")).takeAnswer,
  [COMMANDS.toggleCritic]: async () => (await import("../critic/commands.ts")).toggleCritic,
  [COMMANDS.forget]: async () => (await import("./memory.ts")).forget,
  [COMMANDS.forgetAbout]: async () => (await import("./memory.ts")).forgetAbout,
  [COMMANDS.exportMemory]: async () => (await import("./memory.ts")).exportMemory,
  [COMMANDS.importMemory]: async () => (await import("./memory.ts")).importMemory,
  [COMMANDS.setMemoryCredentials]: async () => (await import("./memory.ts")).setMemoryCredentials,
  [COMMANDS.newPrivateSession]: async () => (await import("./turns.ts")).newPrivateSession,
  [COMMANDS.savePrivateSession]: async () => (await import("./turns.ts")).savePrivateSession,
  [COMMANDS.selectModel]: async () => (await import("./models.ts")).selectModel,
  [COMMANDS.pullModel]: async () => (await import("./models.ts")).pullModel,
  [COMMANDS.checkSetup]: async () => (await import("./setup.ts")).checkSetup,
  [COMMANDS.startOllama]: async () => (await import("./setup.ts")).startOllama,
  [COMMANDS.setSearchApiKey]: async () => (await import("./settings.ts")).setSearchApiKey,
  [COMMANDS.enableWebTools]: async () => (await import("./settings.ts")).enableWebTools,
  [COMMANDS.openSettings]: async () => (await import("./settings.ts")).openSettings,
  [COMMANDS.showMenu]: async () => (await import("./menu.ts")).showMenu,
  [COMMANDS.newAgent]: async () => (await import("./agents.ts")).newAgent,
  [COMMANDS.openAgent]: async () => (await import("./agents.ts")).openAgent,
  [COMMANDS.newRubric]: async () => (await import("./rubrics.ts")).newRubric,
  [COMMANDS.copyAgent]: async () => (await import("./agents.ts")).copyAgent,
  [COMMANDS.runEvaluation]: async () => (await import("../eval/commands.ts")).runEvaluationCommand,
  [COMMANDS.newEvaluationCase]: async () => (await import("../eval/commands.ts")).newEvaluationCase,
  [COMMANDS.openAsNotebook]: async () => (await import("../notebook/commands.ts")).openAsNotebook,
  [COMMANDS.exportNotebook]: async () => (await import("../notebook/commands.ts")).exportNotebook,
  [COMMANDS.showReminders]: async () => (await import("./reminders.ts")).showReminders,
  [COMMANDS.showLog]: async () => (await import("./menu.ts")).showLog,
};

/** Registers every command. A command that breaks says so once and leaves the cause in the log. */
export function registerCommands(container: Container): vscode.Disposable {
  const registrations = Object.values(COMMANDS).map((id) =>
    vscode.commands.registerCommand(id, async (...args: readonly unknown[]) => {
      try {
        const handler = await LOADERS[id]();
        return await handler(container, args);
      } catch (error) {
        container.output.error(
          `${id} broke: ${error instanceof Error ? (error.stack ?? error.message) : describeError(error)}`,
        );
        void vscode.window
          .showErrorMessage(`Conclave: the command broke (${describeError(error)}).`, "Show log")
          .then((pressed) =>
            pressed === undefined ? undefined : vscode.commands.executeCommand(COMMANDS.showLog),
          );
        return undefined;
      }
    }),
  );
  return vscode.Disposable.from(...registrations);
}
