import * as vscode from "vscode";
import { z } from "zod";
import type { Result } from "../../agent/failure.ts";
import { readArgs } from "../ask-args.ts";
import type { Container } from "../container.ts";
import { showFailure, withCancellableProgress } from "../editor.ts";
import { modelItems } from "../models/entry.ts";
import { listModels } from "../models/list-models.ts";
import type { ModelServer } from "../models/server.ts";
import { PullProgress } from "../models/pull-progress.ts";
import { writeSetting } from "../settings.ts";
import { askLine, pickOne } from "../pickers.ts";

interface PickItem extends vscode.QuickPickItem {
  /** The model; undefined for the line that pulls another one. */
  readonly model?: string;
}

const PULL_ITEM: PickItem = { label: "$(cloud-download) Pull another model...", alwaysShow: true };

/** Lets the user choose among the server's models and keeps the choice in the settings. Gives the name, if one was chosen. */
export async function selectModel(container: Container): Promise<string | undefined> {
  const services = await container.services();
  const chosen = services.settings().settings.model;
  const listed = await listModels(services);
  if (listed === undefined) return undefined;
  const items: PickItem[] = modelItems(listed, chosen).map((item) => ({ ...item, model: item.name }));
  const pick = await pickOne([...items, PULL_ITEM], {
    title: "Conclave: Select Model",
    placeHolder:
      items.length === 0 ? "Ollama has no model yet: pull one" : "The model that answers your questions",
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (pick === undefined) return undefined;
  if (pick.model === undefined) return await pullModel(container, []);
  await writeSetting("model", pick.model);
  return pick.model;
}

/** A name as Ollama takes it: host and namespace may stand before it, a tag behind it. */
const ModelName = z
  .string()
  .trim()
  .max(300)
  .regex(/^[\w.-]+(:\d+)?(\/[\w.-]+)*(:[\w.-]+)?$/);

/** Downloads a model, with progress and Cancel. Takes its name, or asks for it; gives the name once it is there. */
export async function pullModel(container: Container, args: readonly unknown[]): Promise<string | undefined> {
  const named = readArgs(ModelName, args[0]);
  const name = named ?? (await askForName());
  if (name === undefined) return undefined;
  const services = await container.services();
  const server = services.server();
  const pulled = server.ok ? await pullShown(server.value, name) : server;
  if (!pulled.ok) {
    await showFailure(pulled.failure);
    return undefined;
  }
  // Agents may have waited for it.
  container.agents.changed();
  if (services.settings().settings.model === "") await writeSetting("model", name);
  else if (services.settings().settings.model !== name) void offerModel(name);
  return name;
}

function pullShown(server: ModelServer, name: string): Promise<Result<string>> {
  return withCancellableProgress(`Conclave: pulling ${name}`, (signal, progress) => {
    const bar = new PullProgress();
    return server.pull(name, (line) => progress.report(bar.take(line)), signal);
  });
}

async function offerModel(name: string): Promise<void> {
  const pressed = await vscode.window.showInformationMessage(`${name} is there.`, "Use it");
  if (pressed !== undefined) await writeSetting("model", name);
}

async function askForName(): Promise<string | undefined> {
  const name = await askLine({
    title: "Conclave: Pull Model",
    prompt: "A name from Ollama's library. Downloads are some gigabytes.",
    placeHolder: "qwen3:8b",
    validateInput: (text) =>
      ModelName.safeParse(text).success ? undefined : "A name such as qwen3:8b, without spaces.",
  });
  return readArgs(ModelName, name);
}
