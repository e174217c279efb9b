import { systemIdentity } from "../agent/ids.ts";
import type { MemoryPort } from "../agent/memory/port.ts";
import { action, type ActionsPort } from "./action.ts";
import { askAgent } from "./ask-agent.ts";
import { cachedTool } from "./cache.ts";
import { compareAnswers, comparingOff, type AnswerJudge } from "./compare-answers.ts";
import { forgetMemory } from "./forget-memory.ts";
import { getDiagnostics } from "./get-diagnostics.ts";
import { getMoments } from "./get-moments.ts";
import { listFiles } from "./list-files.ts";
import type { MemoryToolOptions, MemoryToolSettings } from "./memory-access.ts";
import { readFile } from "./read-file.ts";
import { ToolRegistry, toolOff } from "./registry.ts";
import { remindMe } from "./remind-me.ts";
import type { RemindersPort } from "./reminders/port.ts";
import { saveMemory } from "./save-memory.ts";
import { saveMoments } from "./save-moments.ts";
import { searchEverything } from "./search-everything.ts";
import { searchFiles } from "./search-files.ts";
import { searchKnowledgeGraph } from "./search-knowledge-graph.ts";
import { searchMemory } from "./search-memory.ts";
import { createProviders } from "./search/index.ts";
import type { SearchAccess, SearchProviderName } from "./search/types.ts";
import { updateUserMetadata } from "./update-user-metadata.ts";
import { webFetch } from "./web-fetch.ts";
import { webSearch } from "./web-search.ts";
import { AddressGuard } from "./web/address-guard.ts";
import type { DocumentReader } from "./web/reader.ts";
import { workspaceOff } from "./workspace/options.ts";
import type { WorkspacePort } from "./workspace/port.ts";

/** What the user set for the tools. Times in milliseconds. */
export interface ToolSettings {
  readonly memoryEnabled: boolean;
  readonly fetchEnabled: boolean;
  readonly searchEnabled: boolean;
  readonly searchProvider: SearchProviderName | "none";
  /** Whether the files of the open folders may be read. */
  readonly workspaceEnabled: boolean;
  /** For one call of a tool that stays on this machine. */
  readonly toolTimeoutMs: number;
  /** For one search or page. */
  readonly webTimeoutMs: number;
}

/** The defaults of the product: web tools are off. */
export const DEFAULT_TOOL_SETTINGS: ToolSettings = {
  memoryEnabled: true,
  fetchEnabled: false,
  searchEnabled: false,
  searchProvider: "none",
  workspaceEnabled: true,
  toolTimeoutMs: 120_000,
  webTimeoutMs: 15_000,
};

/** What the tools are made of. */
export interface ToolsOptions extends MemoryToolSettings {
  readonly memory: MemoryPort;
  /** The settings as they are now; asked anew whenever they matter, so that changes count at once. */
  readonly settings: () => ToolSettings;
  /** Address and key of a search engine, as they are now. */
  readonly searchAccess: (provider: SearchProviderName) => SearchAccess | Promise<SearchAccess>;
  /** Left out where there is none of them: then there are no tools for it. */
  readonly reminders?: RemindersPort;
  readonly actions?: ActionsPort;
  readonly workspace?: WorkspacePort;
  readonly answers?: AnswerJudge;
  /** Turns bodies into text: `workerReader` in the product, `inlineReader` in tests. */
  readonly reader: DocumentReader;
  /** For tests only: `host:port` pairs that `web_fetch` may reach although they are not on the internet. */
  readonly allowedHosts?: readonly string[];
  /** Address of the proxy that leads out, as it is now; left out or undefined: what the environment says. */
  readonly proxy?: () => string | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

export type { Confirm, ConfirmQuestion, MemoryToolSettings } from "./memory-access.ts";

/** A registry with the product's own tools, in the order in which models are told of them. */
export function createTools(options: ToolsOptions): ToolRegistry {
  const { settings, reader } = options;
  const now = options.now ?? (() => systemIdentity.now());
  const toolTimeout = (): number => settings().toolTimeoutMs;
  const webTimeout = (): number => settings().webTimeoutMs;
  const network = { timeoutMs: webTimeout, now, ...(options.proxy && { proxy: options.proxy }) };

  const registry = new ToolRegistry();
  registerMemory(registry, { ...options, now, timeoutMs: toolTimeout }, settings);
  const search = webSearch({
    providers: createProviders(now),
    provider: () => settings().searchProvider,
    access: options.searchAccess,
    ...network,
  });
  registry.register(
    cachedTool(search, { now, key: ({ query }) => JSON.stringify([settings().searchProvider, query]) }),
    { disabled: () => searchOff(settings()) },
  );
  const guard = new AddressGuard(options.allowedHosts ? { allow: options.allowedHosts } : {});
  const fetchPage = webFetch({ guard, reader, ...network });
  registry.register(cachedTool(fetchPage, { now, key: pageKey }), {
    disabled: () =>
      settings().fetchEnabled
        ? undefined
        : toolOff(
            "Reading web pages",
            'Run "Conclave: Turn on Web Tools" to allow it.',
            "conclave.web.fetch.enabled",
          ),
  });
  registry.register(askAgent());
  const { answers } = options;
  if (answers !== undefined)
    registry.register(compareAnswers({ answers, timeoutMs: toolTimeout }), {
      disabled: () => comparingOff(answers),
    });
  registerEditor(registry, options, { now, timeoutMs: toolTimeout });
  return registry;
}

/** What an editor has: reminders that it shows, commands, and folders that are open. */
function registerEditor(
  registry: ToolRegistry,
  { reminders, actions, workspace, settings, isPrivate, confirm }: ToolsOptions,
  shared: { readonly now: () => number; readonly timeoutMs: () => number },
): void {
  if (reminders !== undefined) registry.register(remindMe({ reminders, isPrivate, ...shared }));
  if (workspace !== undefined) {
    const disabled = () => workspaceOff(workspace, settings().workspaceEnabled);
    const { timeoutMs } = shared;
    for (const tool of [readFile, searchFiles, listFiles, getDiagnostics])
      registry.register(tool({ workspace, timeoutMs }), { disabled });
  }
  if (actions !== undefined) registry.register(action({ actions, confirm, ...shared }));
}

/** Pages are told apart by their address, without the place in the page, and by where a part begins. */
function pageKey({ url, start }: { readonly url: string; readonly start: number }): string {
  return JSON.stringify([url.trim().replace(/#.*$/s, ""), start]);
}

function registerMemory(
  registry: ToolRegistry,
  options: MemoryToolOptions,
  settings: () => ToolSettings,
): void {
  const disabled = () =>
    settings().memoryEnabled
      ? undefined
      : toolOff("Memory", "Turn on conclave.memory.enabled to use it.", "conclave.memory.enabled");
  registry.register(searchMemory(options), { disabled });
  registry.register(searchKnowledgeGraph(options), { disabled });
  registry.register(searchEverything(options), { disabled });
  registry.register(getMoments(options), { disabled });
  registry.register(saveMemory(options), { disabled });
  registry.register(saveMoments(options), { disabled });
  registry.register(updateUserMetadata(options), { disabled });
  registry.register(forgetMemory(options), { disabled });
}

function searchOff(settings: ToolSettings) {
  if (!settings.searchEnabled) {
    return toolOff(
      "Web search",
      'Run "Conclave: Turn on Web Tools" to allow it.',
      "conclave.web.search.enabled",
    );
  }
  if (settings.searchProvider !== "none") return undefined;
  return toolOff("Web search", "Choose a search engine first.", "conclave.web.search.provider");
}
