import { highlightedCodeBlock, strikethrough } from "@truto/turndown-plugin-gfm";
import TurndownService from "turndown";
import { tables } from "./tables.ts";

/** What a model can't read or follow: it would only cost tokens. */
const DROPPED = [
  "script",
  "style",
  "noscript",
  "iframe",
  "img",
  "picture",
  "video",
  "audio",
  "source",
  "button",
] as const;

let shared: TurndownService | undefined;

/** An element as Markdown: headings, lists, tables, code and links kept; links made absolute against `base`. */
export function toMarkdown(root: Element, base: string): string {
  shared ??= createService();
  absoluteLinks(root, base);
  return shared
    .turndown(root as HTMLElement)
    .replace(/[ \t]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function createService(): TurndownService {
  const service = new TurndownService({
    headingStyle: "atx",
    bulletListMarker: "-",
    codeBlockStyle: "fenced",
    emDelimiter: "*",
    hr: "---",
  });
  service.use([highlightedCodeBlock, strikethrough, tables]);
  // What is rendered is read by a model, not parsed again: escapes would only stand in its way.
  service.escape = (text) => text;
  for (const name of DROPPED) service.remove(name);
  service.addRule("plainPre", {
    filter: (node) => node.nodeName === "PRE" && node.firstChild?.nodeName !== "CODE",
    replacement: (_content, node) => {
      const text = node.textContent.replace(/\n$/, "");
      return text.trim() === "" ? "" : `\n\n\`\`\`\n${text}\n\`\`\`\n\n`;
    },
  });
  service.addRule("link", {
    filter: (node) => node.nodeName === "A" && node.hasAttribute("href"),
    replacement: (content, node) => {
      const label = content.replace(/\s+/g, " ").trim();
      const target = (node as Element).getAttribute("href") ?? "";
      if (label === "") return "";
      return target === "" || target === label ? label : `[${label}](${target})`;
    },
  });
  return service;
}

/** Makes addresses absolute; what leads nowhere on the web (`javascript:`, a place on the same page) is no link. */
function absoluteLinks(root: Element, base: string): void {
  for (const link of root.querySelectorAll("a[href]")) {
    const href = (link.getAttribute("href") ?? "").trim();
    const target = !href.startsWith("#") && URL.canParse(href, base) ? new URL(href, base) : undefined;
    const followed = target && /^(https?|mailto):$/.test(target.protocol);
    link.setAttribute("href", followed ? target.href.replace(/[()]/g, encodeURIComponent) : "");
  }
}
