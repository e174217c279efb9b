/** Running the real Ollama server on a port of its own. */
import { spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { cacheRoot } from "../lib/cache.mjs";

const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 5_000;
const POLL_MS = 50;

/**
 * Starts `ollama serve` on a free port of loopback, with nothing of the user's own set-up: its models, its key and
 * its settings stay out of it.
 *
 * @param {{ollama: string, models: string}} where the binary and the folder of its models
 * @returns {Promise<{host: string, pid: number, stop: () => Promise<void>}>}
 */
export async function serveOllama({ ollama, models }) {
  const home = join(cacheRoot(), "ollama-home");
  await mkdir(home, { recursive: true });
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn(ollama, ["serve"], { stdio: "ignore", env: serverEnv(address, models, home) });
  const ended = new Promise((resolve) => {
    child.once("exit", resolve);
    child.once("error", resolve);
  });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  void ended.then(() => process.off("exit", kill));
  const stop = async () => {
    child.kill("SIGTERM");
    const late = setTimeout(kill, STOP_LIMIT_MS);
    await ended;
    clearTimeout(late);
  };
  const host = `http://${address}`;
  if (!(await answers(host, child))) {
    await stop();
    throw new Error(`ollama serve did not answer at ${host}`);
  }
  return { host, pid: child.pid, stop };
}

/** Our environment without the user's settings of Ollama. */
function serverEnv(address, models, home) {
  const rest = Object.entries(process.env).filter(([name]) => !name.startsWith("OLLAMA_"));
  return {
    ...Object.fromEntries(rest),
    HOME: home,
    USERPROFILE: home,
    OLLAMA_HOST: address,
    OLLAMA_MODELS: models,
    OLLAMA_NOPRUNE: "1",
    OLLAMA_NO_CLOUD: "1",
  };
}

async function answers(host, child) {
  const until = Date.now() + START_LIMIT_MS;
  while (Date.now() < until && child.exitCode === null && child.signalCode === null) {
    const up = await fetch(`${host}/api/version`).then(
      (response) => response.ok,
      () => false,
    );
    if (up) return true;
    await pause(POLL_MS);
  }
  return false;
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
