/** A real Ollama server, built from its Go module. */
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cached, cacheRoot } from "../lib/cache.mjs";
import { run, which } from "../lib/shell.mjs";
import { withPackage } from "./python.mjs";

/** The newest version that can be had as a Go module. */
export const OLLAMA_VERSION = "0.17.4";
const MINIAUDIO = { name: "miniaudio", version: "1.71", source: true };
const DEBIAN_HEADERS = ["nlohmann-json3-dev", "libstb-dev"];
const FAST_CPU = ["avx2", "fma", "f16c"];
const EXE = process.platform === "win32" ? "ollama.exe" : "ollama";

/**
 * The path of the server's binary; builds it where the cache has none.
 *
 * @returns {Promise<{path: string} | {absent: string}>} `absent` says in a sentence what the machine lacks
 */
export async function ensureOllama(python, log) {
  const flags = await cpuFlags();
  const name = ["ollama", OLLAMA_VERSION, process.platform, process.arch, ...flags].join("-");
  const lacking = existsSync(join(cacheRoot(), name)) ? undefined : await whatIsLacking(python, log);
  if (lacking !== undefined) return { absent: lacking };
  try {
    const folder = await cached(name, (into) => build(into, { python, flags, log }));
    return { path: join(folder, EXE) };
  } catch (error) {
    return { absent: `the build of Ollama ${OLLAMA_VERSION} failed: ${lastLine(error.message)}` };
  }
}

/** The vector instructions that the build may use; none where the processor is not known to have them all. */
async function cpuFlags() {
  if (process.platform !== "linux" || process.arch !== "x64") return [];
  const info = await readFile("/proc/cpuinfo", "utf8").catch(() => "");
  const has = new Set(/^flags\s*:(.*)$/m.exec(info)?.[1]?.trim().split(/\s+/) ?? []);
  return FAST_CPU.every((flag) => has.has(flag)) ? FAST_CPU : [];
}

async function whatIsLacking(python, log) {
  if (python === undefined) return "Python with pip is not installed";
  if (!which("go")) return "Go is not installed";
  const compiler = await cppCompiler();
  if (!which(compiler)) return `a C++ compiler (${compiler}) is not installed`;
  if (await hasHeaders(compiler)) return undefined;
  if (which("apt-get") && process.getuid?.() === 0) {
    log(`Installing headers to build Ollama with: Debian's ${DEBIAN_HEADERS.join(" and ")} ...`);
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    await run("apt-get", ["update", "-qq"], { quiet: true, env });
    await run("apt-get", ["install", "-y", "-qq", ...DEBIAN_HEADERS], { quiet: true, env });
    if (await hasHeaders(compiler)) return undefined;
  }
  return `the headers nlohmann/json.hpp and stb/stb_image.h are not installed (Debian: ${DEBIAN_HEADERS.join(" ")})`;
}

async function cppCompiler() {
  const { code, output } = await run("go", ["env", "CXX"], { quiet: true });
  return code === 0 && output.trim() !== "" ? output.trim().split(/\s+/)[0] : "c++";
}

/** Asks the compiler itself, which knows its own search path. */
async function hasHeaders(compiler) {
  const folder = await mkdtemp(join(tmpdir(), "conclave-headers-"));
  try {
    const probe = join(folder, "probe.cpp");
    await writeFile(probe, "#include <nlohmann/json.hpp>\n#include <stb/stb_image.h>\n");
    const { code } = await run(compiler, ["-E", probe, "-o", join(folder, "out")], { quiet: true });
    return code === 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function build(into, { python, flags, log }) {
  log(`Building Ollama ${OLLAMA_VERSION} (Go module and miniaudio's header; a few minutes, once) ...`);
  const include = await mkdtemp(join(tmpdir(), "conclave-include-"));
  try {
    await withPackage(python, MINIAUDIO, async (folder) => {
      const [root] = await readdir(folder);
      await mkdir(join(include, "miniaudio"));
      await cp(join(folder, root, "miniaudio", "miniaudio.h"), join(include, "miniaudio", "miniaudio.h"));
    });
    const compile = ["-O3", ...flags.map((flag) => `-m${flag}`)].join(" ");
    const stamp = `-X github.com/ollama/ollama/version.Version=${OLLAMA_VERSION}`;
    const module = `github.com/ollama/ollama@v${OLLAMA_VERSION}`;
    const env = {
      ...process.env,
      CGO_ENABLED: "1",
      CGO_CPPFLAGS: `-I${include}`,
      CGO_CFLAGS: compile,
      CGO_CXXFLAGS: compile,
      GOBIN: into,
    };
    const { code, output } = await run("go", ["install", "-ldflags", stamp, module], { quiet: true, env });
    if (code !== 0) throw new Error(output);
  } finally {
    await rm(include, { recursive: true, force: true });
  }
}

function lastLine(text) {
  return text.trim().split("\n").at(-1) ?? "";
}
