/**
 * Builds the bundles under dist/: the extension, the memory process and the webview.
 *
 *   node esbuild.mjs            once, minified
 *   node esbuild.mjs --watch    again on every change, with source maps
 */
import { copyFile, mkdir, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import esbuild from "esbuild";

const watch = process.argv.includes("--watch");
const root = fileURLToPath(new URL(".", import.meta.url));

/** Packages that stay in node_modules: native ones, and the one that loads WebAssembly files beside itself. */
const UNBUNDLED = ["vscode", "@lancedb/lancedb", "apache-arrow", "@xenova/transformers", "onnxruntime-node"];

/** @type {import("esbuild").BuildOptions} */
const common = {
  absWorkingDir: root,
  bundle: true,
  minify: !watch,
  sourcemap: watch ? "linked" : false,
  legalComments: "none",
  logLevel: "warning",
};

/** @type {import("esbuild").BuildOptions} */
const node = {
  ...common,
  platform: "node",
  format: "cjs",
  target: "node20",
  external: UNBUNDLED,
  outExtension: { ".js": ".cjs" },
  keepNames: true,
};

/** @type {import("esbuild").BuildOptions[]} */
const builds = [
  {
    ...node,
    entryPoints: { extension: "src/extension.ts", "memory-host": "src/memory/host.ts" },
    outdir: "dist",
  },
  {
    ...common,
    entryPoints: { webview: "src/webview/main.tsx" },
    outdir: "dist",
    platform: "browser",
    format: "iife",
    target: "es2022",
    tsconfig: "src/webview/tsconfig.json",
    jsx: "automatic",
    jsxImportSource: "preact",
  },
  {
    ...common,
    entryPoints: { webview: "src/webview/styles.css" },
    outdir: "dist",
    external: ["*.ttf"],
  },
];

/** Puts the icon font beside the styles that name it. */
async function copyFont() {
  await copyFile(
    new URL("node_modules/@vscode/codicons/dist/codicon.ttf", import.meta.url),
    new URL("dist/codicon.ttf", import.meta.url),
  );
}

await rm(new URL("dist", import.meta.url), { recursive: true, force: true });
await mkdir(new URL("dist", import.meta.url), { recursive: true });
await copyFont();
if (watch) {
  const contexts = await Promise.all(
    builds.map((options) => esbuild.context({ ...options, logLevel: "info" })),
  );
  await Promise.all(contexts.map((context) => context.watch()));
} else {
  await Promise.all(builds.map((options) => esbuild.build(options)));
}
