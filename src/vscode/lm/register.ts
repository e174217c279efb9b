import * as vscode from "vscode";
import { describeError } from "../../agent/failure.ts";
import type { Container } from "../container.ts";
import { MODEL_VENDOR, SETTINGS, SETTINGS_SECTION } from "../contributions.ts";
import { modelApi } from "../editor.ts";
import type { ModelProvider } from "./provider.ts";

/**
 * Registers Ollama's models with VS Code and wakes its picker: VS Code calls no participant before it has a model, and
 * asks a provider for its models only when somebody selects among them. Editors without the API get nothing.
 */
export function registerModelProvider(container: Container): vscode.Disposable {
  const api = modelApi();
  if (api === undefined) return new vscode.Disposable(() => undefined);
  const changed = new vscode.EventEmitter<void>();
  let loading: Promise<ModelProvider> | undefined;
  const provider = (): Promise<ModelProvider> => {
    loading ??= load(container);
    return loading;
  };
  const registration = api.registerLanguageModelChatProvider(MODEL_VENDOR, {
    onDidChangeLanguageModelChatInformation: changed.event,
    provideLanguageModelChatInformation: async (_options, token) => (await provider()).list(token),
    provideLanguageModelChatResponse: async (model, messages, options, progress, token) =>
      (await provider()).respond(model, messages, options, progress, token),
    provideTokenCount: async (_model, text) => (await provider()).count(text),
  });
  const settings = vscode.workspace.onDidChangeConfiguration((change) => {
    const keys = [SETTINGS.ollamaHost.key, SETTINGS.model.key, SETTINGS.contextLength.key];
    if (keys.some((key) => change.affectsConfiguration(`${SETTINGS_SECTION}.${key}`))) changed.fire();
  });
  void wake(api, container);
  return vscode.Disposable.from(registration, settings, changed);
}

async function load(container: Container): Promise<ModelProvider> {
  const { ModelProvider: Provider } = await import("./provider.ts");
  return new Provider(await container.services());
}

async function wake(api: Pick<typeof vscode.lm, "selectChatModels">, container: Container): Promise<void> {
  try {
    const models = await api.selectChatModels({ vendor: MODEL_VENDOR });
    container.output.debug(`VS Code's model picker holds ${models.length} of our models.`);
  } catch (error) {
    container.output.warn(`VS Code's model picker can't be filled: ${describeError(error)}`);
  }
}
