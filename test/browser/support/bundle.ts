import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import esbuild from "esbuild";
import { panelHtml } from "../../../src/vscode/panel/html.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

async function bundle(entry: string, options: esbuild.BuildOptions): Promise<Uint8Array> {
  const built = await esbuild.build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    legalComments: "none",
    write: false,
    outdir: "out",
    logLevel: "error",
    ...options,
  });
  const file = built.outputFiles?.[0];
  if (file === undefined) throw new Error(`nothing was built of ${entry}`);
  return file.contents;
}

/** The panel's script and styles, built as the extension builds them. */
export async function buildPanel(): Promise<{ readonly script: Uint8Array; readonly style: Uint8Array }> {
  const [script, style] = await Promise.all([
    bundle("src/webview/main.tsx", {
      platform: "browser",
      format: "iife",
      target: "es2022",
      tsconfig: "src/webview/tsconfig.json",
      jsx: "automatic",
      jsxImportSource: "preact",
    }),
    bundle("src/webview/styles.css", { external: ["*.ttf"] }),
  ]);
  return { script, style };
}

/** Serves the panel's page, with the policy it has in VS Code, on loopback. */
export async function servePanel(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { script, style } = await buildPanel();
  const font = await readFile(createRequire(import.meta.url).resolve("@vscode/codicons/dist/codicon.ttf"));
  const files: { readonly [path: string]: readonly [string, () => Uint8Array | string] } = {
    "/": ["text/html; charset=utf-8", () => page(origin)],
    "/webview.js": ["text/javascript; charset=utf-8", () => script],
    "/webview.css": ["text/css; charset=utf-8", () => style],
    "/codicon.ttf": ["font/ttf", () => font],
  };
  const server = createServer((request, response) => {
    const file = files[request.url ?? ""];
    response.writeHead(file === undefined ? 404 : 200, { "content-type": file?.[0] ?? "text/plain" });
    response.end(file?.[1]() ?? "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: `${origin}/`, close: () => close(server) };
}

function page(origin: string): string {
  return panelHtml({
    script: `${origin}/webview.js`,
    style: `${origin}/webview.css`,
    cspSource: origin,
    nonce: "dGVzdA",
  });
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
