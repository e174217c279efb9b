import { describeError, failed, success, type Result } from "../../agent/failure.ts";
import * as vscode from "vscode";
import type { ActionsPort } from "../../tools/action.ts";
import type { FoundProblem, WorkspacePort } from "../../tools/workspace/port.ts";
import type { Settings } from "../settings-schema.ts";
import { jsonText } from "./json-text.ts";

const SEVERITIES: Readonly<Record<vscode.DiagnosticSeverity, FoundProblem["severity"]>> = {
  [vscode.DiagnosticSeverity.Error]: "error",
  [vscode.DiagnosticSeverity.Warning]: "warning",
  [vscode.DiagnosticSeverity.Information]: "information",
  [vscode.DiagnosticSeverity.Hint]: "hint",
};

/** The open folders as VS Code knows them. Folders that are not on this machine's disk are left out. */
export const workspacePort: WorkspacePort = {
  isTrusted: () => vscode.workspace.isTrusted,
  folders: () =>
    (vscode.workspace.workspaceFolders ?? [])
      .filter(({ uri }) => uri.scheme === "file")
      .map(({ name, uri }) => ({ name, path: uri.fsPath })),
  hidden: (folder) => globsOf("files", folder),
  unsearched: (folder) => globsOf("search", folder),
  unsaved: (path) =>
    vscode.workspace.textDocuments
      .find(({ uri, isDirty }) => isDirty && uri.scheme === "file" && uri.fsPath === path)
      ?.getText(),
  problems: () =>
    vscode.languages
      .getDiagnostics()
      .filter(([uri]) => uri.scheme === "file")
      .flatMap(([uri, found]) => found.map((one) => problemOf(uri.fsPath, one))),
};

/** The globs of `files.exclude` or `search.exclude` that are on for a folder; those with a condition count as on. */
function globsOf(section: "files" | "search", folder: string): readonly string[] {
  const set = vscode.workspace.getConfiguration(section, vscode.Uri.file(folder)).get<unknown>("exclude");
  if (typeof set !== "object" || set === null) return [];
  return Object.entries(set).flatMap(([glob, on]) => (on === false ? [] : [glob]));
}

function problemOf(
  path: string,
  { range, severity, message, source, code }: vscode.Diagnostic,
): FoundProblem {
  const number = typeof code === "object" ? code.value : code;
  return {
    path,
    line: range.start.line + 1,
    column: range.start.character + 1,
    severity: SEVERITIES[severity],
    message,
    ...(source !== undefined && { source }),
    ...(number !== undefined && { code: String(number) }),
  };
}

/** The commands that the user's list allows. */
export function actionsPort(settings: () => Pick<Settings, "toolsActions">): ActionsPort {
  return {
    allowed: () => settings().toolsActions,
    run: async (command, args): Promise<Result<string>> => {
      try {
        return success(resultText(await vscode.commands.executeCommand(command, ...args)));
      } catch (error) {
        const cause = describeError(error);
        return failed("tool_failed", `The command ${command} failed: ${cause}`, { cause });
      }
    },
  };
}

/** What a command gave, as far as it can be told. */
function resultText(given: unknown): string {
  if (given === undefined || given === null) return "";
  if (typeof given === "string") return given;
  return jsonText(given);
}
