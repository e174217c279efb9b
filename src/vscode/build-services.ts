import { join } from "node:path";
import * as vscode from "vscode";
import { findAgent } from "../agent/agents/definition.ts";
import type { AgentFiles } from "../agent/agents/files.ts";
import { createEngine, type EngineDeps } from "../agent/engine.ts";
import type { Engine } from "../agent/engine-port.ts";
import { describeError, failed } from "../agent/failure.ts";
import type { TurnEvent } from "../agent/events.ts";
import type { RubricFiles } from "../agent/critic/rubric-files.ts";
import { createGate } from "../agent/gate.ts";
import { createHostGates } from "../agent/host-gates.ts";
import { systemIdentity } from "../agent/ids.ts";
import type { MemoryPort } from "../agent/memory-port.ts";
import { purifyingMemory } from "../agent/remember/purify.ts";
import type { RememberDeps } from "../agent/remember/remember.ts";
import type { EngineSettings } from "../agent/settings.ts";
import { systemTimer } from "../agent/timer.ts";
import type { ToolSet } from "../agent/tool.ts";
import { toolSettings } from "../cli/settings/tool-settings.ts";
import { MemoryClient } from "../memory/process/client.ts";
import type { AnswerJudge } from "../tools/compare-answers.ts";
import { createTools, type MemoryToolSettings } from "../tools/index.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import type { SearchAccess, SearchProviderName } from "../tools/search/types.ts";
import type { DocumentReader } from "../tools/web/reader.ts";
import { workerReader } from "../tools/web/worker-reader.ts";
import type { LiveExport } from "../trace/export/live/live-export.ts";
import type { ToolInfo } from "../trace/activity/records.ts";
import { TraceLog } from "../trace/log.ts";
import type { Shell } from "./shell.ts";
import { KnownModels } from "./agents/known-models.ts";
import { CONTEXT_KEYS, SEARCH_KEY_SECRETS } from "./contributions.ts";
import { confirmLoss, showFailure } from "./editor.ts";
import { MemorySource, type MakeMemory } from "./memory-source.ts";
import { clientOptions } from "./memory/client-options.ts";
import { KeptCredentials } from "./memory/kept-credentials.ts";
import { savePrivate, withPrivateSessions } from "./memory/private.ts";
import { memoryScopes } from "./memory/scope.ts";
import { Scopes } from "./memory/scopes.ts";
import { startLiveExport } from "./export/live.ts";
import { answerJudge, startCritic } from "./critic/start-critic.ts";
import { startFeedback } from "./feedback/feedback.ts";
import { EditorDreaming } from "./sandbox/dreaming.ts";
import { keptCalibrations } from "./models/calibrations.ts";
import { ServerSource } from "./models/server-source.ts";
import type { Services } from "./services.ts";
import { engineSettings, retrievalSettings, type Settings } from "./settings-schema.ts";
import { SettingsWatch } from "./settings-watch.ts";
import { currentSettings, proxySetting, testAllowedHosts } from "./settings.ts";
import { ActivityModel } from "./status-model.ts";
import { actionsPort, workspacePort } from "./tools/editor-ports.ts";
import { ForeignToolAdapter } from "./tools/foreign-tools.ts";
import { editorTools, isOffered } from "./tools/language-model-tools.ts";
import { listTools } from "./tools/tool-list.ts";
import { WorkspaceNote } from "./workspace-note.ts";

/** How long a note on the work of memory stays in the status bar, in milliseconds. */
const NOTE_MS = 5_000;

/** Time as it is. */
const CLOCK = { timer: systemTimer, now: () => systemIdentity.now() };

/**
 * Builds engine, log, memory and tools and ties them together. Starts no process and asks no server.
 *
 * @param agentFiles reads the agents there are
 * @param rubricFiles reads the rubrics there are
 */
export function buildServices(shell: Shell, agentFiles: AgentFiles, rubricFiles: RubricFiles): Services {
  const { extension, output } = shell;
  const storage = extension.globalStorageUri.fsPath;
  const settings = (): Settings => currentSettings().settings;
  const searchKey = keyReader(extension.secrets);
  const log = new TraceLog({ folder: join(storage, "sessions"), onError: (one) => void showFailure(one) });
  const servers = new ServerSource(settings);
  const scopes = new Scopes(extension.globalState);
  const credentials = new KeptCredentials(extension.secrets, () => memory.renew());
  const memory = memorySource({ shell, settings, log, credentials });
  const reader = workerReader({ script: join(extension.extensionPath, "dist", "reader-worker.cjs") });
  const model = modelFinder(servers);
  const engineOf = (): EngineSettings => turnSettings(settings(), scopes, agentFiles);
  const gates = createHostGates();
  const purified = purifyingMemory(memory, { settings: engineOf, model, gate: () => gates.of(), ...CLOCK });
  const answers = answerJudge(settings, () => judging.critic);
  const tools = toolMaker({ shell, settings, memory: purified, reader, searchKey, scopes, log, answers });
  const agents = () => agentFiles.catalog();
  const rubrics = () => rubricFiles.catalog();
  const shared = { settings: engineOf, agents, model, memory: purified, identity: systemIdentity };
  const inner = createEngine({
    ...shared,
    gates,
    calibrations: keptCalibrations(extension.globalState),
    tools: () => tools.toolSet(),
    history: log,
    onFault: (error) => output.error(`A reader of events broke: ${describeError(error)}`),
  });
  const engine = withPrivateSessions(inner, log);
  engine.onEvent((event) => log.append(event));
  memory.onForgotten(({ turns }) => void shell.reminders.forget(turns));
  const feedback = startFeedback({ engine, log, memory, settings });
  const asking = { model, gates, rubrics, engineSettings: engineOf };
  const judging = startCritic({ ...asking, engine, log, memory, settings, storage });
  const { activity, live } = turnReaders(engine, log, shell, settings);
  const models = knowNames(shell, servers, () => tools.names());
  const dreaming = new EditorDreaming({ engine, log, settings, memento: extension.globalState, output });
  const watch = new SettingsWatch(output, () => shell.status.show(activity.settle()));
  return {
    ...{ engine, log, memory, feedback, scopes, searchKey, judging, agents, rubrics },
    settings: currentSettings,
    tools: () => tools.toolSet(),
    toolList: () => tools.list(),
    workspaceNote: new WorkspaceNote(),
    identity: systemIdentity,
    server: () => servers.current(),
    activity: () => activity.view(),
    savePrivate: privateSaver(log, engine, shared),
    dream: (signal) => dreaming.dreamer.now(signal),
    commandSession: { id: undefined },
    dispose: async () => {
      for (const one of [watch, scopes, credentials, models]) one.dispose();
      for (const one of [judging, feedback, dreaming, engine, feedback]) await one.dispose();
      await Promise.all([log, memory, reader, live].map((one) => one.dispose()));
    },
  };
}

/** Finds models by their names, on the server of the settings or on another one. */
function modelFinder(servers: ServerSource): EngineDeps["model"] {
  return (name, host) => {
    const server = host === undefined ? servers.current() : servers.at(host);
    return server.ok ? server.value.model(name) : server.failure;
  };
}

/** What a turn that begins now goes by. */
function turnSettings(settings: Settings, scopes: Scopes, agentFiles: AgentFiles): EngineSettings {
  const agent = findAgent(agentFiles.catalog(), settings.agent);
  return engineSettings(settings, memoryScopes(scopes.current(), settings), agent?.persona);
}

/** Lets agent files be checked against the models that are installed and the tools there are. */
function knowNames({ agents }: Shell, servers: ServerSource, tools: () => readonly string[]): KnownModels {
  const models = new KnownModels({
    server: () => {
      const server = servers.current();
      return server.ok ? server.value : undefined;
    },
    now: () => performance.now(),
    timer: systemTimer,
    onChange: () => agents.changed(),
  });
  agents.know((wanted) => {
    const names = wanted.models ? models.names() : undefined;
    return { tools: tools(), ...(names && { models: names }) };
  });
  return models;
}

/** What the tools are made of. */
interface ToolParts {
  readonly shell: Shell;
  readonly settings: () => Settings;
  readonly memory: MemoryPort;
  readonly reader: DocumentReader;
  readonly searchKey: Services["searchKey"];
  readonly scopes: Scopes;
  readonly log: TraceLog;
  readonly answers: AnswerJudge;
}

/** What the memory tools read of the settings, and how they ask before they forget. */
function memoryToolSettings({ settings, scopes, log }: ToolParts): MemoryToolSettings {
  return {
    scope: () => memoryScopes(scopes.current(), settings()).scope,
    scopes: () => memoryScopes(scopes.current(), settings()).scopes,
    retrieval: () => retrievalSettings(settings()),
    minConfidence: () => settings().memoryConfidence,
    isPrivate: (sessionId) => log.isPrivate(sessionId),
    confirm: ({ title, detail, yes }) => confirmLoss(title, detail, yes),
  };
}

/** The tools there are: our own, and those of the editor for agents that name them. */
interface OfferedTools {
  toolSet(): ToolSet;
  list(): readonly ToolInfo[];
  names(): readonly string[];
}

/** Makes the registry of tools with the first turn, and keeps it. */
function toolMaker(parts: ToolParts): OfferedTools {
  const { shell, settings, memory, reader, searchKey, answers } = parts;
  let registry: ToolRegistry | undefined;
  const searchAccess = async (provider: SearchProviderName): Promise<SearchAccess> => {
    const key = await searchKey(provider);
    const { webSearchUrl } = settings();
    return {
      ...(provider === "searxng" && webSearchUrl !== "" ? { baseUrl: webSearchUrl } : {}),
      ...(key === undefined ? {} : { apiKey: key }),
    };
  };
  const own = (): ToolRegistry => {
    registry ??= createTools({
      ...{ memory, reader, answers, searchAccess, workspace: workspacePort, reminders: shell.reminders },
      actions: actionsPort(settings),
      settings: () => toolSettings(settings()),
      ...memoryToolSettings(parts),
      allowedHosts: testAllowedHosts(shell.extension.extensionMode),
      proxy: proxySetting,
    });
    return registry;
  };
  const foreign = new ForeignToolAdapter(editorTools, () => settings().toolTimeout * 1_000, isOffered);
  return {
    toolSet: () => foreign.addTo(own().toolSet()),
    list: () => listTools(own(), foreign.addTo(own().toolSet()).byName ?? []),
    names: () => [...own().names(), ...foreign.names()],
  };
}

/** Reads the key of a search provider from the editor's secret store. */
function keyReader(secrets: vscode.SecretStorage): Services["searchKey"] {
  const names: Readonly<Record<string, string>> = SEARCH_KEY_SECRETS;
  return async (provider) => {
    const name = names[provider];
    return name === undefined ? undefined : await secrets.get(name);
  };
}

/** What memory is made of. */
interface MemoryParts {
  readonly shell: Shell;
  readonly settings: () => Settings;
  readonly log: TraceLog;
  readonly credentials: KeptCredentials;
}

/** Memory as the settings want it; the traces forget with it. */
function memorySource({ shell, settings, log, credentials }: MemoryParts): MemorySource {
  return new MemorySource({
    settings,
    make: memoryMaker(shell, credentials),
    traces: { log, now: () => systemIdentity.now() },
    isPrivate: (sessionId) => log.isPrivate(sessionId),
    ready: () => credentials.ready(),
  });
}

/** Makes clients of the memory process; its progress shows in the status bar for a moment. */
function memoryMaker({ extension, output }: Shell, credentials: KeptCredentials): MakeMemory {
  const places = { storage: extension.globalStorageUri.fsPath, extension: extension.extensionPath };
  return (settings) =>
    new MemoryClient({
      ...clientOptions(settings, places),
      storageOptions: () => credentials.options(),
      proxy: proxySetting,
      onProgress: ({ message }) => void vscode.window.setStatusBarMessage(`Conclave: ${message}`, NOTE_MS),
      onLog: (line) => output.info(line),
    });
}

/** Saves private sessions; memory reads their turns off the engine's own way. */
function privateSaver(
  log: TraceLog,
  engine: Engine,
  shared: Pick<RememberDeps, "settings" | "model" | "memory" | "identity">,
): Services["savePrivate"] {
  const publish = (event: TurnEvent): void => engine.publish(event);
  return async (sessionId) => {
    if (engine.running(sessionId) !== undefined)
      return failed("session_busy", "The session still answers. Save it when the answer is there.");
    const deps = { ...shared, publish, timer: systemTimer, gate: createGate(1) };
    const saved = await savePrivate(sessionId, log, deps);
    showPrivate(log);
    return saved;
  };
}

/** Lets commands know whether there is a private session to save. */
function showPrivate(log: TraceLog): void {
  const held = log.privateSessions().length > 0;
  void vscode.commands.executeCommand("setContext", CONTEXT_KEYS.privateSession, held);
}

/** Who reads along with every turn, beside the log. */
function turnReaders(
  engine: Engine,
  log: TraceLog,
  shell: Shell,
  settings: () => Settings,
): { readonly activity: ActivityModel; readonly live: LiveExport } {
  const live = startLiveExport({ engine, log, settings, output: shell.output });
  return { activity: showActivity(engine, log, shell), live };
}

/** Keeps status bar, context keys and log in step with what runs. Of private turns the log, a file, says nothing. */
function showActivity(engine: Engine, log: TraceLog, { status, output }: Shell): ActivityModel {
  const activity = new ActivityModel();
  let ran = false;
  engine.onEvent((event) => {
    const view = activity.take(event);
    const isPrivate = log.isPrivate(event.sessionId);
    if (isPrivate && event.type === "turn.start") showPrivate(log);
    if (event.type === "turn.end" && event.data.error && !isPrivate) {
      const { code, message, cause } = event.data.error;
      output.warn(
        `Turn ${event.turnId} ended: ${code}: ${message}${cause === undefined ? "" : ` (${cause})`}`,
      );
    }
    if (view === undefined) return;
    status.show(view);
    const runs = view.running.length > 0;
    if (runs !== ran) void vscode.commands.executeCommand("setContext", CONTEXT_KEYS.turnRunning, runs);
    ran = runs;
  });
  return activity;
}
