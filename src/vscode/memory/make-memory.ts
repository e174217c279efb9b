import * as vscode from "vscode";
import { systemIdentity } from "../../agent/ids.ts";
import { MemoryClient } from "../../memory/process/client.ts";
import type { TraceLog } from "../../trace/log.ts";
import { MemorySource, type MakeMemory } from "../memory-source.ts";
import type { Settings } from "../settings-schema.ts";
import { proxySetting } from "../settings.ts";
import type { Shell } from "../shell.ts";
import { clientOptions } from "./client-options.ts";
import type { KeptCredentials } from "./kept-credentials.ts";

/** How long a note on the work of memory stays in the status bar, in milliseconds. */
const NOTE_MS = 5_000;

/** What memory is made of. */
export interface MemoryParts {
  readonly shell: Shell;
  readonly settings: () => Settings;
  readonly log: TraceLog;
  readonly credentials: KeptCredentials;
}

/** Memory as the settings want it; the traces forget with it. */
export function memorySource({ shell, settings, log, credentials }: MemoryParts): MemorySource {
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
