import * as vscode from "vscode";
import { contextLengthFor } from "../../agent/models/capabilities.ts";
import type { Result } from "../../agent/failure.ts";
import type { MemoryPort } from "../../agent/memory/port.ts";
import { callForm, type CallForm } from "../../agent/protocols/call-form.ts";
import { SEARCH_KEY_SECRETS } from "../contributions.ts";
import type { ModelInfo } from "../../agent/models/types.ts";
import type { Container } from "../container.ts";
import { chatApi } from "../editor.ts";
import type { ModelServer } from "../models/server.ts";
import type { Settings } from "../settings-schema.ts";
import type { SetupFacts } from "./lines.ts";

/** A call is not waited for longer, in milliseconds: a large model may have to be loaded for it. */
const CALL_MS = 60_000;

/** What the server says of itself; each part may fail on its own. */
async function askServer(server: Result<ModelServer>, { model }: Settings, signal: AbortSignal) {
  if (!server.ok) return { version: server, models: server, loaded: [] };
  const [version, models, running, chosen] = await Promise.all([
    server.value.version(signal),
    server.value.list(signal),
    server.value.running(signal),
    model === "" ? undefined : server.value.describe(model, signal),
  ]);
  const loaded = (running.ok ? running.value : []).map(({ name, size, contextLength }) => ({
    name,
    sizeBytes: size,
    ...(contextLength === undefined ? {} : { contextLength }),
  }));
  return { version, models, loaded, ...(chosen === undefined ? {} : { chosen }) };
}

/** How the chosen model's calls come; nothing where it is offered no tools in the server's way. */
async function askForCall(
  server: ModelServer,
  info: ModelInfo,
  settings: Settings,
  signal: AbortSignal,
): Promise<Result<CallForm> | undefined> {
  if (!info.capabilities.includes("tools")) return undefined;
  const { contextLength, keepAlive } = settings;
  const runner = { contextLength: contextLengthFor(contextLength, info), keepAlive };
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]);
  return callForm(server.model(settings.model), runner, inTime);
}

/** Has the memory process run and its embedding model loaded, so that the report shows how they really are. */
async function wake(memory: MemoryPort, { embedderProvider }: Settings, signal: AbortSignal): Promise<void> {
  await memory.list({ table: "episodes", offset: 0, limit: 1 }, signal);
  if (embedderProvider !== "none") await memory.embed?.(["set-up"], "query", signal);
}

/** Gathers what Check Set-up reports. Never rejects: what can't be had is in the facts as a failure. */
export async function gatherFacts(container: Container, signal: AbortSignal): Promise<SetupFacts> {
  const services = await container.services();
  const { settings, problems } = services.settings();
  const server = services.server();
  const provider = settings.webSearchProvider;
  if (settings.memoryEnabled) await wake(services.memory, settings, signal);
  const [found, memory, refusedLine, key] = await Promise.all([
    askServer(server, settings, signal),
    services.memory.status(signal),
    services.workspaceNote.line(),
    provider in SEARCH_KEY_SECRETS ? services.searchKey(provider) : undefined,
  ]);
  const { chosen } = found;
  const calls =
    server.ok && chosen?.ok === true
      ? await askForCall(server.value, chosen.value, settings, signal)
      : undefined;
  const { version } = container.extension.extension.packageJSON as { readonly version: string };
  return {
    extensionVersion: version,
    vscodeVersion: vscode.version,
    host: server.ok ? server.value.display : settings.ollamaHost,
    settings,
    settingProblems: problems.map((problem) => problem.message),
    ...(refusedLine === undefined ? {} : { refusedLine }),
    ...found,
    ...(calls === undefined ? {} : { calls }),
    memory,
    searchKeySet: key !== undefined,
    chat: chatApi() !== undefined,
  };
}
