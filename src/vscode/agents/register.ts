import * as vscode from "vscode";
import type { FullCatalog } from "../../agent/agents/catalog.ts";
import type { AgentFiles } from "../../agent/agents/files.ts";
import { describeError } from "../../agent/failure.ts";
import { afterStart } from "../after-start.ts";
import type { Container } from "../container.ts";
import { AGENTS_VIEW } from "../contributions.ts";
import { isAgentPath } from "./agent-path.ts";
import { FileDiagnostics, type CheckedFiles } from "./diagnostics.ts";
import { registerAgentLanguage } from "./language.ts";
import { AgentTree } from "./tree.ts";

/** How long a text that is being written is left alone, in milliseconds. */
const TYPING_MS = 150;
/** How often the files are looked at while the list is seen: watchers miss what is put into a folder just made. */
const LOOK_MS = 2_000;
/** Said above the list while there is no agent file. */
const INVITATION = "Write agents of your own: New Agent makes a file in .conclave/agents.";

/** Registers the list of agents, and what is shown in editors of their files. Files are read a moment after. */
export function registerAgents(container: Container): vscode.Disposable {
  const { agents, output } = container;
  const guard = (work: Promise<void>): void =>
    void work.catch((error: unknown) => output.error(`Agents can't be shown: ${describeError(error)}`));
  const tree = new AgentTree(() => agentsOf(container));
  const view = vscode.window.createTreeView(AGENTS_VIEW, { treeDataProvider: tree });
  const diagnostics = new FileDiagnostics("conclave-agents", isAgentPath);
  let shown: FullCatalog | undefined;
  const refresh = async (anew = false): Promise<void> => {
    const catalog = await agentsOf(container);
    if (catalog === shown && !anew) return;
    shown = catalog;
    diagnostics.show(checked(await agents.files()));
    view.message = ownFiles(catalog) ? "" : INVITATION;
    tree.refresh();
  };
  let typing: NodeJS.Timeout | undefined;
  const edited = (document: vscode.TextDocument): void => {
    if (!isAgentPath(document.uri)) return;
    clearTimeout(typing);
    const check = async (): Promise<void> => diagnostics.edited(document, checked(await agents.files()));
    typing = setTimeout(() => guard(check()), TYPING_MS);
  };
  let looking: NodeJS.Timeout | undefined;
  const look = (seen: boolean): void => {
    clearInterval(looking);
    if (seen) looking = setInterval(() => guard(refresh()), LOOK_MS);
  };
  look(view.visible);
  return vscode.Disposable.from(
    ...[tree, view, diagnostics, registerAgentLanguage(container), afterStart(() => guard(refresh()))],
    agents.onDidChange(() => guard(refresh())),
    view.onDidChangeVisibility(({ visible }) => look(visible)),
    vscode.workspace.onDidChangeTextDocument(({ document }) => edited(document)),
    // What was typed and not saved is gone with its editor.
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      if (isAgentPath(uri)) guard(refresh(true));
    }),
    {
      dispose: () => {
        clearTimeout(typing);
        clearInterval(looking);
      },
    },
  );
}

/** The agents there are, checked against models and tools as soon as there are files to check. */
async function agentsOf(container: Container): Promise<FullCatalog> {
  const files = await container.agents.files();
  const catalog = files.catalog();
  if (!ownFiles(catalog)) return catalog;
  await container.services();
  return files.catalog();
}

function checked(files: AgentFiles): CheckedFiles {
  return {
    problems: () => files.catalog().problems,
    problemsOf: (path, text) => files.problemsOf(path, text),
  };
}

function ownFiles({ agents, unusable }: FullCatalog): boolean {
  return unusable.length > 0 || agents.some(({ source }) => source.path !== undefined);
}
