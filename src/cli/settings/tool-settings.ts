import type { ToolSettings } from "../../tools/index.ts";
import type { Settings } from "./schema.ts";

/** What the tools read of the settings. */
export function toolSettings(settings: Settings): ToolSettings {
  return {
    memoryEnabled: settings.memoryEnabled,
    fetchEnabled: settings.webFetchEnabled,
    searchEnabled: settings.webSearchEnabled,
    searchProvider: settings.webSearchProvider,
    workspaceEnabled: settings.toolsWorkspace,
    toolTimeoutMs: settings.toolTimeout * 1_000,
    webTimeoutMs: settings.webTimeout * 1_000,
  };
}
