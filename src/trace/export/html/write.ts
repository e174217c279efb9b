import { createHash } from "node:crypto";
import { cutAtGrapheme } from "../../../agent/text.ts";
import { safeLink } from "../../links.ts";
import type { Story, StoryBlock, StoryPart, StoryTone, StoryTurn } from "../story/types.ts";
import { count, counted, joined, moment } from "../story/words.ts";
import { oneLine } from "../../text.ts";
import { html } from "./escape.ts";
import { markdownHtml } from "./markdown.ts";
import { SCRIPT } from "./script.ts";
import { STYLE } from "./style.ts";

/** How much a page may hold, in UTF-16 units. */
export interface HtmlLimits {
  /** All of it. */
  readonly whole: number;
  /** One text. */
  readonly text: number;
}

/** What a browser opens without effort. */
export const HTML_LIMITS: HtmlLimits = { whole: 20_000_000, text: 200_000 };

const MAX_TITLE = 120;
const MAX_ROWS = 500;
const MAX_DEPTH = 20;

const CLASSES: Readonly<Record<StoryTone, string>> = {
  agent: "agent",
  model: "model",
  thinking: "thinking",
  tool: "tool",
  memory: "memory",
  answer: "answer-block",
  note: "note",
  problem: "problem",
  verdict: "verdict",
};

function hash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** Nothing may be loaded, sent or run but what the page itself holds. */
export const POLICY = [
  "default-src 'none'",
  `style-src ${hash(STYLE)}`,
  `script-src ${hash(SCRIPT)}`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** Tells turns as one HTML file that needs nothing else; and in words what did not fit. */
export class HtmlWriter {
  readonly #story: Story;
  readonly #limits: HtmlLimits;
  #room: number;
  /** What the questions and answers of the turns to come will take. */
  #reserved: number;
  #blocks = 0;
  #texts = 0;
  #turns = 0;

  constructor(story: Story, limits: HtmlLimits = HTML_LIMITS) {
    this.#story = story;
    this.#limits = limits;
    this.#room = limits.whole;
    this.#reserved = story.turns.reduce((sum, turn) => sum + this.#coreSize(turn), 0);
  }

  /** In words, what was left out; empty when nothing was. Known once all pieces were taken. */
  get leftOut(): string {
    return joined(
      this.#turns > 0 ? counted(this.#turns, "turn") : "",
      this.#blocks > 0 ? counted(this.#blocks, "folded part") : "",
      this.#texts > 0 ? `the ends of ${counted(this.#texts, "text")}` : "",
    );
  }

  /** The page in pieces. */
  *pieces(): Generator<string, void, undefined> {
    const { turns, problems } = this.#story;
    const title = oneLine(turns.find(({ question }) => question !== "")?.question ?? "Trace", MAX_TITLE);
    yield head(title);
    if (turns.length > 1) yield contents(turns);
    if (problems.length > 0)
      yield `<div class="notes">${problems.map((text) => `<p>${html(text)}</p>`).join("")}</div>\n`;
    yield "<main>\n";
    for (const [at, turn] of turns.entries()) yield this.#turn(turn, at);
    yield "</main>\n";
    if (this.leftOut !== "")
      yield `<div class="notes" id="left-out"><p>Left out for its size: ${html(this.leftOut)}.</p></div>\n`;
    yield `<script>${SCRIPT}</script>\n</body>\n</html>\n`;
  }

  /** About what is always told of a turn. */
  #coreSize({ question, answer }: StoryTurn): number {
    const { text } = this.#limits;
    return 1.2 * (Math.min(question.length, text) + Math.min(answer.length, text)) + FRAME * 20;
  }

  #turn(turn: StoryTurn, at: number): string {
    this.#reserved -= this.#coreSize(turn);
    if (this.#room <= 0) {
      this.#turns += 1;
      return "";
    }
    const name = `turn-${at + 1}`;
    const core = [
      `<article id="${name}" aria-labelledby="${name}-question">`,
      `<h2 id="${name}-question" class="question">${html(this.#cut(turn.question)) || "(nothing)"}</h2>`,
      `<p class="dim">${html(moment(turn.time))} · <span${turn.failed ? ' class="failed"' : ""}>${html(turn.standing)}</span></p>`,
      turn.references.length === 0
        ? ""
        : `<p class="dim">Attached: ${html(turn.references.map(({ label }) => label).join(", "))}</p>`,
      "<h3>Answer</h3>",
      turn.answer === ""
        ? '<p class="dim">(none)</p>'
        : `<div class="answer">${markdownHtml(this.#cut(turn.answer))}</div>`,
      sources(turn),
      judgements(turn),
    ];
    const attached = turn.references.map(({ label, text }): StoryBlock => ({
      ...{ tone: "note", title: `Attached: ${label}`, summary: "", took: "", children: [] },
      parts: [{ kind: "text", label: "", text }],
    }));
    const steps = this.#blocksOf([...attached, ...turn.blocks], 0);
    const how = steps === "" ? "" : `<h3>How it came about</h3>\n${steps}`;
    const text = [...core.filter((part) => part !== ""), how, "<h3>Cost</h3>", facts(turn.cost)].join("\n");
    this.#room -= text.length - steps.length;
    return `${text}\n</article>\n`;
  }

  #blocksOf(blocks: readonly StoryBlock[], depth: number): string {
    return blocks.map((block) => this.#block(block, depth)).join("");
  }

  #block(block: StoryBlock, depth: number): string {
    const tookText = block.took === "" ? "" : `<span class="took">${html(block.took)}</span>`;
    const line = `<b>${html(block.title)}</b>${html(this.#cut(block.summary))}${tookText}`;
    const own = block.parts.map((part) => this.#part(part)).join("");
    if (own.length + line.length > this.#room - this.#reserved || depth > MAX_DEPTH) {
      this.#blocks += 1 + descendants(block);
      return "";
    }
    this.#room -= own.length + line.length + FRAME;
    const inner = this.#blocksOf(block.children, depth + 1);
    const className = CLASSES[block.tone];
    const body = own === "" ? "" : `<noscript class="body">${own}</noscript>`;
    const isOpen = block.tone === "agent" && depth === 0 ? " open" : "";
    return `<details class="${className}"${isOpen}><summary>${line}</summary>${body}${inner}</details>\n`;
  }

  #part(part: StoryPart): string {
    switch (part.kind) {
      case "markdown":
        return `<div class="answer">${markdownHtml(this.#cut(part.text))}</div>`;
      case "text":
        return part.text === ""
          ? ""
          : `${label(part.label)}<pre tabindex="0">${html(this.#cut(part.text))}</pre>`;
      case "facts":
        return facts(part.facts);
      case "table":
        return this.#table(part);
    }
  }

  #table({ label: name, head: names, rows }: Extract<StoryPart, { readonly kind: "table" }>): string {
    const shown = rows.slice(0, MAX_ROWS);
    if (shown.length < rows.length) this.#texts += 1;
    const heads = names.map((each) => `<th scope="col">${html(each)}</th>`).join("");
    const cells = shown.map(
      (row) => `<tr>${row.map((cell) => `<td>${html(this.#cut(cell))}</td>`).join("")}</tr>`,
    );
    return `${label(name)}<div class="wide" tabindex="0"><table><thead><tr>${heads}</tr></thead><tbody>${cells.join("")}</tbody></table></div>`;
  }

  #cut(text: string): string {
    if (text.length <= this.#limits.text) return text;
    this.#texts += 1;
    const kept = cutAtGrapheme(text, this.#limits.text);
    return `${kept}\n[cut: ${count(kept.length)} of ${count(text.length)} characters]`;
  }
}

/** About what stands around a block. */
const FRAME = 80;

function descendants(block: StoryBlock): number {
  return block.children.reduce((sum, child) => sum + 1 + descendants(child), 0);
}

function head(title: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${html(title)} - Conclave</title>
<style>${STYLE}</style>
</head>
<body>
<header class="page">
<h1>${html(title)}</h1>
<div class="buttons" hidden><button type="button" id="open-all">Open all</button><button type="button" id="close-all">Close all</button><button type="button" id="theme">Theme: automatic</button></div>
</header>
`;
}

function contents(turns: readonly StoryTurn[]): string {
  const lines = turns.map(
    ({ question }, at) =>
      `<li><a href="#turn-${at + 1}">${html(oneLine(question, MAX_TITLE)) || "(nothing)"}</a></li>`,
  );
  return `<nav aria-label="Turns"><h3>${html(counted(turns.length, "turn"))}</h3><ol>${lines.join("")}</ol></nav>\n`;
}

function label(text: string): string {
  return text === "" ? "" : `<p class="label">${html(text)}</p>`;
}

function facts(given: readonly (readonly [string, string])[]): string {
  const rows = given.filter(([, value]) => value !== "");
  return `<dl>${rows.map(([name, value]) => `<dt>${html(name)}</dt><dd>${html(value)}</dd>`).join("")}</dl>`;
}

function sources({ sources: given }: StoryTurn): string {
  if (given.length === 0) return "";
  const lines = given.slice(0, MAX_ROWS).map(({ uri, title }) => {
    const href = safeLink(uri);
    return href === undefined
      ? `<li>${html(title)}</li>`
      : `<li><a href="${html(href)}" rel="noopener noreferrer nofollow">${html(title)}</a></li>`;
  });
  return `<h3>Sources</h3>\n<ul>${lines.join("")}</ul>`;
}

function judgements({ judgements: lines }: StoryTurn): string {
  if (lines.length === 0) return "";
  return `<h3>Judged</h3>\n<ul>${lines.map((line) => `<li class="plain">${html(line)}</li>`).join("")}</ul>`;
}
