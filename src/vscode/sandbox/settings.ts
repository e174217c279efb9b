import type { SandboxSettings } from "../../agent/sandbox/settings.ts";
import type { Settings } from "../settings-schema.ts";

/** How personas talk to each other, as the settings say. */
export function sandboxSettings(settings: Settings): SandboxSettings {
  return {
    rounds: settings.sandboxRounds,
    persist: settings.sandboxPersist,
    memories: settings.sandboxMemories,
    recents: settings.sandboxRecents,
    historyWindow: settings.sandboxHistoryWindow,
    delay: settings.sandboxDelay,
    wordLimit: settings.sandboxWordLimit,
    template: settings.sandboxTemplate,
  };
}
