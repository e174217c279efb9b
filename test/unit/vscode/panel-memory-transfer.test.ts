import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { failure } from "../../../src/agent/failure.ts";
import { exportTo, importFrom } from "../../../src/vscode/panel/memory/transfer.ts";
import { facts, withMemories } from "../../browser/support/memories.ts";
import { PanelBed } from "../trace/support/panel-bed.ts";

const NOBODY = new AbortController().signal;
const nothing = (): void => undefined;

describe("panel host: export and import of memory", () => {
  let bed: PanelBed;
  let file: string;

  beforeEach(async () => {
    bed = await PanelBed.create();
    file = join(bed.folder, "memory.jsonl");
    bed.file = file;
    await bed.ready();
  });

  afterEach(async () => {
    await bed.close();
  });

  async function exists(): Promise<boolean> {
    return (await readdir(bed.folder)).some((name) => name.startsWith("memory.jsonl"));
  }

  function told(): string | undefined {
    return bed.posted("memory.told").at(-1)?.text;
  }

  it("exports every row as a line of JSON, page by page, and says how many", async () => {
    withMemories(bed, 120);
    await bed.host.receive({ type: "memory.export" });
    const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
    assert.equal(lines.length, 120 + 24 + 5 + 3 + 3 + 6);
    assert.equal((JSON.parse(lines[0]!) as { readonly table: string }).table, "episodes");
    assert.match(told() ?? "", /^Exported 161 rows to /);
    const work = bed.posted("memory.work").map((message) => message.work?.what);
    assert.deepEqual([work[1], work.at(-1)], ["exporting", undefined]);
  });

  it("leaves no half of a file behind when it is cancelled, and none where one was before", async () => {
    withMemories(bed, 120);
    await writeFile(file, "an older export");
    const abort = new AbortController();
    const done = await exportTo(file, bed.memory, () => abort.abort(), abort.signal);
    assert.equal(done.ok, false);
    assert.equal(await readFile(file, "utf8"), "an older export");
    assert.deepEqual(
      (await readdir(bed.folder)).filter((name) => name.endsWith(".part")),
      [],
    );
  });

  it("says what went wrong, in words, when it can't be written", async () => {
    bed.file = join(bed.folder, "no", "such", "folder.jsonl");
    await bed.host.receive({ type: "memory.export" });
    assert.match(bed.posted("notice")[0]?.failure.message ?? "", /could not be written to /);
    bed.file = file;
    bed.memory.failure = failure("memory_unavailable", "The store is locked.");
    await bed.host.receive({ type: "memory.export" });
    assert.equal(bed.posted("notice")[1]?.failure.message, "The store is locked.");
    assert.equal(await exists(), false);
  });

  it("does nothing when the user backs out of the dialog", async () => {
    bed.file = undefined;
    await bed.host.receive({ type: "memory.export" });
    await bed.host.receive({ type: "memory.import" });
    assert.deepEqual(bed.posted("memory.told"), []);
    assert.equal(await exists(), false);
  });

  it("imports line by line: what is there stays, a bad line is named by its number and costs itself only", async () => {
    bed.memory.rows = { ...bed.memory.rows, facts: facts(2) };
    const lines = facts(700).map((fact) => JSON.stringify(fact));
    lines.splice(450, 0, "not a row", "");
    await writeFile(file, lines.join("\n"));
    await bed.host.receive({ type: "memory.import" });
    assert.equal(bed.memory.rows.facts.length, 700);
    assert.equal(
      told(),
      "Imported 698 rows, 2 were there already, 1 could not be read (line 451: not JSON).",
    );
    assert.equal(bed.posted("memory.changed").length, 1);
  });

  it("asks for parts of bounded size, and stops between them", async () => {
    await writeFile(
      file,
      facts(1000)
        .map((fact) => JSON.stringify(fact))
        .join("\n"),
    );
    const abort = new AbortController();
    const sizes: number[] = [];
    const memory = {
      importLines: (lines: readonly string[], signal: AbortSignal) => {
        sizes.push(lines.length);
        if (sizes.length === 2) abort.abort();
        return bed.memory.importLines(lines, signal);
      },
    };
    const done = await importFrom(file, memory, nothing, abort.signal);
    assert.equal(done.ok, false);
    assert.deepEqual(sizes, [200, 200]);
    assert.equal(bed.memory.rows.facts.length, 200);
  });

  it("passes over a line that no row of ours can be", async () => {
    await writeFile(file, `${JSON.stringify(facts(1)[0])}\n${"x".repeat(3_100_000)}\n`);
    const done = await importFrom(file, bed.memory, nothing, NOBODY);
    assert.ok(done.ok);
    assert.deepEqual(done.value, { added: 1, known: 0, badCount: 1, bad: [{ line: 2, reason: "too long" }] });
  });
});
