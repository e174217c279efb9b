import assert from "node:assert/strict";
import { MEMORY_PAGE } from "../../../src/trace/panel-limits.ts";
import type { MemoryLine } from "../../../src/trace/panel-memory.ts";
import { Pages } from "../../../src/webview/memory/pages.ts";
import { Selection } from "../../../src/webview/memory/selection.ts";
import { facts } from "../../browser/support/memories.ts";

const TOTAL = 100_000;

function linesOf(page: number): MemoryLine[] {
  const base = facts(1)[0]!;
  return Array.from({ length: MEMORY_PAGE }, (_, n) => {
    const row = { ...base, id: `row ${page * MEMORY_PAGE + n}` };
    return { table: "facts", row, cut: false };
  });
}

describe("memory view: pages of a long table", () => {
  let asked: number[];
  let pages: Pages;

  beforeEach(() => {
    asked = [];
    pages = new Pages((page) => asked.push(page));
  });

  function answer(page: number): void {
    pages.take(page, linesOf(page), TOTAL);
  }

  it("asks for what is in sight, once", () => {
    pages.need(0, 0);
    pages.need(0, 30);
    assert.deepEqual(asked, [0]);
    answer(0);
    pages.need(60, 130);
    assert.deepEqual(asked, [0, 1]);
    assert.equal(pages.line(5)?.row.id, "row 5");
    assert.equal(pages.line(105), undefined);
  });

  it("asks for two pages at a time, and then for those in sight by then: not for all that went by", () => {
    for (let row = 0; row < TOTAL; row += 50) pages.need(row, row + 40);
    assert.equal(asked.length, 2);
    answer(asked[0]!);
    answer(asked[1]!);
    assert.deepEqual(asked.slice(2), [999]);
  });

  it("holds two thousand rows at most, those nearest to what is in sight", () => {
    for (let page = 0; page < 200; page += 1) {
      pages.need(page * MEMORY_PAGE, page * MEMORY_PAGE + 40);
      answer(page);
    }
    const held = Array.from({ length: 200 }, (_, page) => pages.line(page * MEMORY_PAGE)).filter(Boolean);
    assert.ok(held.length <= 20 && held.length > 10);
    assert.ok(pages.line(199 * MEMORY_PAGE) !== undefined);
    assert.equal(pages.line(0), undefined);
  });

  it("shows what it has until newer rows come, when everything is out of date", () => {
    pages.need(0, 0);
    answer(0);
    pages.stale();
    assert.deepEqual(asked, [0, 0]);
    assert.equal(pages.line(3)?.row.id, "row 3");
  });

  it("does not ask again and again for what can't be had", () => {
    pages.need(0, 0);
    pages.fail(0);
    pages.need(0, 0);
    assert.deepEqual([asked, pages.total], [[0], 0]);
  });

  it("asks for nothing beyond the end", () => {
    pages.need(0, 0);
    pages.take(0, linesOf(0).slice(0, 10), 10);
    pages.need(0, 300);
    assert.deepEqual(asked, [0]);
  });
});

describe("memory view: selection", () => {
  it("takes a range from where it began, and no more than can be forgotten at once", () => {
    const selection = new Selection();
    selection.toggle("row 4", 4);
    selection.extendTo(7, (index) => `row ${index}`);
    assert.deepEqual(selection.list(), ["row 4", "row 5", "row 6", "row 7"]);
    selection.extendTo(2, (index) => (index === 3 ? undefined : `row ${index}`));
    assert.deepEqual([selection.has("row 2"), selection.has("row 3")], [true, false]);
    selection.extendTo(50_000, (index) => `row ${index}`);
    assert.equal(selection.size, 1000);
    selection.toggle("row 4", 4);
    assert.equal(selection.has("row 4"), false);
  });
});
