/**
 * Packs the extension for the machine it runs on: `npm run package`, or `npm run package -- --out FILE`.
 *
 * What runs unbundled (native modules) is installed afresh into a staging folder, production packages only, so that
 * the package holds nothing else of node_modules.
 */
import { existsSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ensurePackages } from "./lib/install.mjs";
import { mustRun, say } from "./lib/shell.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SHIPPED = ["dist", "media", "docs", "README.md", "CHANGELOG.md", "LICENSE", "package-lock.json"];
const TRANSFORMERS = "node_modules/@xenova/transformers";
/** Parts of production packages that nothing here loads: browser builds, sources, types, other platforms' binaries. */
const LEFT_OUT = [
  "**/*.map",
  "**/*.ts",
  "**/test/**",
  "**/protobufjs/cli/**",
  `${TRANSFORMERS}/dist/*.js`,
  `${TRANSFORMERS}/node_modules/onnxruntime-web/dist/*`,
  `${TRANSFORMERS}/node_modules/onnxruntime-web/lib/**`,
  "package-lock.json",
];
/**
 * What makes embeddings where the native runtime can't be loaded: the runtime for Node, and its WebAssembly, which the
 * embedding library looks for beside itself. It runs on one thread, and every processor that the database runs on has
 * these instructions.
 */
const WASM_RUNTIME = [
  `${TRANSFORMERS}/node_modules/onnxruntime-web/dist/ort-web.node.js`,
  `${TRANSFORMERS}/dist/ort-wasm-simd.wasm`,
];
const WASM_LEFT_OUT = [
  `${TRANSFORMERS}/dist/ort-wasm.wasm`,
  `${TRANSFORMERS}/dist/ort-wasm-threaded.wasm`,
  `${TRANSFORMERS}/dist/ort-wasm-simd-threaded.wasm`,
];

/** Binaries of the embedding runtime for machines other than this one. */
function otherPlatforms() {
  const binaries = `${TRANSFORMERS}/node_modules/onnxruntime-node/bin/napi-v3`;
  const platforms = ["darwin", "linux", "win32"].filter((platform) => platform !== process.platform);
  const chips = ["arm64", "x64"].filter((chip) => chip !== process.arch);
  return [
    ...platforms.map((platform) => `${binaries}/${platform}/**`),
    ...chips.map((chip) => `${binaries}/*/${chip}/**`),
  ];
}

/** What is left out, and after it what is kept of that. */
function ignored() {
  return [...LEFT_OUT, ...WASM_LEFT_OUT, ...otherPlatforms(), ...WASM_RUNTIME.map((path) => `!${path}`)];
}

/** The manifest as it ships: without what only development needs. */
async function writeManifest(staging) {
  const manifest = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  delete manifest.scripts;
  delete manifest.devDependencies;
  await writeFile(join(staging, "package.json"), JSON.stringify(manifest, null, 2));
}

async function main() {
  await ensurePackages(ROOT);
  await mustRun(process.execPath, [join(ROOT, "esbuild.mjs")], { cwd: ROOT });
  const staging = await mkdtemp(join(tmpdir(), "conclave-package-"));
  try {
    for (const name of WASM_RUNTIME) {
      if (!existsSync(join(ROOT, name)))
        throw new Error(`the WebAssembly runtime is not where it was: ${name}`);
    }
    for (const name of SHIPPED) await cp(join(ROOT, name), join(staging, name), { recursive: true });
    await cp(join(ROOT, "package.json"), join(staging, "package.json"));
    say("Installing what runs unbundled ...");
    await mustRun("npm", ["ci", "--omit=dev", "--no-audit", "--no-fund"], { cwd: staging, quiet: true });
    await writeManifest(staging);
    await writeFile(join(staging, ".vscodeignore"), ignored().join("\n"));
    const target = `${process.platform}-${process.arch}`;
    const { values } = parseArgs({ options: { out: { type: "string" } } });
    const out = values.out ?? join(ROOT, `conclave-${target}.vsix`);
    const vsce = join(ROOT, "node_modules", "@vscode", "vsce", "vsce");
    await mustRun(
      process.execPath,
      [
        vsce,
        "package",
        "--target",
        target,
        "--out",
        out,
        "--allow-missing-repository",
        "--no-rewrite-relative-links",
      ],
      { cwd: staging, quiet: true },
    );
    say(`Packed ${out}`);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

await main();
