import * as vscode from "vscode";
import { OFFERED_TOOLS, OFFERED_TOOL_PREFIX } from "../contributions.ts";
import type { ForeignTools } from "./foreign-tools.ts";

/** VS Code's API as forks may have it: without language model tools. */
export const languageModels: {
  readonly lm?: Partial<Pick<typeof vscode.lm, "tools" | "registerTool" | "invokeTool">>;
} = vscode;

/** Whether a language model tool is one of ours. */
export function isOffered(name: string): boolean {
  return OFFERED_TOOLS.some((tool) => name === OFFERED_TOOL_PREFIX + tool);
}

/** The editor's own language model tools, those of MCP servers among them. Empty in editors without them. */
export const editorTools: ForeignTools = {
  list: () => languageModels.lm?.tools ?? [],
  invoke: async (name, input, signal) => {
    const invokeTool = languageModels.lm?.invokeTool;
    if (invokeTool === undefined) throw new Error("this editor can't run language model tools");
    const source = new vscode.CancellationTokenSource();
    const stop = (): void => source.cancel();
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    try {
      // No chat request stands behind it: the editor asks in a dialog where the tool wants to be confirmed.
      const result = await invokeTool(name, { input, toolInvocationToken: undefined }, source.token);
      return result.content;
    } finally {
      signal.removeEventListener("abort", stop);
      source.dispose();
    }
  },
};
