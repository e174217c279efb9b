import assert from "node:assert/strict";
import type { MemoryLine } from "../../../src/trace/panel-memory.ts";
import type { PanelMessage } from "../../../src/trace/panel-protocol.ts";
import { readMemory } from "../../../src/webview/memory/saved.ts";
import { MemoryState } from "../../../src/webview/memory/state.ts";
import { episodes, facts } from "../../browser/support/memories.ts";

type Said<Type extends PanelMessage["type"]> = Extract<PanelMessage, { readonly type: Type }>;

const FOUND = { searched: 9, dropped: 0, range: null, note: null };

function factLines(count: number): MemoryLine[] {
  return facts(count).map((row) => ({ table: "facts", row, cut: false }));
}

function episodeLines(count: number): MemoryLine[] {
  return episodes(count).map((row) => ({ table: "episodes", row, cut: false }));
}

describe("memory view: answers that come late", () => {
  let said: PanelMessage[];
  let memory: MemoryState;

  beforeEach(() => {
    said = [];
    const nothing = (): void => undefined;
    memory = new MemoryState(readMemory(undefined), (message) => said.push(message), nothing, nothing);
    memory.refresh();
  });

  function last<Type extends PanelMessage["type"]>(type: Type): Said<Type> {
    return said.findLast((message): message is Said<Type> => message.type === type)!;
  }

  function answerPage({ request, offset }: Said<"memory.page">, lines: readonly MemoryLine[]): void {
    memory.receive({ type: "memory.page", request, offset, total: lines.length, lines, failure: null });
  }

  it("are passed over when another table is looked at by then", () => {
    const first = last("memory.page");
    memory.show("facts");
    answerPage(first, episodeLines(5));
    assert.equal(memory.total, undefined);
    answerPage(last("memory.page"), factLines(3));
    assert.deepEqual([memory.total, memory.line(0)?.table], [3, "facts"]);
  });

  it("are passed over when they are to an older filter; the rows shown stay until the newest answer", () => {
    answerPage(last("memory.page"), episodeLines(5));
    memory.filterBy("bo");
    const older = last("memory.page");
    memory.filterBy("boat");
    answerPage(older, episodeLines(4));
    assert.deepEqual([memory.total, memory.waiting], [5, true]);
    answerPage(last("memory.page"), episodeLines(2));
    assert.deepEqual([memory.total, memory.waiting], [2, false]);
  });

  it("are passed over when they are to a ranked search that was switched off", () => {
    answerPage(last("memory.page"), episodeLines(5));
    memory.turn("ranked", true);
    memory.filterBy("boat");
    const { request } = last("memory.search");
    memory.turn("ranked", false);
    memory.receive({ type: "memory.hits", request, lines: episodeLines(1), found: FOUND, failure: null });
    assert.deepEqual([memory.found, memory.total], [null, 5]);
  });

  it("close the open row when it is gone, and leave it open when it only moved", () => {
    answerPage(last("memory.page"), episodeLines(5));
    const line = memory.line(3)!;
    memory.toggle(line, 3);
    memory.receive({ type: "memory.row", request: last("memory.row").request, line, failure: null });
    memory.refresh();
    answerPage(last("memory.page"), episodeLines(5).slice(1));
    assert.deepEqual(memory.tab.open, { id: line.row.id, index: 2 });
    assert.equal(memory.whole?.line?.row.id, line.row.id);
    memory.receive({ type: "memory.row", request: last("memory.row").request, line: null, failure: null });
    assert.deepEqual([memory.tab.open, memory.whole], [null, null]);
  });

  it("go to the editor that waits for them, and to no other", () => {
    memory.show("facts");
    answerPage(last("memory.page"), factLines(3));
    const line = memory.line(0)!;
    memory.edit(line, 0, "text");
    assert.equal(memory.editing.now?.where, "cell");
    memory.editing.save(line, "Other words");
    const { request } = last("memory.edit");
    memory.receive({ type: "memory.edited", request: request + 7, failure: null });
    assert.equal(memory.editing.now.saving, true);
    const failure = { code: "bad_input", message: "It is known already." } as const;
    memory.receive({ type: "memory.edited", request, failure });
    assert.deepEqual(
      [memory.editing.now.saving, memory.editing.now.problem],
      [false, "It is known already."],
    );
  });

  it("show what was remembered since at once, unless somebody is at work on a row: then it is offered", () => {
    answerPage(last("memory.page"), episodeLines(5));
    const asked = said.length;
    memory.grew();
    assert.deepEqual([said.length, memory.behind], [asked + 1, false]);
    answerPage(last("memory.page"), episodeLines(6));
    memory.choice.select(memory.line(1)!, 1);
    memory.grew();
    assert.deepEqual([said.length, memory.behind], [asked + 1, true]);
    memory.refresh();
    assert.deepEqual([said.length, memory.behind, memory.choice.count], [asked + 2, false, 1]);
  });

  it("bring what is recalled by some words, when a command asks for that", () => {
    memory.show("facts");
    memory.recall("the cache");
    assert.deepEqual([memory.table, memory.searches], ["episodes", true]);
    assert.equal(last("memory.search").query, "the cache");
  });
});
