import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Skipped } from "../frame.ts";
import { ROOT } from "./build.ts";

/** A real Ollama server with the small models of `scripts/models/`. */
export interface RealServer {
  readonly host: string;
  /** A model with tools and thinking. */
  readonly full: string;
  /** A model that can only complete. */
  readonly plain: string;
  readonly close: () => Promise<void>;
}

/** What `scripts/real-models.mjs` gives, as far as it is used. */
interface Scripts {
  prepareRealModels(): Promise<{ readonly ollama?: string; readonly chatModels: Names }>;
  startRealOllama(prepared: unknown): Promise<{ readonly host: string; readonly stop: () => Promise<void> }>;
}

interface Names {
  readonly full: string;
  readonly plain: string;
}

/**
 * Starts the server that an earlier `node scripts/real-models.mjs` has built. It is skipped where there is none: a
 * figure does not begin with minutes of downloads.
 */
export async function startRealServer(): Promise<RealServer> {
  const { cacheRoot } = (await script("lib/cache.mjs")) as { readonly cacheRoot: () => string };
  const there = existsSync(cacheRoot()) ? readdirSync(cacheRoot()) : [];
  const isThere = (name: string): boolean => there.some((each) => each.startsWith(name));
  if (!isThere("ollama-") || !isThere("chat-models-"))
    throw new Skipped("there is no real Ollama server here: node scripts/real-models.mjs makes one.");
  const scripts = (await script("real-models.mjs")) as Scripts;
  const prepared = await scripts.prepareRealModels();
  if (prepared.ollama === undefined)
    throw new Skipped("the real Ollama server can't be had on this machine.");
  const { host, stop } = await scripts.startRealOllama(prepared);
  return { ...prepared.chatModels, host, close: stop };
}

/** The scripts know where they lie, so they are not bundled. */
function script(path: string): Promise<unknown> {
  return import(pathToFileURL(join(ROOT, "scripts", path)).href);
}
