/**
 * Opens Conclave in a VS Code, ready to ask: `npm start`.
 *
 *   npm start                  the desktop VS Code where `code` is on the PATH, else one in the browser
 *   npm start -- --browser     the one in the browser
 *   npm start -- --demo        the labelled demo model, also where Ollama runs
 *   npm start -- --port N      the port of the one in the browser (default 8123)
 *
 * Everything it opens has settings and data of its own; your VS Code's are not touched.
 */
import { spawn } from "node:child_process";
import { cp, mkdir, rm, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheRoot } from "./lib/cache.mjs";
import { ensurePackages } from "./lib/install.mjs";
import { embedderSetting } from "./lib/offline-embedder.mjs";
import { connectionToken, DEMO_MODEL, writeSettings } from "./lib/profile.mjs";
import { mustRun, say, which } from "./lib/shell.mjs";
import { startFlags } from "./lib/start-flags.mjs";
import { startVsCodeServer } from "./lib/vscode-server.mjs";

const ROOT = resolve(fileURLToPath(new URL("..", import.meta.url)));

/** Where Ollama should be, by its own variable, in every form that the extension's own setting takes. */
async function ollamaHost() {
  const { tsImport } = await import("tsx/esm/api");
  const { parseHost } = await tsImport("../src/agent/models/host.ts", import.meta.url);
  const named = parseHost(process.env.OLLAMA_HOST ?? "");
  if (named.ok) return named.value;
  say(`OLLAMA_HOST holds no address: ${process.env.OLLAMA_HOST}`);
  return parseHost("").value;
}

/** The names of the models that Ollama has, or undefined where it does not answer. */
async function ollamaModels({ display, authorization }) {
  try {
    const headers = authorization ? { authorization } : {};
    const response = await fetch(`${display}/api/tags`, { headers, signal: AbortSignal.timeout(2000) });
    const { models } = await response.json();
    return models.map((model) => model.name);
  } catch {
    return undefined;
  }
}

/** Starts the demo server in a process of its own; resolves with its address. */
function startDemo() {
  const tsx = join(ROOT, "node_modules", "tsx", "dist", "cli.mjs");
  const child = spawn(process.execPath, [tsx, join(ROOT, "test", "support", "ollama", "demo.ts")], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const host = new Promise((resolve, reject) => {
    child.stdout.on("data", (text) => {
      const found = /http:\/\/[\w.:[\]]+/.exec(String(text));
      if (found) resolve(found[0]);
    });
    child.once("close", (code) => reject(new Error(`The demo model ended (${code}).`)));
  });
  return { host, stop: () => child.kill() };
}

/** Finds a model server, or starts the demo; says what it found. */
async function chooseModels(forceDemo) {
  const host = await ollamaHost();
  const models = forceDemo ? undefined : await ollamaModels(host);
  if (models?.length) {
    say(`Ollama: ${host.display}, ${models.length} models.`);
    // A name and a password stand in the variable alone.
    const setting = host.authorization ? process.env.OLLAMA_HOST : host.display;
    return { settings: { "conclave.ollama.host": setting }, stop: () => undefined };
  }
  if (models) say(`Ollama runs at ${host.display} but has no model. Get one with: ollama pull qwen3:8b`);
  else if (!forceDemo)
    say(
      `No Ollama at ${host.display}. Get it from https://ollama.com/download, then run: ollama pull qwen3:8b`,
    );
  const demo = startDemo();
  const demoHost = await demo.host;
  say(`The demo model answers (a scripted conversation, not a language model) at ${demoHost}.`);
  return {
    settings: { "conclave.ollama.host": demoHost, "conclave.model": `${DEMO_MODEL}:latest` },
    stop: demo.stop,
  };
}

/** The sample workspace, copied once so that the checkout stays clean. */
async function sampleWorkspace(home) {
  const folder = join(home, "harbour");
  await cp(join(ROOT, "test", "host", "workspace"), folder, { recursive: true, force: false });
  return folder;
}

function sayHowToAsk() {
  say("");
  say("Ask in the Chat view:   @conclave what did we decide about the cache?");
  say("or press F1 and choose  Conclave: Open Trace Panel, and ask there.");
}

/** Opens the desktop VS Code and waits until its window is closed. */
async function openDesktop(code, home, workspace, settings) {
  const data = join(home, "desktop");
  await writeSettings(data, settings);
  sayHowToAsk();
  const profile = [
    "--user-data-dir",
    data,
    "--extensions-dir",
    join(home, "extensions"),
    "--disable-workspace-trust",
  ];
  await mustRun(code, [...profile, `--extensionDevelopmentPath=${ROOT}`, "--wait", workspace]);
}

/** Serves VS Code for a browser until the user ends it. */
async function openInBrowser(home, workspace, settings, port) {
  const dataDir = join(home, "server");
  await writeSettings(join(dataDir, "data"), settings);
  const link = join(dataDir, "extensions", "conclave.conclave");
  await mkdir(join(dataDir, "extensions"), { recursive: true });
  await rm(link, { recursive: true, force: true });
  await symlink(ROOT, link, "junction");
  const { file, token } = await connectionToken(dataDir);
  const server = await startVsCodeServer({ dataDir, port, tokenFile: file });
  say(`\nOpen in your browser:   ${server.origin}/?tkn=${token}&folder=${encodeURIComponent(workspace)}`);
  sayHowToAsk();
  say("Ctrl+C ends it.");
  await new Promise((resolve) => {
    process.once("SIGINT", resolve);
    process.once("SIGTERM", resolve);
  });
  await server.stop();
}

async function main() {
  const { browser, demo, port } = startFlags(process.argv.slice(2));
  await ensurePackages(ROOT);
  say("Building ...");
  await mustRun(process.execPath, [join(ROOT, "esbuild.mjs")], { cwd: ROOT });
  const models = await chooseModels(demo);
  try {
    const home = join(cacheRoot(), "start");
    const workspace = await sampleWorkspace(home);
    const settings = { ...models.settings, ...(await embedderSetting()) };
    const code = browser ? undefined : which("code");
    if (code) await openDesktop(code, home, workspace, settings);
    else await openInBrowser(home, workspace, settings, port);
  } finally {
    models.stop();
  }
}

await main().catch((error) => {
  say(error.message);
  process.exitCode = 1;
});
