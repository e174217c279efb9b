/**
 * A server that speaks S3, for the tests, from the package registry:
 *
 *   node scripts/s3-server.mjs
 *
 * Builds it from its Go module where the cache (`CONCLAVE_CACHE`, else the system's) has none, starts it on a free port
 * of loopback with one empty bucket in memory, and prints one line of JSON: `{"endpoint", "bucket"}`, or `{"absent"}`
 * with what the machine lacks. It ends when its standard input does.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { cached } from "./lib/cache.mjs";
import { mustRun, say, which } from "./lib/shell.mjs";

/** Knows conditional writes, which the store's commits rest on. */
const MODULE = "github.com/johannesboyne/gofakes3/cmd/gofakes3";
const VERSION = "1.2.0";
const BUCKET = "conclave";

/**
 * The path of the server's binary; builds it where the cache has none.
 *
 * @returns {Promise<{path: string} | {absent: string}>} `absent` says in a sentence what the machine lacks
 */
export async function ensureS3Server() {
  const name = ["gofakes3", VERSION, process.platform, process.arch].join("-");
  if (!which("go")) return { absent: "Go is not installed" };
  try {
    const folder = await cached(name, (into) =>
      mustRun("go", ["install", `${MODULE}@v${VERSION}`], {
        quiet: true,
        env: { ...process.env, GOBIN: into, GOFLAGS: "-mod=mod" },
      }),
    );
    return { path: join(folder, process.platform === "win32" ? "gofakes3.exe" : "gofakes3") };
  } catch (error) {
    return { absent: `the build of gofakes3 ${VERSION} failed: ${error.message.trim().split("\n").at(-1)}` };
  }
}

async function main() {
  const server = await ensureS3Server();
  if ("absent" in server) return say(JSON.stringify(server));
  const args = ["-backend", "memory", "-host", "127.0.0.1:0", "-initialbucket", BUCKET, "-quiet"];
  const child = spawn(server.path, args, { stdio: ["ignore", "ignore", "pipe"] });
  process.stdin.resume().on("end", () => child.kill());
  for await (const line of createInterface({ input: child.stderr })) {
    const port = /using port: (\d+)/.exec(line)?.[1];
    if (port !== undefined) {
      say(JSON.stringify({ endpoint: `http://127.0.0.1:${port}`, bucket: BUCKET }));
      break;
    }
  }
  child.stderr.resume();
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  process.stdin.destroy();
}

await main();
