import assert from "node:assert/strict";
import { failure } from "../../../src/agent/failure.ts";
import type { MemoryTable } from "../../../src/agent/memory/types.ts";
import { MAX_MESSAGE_BYTES, MEMORY_PAGE } from "../../../src/trace/panel-limits.ts";
import { episodes, facts, people, withMemories } from "../../browser/support/memories.ts";
import { PanelBed } from "../trace/support/panel-bed.ts";

const SORTS = {
  episodes: "time",
  facts: "updatedAt",
  people: "updatedAt",
  relationships: "updatedAt",
  resources: "indexedAt",
  moments: "time",
} as const;

function query(table: MemoryTable, more: object = {}) {
  const sort = { column: SORTS[table], ascending: false };
  return { table, filter: "", sort, here: false, onlyCurrent: false, ...more };
}

describe("panel host: memory", () => {
  let bed: PanelBed;

  beforeEach(async () => {
    bed = await PanelBed.create();
    await bed.ready();
  });

  afterEach(async () => {
    await bed.close();
  });

  async function page(table: MemoryTable, more: object = {}, offset = 0) {
    await bed.host.receive({ type: "memory.page", request: 7, query: query(table, more), offset });
    return bed.posted("memory.page").at(-1)!;
  }

  for (const table of Object.keys(SORTS) as MemoryTable[]) {
    it(`gives the table of ${table}, with its filter and order`, async () => {
      withMemories(bed);
      const all = await page(table);
      assert.equal(all.request, 7);
      assert.equal(all.failure, null);
      assert.equal(all.total, bed.memory.rows[table].length);
      assert.ok(all.lines.length > 0 && all.lines.every((line) => line.table === table));
      const none = await page(table, { filter: "no such words" });
      assert.deepEqual([none.total, none.lines.length], [0, 0]);
      const up = await page(table, { sort: { column: SORTS[table], ascending: true } });
      assert.equal(up.lines[0]?.row.id, all.lines.at(-1)?.row.id);
    });
  }

  it("narrows moments to those whose time touches the one asked for, with the name of the folder of each", async () => {
    bed.scopes = ["here"];
    bed.place = "harbour-app";
    withMemories(bed);
    const all = bed.memory.rows.moments;
    const [from, to] = [all[3]!.from, all[2]!.to];
    const got = await page("moments", { from, to });
    assert.deepEqual(
      got.lines.map(({ row, place }) => [row.id, place]),
      [
        [all[2]!.id, "harbour-app"],
        [all[3]!.id, undefined],
        [all[4]!.id, "harbour-app"],
      ],
    );
    assert.equal((await page("moments", { from: all[1]!.to + 1 })).total, 0);
    bed.memory.asked.length = 0;
    await bed.host.receive({ type: "memory.page", request: 8, query: query("facts", { from }), offset: 0 });
    assert.deepEqual(bed.memory.asked, [], "no other table is asked for a time");
  });

  it("asks memory for one page of a hundred thousand rows, and for no more", async () => {
    bed.memory.episodes = episodes(100_000);
    const got = await page("episodes", {}, 70_000);
    assert.deepEqual([got.total, got.lines.length, got.offset], [100_000, MEMORY_PAGE, 70_000]);
    assert.deepEqual(
      bed.memory.asked.map(({ offset, limit }) => [offset, limit]),
      [[70_000, MEMORY_PAGE]],
    );
  });

  it("narrows to the workspace only where there is one, and leaves out what no longer holds when asked to", async () => {
    withMemories(bed);
    assert.equal((await page("facts", { here: true })).total, 24);
    bed.scopes = ["here"];
    assert.equal((await page("facts", { here: true })).total, 12);
    assert.equal((await page("facts", { onlyCurrent: true })).total, 18);
  });

  it("cuts long texts to a line and says so, and posts no page too large, whatever the signs", async () => {
    const long = "\u0001\u0002 signs ".repeat(40_000);
    bed.memory.episodes = episodes(MEMORY_PAGE).map((row) => ({ ...row, question: long, answer: long }));
    const got = await page("episodes");
    assert.equal(got.lines.length, MEMORY_PAGE);
    assert.ok(got.lines.every((line) => line.cut));
    assert.ok(Buffer.byteLength(JSON.stringify(got)) < MAX_MESSAGE_BYTES);
    const { id } = bed.memory.episodes[3]!;
    await bed.host.receive({ type: "memory.row", request: 8, query: query("episodes"), id, offset: 3 });
    assert.ok(Buffer.byteLength(JSON.stringify(bed.posted("memory.row")[0])) < MAX_MESSAGE_BYTES);
  });

  it("gives a row whole when it is opened, also when rows came before it since", async () => {
    const text = "a line\nand another\n".repeat(300);
    bed.memory.episodes = episodes(40).map((row) => ({ ...row, answer: text }));
    const { id } = bed.memory.episodes[9]!;
    for (const offset of [9, 2]) {
      await bed.host.receive({ type: "memory.row", request: 9, query: query("episodes"), id, offset });
      const got = bed.posted("memory.row").at(-1);
      assert.ok(got?.line?.table === "episodes");
      assert.deepEqual([got.line.row.answer, got.line.cut], [text, false]);
    }
  });

  it("says that a row is gone when somebody else has forgotten it", async () => {
    bed.memory.episodes = episodes(3);
    const { id } = episodes(9)[8]!;
    await bed.host.receive({ type: "memory.row", request: 1, query: query("episodes"), id, offset: 2 });
    assert.deepEqual(bed.posted("memory.row"), [
      { type: "memory.row", request: 1, line: null, failure: null },
    ]);
  });

  it("ranks episodes as the model's own search does, with what every value is made of", async () => {
    withMemories(bed);
    bed.memory.dropped = 4;
    bed.memory.note = "full-text search only";
    await bed.host.receive({ type: "memory.search", request: 3, query: "boat pier", here: false });
    const got = bed.posted("memory.hits")[0];
    const first = got?.lines[0];
    assert.ok(first?.table === "episodes" && first.score !== undefined);
    assert.match(first.row.question, /boat/);
    assert.equal(first.score.parts["text"], 1);
    assert.ok("recency" in first.score.parts);
    assert.deepEqual(got?.found, { searched: 60, dropped: 4, range: null, note: "full-text search only" });
    const { id } = first.row;
    await bed.host.receive({ type: "memory.row", request: 4, query: query("episodes"), id, offset: 0 });
    assert.deepEqual(bed.posted("memory.row")[0]?.line?.score, first.score);
  });

  it("keeps what the user wrote, and says when there is nothing left to change", async () => {
    bed.memory.rows = { ...bed.memory.rows, facts: facts(3), people: people() };
    const { id } = bed.memory.rows.facts[1]!;
    const edit = { table: "facts", id, text: " The user likes long answers ", confidence: 0.9 };
    await bed.host.receive({ type: "memory.edit", request: 5, edit });
    assert.deepEqual(bed.posted("memory.edited")[0], { type: "memory.edited", request: 5, failure: null });
    assert.equal(bed.memory.rows.facts[1]?.text, "The user likes long answers");
    const gone = { ...edit, id: facts(9)[8]!.id };
    await bed.host.receive({ type: "memory.edit", request: 6, edit: gone });
    assert.match(bed.posted("memory.edited")[1]?.failure?.message ?? "", /not in memory any more/);
  });

  it("drops edits that no row can hold", async () => {
    const { id } = facts(1)[0]!;
    for (const edit of [
      { table: "moments", id, title: " " },
      { table: "moments", id, text: "x".repeat(10_001) },
      { table: "moments", id, from: 4 },
      { table: "facts", id, text: "   " },
      { table: "facts", id, confidence: 7 },
      { table: "facts", id, kind: "secret" },
      { table: "resources", id, title: "x" },
      { table: "facts", id, validTo: 4 },
    ])
      await bed.host.receive({ type: "memory.edit", request: 1, edit });
    assert.deepEqual(bed.memory.edits, []);
  });

  it("says in the view when the store is not there, and never why in a stack's words", async () => {
    bed.memory.failure = failure("memory_unavailable", "Memory is off. Answers still work.", {
      action: "open_settings",
      cause: "Error: at /secret/path",
    });
    const got = await page("facts");
    assert.deepEqual(got.failure, {
      code: "memory_unavailable",
      message: "Memory is off. Answers still work.",
      action: "open_settings",
    });
    await bed.host.receive({ type: "memory.search", request: 1, query: "x", here: false });
    assert.equal(bed.posted("memory.hits")[0]?.failure?.code, "memory_unavailable");
  });
});
