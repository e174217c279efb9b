import * as vscode from "vscode";
import type { AgentSource } from "../agents/agent-source.ts";
import { YAML_EXTENSION } from "../agents/language.ts";

const RUBRICS: vscode.DocumentFilter = { pattern: "**/.conclave/rubrics/*.{yaml,yml}" };
/** What a name of a field or an agent may be made of. */
const WORD = /[\w$][\w.-]*/u;

/** Completes fields and names of agents in rubric files, and explains fields, where no YAML extension does it better. */
export function registerRubricLanguage(agents: AgentSource): vscode.Disposable {
  const schemaKnown = (): boolean => vscode.extensions.getExtension(YAML_EXTENSION) !== undefined;
  return vscode.Disposable.from(
    vscode.languages.registerCompletionItemProvider(
      RUBRICS,
      {
        provideCompletionItems: async (document, position) => {
          const { rubricProposals } = await import("./language-model.ts");
          const before = document.getText(new vscode.Range(new vscode.Position(0, 0), position));
          const names = (await agents.files()).catalog().agents.map(({ name }) => name);
          const range = document.getWordRangeAtPosition(position, WORD);
          return rubricProposals(before, document.getText(), names)
            .filter(({ kind }) => kind === "agent" || !schemaKnown())
            .map(({ label, insert, kind, help }) => {
              const icons = vscode.CompletionItemKind;
              const item = new vscode.CompletionItem(
                label,
                kind === "agent" ? icons.Constant : icons.Property,
              );
              item.insertText = insert;
              if (range !== undefined) item.range = range;
              if (help !== undefined) item.documentation = help;
              return item;
            });
        },
      },
      ...[":", " ", "[", "-"],
    ),
    vscode.languages.registerHoverProvider(RUBRICS, {
      provideHover: async (document, position) => {
        const range = document.getWordRangeAtPosition(position, /^[\w$]+(?=:)/u);
        if (range === undefined || schemaKnown()) return undefined;
        const { rubricFieldHelp } = await import("./language-model.ts");
        const help = rubricFieldHelp(document.getText(range));
        return help === undefined ? undefined : new vscode.Hover(help, range);
      },
    }),
  );
}
