import type TurndownService from "turndown";
import { oncePer } from "../../../agent/once-per.ts";
import { textOf } from "./dom.ts";

/** Signs between cells and rows until the table is put together; no page's text holds them (see `visibleText`). */
const CELL = "\u0001";
const ROW = "\u0002";
/** A cell with more text than this is a part of the page's layout, not a piece of data. */
const LONGEST_CELL = 600;

/**
 * Renders tables of data as Markdown tables, and tables that only lay out a page as the blocks in them. Rows are read
 * from the tree, because not every DOM knows `table.rows`.
 */
export function tables(service: TurndownService): void {
  const isOfLayout = oncePer(laysOut);
  const isLayout = (element: Element): boolean => {
    const table = element.closest("table");
    return table === null || isOfLayout(table);
  };
  service.addRule("cell", {
    filter: ["td", "th"],
    replacement: (content, node) => (isLayout(node) ? `\n\n${content}\n\n` : CELL + oneLine(content)),
  });
  service.addRule("row", {
    filter: "tr",
    replacement: (content, node) => (isLayout(node) ? content : ROW + content),
  });
  service.addRule("sections", { filter: ["thead", "tbody", "tfoot"], replacement: (content) => content });
  service.addRule("table", {
    filter: "table",
    replacement: (content, node) => `\n\n${isLayout(node) ? content : drawTable(content)}\n\n`,
  });
}

function laysOut(table: Element): boolean {
  if (table.querySelector("table") || table.getAttribute("role") === "presentation") return true;
  const cells = [...table.querySelectorAll("td,th")];
  if (cells.some((cell) => textOf(cell).length > LONGEST_CELL || cell.querySelector("pre,h1,h2,h3")))
    return true;
  const rows = [...table.querySelectorAll("tr")];
  return rows.every((row) => row.querySelectorAll("td,th").length < 2);
}

/** Turns marked rows and cells into a Markdown table; the first row is the heading, as Markdown wants one. */
function drawTable(content: string): string {
  const [before = "", ...marked] = content.split(ROW);
  const rows = marked
    .map((row) => row.split(CELL).slice(1))
    .filter((cells) => cells.some((cell) => cell !== ""));
  const width = Math.max(0, ...rows.map((cells) => cells.length));
  const [head, ...rest] = rows.map((cells) => line(cells, width));
  if (head === undefined) return before.trim();
  const rule = line(
    Array.from({ length: width }, () => "---"),
    width,
  );
  const caption = before.replaceAll(CELL, " ").trim();
  return [...(caption === "" ? [] : [caption, ""]), head, rule, ...rest].join("\n");
}

function line(cells: readonly string[], width: number): string {
  const padded = Array.from({ length: width }, (_, index) => cells[index] ?? "");
  return `| ${padded.join(" | ")} |`;
}

function oneLine(content: string): string {
  return content.replace(/\s+/g, " ").trim().replaceAll("|", "\\|");
}
