/**
 * Builds the bundles under dist/: the extension, the processes and workers it starts, the command line, and the webview.
 *
 *   node esbuild.mjs            once, minified
 *   node esbuild.mjs --watch    again on every change, with source maps
 */
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import esbuild from "esbuild";
import { minify } from "terser";

const watch = process.argv.includes("--watch");
const root = fileURLToPath(new URL(".", import.meta.url));
const dist = new URL("dist/", import.meta.url);
const { version } = JSON.parse(await readFile(new URL("package.json", import.meta.url), "utf8"));

/** Packages that stay in node_modules: native ones, and the one that loads WebAssembly files beside itself. */
const UNBUNDLED = ["vscode", "@lancedb/lancedb", "apache-arrow", "@xenova/transformers", "onnxruntime-node"];

/** @type {import("esbuild").BuildOptions} */
const common = {
  absWorkingDir: root,
  bundle: true,
  minify: !watch,
  sourcemap: watch ? "linked" : false,
  legalComments: "none",
  logLevel: watch ? "info" : "warning",
  outdir: "dist",
};

/** @type {import("esbuild").BuildOptions} */
const node = {
  ...common,
  platform: "node",
  target: "node20",
  external: UNBUNDLED,
  outExtension: { ".js": ".cjs" },
};

/**
 * Turns the output into CommonJS. esbuild splits only ES modules into chunks, and activation must not read code that
 * it does not run: so the extension is split as ES modules, and each file is then turned on its own.
 *
 * @type {import("esbuild").Plugin}
 */
const commonJsChunks = {
  name: "commonjs-chunks",
  setup(build) {
    build.onEnd(async ({ outputFiles = [] }) => {
      await mkdir(new URL("chunks/", dist), { recursive: true });
      for (const { path, text } of outputFiles) {
        const { code } = await esbuild.transform(text, {
          format: "cjs",
          platform: "node",
          target: "node20",
          minify: !watch,
          sourcemap: watch ? "inline" : false,
          supported: { "dynamic-import": false },
        });
        await writeFile(path, code);
      }
    });
  },
};

/** @type {import("esbuild").BuildOptions[]} */
const builds = [
  {
    ...node,
    entryPoints: { extension: "src/extension.ts" },
    format: "esm",
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    sourcemap: watch ? "inline" : false,
    write: false,
    plugins: [commonJsChunks],
  },
  {
    ...node,
    entryPoints: {
      "memory-host": "src/memory/process/host.ts",
      "reader-worker": "src/tools/web/reader-worker.ts",
    },
    format: "cjs",
  },
  {
    ...node,
    entryPoints: { cli: "src/cli/main.ts" },
    format: "cjs",
    banner: { js: "#!/usr/bin/env node" },
    define: { CONCLAVE_VERSION: JSON.stringify(version) },
  },
  {
    ...common,
    entryPoints: { webview: "src/webview/main.tsx" },
    platform: "browser",
    format: "iife",
    target: "es2022",
    tsconfig: "src/webview/tsconfig.json",
    jsx: "automatic",
    jsxImportSource: "preact",
  },
  {
    ...common,
    entryPoints: { "notebook-renderer": "src/webview/renderer/index.tsx" },
    platform: "browser",
    format: "esm",
    target: "es2022",
    tsconfig: "src/webview/tsconfig.json",
    jsx: "automatic",
    jsxImportSource: "preact",
    loader: { ".css": "text", ".svg": "text" },
  },
  { ...common, entryPoints: { webview: "src/webview/styles.css" }, external: ["*.ttf"] },
];

/** Makes the panel's script some kilobytes smaller than esbuild can: its size has a limit. */
async function shrink(file) {
  const { code } = await minify(await readFile(file, "utf8"), { ecma: 2020, compress: { passes: 2 } });
  await writeFile(file, code);
}

await rm(dist, { recursive: true, force: true });
await mkdir(dist, { recursive: true });
// The icon font stands beside the styles that name it.
await copyFile(
  new URL("node_modules/@vscode/codicons/dist/codicon.ttf", import.meta.url),
  new URL("codicon.ttf", dist),
);
if (watch) {
  const contexts = await Promise.all(builds.map((options) => esbuild.context(options)));
  await Promise.all(contexts.map((context) => context.watch()));
} else {
  await Promise.all(builds.map((options) => esbuild.build(options)));
  await shrink(new URL("webview.js", dist));
}
