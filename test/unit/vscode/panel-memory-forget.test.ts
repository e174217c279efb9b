import assert from "node:assert/strict";
import { failure } from "../../../src/agent/failure.ts";
import { forgetQuestion, forgottenInWords } from "../../../src/vscode/panel/memory/words.ts";
import { facts, withMemories } from "../../browser/support/memories.ts";
import { PanelBed } from "../trace/support/panel-bed.ts";

const NONE = { episodes: 0, facts: 0, people: 0, relationships: 0, resources: 0 };

describe("panel host: forgetting", () => {
  let bed: PanelBed;

  beforeEach(async () => {
    bed = await PanelBed.create();
    withMemories(bed);
    await bed.ready();
  });

  afterEach(async () => {
    await bed.close();
  });

  function told(): readonly string[] {
    return bed.posted("memory.told").map(({ text }) => text);
  }

  it("asks first and names what goes; on no, everything stays", async () => {
    bed.answerConfirm = false;
    const ids = facts(2).map(({ id }) => id);
    await bed.host.receive({ type: "memory.forget", what: { by: "ids", table: "facts", ids } });
    assert.match(
      bed.confirmed[0] ?? "",
      /^Forget 2 facts for good\?\n• fact: Mira owns the staging database\n/,
    );
    assert.match(bed.confirmed[0] ?? "", /can't be brought back/);
    assert.deepEqual(bed.memory.forgets, []);
    assert.deepEqual(bed.posted("memory.changed"), []);
    assert.equal(bed.posted("memory.work").at(-1)?.work, null);
  });

  it("forgets what was named after a yes, says what went, and shows the tables anew", async () => {
    const ids = facts(2).map(({ id }) => id);
    await bed.host.receive({ type: "memory.forget", what: { by: "ids", table: "facts", ids } });
    assert.deepEqual(bed.memory.forgets, [{ by: "ids", table: "facts", ids }]);
    assert.deepEqual(told(), ["Forgotten: 2 facts."]);
    assert.equal(bed.posted("memory.changed").length, 1);
  });

  it("forgets all about a name in every table, in this workspace alone when that is what is shown", async () => {
    bed.scopes = ["here"];
    const about = { by: "about", about: "Mira", here: true };
    await bed.host.receive({ type: "memory.forget", what: about });
    assert.deepEqual(bed.memory.forgets[0], { by: "about", about: "Mira", scopes: ["here"] });
    assert.match(bed.confirmed[0] ?? "", /12 episodes, 8 facts, 1 name and 1 relationship/);
    assert.match(bed.confirmed[0] ?? "", /text of these turns goes from the trace too/);
  });

  it("asks nothing when nothing would go", async () => {
    const what = { by: "about", about: "Zanzibar", here: false };
    await bed.host.receive({ type: "memory.forget", what });
    assert.deepEqual(bed.confirmed, []);
    assert.deepEqual(told(), ["Nothing in memory mentions “Zanzibar”."]);
  });

  it("does one long thing at a time, and stops it when asked to", async () => {
    let release = (): void => undefined;
    bed.memory.gate = () => new Promise((resolve) => (release = resolve));
    const forgetting = bed.next("memory.work", ({ work }) => work?.what === "forgetting");
    const what = { by: "about", about: "Mira", here: false };
    const first = bed.host.receive({ type: "memory.forget", what });
    await forgetting;
    await bed.host.receive({ type: "memory.forget", what });
    assert.match(told().at(-1) ?? "", /Wait until/);
    await bed.host.receive({ type: "memory.cancel" });
    release();
    await first;
    assert.equal(told().at(-1), "Cancelled.");
    assert.equal(bed.memory.rows.people.length, 5);
    assert.deepEqual(bed.posted("notice"), []);
  });

  it("goes on while the panel is hidden, and says how it stands when it is back", async () => {
    let release = (): void => undefined;
    bed.memory.gate = () => new Promise((resolve) => (release = resolve));
    const forgetting = bed.next("memory.work", ({ work }) => work?.what === "forgetting");
    const what = { by: "about", about: "Mira", here: false };
    const done = bed.host.receive({ type: "memory.forget", what });
    await forgetting;
    bed.host.sleep();
    const again = bed.next("memory.work");
    await bed.host.receive({ type: "ready", selected: null });
    assert.equal((await again).work?.what, "forgetting");
    release();
    await done;
    assert.equal(bed.memory.rows.people.length, 4);
    assert.match(told().at(-1) ?? "", /^Forgotten: /);
  });

  it("says what went wrong where the panel says such things", async () => {
    bed.memory.failure = failure("memory_unavailable", "The disk is full.");
    const what = { by: "about", about: "Mira", here: false };
    await bed.host.receive({ type: "memory.forget", what });
    assert.equal(bed.posted("notice")[0]?.failure.message, "The disk is full.");
  });
});

describe("forgetting in words", () => {
  it("counts each table in words, and names a dozen of many", () => {
    const samples = Array.from({ length: 20 }, (_, n) => ({ table: "facts" as const, text: `fact\n${n}` }));
    const asked = forgetQuestion({ counts: { ...NONE, facts: 1200, people: 1 }, samples });
    assert.equal(asked.message, "Forget 1,200 facts and 1 name for good?");
    assert.equal(asked.detail.split("\n").filter((line) => line.startsWith("• fact: fact ")).length, 12);
    assert.match(asked.detail, /\nand 1,189 more\n/);
    assert.doesNotMatch(asked.detail, /trace/);
  });

  it("says what went, or that it was gone already", () => {
    const counts = { ...NONE, episodes: 1, relationships: 2 };
    assert.equal(
      forgottenInWords({ removed: 3, counts, turns: [] }),
      "Forgotten: 1 episode and 2 relationships.",
    );
    assert.match(forgottenInWords({ removed: 0, counts: NONE, turns: [] }), /gone already/);
  });
});
