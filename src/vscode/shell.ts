import type * as vscode from "vscode";
import type { AgentSource } from "./agents/agent-source.ts";
import type { Documents } from "./documents.ts";
import type { RubricSource } from "./rubrics/rubric-source.ts";
import type { StatusBar } from "./status-bar.ts";
import type { Reminders } from "./tools/reminders/source.ts";

/** What activation makes at once, because it costs nothing. */
export interface Shell {
  readonly extension: vscode.ExtensionContext;
  readonly output: vscode.LogOutputChannel;
  readonly status: StatusBar;
  readonly documents: Documents;
  readonly agents: AgentSource;
  readonly rubrics: RubricSource;
  readonly reminders: Reminders;
}
