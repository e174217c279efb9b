import assert from "node:assert/strict";
import { facts, withMemories } from "../../browser/support/memories.ts";
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
});
