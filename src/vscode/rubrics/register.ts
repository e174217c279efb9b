import * as vscode from "vscode";
import type { FullRubricCatalog, RubricFiles } from "../../agent/critic/rubric-files.ts";
import { describeError } from "../../agent/failure.ts";
import { afterStart } from "../after-start.ts";
import { FileDiagnostics, type CheckedFiles } from "../agents/diagnostics.ts";
import type { Container } from "../container.ts";
import { registerRubricLanguage } from "./language.ts";
import { isRubricPath } from "./rubric-path.ts";

/** How long a text that is being written is left alone, in milliseconds. */
const TYPING_MS = 150;

/** Shows what is wrong with rubric files, and helps to write them. Files are read a moment after. */
export function registerRubrics({ rubrics, agents, output }: Container): vscode.Disposable {
  const guard = (work: Promise<void>): void =>
    void work.catch((error: unknown) => output.error(`Rubrics can't be checked: ${describeError(error)}`));
  const diagnostics = new FileDiagnostics("conclave-rubrics", isRubricPath);
  let shown: FullRubricCatalog | undefined;
  const refresh = async (anew = false): Promise<void> => {
    const files = await rubrics.files();
    const catalog = files.catalog();
    if (catalog === shown && !anew) return;
    shown = catalog;
    diagnostics.show(await checked(files));
  };
  let typing: NodeJS.Timeout | undefined;
  const edited = (document: vscode.TextDocument): void => {
    if (!isRubricPath(document.uri)) return;
    clearTimeout(typing);
    const check = async (): Promise<void> =>
      diagnostics.edited(document, await checked(await rubrics.files()));
    typing = setTimeout(() => guard(check()), TYPING_MS);
  };
  return vscode.Disposable.from(
    ...[diagnostics, registerRubricLanguage(agents), afterStart(() => guard(refresh()))],
    rubrics.onDidChange(() => guard(refresh())),
    vscode.workspace.onDidChangeTextDocument(({ document }) => edited(document)),
    // What was typed and not saved is gone with its editor.
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      if (isRubricPath(uri)) guard(refresh(true));
    }),
    { dispose: () => clearTimeout(typing) },
  );
}

async function checked(files: RubricFiles): Promise<CheckedFiles> {
  const { parseRubric } = await import("../../agent/critic/rubric-file.ts");
  return {
    problems: () => files.catalog().faults,
    problemsOf: (path, text) => parseRubric(text, path).problems,
  };
}
