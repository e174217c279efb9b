import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { HostMessage } from "../../../src/trace/panel-protocol.ts";
import { PanelBed } from "../../unit/trace/support/panel-bed.ts";
import { BODY_CLASSES, THEMES, type ThemeName } from "./themes.ts";

const OUT = fileURLToPath(new URL("../out/", import.meta.url));

/** How long a test waits for something to appear before it says what is missing. */
const WAIT_MS = 15_000;

/** Stands in for what VS Code puts into a webview: the api, and the theme's variables. Runs in the page. */
const STAND_IN = `
  window.acquireVsCodeApi = () => {
    window.acquireVsCodeApi = () => { throw new Error("acquired twice"); };
    return {
      postMessage: (message) => { window.__toHost(JSON.stringify(message)); },
      getState: () => JSON.parse(sessionStorage.getItem("state") ?? "null"),
      setState: (state) => { sessionStorage.setItem("state", JSON.stringify(state)); },
    };
  };
  window.__setTheme = (variables, name) => {
    const style = document.documentElement.style;
    style.cssText = "";
    document.body.className = name;
    for (const [name, value] of Object.entries(variables)) style.setProperty("--vscode-" + name, value);
  };
`;

function setThemeCall(theme: ThemeName): string {
  return `window.__setTheme(${JSON.stringify(THEMES[theme])}, ${JSON.stringify(BODY_CLASSES[theme])})`;
}

/** How a panel is opened. */
export interface OpenOptions {
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  /** Sets the bed up before the page asks for anything. */
  readonly before?: (bed: PanelBed) => unknown;
  /** Runs in the page before its own scripts. */
  readonly script?: string;
}

/** The real panel in a real browser, joined to its real host side on a scripted engine. */
export class PanelPage {
  /** Another one after `revive`. */
  page: Page;
  readonly bed: PanelBed;
  /** What the page said to the host. */
  readonly said: { readonly type: string }[] = [];
  /** What the page complained of: errors, and breaches of its policy. */
  readonly complaints: string[] = [];
  /** The largest message that was posted to the page, in bytes. */
  largestPost = 0;
  private readonly context: BrowserContext;

  private constructor(context: BrowserContext, page: Page, bed: PanelBed) {
    this.context = context;
    this.page = page;
    this.bed = bed;
  }

  static async open(browser: Browser, url: string, options: OpenOptions = {}): Promise<PanelPage> {
    const bed = await PanelBed.create();
    await options.before?.(bed);
    const context = await browser.newContext({
      viewport: { width: options.width ?? 1240, height: options.height ?? 800 },
      timezoneId: "UTC",
    });
    const page = await context.newPage();
    page.setDefaultTimeout(WAIT_MS);
    const panel = new PanelPage(context, page, bed);
    await panel.connect(options.theme ?? "dark");
    if (options.script !== undefined) await page.addInitScript(options.script);
    await page.goto(url);
    return panel;
  }

  /** Changes the theme while the panel is open. */
  async setTheme(theme: ThemeName): Promise<void> {
    await this.page.evaluate(setThemeCall(theme));
  }

  /**
   * Leaves a picture under test/browser/out: of a frame that was drawn, for a page that was made wider a moment ago may
   * owe the browser one, and the picture would wait for it.
   */
  async picture(name: string): Promise<void> {
    await mkdir(OUT, { recursive: true });
    await this.page.evaluate(
      "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))",
    );
    await this.page.screenshot({ path: `${OUT}${name}.png` });
  }

  /** Runs an expression in the page. */
  evaluate<T>(expression: string): Promise<T> {
    return this.page.evaluate(expression);
  }

  /** Waits until an expression is true in the page. Playwright's own way needs `unsafe-eval`, which our policy refuses. */
  async until(expression: string): Promise<void> {
    await this.page.evaluate(`new Promise((resolve, reject) => {
      const until = performance.now() + ${WAIT_MS};
      const look = () => {
        if (${expression}) resolve(true);
        else if (performance.now() > until) reject(new Error("never came true: " + ${JSON.stringify(expression)}));
        else requestAnimationFrame(look);
      };
      look();
    })`);
  }

  /** Kills the process that draws the page, and opens the page anew with what the editor kept of it. */
  async revive(): Promise<void> {
    const url = this.page.url();
    const state = await this.evaluate<string>(`sessionStorage.getItem("state")`);
    const died = this.page.waitForEvent("crash");
    const session = await this.context.newCDPSession(this.page);
    session.send("Page.crash").catch(() => undefined);
    await died;
    this.page = await this.context.newPage();
    this.page.setDefaultTimeout(WAIT_MS);
    await this.connect("dark");
    await this.page.addInitScript(
      `sessionStorage.getItem("state") ?? sessionStorage.setItem("state", ${JSON.stringify(state)})`,
    );
    await this.page.goto(url);
  }

  async close(): Promise<void> {
    this.bed.onPost = () => undefined;
    await this.context.close();
    await this.bed.close();
  }

  private async connect(theme: ThemeName): Promise<void> {
    const { page, bed } = this;
    page.on("pageerror", (error) => this.complaints.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") this.complaints.push(message.text());
    });
    await page.exposeFunction("__toHost", (json: string) => {
      const message = JSON.parse(json) as { readonly type: string };
      this.said.push(message);
      void bed.host.receive(message);
    });
    await page.addInitScript(STAND_IN);
    await page.addInitScript(`window.addEventListener("DOMContentLoaded", () => ${setThemeCall(theme)})`);
    bed.onPost = (message) => this.post(message);
  }

  private post(message: HostMessage): void {
    const json = JSON.stringify(message);
    this.largestPost = Math.max(this.largestPost, Buffer.byteLength(json));
    // A page that is being closed or loaded anew takes no messages; the host posts anew when it is ready.
    this.page.evaluate(`window.postMessage(${json}, "*")`).catch(() => undefined);
  }
}
