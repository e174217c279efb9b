import type { MemoryPort } from "../../agent/memory/port.ts";
import type { ToolSet } from "../../agent/tool.ts";
import { toolSettings } from "../../cli/settings/tool-settings.ts";
import type { AnswerJudge } from "../../tools/compare-answers.ts";
import { createTools, type MemoryToolSettings } from "../../tools/index.ts";
import type { ToolRegistry } from "../../tools/registry.ts";
import type { SearchAccess, SearchProviderName } from "../../tools/search/types.ts";
import type { DocumentReader } from "../../tools/web/reader.ts";
import type { ToolInfo } from "../../trace/activity/records.ts";
import type { TraceLog } from "../../trace/log.ts";
import { confirmLoss } from "../editor.ts";
import { memoryScopes } from "../memory/scope.ts";
import type { Scopes } from "../memory/scopes.ts";
import type { Services } from "../services.ts";
import { retrievalSettings, type Settings } from "../settings-schema.ts";
import { proxySetting, testAllowedHosts } from "../settings.ts";
import type { Shell } from "../shell.ts";
import { actionsPort, workspacePort } from "./editor-ports.ts";
import { ForeignToolAdapter } from "./foreign-tools.ts";
import { editorTools, isOffered } from "./editor-tools.ts";
import { listTools } from "./tool-list.ts";

/** What the tools are made of. */
export interface ToolParts {
  readonly shell: Shell;
  readonly settings: () => Settings;
  readonly memory: MemoryPort;
  readonly reader: DocumentReader;
  readonly searchKey: Services["searchKey"];
  readonly scopes: Scopes;
  readonly log: TraceLog;
  readonly answers: AnswerJudge;
}

/** The tools there are: our own, and those of the editor for agents that name them. */
export interface OfferedTools {
  /** What a turn that begins now is offered. */
  toolSet(): ToolSet;
  /** As the panel lists them, those that are off included. */
  list(): readonly ToolInfo[];
  /** The names that agent files may give. */
  names(): readonly string[];
}

/** Makes the registry of tools with the first turn, and keeps it. */
export function offeredTools(parts: ToolParts): OfferedTools {
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
