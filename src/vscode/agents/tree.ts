import * as vscode from "vscode";
import type { FullCatalog } from "../../agent/agents/catalog.ts";
import { COMMANDS } from "../contributions.ts";
import type { AgentGroup, AgentRow } from "./tree-model.ts";

/** What stands in the list: a source, or an agent of one. */
export type AgentNode = { readonly group: AgentGroup } | { readonly row: AgentRow };

/** The list of agents in the side bar. */
export class AgentTree implements vscode.TreeDataProvider<AgentNode>, vscode.Disposable {
  readonly #catalog: () => Promise<FullCatalog>;
  readonly #changed = new vscode.EventEmitter<undefined>();

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(catalog: () => Promise<FullCatalog>) {
    this.#catalog = catalog;
  }

  /** Reads the agents anew where the list is seen. */
  refresh(): void {
    this.#changed.fire(undefined);
  }

  async getChildren(node?: AgentNode): Promise<AgentNode[]> {
    if (node !== undefined) return "group" in node ? node.group.rows.map((row) => ({ row })) : [];
    const { agentGroups } = await import("./tree-model.ts");
    return agentGroups(await this.#catalog()).map((group) => ({ group }));
  }

  getTreeItem(node: AgentNode): vscode.TreeItem {
    return "group" in node ? groupItem(node.group) : rowItem(node.row);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function groupItem({ label, origin }: AgentGroup): vscode.TreeItem {
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Expanded);
  item.id = `group ${origin}`;
  return item;
}

function rowItem(row: AgentRow): vscode.TreeItem {
  const { name, note, tooltip, icon, severity, path } = row;
  const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.None);
  item.id = `agent ${path ?? name}`;
  item.description = note;
  item.tooltip = tooltip.join("\n");
  item.iconPath = new vscode.ThemeIcon(icon, severity && new vscode.ThemeColor(`list.${severity}Foreground`));
  item.contextValue = path === undefined ? "builtInAgent" : "agentFile";
  item.command = {
    command: COMMANDS.openAgent,
    title: "Open Agent",
    arguments: [path === undefined ? { name } : { name, path }],
  };
  return item;
}
