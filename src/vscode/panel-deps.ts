import { userInfo } from "node:os";
import * as vscode from "vscode";
import { describeError, failure, type Failure, type FailureAction } from "../agent/failure.ts";
import { COMMANDS, settingId, type SettingName } from "./contributions.ts";
import { actionButton } from "./failure-button.ts";
import { canChat } from "./models/entry.ts";
import { sameModel } from "./models/server.ts";
import type {
  ModelState,
  PanelHostDeps,
  PanelToggle,
  PanelToggles,
  SetupState,
  TogglePort,
} from "./panel/deps.ts";
import { panelCritic } from "./critic/panel-critic.ts";
import { evalPort } from "./panel/eval-port.ts";
import { answerPort } from "./feedback/answer-port.ts";
import { settingsPort } from "./panel-settings.ts";
import { TracePanel } from "./panel/trace-panel.ts";
import type { Services } from "./services.ts";
import { touches, writeSetting } from "./settings.ts";

/** How long a list of models is waited for, in milliseconds. */
const LIST_MS = 5_000;

/** Settings that, when they change, may mend or break the set-up. */
const SETUP_SETTINGS: readonly SettingName[] = [
  "ollamaHost",
  "model",
  "memoryEnabled",
  "embedderFolder",
  "embedderHost",
  "embedderDownload",
];

/** Makes the trace panel on top of the services. Opens nothing. */
export function makePanel(
  services: Services,
  { extensionUri, globalStorageUri }: Pick<vscode.ExtensionContext, "extensionUri" | "globalStorageUri">,
): TracePanel {
  const deps: PanelHostDeps = {
    engine: services.engine,
    log: services.log,
    memory: services.memory,
    memoryScopes: () => {
      const folder = services.scopes.current();
      return folder === undefined ? undefined : [folder.id, ""];
    },
    scopeName: (id) => services.scopes.nameOf(id),
    onForgotten: (listener) => services.memory.onForgotten(listener),
    onDeleted: (listener) => services.log.onDeleted(listener),
    deleteSession: async (sessionId) => {
      await vscode.commands.executeCommand(COMMANDS.deleteSession, sessionId);
    },
    onLogChange: (listener) => services.log.watch(listener),
    toggles: toggles(services),
    critic: panelCritic(services),
    answers: answerPort(services),
    evals: evalPort(globalStorageUri),
    tools: () => services.toolList(),
    settings: settingsPort(),
    userName: () => userInfo().username,
    committee: () => {
      const { committeePersonas, committeeStrategy } = services.settings().settings;
      return `${committeePersonas.length} views, ${committeeStrategy}`;
    },
    setup: (signal) => setupState(services, signal),
    run: async (action, target) => await runAction(action, target),
    onSetupChange: (listener) => onChange(SETUP_SETTINGS, listener),
    models: () => modelNames(services),
    modelState: (model, signal) => modelState(services, model, signal),
  };
  return new TracePanel(extensionUri, deps);
}

function onChange(names: readonly SettingName[], listener: () => void): () => void {
  const listening = vscode.workspace.onDidChangeConfiguration((change) => {
    if (touches(change, ...names)) listener();
  });
  return () => void listening.dispose();
}

async function runAction(action: FailureAction, target: string | undefined): Promise<void> {
  const button = actionButton(action, target);
  await vscode.commands.executeCommand(button.command, ...(button.arguments ?? []));
}

const TOGGLE_SETTINGS: readonly SettingName[] = [
  "committeeEnabled",
  "committeePersonas",
  "committeeStrategy",
  "memoryEnabled",
  "webFetchEnabled",
  "webSearchEnabled",
];

/** The settings of the switches that are one setting each. */
const SWITCHES = { committee: "committeeEnabled", memory: "memoryEnabled" } as const;

function toggles(services: Services): TogglePort {
  const get = (): PanelToggles => {
    const { settings } = services.settings();
    const { committeeEnabled: committee, memoryEnabled: memory } = settings;
    return { committee, memory, web: settings.webFetchEnabled || settings.webSearchEnabled };
  };
  return {
    get,
    set: (name, on) => setToggle(services, name, on),
    onChange: (listener) => onChange(TOGGLE_SETTINGS, listener),
  };
}

/** Flips a switch of the panel. The web's takes pages along, and search too where somebody answers it. */
async function setToggle(services: Services, name: PanelToggle, on: boolean): Promise<Failure | undefined> {
  try {
    if (name !== "web") {
      await writeSetting(SWITCHES[name], on);
      return undefined;
    }
    const { settings } = services.settings();
    await writeSetting("webFetchEnabled", on);
    await writeSetting("webSearchEnabled", on && settings.webSearchProvider !== "none");
    return undefined;
  } catch (error) {
    return failure("internal", "The setting could not be written.", {
      action: "open_settings",
      target: settingId(name === "web" ? "webFetchEnabled" : SWITCHES[name]),
      cause: describeError(error),
    });
  }
}

/** Looks at server and model: what is missing comes as the failure that a question would end with. */
async function setupState(services: Services, signal: AbortSignal): Promise<SetupState> {
  const { settings } = services.settings();
  const { model } = settings;
  const server = services.server();
  if (!server.ok) return { model, endpoint: settings.ollamaHost, problems: [server.failure] };
  const endpoint = server.value.display;
  const [found, memory] = await Promise.all([server.value.list(signal), services.memory.status(signal)]);
  const problems: Failure[] = [];
  if (!found.ok) problems.push(found.failure);
  else if (found.value.length === 0)
    problems.push(failure("no_model", "Ollama has no model yet. Pull one.", { action: "pull_model" }));
  else if (model === "")
    problems.push(
      failure("no_model", "No chat model is chosen yet. Select one.", { action: "select_model" }),
    );
  else if (!found.value.some((entry) => sameModel(entry.name, model)))
    problems.push(
      failure("model_missing", `Ollama has no model called ${model}.`, {
        action: "pull_model",
        target: model,
      }),
    );
  if (settings.memoryEnabled && memory.message !== undefined)
    problems.push(failure("memory_unavailable", memory.message, { action: "check_setup" }));
  return { model, endpoint, problems: problems.filter((problem) => problem.code !== "cancelled") };
}

async function modelNames(services: Services): Promise<readonly string[]> {
  const server = services.server();
  const listed = server.ok ? await server.value.list(AbortSignal.timeout(LIST_MS)) : server;
  return listed.ok ? listed.value.filter(canChat).map(({ name }) => name) : [];
}

async function modelState(
  services: Services,
  model: string,
  signal: AbortSignal,
): Promise<ModelState | undefined> {
  const server = services.server();
  if (!server.ok) return undefined;
  const listed = await server.value.list(signal);
  const entry = listed.ok ? listed.value.find((one) => sameModel(one.name, model)) : undefined;
  if (entry === undefined) return undefined;
  return {
    loaded: entry.loaded === true,
    ...(entry.sizeBytes === undefined ? {} : { sizeBytes: entry.sizeBytes }),
  };
}
