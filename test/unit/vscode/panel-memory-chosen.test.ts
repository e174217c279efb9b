import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isLineOf } from "../../../src/vscode/panel/memory/chosen.ts";
import { facts, moments, withMemories } from "../../browser/support/memories.ts";
import { PanelBed } from "../trace/support/panel-bed.ts";

describe("panel host: all rows that match", () => {
  let bed: PanelBed;

  beforeEach(async () => {
    bed = await PanelBed.create();
    withMemories(bed);
    bed.memory.rows = { ...bed.memory.rows, facts: facts(450) };
    await bed.ready();
  });

  afterEach(async () => {
    await bed.close();
  });

  const sort = { column: "updatedAt", ascending: false } as const;
  const matching = (filter: string) =>
    ({
      by: "matching",
      query: { table: "facts", filter, sort, here: false, onlyCurrent: false },
    }) as const;

  it("are forgotten after a question that names how many there are, those too that no page has shown", async () => {
    await bed.host.receive({ type: "memory.forget", what: matching("") });
    assert.match(bed.confirmed[0] ?? "", /^Forget 450 facts for good\?/);
    const ids = bed.memory.forgets.flatMap((what) => (what.by === "ids" ? what.ids : []));
    assert.equal(new Set(ids).size, 450);
    assert.equal(bed.posted("memory.changed").length, 1);
  });

  it("stay on no, and nobody is asked when nothing matches", async () => {
    bed.answerConfirm = false;
    await bed.host.receive({ type: "memory.forget", what: matching("") });
    assert.deepEqual(bed.memory.forgets, []);
    await bed.host.receive({ type: "memory.forget", what: matching("zanzibar") });
    assert.equal(bed.confirmed.length, 1);
    assert.equal(bed.posted("memory.told").at(-1)?.text, "Nothing matches any more.");
  });

  it("are pinned, each of them", async () => {
    await bed.host.receive({ type: "memory.pin", what: matching("") });
    assert.match(bed.confirmed[0] ?? "", /^Pin 450 facts\?/);
    assert.equal(bed.posted("memory.told").at(-1)?.text, "Pinned: 450 facts.");
  });

  it("are moments too: pinned, and forgotten, only those of the time that is shown", async () => {
    bed.memory.rows = { ...bed.memory.rows, moments: moments(300) };
    const { from } = bed.memory.rows.moments[199]!;
    const query = { table: "moments", filter: "", here: false, onlyCurrent: false, from };
    const what = { by: "matching", query: { ...query, sort: { column: "time", ascending: false } } };
    await bed.host.receive({ type: "memory.pin", what });
    assert.equal(bed.posted("memory.told").at(-1)?.text, "Pinned: 200 moments.");
    await bed.host.receive({ type: "memory.forget", what });
    assert.equal(bed.posted("memory.told").at(-1)?.text, "Forgotten: 200 moments.");
    assert.ok(bed.memory.rows.moments.every((row) => row.to < from && row.pinned !== true));
    assert.equal(bed.memory.rows.moments.length, 100);
  });

  describe("are exported", () => {
    let file: string;

    beforeEach(() => {
      file = join(bed.folder, "chosen.jsonl");
      bed.file = file;
    });

    const lines = async (): Promise<{ table: string; row: { id: string; episodeId?: string } }[]> =>
      (await readFile(file, "utf8"))
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as { table: string; row: { id: string; episodeId?: string } });

    it("after a question that names how many, those too that no page has shown, and nothing else", async () => {
      await bed.host.receive({ type: "memory.export", what: matching("") });
      assert.match(bed.confirmed[0] ?? "", /^Export 450 facts\?/);
      const written = await lines();
      assert.deepEqual([...new Set(written.map(({ table }) => table))], ["facts"]);
      assert.equal(new Set(written.map(({ row }) => row.id)).size, 450);
      assert.match(bed.posted("memory.told").at(-1)?.text ?? "", /^Exported 450 facts to /);
    });

    it("as those few that were chosen by hand", async () => {
      const [one, two] = bed.memory.rows.facts;
      const ids = [one!.id, two!.id];
      await bed.host.receive({ type: "memory.export", what: { by: "ids", table: "facts", ids } });
      assert.deepEqual((await lines()).map(({ row }) => row.id).sort(), [...ids].sort());
    });

    it("not at all on no: no file appears", async () => {
      bed.answerConfirm = false;
      await bed.host.receive({ type: "memory.export", what: matching("") });
      assert.deepEqual(
        (await readdir(bed.folder)).filter((name) => name.startsWith("chosen")),
        [],
      );
    });
  });
});

describe("A line of an export", () => {
  const line = (table: string, row: object): string => JSON.stringify({ table, row });

  it("belongs to chosen episodes when it is one of them, or was noted of one", () => {
    const isOurs = isLineOf("episodes", new Set(["e1"]));
    assert.equal(isOurs(line("episodes", { id: "e1" })), true);
    assert.equal(isOurs(line("annotations", { id: "a1", episodeId: "e1" })), true);
    assert.equal(isOurs(line("episodes", { id: "e2" })), false);
    assert.equal(isOurs(line("annotations", { id: "e1", episodeId: "e2" })), false);
  });

  it("belongs to no row of another table with the same id, nor does a row without one", () => {
    const isOurs = isLineOf("facts", new Set(["x"]));
    assert.equal(isOurs(line("people", { id: "x" })), false);
    assert.equal(isOurs(line("annotations", { id: "a", episodeId: "x" })), false);
    assert.equal(isOurs(line("facts", {})), false);
  });
});
