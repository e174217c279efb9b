import * as vscode from "vscode";
import { z } from "zod";
import { readArgs } from "../ask-args.ts";
import type { Container } from "../container.ts";
import { EXTENSION_ID, SEARCH_KEY_SECRETS, type KeyedProvider } from "../contributions.ts";
import { writeSetting } from "../settings.ts";
import { askLine, pickMany, pickOne } from "../pickers.ts";

const Provider = z.enum(["brave", "tavily", "ollama"]);

interface ProviderItem extends vscode.QuickPickItem {
  readonly provider: "searxng" | KeyedProvider;
}

const PROVIDERS: readonly ProviderItem[] = [
  { provider: "searxng", label: "SearXNG", description: "your own server; no key" },
  { provider: "brave", label: "Brave Search", description: "needs a key" },
  { provider: "tavily", label: "Tavily", description: "needs a key" },
  { provider: "ollama", label: "Ollama web search", description: "needs a key of ollama.com" },
];

/** Keeps or removes the key of a search provider, in the editor's secret store. Takes the provider, or asks for it. */
export async function setSearchApiKey(container: Container, args: readonly unknown[]): Promise<boolean> {
  const provider = readArgs(Provider, args[0]) ?? (await pickProvider());
  if (provider === undefined) return false;
  const key = await askLine({
    title: `Conclave: key for ${provider}`,
    prompt: "Kept in the editor's secret store, never in settings. Empty removes it.",
    password: true,
  });
  if (key === undefined) return false;
  const { secrets } = container.extension;
  if (key.trim() === "") await secrets.delete(SEARCH_KEY_SECRETS[provider]);
  else await secrets.store(SEARCH_KEY_SECRETS[provider], key.trim());
  return key.trim() !== "";
}

async function pickProvider(): Promise<KeyedProvider | undefined> {
  const keyed = PROVIDERS.filter((item) => item.provider !== "searxng");
  const pick = await pickOne(keyed, { title: "Conclave: a key for which search?" });
  return readArgs(Provider, pick?.provider);
}

interface ToolItem extends vscode.QuickPickItem {
  readonly setting: "webSearchEnabled" | "webFetchEnabled";
}

/** Lets the user turn the web tools on or off, and walks through what a search provider needs. True when one is on. */
export async function enableWebTools(container: Container): Promise<boolean> {
  const services = await container.services();
  const before = services.settings().settings;
  const none = !before.webSearchEnabled && !before.webFetchEnabled;
  const items: readonly ToolItem[] = [
    {
      setting: "webFetchEnabled",
      label: "Read web pages",
      detail: "The model may open addresses. Those of your own machine and network are refused.",
      picked: none || before.webFetchEnabled,
    },
    {
      setting: "webSearchEnabled",
      label: "Search the web",
      detail: "The words searched for leave this machine, to the provider that you choose next.",
      picked: before.webSearchEnabled,
    },
  ];
  const picked = await pickMany(items, {
    title: "Conclave: which web tools may the model use?",
  });
  if (picked === undefined) return false;
  const wanted = new Set(picked.map((item) => item.setting));
  await writeSetting("webFetchEnabled", wanted.has("webFetchEnabled"));
  const searches = wanted.has("webSearchEnabled") && (await provideSearch(container));
  await writeSetting("webSearchEnabled", searches);
  return searches || wanted.has("webFetchEnabled");
}

/** Makes sure that somebody answers searches; false when the user backs out. */
async function provideSearch(container: Container): Promise<boolean> {
  const services = await container.services();
  const { settings } = services.settings();
  if (settings.webSearchProvider === "mock") return true;
  const active = PROVIDERS.find((item) => item.provider === settings.webSearchProvider);
  const pick =
    active ??
    (await pickOne(PROVIDERS, {
      title: "Conclave: who searches?",
    }));
  if (pick === undefined) return false;
  const ready =
    pick.provider === "searxng"
      ? settings.webSearchUrl !== "" || (await askForSearchUrl())
      : (await services.searchKey(pick.provider)) !== undefined ||
        (await setSearchApiKey(container, [pick.provider]));
  if (ready) await writeSetting("webSearchProvider", pick.provider);
  return ready;
}

async function askForSearchUrl(): Promise<boolean> {
  const url = await askLine({
    title: "Conclave: address of your SearXNG server",
    placeHolder: "http://127.0.0.1:8080",
    prompt: "Its search.formats must list json.",
    validateInput: (text) => (/^https?:\/\/\S+$/.test(text.trim()) ? undefined : "An http or https address."),
  });
  if (url === undefined) return false;
  await writeSetting("webSearchUrl", url.trim());
  return true;
}

const SettingName = z.string().regex(/^conclave\.[\w.]+$/);

/** Opens the settings of the extension, at one of them where it is named. */
export async function openSettings(_container: Container, args: readonly unknown[]): Promise<void> {
  const name = readArgs(SettingName, args[0]);
  await vscode.commands.executeCommand("workbench.action.openSettings", name ?? `@ext:${EXTENSION_ID}`);
}
