/** What the host tests share: a scripted model server, a page on loopback, and the extension in the window. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import type { ThemeName } from "../../browser/support/themes.ts";
import type { TurnEvent } from "../../../src/agent/events.ts";
import type { AskRefusal, AskResult } from "../../../src/vscode/commands/ask.ts";
import type { Container } from "../../../src/vscode/container.ts";
import type { Services } from "../../../src/vscode/services.ts";
import type { TestApi } from "../../../src/extension.ts";
import { startScriptedOllama } from "../../support/ollama/index.ts";
import type { ScriptedOllama, ScriptedOllamaOptions } from "../../support/ollama/types.ts";

/** What the page on loopback says. */
export const PAGE_TEXT = "The tide cache is dropped when a row changes, and at the latest after ten minutes.";

const PAGE = `<!doctype html><html><head><title>Tide cache</title></head><body><nav>Home</nav>
<main><h1>Tide cache</h1><p>${PAGE_TEXT}</p><p>It was measured on one node.</p></main></body></html>`;

export interface World {
  readonly ollama: ScriptedOllama;
  /** The address of the page. */
  readonly page: string;
  readonly services: Services;
  readonly container: Container;
  /** Events of all sessions since the world began. */
  readonly events: TurnEvent[];
  close(): Promise<void>;
}

/** Sets one of the extension's settings for the user. */
export async function set(key: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration("conclave").update(key, value, vscode.ConfigurationTarget.Global);
}

const THEME_SETTINGS: { readonly [name in ThemeName]: string } = {
  dark: "Default Dark Modern",
  light: "Default Light Modern",
  "hc-dark": "Default High Contrast",
  "hc-light": "Default High Contrast Light",
};

/** Chooses a colour theme for the window. */
export async function theme(name: ThemeName): Promise<void> {
  await vscode.workspace
    .getConfiguration("workbench")
    .update("colorTheme", THEME_SETTINGS[name], vscode.ConfigurationTarget.Global);
}

/** Starts servers, points the settings at them and activates the extension. */
export async function createWorld(options: ScriptedOllamaOptions = {}): Promise<World> {
  pages ??= servePage();
  const address = `127.0.0.1:${((await pages).address() as AddressInfo).port}`;
  process.env["CONCLAVE_TEST_ALLOWED_HOSTS"] = address;
  const ollama = await startScriptedOllama(options);
  await useServer(ollama.host);
  await set("web.fetch.enabled", true);
  await set("memory.embedder.folder", process.env["CONCLAVE_EMBEDDER_DIR"] ?? "");
  await set("memory.embedder.download", false);
  // What is learnt from a turn is asked of the model too, and would take the replies that the tests lay ready.
  await set("memory.extraction", "off");
  const extension = vscode.extensions.getExtension<TestApi>("conclave.conclave");
  assert.ok(extension, "the extension is not installed");
  const api = await extension.activate();
  const services = await api.container.services();
  const events: TurnEvent[] = [];
  const stop = services.engine.onEvent((event) => events.push(event));
  return {
    ...{ ollama, services, events, container: api.container, page: `http://${address}/tide-cache` },
    close: async () => {
      stop();
      await ollama.close();
    },
  };
}

/** The extension in a window beside one that has made a world: it shares its server, its storage and its memory. */
export async function joinWorld(): Promise<Pick<World, "services" | "container">> {
  await set("model", "scripted:latest");
  await set("memory.extraction", "off");
  // What the other window has written reaches this one a moment later; this is what it wrote last into that file.
  await settled("memory.embedder.download", false);
  const extension = vscode.extensions.getExtension<TestApi>("conclave.conclave");
  assert.ok(extension, "the extension is not installed");
  const { container } = await extension.activate();
  return { services: await container.services(), container };
}

/** Whether a setting of ours has the value in this window. */
export const settingIs = (key: string, value: unknown): boolean =>
  isDeepStrictEqual(vscode.workspace.getConfiguration("conclave").get(key), value);

/** Waits until a setting of ours has a value in this window: what an editor writes is read back a moment later. */
export function settled(key: string, value: unknown): Promise<void> {
  return new Promise((resolve) => {
    const listening = vscode.workspace.onDidChangeConfiguration(() => {
      if (!settingIs(key, value)) return;
      listening.dispose();
      resolve();
    });
    if (!settingIs(key, value)) return;
    listening.dispose();
    resolve();
  });
}

/** Points the extension at a server and its first model. */
export async function useServer(host: string, model = "scripted:latest"): Promise<void> {
  await set("ollama.host", host);
  await set("model", model);
}

/** One for all worlds of a window: the extension reads once which hosts of this machine a test lets it reach. */
let pages: Promise<Server> | undefined;

function servePage(): Promise<Server> {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(PAGE);
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      server.unref();
      resolve(server);
    });
  });
}

/** Asks through the Ask command, as another extension or a key binding would. */
export async function askCommand(question: string, sessionId?: string): Promise<AskResult> {
  const result = await vscode.commands.executeCommand<AskResult | AskRefusal>("conclave.ask", {
    question,
    ...(sessionId === undefined ? {} : { sessionId }),
    open: false,
  });
  assert.notEqual(result.outcome, "refused", JSON.stringify(result));
  return result as AskResult;
}

/** The files of the extension's own storage that hold a text, in any case. */
export async function storedIn({ container }: World, text: string): Promise<readonly string[]> {
  const folder = container.extension.globalStorageUri.fsPath;
  const found: string[] = [];
  for await (const path of filesIn(folder)) {
    const whole = await readFile(path, "latin1").catch(() => "");
    if (whole.toLowerCase().includes(text.toLowerCase())) found.push(path.slice(folder.length + 1));
  }
  return found;
}

/** All files of a folder; one that goes meanwhile, as the store tidies up, hides none of the others. */
async function* filesIn(folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path);
    else if (entry.isFile()) yield path;
  }
}

/** The next event that fits; past ones don't count. */
export function nextEvent<T extends TurnEvent["type"]>(
  services: Services,
  type: T,
  fits: (event: Extract<TurnEvent, { type: T }>) => boolean = () => true,
): Promise<Extract<TurnEvent, { type: T }>> {
  return new Promise((resolve) => {
    const stop = services.engine.onEvent((event) => {
      if (event.type !== type || !fits(event as Extract<TurnEvent, { type: T }>)) return;
      stop();
      resolve(event as Extract<TurnEvent, { type: T }>);
    });
  });
}

const sharedFile = process.env["CONCLAVE_HOST_SHARED"] ?? "";

/** Leaves something more for the tests of the second window. */
export async function leave(note: Readonly<Record<string, string>>): Promise<void> {
  await writeFile(sharedFile, JSON.stringify({ ...(await left()), ...note }));
}

/** What the first window left; nothing where the tests that leave it were not chosen. */
export async function left(): Promise<Record<string, string | undefined>> {
  if (!existsSync(sharedFile)) return {};
  return JSON.parse(await readFile(sharedFile, "utf8")) as Record<string, string | undefined>;
}
