import { cutAtGrapheme } from "../../../agent/text.ts";
import { safeLink } from "../../links.ts";
import type { Story, StoryBlock, StoryPart, StoryTurn } from "../story/types.ts";
import { count, counted, joined, moment } from "../story/words.ts";
import { fenced, inHtml, inline, quoted, withoutIssueAddresses } from "./escape.ts";
import { foreignMarkdown } from "./foreign.ts";

/** How much Markdown may be, in UTF-16 units. */
export interface MarkdownLimits {
  /** All of it: pull requests and issues take 65,536. */
  readonly whole: number;
  /** One folded text. */
  readonly text: number;
  /** One question or answer. */
  readonly answer: number;
}

/** What fits the body of a pull request or an issue. */
export const MARKDOWN_LIMITS: MarkdownLimits = { whole: 60_000, text: 4_000, answer: 20_000 };

/** What is kept free for the line that says what was left out. */
const RESERVE = 200;
const MAX_ROWS = 20;
const MAX_CELL = 200;
const MAX_JUDGEMENTS = 12;
const FIRST_JUDGEMENTS = 4;
const MAX_JUDGEMENT = 1_000;
const MAX_DEPTH = 8;
const MAX_SUMMARY = 600;

/** A story as Markdown, and in words what did not fit; empty when all of it did. */
export interface WrittenMarkdown {
  readonly text: string;
  readonly leftOut: string;
}

/**
 * Tells turns as Markdown for a pull request or an issue: question, answer and cost of every turn first, then as many of
 * the folded details as there is room for. Nothing of a turn can end its place, run or load anything.
 */
export function writeMarkdown(story: Story, limits: MarkdownLimits = MARKDOWN_LIMITS): WrittenMarkdown {
  const writer = new Writer(limits);
  const cores = story.turns.map((turn) => writer.core(turn));
  const kept = writer.fit(cores.map(({ length }) => length));
  const details = story.turns.slice(0, kept).map((turn) => writer.details(turn));
  const parts = story.turns.slice(0, kept).flatMap((_, at) => {
    const { head = "", foot = "" } = cores[at] ?? {};
    const inner = details[at] ?? "";
    return inner === "" ? [head, foot] : [head, inner, foot];
  });
  const leftOut = writer.leftOut(story.turns.length - kept);
  const notes = [...story.problems, ...(leftOut === "" ? [] : [`Left out for its length: ${leftOut}.`])];
  const tail = notes.map((note) => `_${inline(note)}_`);
  return { text: `${[...parts, ...tail].join("\n\n")}\n`, leftOut };
}

class Writer {
  readonly #limits: MarkdownLimits;
  #room: number;
  #blocks = 0;
  #texts = 0;

  constructor(limits: MarkdownLimits) {
    this.#limits = limits;
    this.#room = limits.whole - RESERVE;
  }

  /** How many turns fit with what is always told of them. */
  fit(lengths: readonly number[]): number {
    let kept = 0;
    for (const length of lengths) {
      if (length > this.#room) break;
      this.#room -= length + 4;
      kept += 1;
    }
    return kept;
  }

  leftOut(turns: number): string {
    return joined(
      turns > 0 ? counted(turns, "turn") : "",
      this.#blocks > 0 ? counted(this.#blocks, "folded part") : "",
      this.#texts > 0 ? `the ends of ${counted(this.#texts, "text")}` : "",
    );
  }

  core(turn: StoryTurn): { readonly head: string; readonly foot: string; readonly length: number } {
    const head = [
      "### Question",
      quoted(foreignMarkdown(this.#cut(turn.question, this.#limits.answer)) || "(nothing)"),
      ...(turn.references.length === 0
        ? []
        : [`Attached: ${turn.references.map(({ label }) => inline(label)).join(", ")}`]),
      "### Answer",
      quoted(turn.answer === "" ? "(none)" : foreignMarkdown(this.#cut(turn.answer, this.#limits.answer))),
      ...sources(turn),
      ...(turn.judgements.length === 0 ? [] : [this.#judgements(turn)]),
    ].join("\n\n");
    const foot = `<sub>${inline(this.#cut(costLine(turn), MAX_JUDGEMENT))}</sub>`;
    return { head, foot, length: head.length + foot.length };
  }

  #judgements({ judgements }: StoryTurn): string {
    // Grade and feedback stand first; of many verdicts the latest are told.
    const [first, rest] = [judgements.slice(0, FIRST_JUDGEMENTS), judgements.slice(FIRST_JUDGEMENTS)];
    const shown = [...first, ...rest.slice(-(MAX_JUDGEMENTS - FIRST_JUDGEMENTS))];
    return shown.map((line) => `- ${inline(this.#cut(line, MAX_JUDGEMENT))}`).join("\n");
  }

  details(turn: StoryTurn): string {
    const attached = turn.references.map(({ label, text }): StoryBlock => ({
      ...{ tone: "note", title: `Attached: ${label}`, summary: "", took: "", children: [] },
      parts: [{ kind: "text", label: "", text }],
    }));
    return this.#blocksOf([...attached, ...turn.blocks], 0);
  }

  #blocksOf(blocks: readonly StoryBlock[], depth: number): string {
    return blocks
      .map((block) => this.#block(block, depth))
      .filter((text) => text !== "")
      .join("\n\n");
  }

  #block(block: StoryBlock, depth: number): string {
    const line = joined(block.summary.slice(0, MAX_SUMMARY), block.took);
    const summary = `<summary><b>${inHtml(block.title)}</b> ${inHtml(line)}</summary>`;
    const frame = `<details>\n${summary}\n\n\n\n</details>`;
    const inner = block.parts.map((part) => this.#part(part)).filter((text) => text !== "");
    const own = inner.join("\n\n");
    if (frame.length + own.length > this.#room || depth > MAX_DEPTH) {
      this.#blocks += 1 + descendants(block);
      return "";
    }
    this.#room -= frame.length + own.length + 8;
    const children = this.#blocksOf(block.children, depth + 1);
    const body = [own, children].filter((text) => text !== "").join("\n\n");
    return body === ""
      ? `**${inline(block.title)}** ${inline(line)}`.trimEnd()
      : `<details>\n${summary}\n\n${body}\n\n</details>`;
  }

  #part(part: StoryPart): string {
    switch (part.kind) {
      case "markdown":
        return quoted(foreignMarkdown(this.#cut(part.text, this.#limits.text)));
      case "text": {
        if (part.text === "") return "";
        const text = fenced(this.#cut(part.text, this.#limits.text), part.json === true ? "json" : "text");
        return part.label === "" ? text : `${inline(part.label)}:\n\n${text}`;
      }
      case "facts":
        return part.facts.map(([name, value]) => `${inline(name)}: ${inline(value)}`).join(", ");
      case "table":
        return this.#table(part);
    }
  }

  #table({ label, head, rows }: Extract<StoryPart, { readonly kind: "table" }>): string {
    const cells = (row: readonly string[]): string =>
      `| ${row.map((cell) => inline(this.#cut(cell, MAX_CELL))).join(" | ")} |`;
    const shown = rows.slice(0, MAX_ROWS);
    if (rows.length > shown.length) this.#texts += 1;
    const lines = [cells(head), `|${" --- |".repeat(head.length)}`, ...shown.map(cells)];
    return [...(label === "" ? [] : [`${inline(label)}:`, ""]), ...lines].join("\n");
  }

  #cut(text: string, limit: number): string {
    if (text.length <= limit) return text;
    this.#texts += 1;
    const kept = cutAtGrapheme(text, limit);
    return `${kept}\n[cut: ${count(kept.length)} of ${count(text.length)} characters]`;
  }
}

function descendants(block: StoryBlock): number {
  return block.children.reduce((sum, child) => sum + 1 + descendants(child), 0);
}

function sources({ sources: given }: StoryTurn): readonly string[] {
  if (given.length === 0) return [];
  const lines = given.slice(0, MAX_ROWS).map(({ uri, title }) => {
    const href = safeLink(uri);
    return href === undefined ? `- ${inline(title)}` : `- [${inline(title)}](<${encodeHref(href)}>)`;
  });
  return [["Sources:", "", ...lines].join("\n")];
}

function encodeHref(href: string): string {
  return withoutIssueAddresses(href).replace(/[<>\\()`\s]/g, (sign) =>
    encodeURIComponent(sign).replace(/[()]/g, escapeBracket),
  );
}

function escapeBracket(sign: string): string {
  return sign === "(" ? "%28" : "%29";
}

function costLine(turn: StoryTurn): string {
  const cost = turn.cost.filter(([, value]) => value !== "").map(([name, value]) => `${name}: ${value}`);
  return joined(`Conclave, ${moment(turn.time)}`, turn.standing, ...cost);
}
