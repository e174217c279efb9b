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
import { cp, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheRoot } from "./lib/cache.mjs";
import { ensurePackages } from "./lib/install.mjs";
import { mustRun, say, which } from "./lib/shell.mjs";
import { startVsCodeServer } from "./lib/vscode-server.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const DEFAULT_PORT = 8123;

/** Where Ollama should be, by its own variable. */
function ollamaHost() {
  const host = process.env.OLLAMA_HOST || "127.0.0.1:11434";
  return host.includes("://") ? host : `http://${host}`;
}

/** The names of the models that Ollama has, or undefined where it does not answer. */
async function ollamaModels(host) {
  try {
    const response = await fetch(`${host}/api/tags`, { signal: AbortSignal.timeout(2000) });
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
  const host = ollamaHost();
  const models = forceDemo ? undefined : await ollamaModels(host);
  if (models?.length) {
    say(`Ollama: ${host}, ${models.length} models.`);
    return { settings: { "conclave.ollama.host": host }, stop: () => undefined };
  }
  if (models) say(`Ollama runs at ${host} but has no model. Get one with: ollama pull qwen3:8b`);
  else if (!forceDemo)
    say(`No Ollama at ${host}. Get it from https://ollama.com/download, then run: ollama pull qwen3:8b`);
  const demo = startDemo();
  const demoHost = await demo.host;
  say(`Until then the demo model answers (a scripted conversation, not a language model) at ${demoHost}.`);
  return {
    settings: { "conclave.ollama.host": demoHost, "conclave.model": "conclave-demo:latest" },
    stop: demo.stop,
  };
}

/** Writes settings into the window's own profile; what the user changed there stays. */
async function writeSettings(dataDir, settings) {
  for (const folder of ["User", "Machine"]) {
    const file = join(dataDir, folder, "settings.json");
    const before = await readFile(file, "utf8").then(JSON.parse, () => ({}));
    await mkdir(join(dataDir, folder), { recursive: true });
    await writeFile(
      file,
      JSON.stringify({ "workbench.startupEditor": "readme", ...before, ...settings }, null, 2),
    );
  }
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
  const server = await startVsCodeServer({ dataDir, port });
  say(`\nOpen in your browser:   ${server.origin}/?folder=${encodeURIComponent(workspace)}`);
  sayHowToAsk();
  say("Ctrl+C ends it.");
  await new Promise((resolve) => {
    process.once("SIGINT", resolve);
    process.once("SIGTERM", resolve);
  });
  await server.stop();
}

async function main() {
  const flags = process.argv.slice(2);
  const portAt = flags.indexOf("--port");
  await ensurePackages(ROOT);
  say("Building ...");
  await mustRun(process.execPath, [join(ROOT, "esbuild.mjs")], { cwd: ROOT });
  const models = await chooseModels(flags.includes("--demo"));
  try {
    const home = join(cacheRoot(), "start");
    const workspace = await sampleWorkspace(home);
    const code = flags.includes("--browser") ? undefined : which("code");
    if (code) await openDesktop(code, home, workspace, models.settings);
    else
      await openInBrowser(
        home,
        workspace,
        models.settings,
        portAt >= 0 ? Number(flags[portAt + 1]) : DEFAULT_PORT,
      );
  } finally {
    models.stop();
  }
}

await main();
