import { mkdir } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import esbuild from "esbuild";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { TurnOutput } from "../../../src/trace/notebook/turn-output.ts";
import { BODY_CLASSES, THEMES, type ThemeName } from "./themes.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const OUT = fileURLToPath(new URL("../out/", import.meta.url));
const WAIT_MS = 15_000;

/** The renderer's script, built as the extension builds it. */
export async function buildRenderer(): Promise<Uint8Array> {
  const built = await esbuild.build({
    absWorkingDir: ROOT,
    entryPoints: ["src/webview/renderer/index.tsx"],
    bundle: true,
    minify: true,
    write: false,
    outdir: "out",
    logLevel: "error",
    platform: "browser",
    format: "esm",
    target: "es2022",
    tsconfig: "src/webview/tsconfig.json",
    jsx: "automatic",
    jsxImportSource: "preact",
    loader: { ".css": "text" },
  });
  const [file] = built.outputFiles;
  if (file === undefined) throw new Error("nothing was built");
  return file.contents;
}

/** Stands in for the page of outputs that VS Code makes: it loads the renderer and hands it each output. */
const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Outputs</title>
<style>body { margin: 8px; background: var(--vscode-editor-background); } table { border: 3px solid red }</style>
</head><body><main><h1 style="position:absolute;left:-999px">Outputs</h1></main>
<script type="module">
  import { activate } from "/renderer.js";
  const renderer = activate();
  window.__draw = (id, value) => {
    let element = document.getElementById(id);
    if (element === null) {
      element = document.createElement("div");
      element.id = id;
      document.querySelector("main").append(element);
    }
    const json = () => typeof value === "string" ? JSON.parse(value) : value;
    renderer.renderOutputItem({ id, json }, element);
  };
  window.__dispose = (id) => renderer.disposeOutputItem(id);
</script></body></html>`;

/** Serves the stand-in of VS Code's page of outputs on loopback. */
export async function serveRenderer(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const script = await buildRenderer();
  const server: Server = createServer((request, response) => {
    const isScript = request.url === "/renderer.js";
    response.writeHead(request.url === "/" || isScript ? 200 : 404, {
      "content-type": isScript ? "text/javascript; charset=utf-8" : "text/html; charset=utf-8",
    });
    response.end(isScript ? script : PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** The outputs of a notebook, drawn by the real renderer in a real browser. */
export class NotebookPage {
  readonly page: Page;
  /** What the page complained of. */
  readonly complaints: string[] = [];
  /** What the page asked for, itself aside. */
  readonly requests: string[] = [];
  private readonly context: BrowserContext;

  private constructor(context: BrowserContext, page: Page) {
    this.context = context;
    this.page = page;
  }

  static async open(
    browser: Browser,
    url: string,
    options: { readonly theme?: ThemeName; readonly width?: number } = {},
  ): Promise<NotebookPage> {
    const viewport = { width: options.width ?? 760, height: 700 };
    const context = await browser.newContext({ viewport, timezoneId: "UTC" });
    const page = await context.newPage();
    page.setDefaultTimeout(WAIT_MS);
    const opened = new NotebookPage(context, page);
    page.on("pageerror", (error) => opened.complaints.push(error.message));
    await page.goto(url);
    await opened.setTheme(options.theme ?? "dark");
    page.on("request", (request) => opened.requests.push(request.url()));
    return opened;
  }

  async setTheme(theme: ThemeName): Promise<void> {
    const variables = Object.entries(THEMES[theme]).map(([name, value]) => `--vscode-${name}: ${value}`);
    await this.page.evaluate(
      `document.documentElement.style.cssText = ${JSON.stringify(variables.join(";"))};
       document.body.className = ${JSON.stringify(BODY_CLASSES[theme])}`,
    );
  }

  /** Draws an output, or draws it anew. */
  async draw(value: TurnOutput | object | string, id = "output"): Promise<void> {
    await this.page.evaluate(`window.__draw(${JSON.stringify(id)}, ${JSON.stringify(value)})`);
  }

  /** Leaves a picture under test/browser/out. */
  async picture(name: string): Promise<void> {
    await mkdir(OUT, { recursive: true });
    await this.page.screenshot({ path: `${OUT}${name}.png`, fullPage: true });
  }

  async close(): Promise<void> {
    await this.context.close();
  }
}
