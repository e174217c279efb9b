import { join } from "node:path";
import * as vscode from "vscode";
import { createEngine } from "../agent/engine.ts";
import type { Engine } from "../agent/engine-port.ts";
import { describeError } from "../agent/failure.ts";
import { systemIdentity } from "../agent/ids.ts";
import { MemoryClient } from "../memory/process/client.ts";
import { createTools, type ToolSettings } from "../tools/index.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import type { SearchAccess, SearchProviderName } from "../tools/search/types.ts";
import type { DocumentReader } from "../tools/web/reader.ts";
import { workerReader } from "../tools/web/worker-reader.ts";
import { TraceLog } from "../trace/log.ts";
import type { Shell } from "./shell.ts";
import { CONTEXT_KEYS, SEARCH_KEY_SECRETS } from "./contributions.ts";
import { showFailure } from "./editor.ts";
import { MemorySource, type MakeMemory } from "./memory-source.ts";
import { ServerSource } from "./models/server-source.ts";
import type { Services } from "./services.ts";
import { engineSettings, type Settings } from "./settings-schema.ts";
import { SettingsWatch } from "./settings-watch.ts";
import { currentSettings, proxySetting, testAllowedHosts } from "./settings.ts";
import { ActivityModel } from "./status-model.ts";
import { WorkspaceNote } from "./workspace-note.ts";

/** How long a note on the work of memory stays in the status bar, in milliseconds. */
const NOTE_MS = 5_000;

/** Builds engine, log, memory and tools and ties them together. Starts no process and asks no server. */
export function buildServices(shell: Shell): Services {
  const { extension, output } = shell;
  const settings = (): Settings => currentSettings().settings;
  const searchKey = keyReader(extension.secrets);
  const log = new TraceLog({
    folder: join(extension.globalStorageUri.fsPath, "sessions"),
    onError: (problem) => void showFailure(problem),
  });
  const servers = new ServerSource(settings);
  const memory = new MemorySource(settings, memoryMaker(shell));
  const reader = workerReader({ script: join(extension.extensionPath, "dist", "reader-worker.cjs") });
  const tools = toolMaker({ shell, settings, memory, reader, searchKey });
  const engine = createEngine({
    settings: () => engineSettings(settings()),
    model: (name) => {
      const server = servers.current();
      return server.ok ? server.value.model(name) : server.failure;
    },
    tools: () => tools().toolSet(),
    memory,
    history: log,
    identity: systemIdentity,
    onFault: (error) => output.error(`A reader of events broke: ${describeError(error)}`),
  });
  engine.onEvent((event) => log.append(event));
  const activity = showActivity(engine, shell);
  const watch = new SettingsWatch(output, () => shell.status.show(activity.settle()));
  return {
    ...{ engine, log, memory, searchKey },
    workspaceNote: new WorkspaceNote(),
    identity: systemIdentity,
    server: () => servers.current(),
    settings: currentSettings,
    activity: () => activity.view(),
    commandSession: { id: undefined },
    dispose: async () => {
      watch.dispose();
      await engine.dispose();
      await Promise.all([log.dispose(), memory.dispose(), reader.dispose()]);
    },
  };
}

/** What the tools are made of. */
interface ToolParts {
  readonly shell: Shell;
  readonly settings: () => Settings;
  readonly memory: MemorySource;
  readonly reader: DocumentReader;
  readonly searchKey: Services["searchKey"];
}

/** Makes the registry of tools with the first turn, and keeps it. */
function toolMaker({ shell, settings, memory, reader, searchKey }: ToolParts): () => ToolRegistry {
  let registry: ToolRegistry | undefined;
  const searchAccess = async (provider: SearchProviderName): Promise<SearchAccess> => {
    const key = await searchKey(provider);
    const { webSearchUrl } = settings();
    return {
      ...(provider === "searxng" && webSearchUrl !== "" ? { baseUrl: webSearchUrl } : {}),
      ...(key === undefined ? {} : { apiKey: key }),
    };
  };
  return () => {
    registry ??= createTools({
      ...{ memory, reader, searchAccess },
      settings: () => toolSettings(settings()),
      allowedHosts: testAllowedHosts(shell.extension.extensionMode),
      proxy: proxySetting,
    });
    return registry;
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

/** Makes clients of the memory process; its progress shows in the status bar for a moment. */
function memoryMaker({ extension, output }: Shell): MakeMemory {
  const storage = extension.globalStorageUri.fsPath;
  return (settings) =>
    new MemoryClient({
      storeDir: join(storage, "memory"),
      hostPath: join(extension.extensionPath, "dist", "memory-host.cjs"),
      modelDir: settings.embedderFolder,
      modelCacheDir: join(storage, "models"),
      allowDownload: settings.embedderDownload,
      proxy: proxySetting,
      onProgress: ({ message }) => void vscode.window.setStatusBarMessage(`Conclave: ${message}`, NOTE_MS),
      onLog: (line) => output.info(line),
    });
}

/** What the tools read of the settings. */
function toolSettings(settings: Settings): ToolSettings {
  return {
    memoryEnabled: settings.memoryEnabled,
    fetchEnabled: settings.webFetchEnabled,
    searchEnabled: settings.webSearchEnabled,
    searchProvider: settings.webSearchProvider,
    toolTimeoutMs: settings.toolTimeout * 1_000,
    webTimeoutMs: settings.webTimeout * 1_000,
  };
}

/** Keeps status bar, context keys and log in step with what runs. */
function showActivity(engine: Engine, { status, output }: Shell): ActivityModel {
  const activity = new ActivityModel();
  let ran = false;
  engine.onEvent((event) => {
    const view = activity.take(event);
    if (event.type === "turn.end" && event.data.error) {
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
