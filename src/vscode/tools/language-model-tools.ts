import * as vscode from "vscode";
import { runTool } from "../../agent/calls/run-tool.ts";
import { systemTimer } from "../../agent/timer.ts";
import type { Container } from "../container.ts";
import { OFFERED_TOOLS, OFFERED_TOOL_PREFIX } from "../contributions.ts";
import { signalOf } from "../editor.ts";
import { languageModels } from "./editor-tools.ts";
import { confirmationOf } from "./offered-words.ts";

/** Offers our read-only tools to other agents. The user is asked before each call. */
export function registerOfferedTools(container: Container): vscode.Disposable {
  const registerTool = languageModels.lm?.registerTool;
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
