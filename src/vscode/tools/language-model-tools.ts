import * as vscode from "vscode";
import { runTool } from "../../agent/calls/run-tool.ts";
import { systemTimer } from "../../agent/timer.ts";
import type { Container } from "../container.ts";
import { OFFERED_TOOLS, OFFERED_TOOL_PREFIX } from "../contributions.ts";
import { signalOf } from "../editor.ts";
import { confirmationOf } from "./offered-words.ts";
import type { ForeignTools } from "./foreign-tools.ts";

/** VS Code's API as forks may have it: without language model tools. */
const partial: {
  readonly lm?: Partial<Pick<typeof vscode.lm, "tools" | "registerTool" | "invokeTool">>;
} = vscode;

/** Whether a language model tool is one of ours. */
export function isOffered(name: string): boolean {
  return OFFERED_TOOLS.some((tool) => name === OFFERED_TOOL_PREFIX + tool);
}

/** The editor's own language model tools, those of MCP servers among them. Empty in editors without them. */
export const editorTools: ForeignTools = {
  list: () => partial.lm?.tools ?? [],
  invoke: async (name, input, signal) => {
    const invokeTool = partial.lm?.invokeTool;
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

/** Offers our read-only tools to other agents. The user is asked before each call. */
export function registerOfferedTools(container: Container): vscode.Disposable {
  const registerTool = partial.lm?.registerTool;
  if (registerTool === undefined) return new vscode.Disposable(() => undefined);
  return vscode.Disposable.from(
    ...OFFERED_TOOLS.map((name) =>
      registerTool(OFFERED_TOOL_PREFIX + name, {
        prepareInvocation: ({ input }: vscode.LanguageModelToolInvocationPrepareOptions<object>) =>
          confirmationOf(name, input),
        invoke: ({ input }, token) => invoke(container, name, input, token),
      }),
    ),
  );
}

async function invoke(
  container: Container,
  name: string,
  input: object,
  token: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
  const stop = signalOf(token);
  try {
    const tool = (await container.services()).tools().find(name);
    const checked = tool?.parameters.safeParse(input);
    if (tool === undefined || checked?.success !== true)
      throw new Error(
        tool === undefined ? `There is no tool ${name}.` : `The arguments of ${name} are wrong.`,
      );
    const context = { sessionId: "", turnId: "", agent: "", question: "", signal: stop.signal };
    const { content, failure } = await runTool(tool, checked.data, context, systemTimer);
    if (failure?.code === "cancelled") throw new vscode.CancellationError();
    return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(content)]);
  } finally {
    stop.dispose();
  }
}
