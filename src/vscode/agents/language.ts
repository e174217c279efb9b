import * as vscode from "vscode";
import type { Container } from "../container.ts";
import type { KnownNames } from "../../agent/agents/check-names.ts";
import { signalOf } from "../editor.ts";
import type { AgentSource } from "./agent-source.ts";
import type { Proposal } from "./language-model.ts";

/** Agent files in our own form, wherever they are. */
const YAML_FILES: vscode.DocumentFilter = { pattern: "**/.conclave/agents/*.{yaml,yml}" };
/** Completes and explains fields by the schema that we contribute, better than we do. */
export const YAML_EXTENSION = "redhat.vscode-yaml";
/** How long proposals wait for a server to say which models it has, in milliseconds. */
const NAMES_MS = 1_000;
/** What a name may be made of: `qwen3:8b`, `save_moments`. */
const WORD = /[\w$][\w.:/-]*/u;

const KINDS: Readonly<Record<Proposal["kind"], vscode.CompletionItemKind>> = {
  field: vscode.CompletionItemKind.Property,
  value: vscode.CompletionItemKind.EnumMember,
  tool: vscode.CompletionItemKind.Function,
  model: vscode.CompletionItemKind.Constant,
};

/** Completes fields, values, tools and models in agent files, and explains fields. */
export function registerAgentLanguage(container: Container): vscode.Disposable {
  const schemaKnown = (): boolean => vscode.extensions.getExtension(YAML_EXTENSION) !== undefined;
  return vscode.Disposable.from(
    vscode.languages.registerCompletionItemProvider(
      YAML_FILES,
      {
        provideCompletionItems: async (document, position, token) => {
          const { proposals, takesModel } = await import("./language-model.ts");
          const { agents } = container;
          await container.services();
          const before = document.getText(new vscode.Range(new vscode.Position(0, 0), position));
          const names = takesModel(before) ? await allNames(agents, token) : agents.names();
          const written = [...document.getText().matchAll(/^([\w$]+):/gmu)].map(([, name]) => name ?? "");
          const range = document.getWordRangeAtPosition(position, WORD);
          return proposals(before, names, written)
            .filter(({ kind }) => kind === "tool" || kind === "model" || !schemaKnown())
            .map((proposal) => itemOf(proposal, range));
        },
      },
      ...[":", " ", "[", "-"],
    ),
    vscode.languages.registerHoverProvider(YAML_FILES, {
      provideHover: async (document, position) => {
        const range = document.getWordRangeAtPosition(position, /^[\w$]+(?=:)/u);
        if (range === undefined || schemaKnown()) return undefined;
        const { fieldHelp } = await import("./language-model.ts");
        const help = fieldHelp(document.getText(range));
        return help === undefined ? undefined : new vscode.Hover(help, range);
      },
    }),
  );
}

async function allNames(agents: AgentSource, token: vscode.CancellationToken): Promise<KnownNames> {
  const stop = signalOf(token);
  const names = await agents.allNames(AbortSignal.any([stop.signal, AbortSignal.timeout(NAMES_MS)]));
  stop.dispose();
  return names;
}

function itemOf(
  { label, insert, kind, help }: Proposal,
  range: vscode.Range | undefined,
): vscode.CompletionItem {
  const item = new vscode.CompletionItem(label, KINDS[kind]);
  item.insertText = insert;
  if (range !== undefined) item.range = range;
  if (help !== undefined) item.documentation = help;
  return item;
}
