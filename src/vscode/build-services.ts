import { join } from "node:path";
import type * as vscode from "vscode";
import { findAgent } from "../agent/agents/definition.ts";
import type { AgentFiles } from "../agent/agents/files.ts";
import { createEngine } from "../agent/engine.ts";
import type { EngineDeps } from "../agent/engine-deps.ts";
import type { Engine } from "../agent/engine-port.ts";
import { describeError } from "../agent/failure.ts";
import type { RubricFiles } from "../agent/critic/rubric-files.ts";
import { createHostGates } from "../agent/host-gates.ts";
import { systemIdentity } from "../agent/ids.ts";
import { purifyingMemory } from "../agent/remember/purify.ts";
import type { EngineSettings } from "../agent/settings.ts";
import { systemTimer } from "../agent/timer.ts";
import { workerReader } from "../tools/web/worker-reader.ts";
import type { LiveExport } from "../trace/export/live/live-export.ts";
import { TraceLog } from "../trace/log.ts";
import type { Shell } from "./shell.ts";
import { knowNames } from "./agents/know-names.ts";
import { SEARCH_KEY_SECRETS } from "./contributions.ts";
import { showFailure } from "./editor.ts";
import { KeptCredentials } from "./memory/kept-credentials.ts";
import { memorySource } from "./memory/make-memory.ts";
import { withPrivateSessions } from "./memory/private.ts";
import { privateSaver } from "./memory/save-private.ts";
import { memoryScopes } from "./memory/scope.ts";
import { Scopes } from "./memory/scopes.ts";
import { startLiveExport } from "./export/live.ts";
import { answerJudge, startCritic } from "./critic/start-critic.ts";
import { startFeedback } from "./feedback/feedback.ts";
import { EditorDreaming } from "./sandbox/dreaming.ts";
import { keptCalibrations } from "./models/calibrations.ts";
import { ServerSource } from "./models/server-source.ts";
import type { Services } from "./services.ts";
import { engineSettings, type Settings } from "./settings-schema.ts";
import { SettingsWatch } from "./settings-watch.ts";
import { currentSettings } from "./settings.ts";
import { showActivity } from "./show-activity.ts";
import type { ActivityModel } from "./status-model.ts";
import { offeredTools } from "./tools/offered-tools.ts";
import { WorkspaceNote } from "./workspace-note.ts";

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
  const tools = offeredTools({ shell, settings, memory: purified, reader, searchKey, scopes, log, answers });
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

/** Reads the key of a search provider from the editor's secret store. */
function keyReader(secrets: vscode.SecretStorage): Services["searchKey"] {
  const names: Readonly<Record<string, string>> = SEARCH_KEY_SECRETS;
  return async (provider) => {
    const name = names[provider];
    return name === undefined ? undefined : await secrets.get(name);
  };
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
