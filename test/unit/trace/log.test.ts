import assert from "node:assert/strict";
import { appendFile, mkdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TurnEvent } from "../../../src/agent/events.ts";
import { TraceLog } from "../../../src/trace/log.ts";
import type { LogItem } from "../../../src/trace/log-reader.ts";
import { LogBed, readAll } from "./support/log-bed.ts";
import { SteadyIdentity } from "./support/steady-identity.ts";
import { TurnScript } from "./support/turn-script.ts";

function events(items: readonly LogItem[]): TurnEvent[] {
  return items.flatMap((item) => (item.type === "event" ? [item.event] : []));
}

function problems(items: readonly LogItem[]): string[] {
  return items.flatMap((item) => (item.type === "problem" ? [item.message] : []));
}

describe("trace log", () => {
  let bed: LogBed;
  let folder: string;
  let log: TraceLog;
  const path = (sessionId: string): string => bed.path(sessionId);

  beforeEach(async () => {
    bed = await LogBed.create();
    ({ folder, log } = bed);
  });

  afterEach(() => bed.close());

  it("gives back what was appended, without the deltas, and says the schema in its first line", async () => {
    const { script, emitted } = await bed.written();
    const items = await readAll(log, script.sessionId);
    assert.deepEqual(
      events(items),
      emitted.filter((event) => event.type !== "model.delta"),
    );
    const [first] = items;
    assert.equal(first?.type === "session" && first.session.schema, 1);
    assert.equal(first?.type === "session" && first.session.sessionId, script.sessionId);
    assert.deepEqual(problems(items), []);
  });

  it("ends every record by \\n alone and is valid UTF-8, whatever signs the texts hold", async () => {
    const text = "a\u2028b\u0085c\rd\u0000e \ud83d f \u202e g 👩‍🚀";
    const script = new TurnScript((event) => log.append(event), { question: text });
    script.ask().reply({ content: text }).answered(text);
    await log.flush();
    const bytes = await readFile(path(script.sessionId));
    const file = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const lines = file.split("\n");
    assert.equal(lines.pop(), "");
    for (const line of lines) JSON.parse(line);
    assert.ok(!file.includes("\\ud83d"), "no half of a sign is written, not even escaped");
    const asked = events(await readAll(log, script.sessionId)).find(
      (event) => event.type === "query.received",
    );
    assert.equal(asked?.data.query, text.toWellFormed());
  });

  it("reads a file whose last line is only half there, and goes on after it without glueing", async () => {
    const { script } = await bed.written();
    const before = events(await readAll(log, script.sessionId));
    const { size } = await stat(path(script.sessionId));
    await truncate(path(script.sessionId), size - 40);
    const cut = await readAll(log, script.sessionId);
    assert.equal(events(cut).length, before.length - 1);
    assert.deepEqual(problems(cut), []);

    const again = new TraceLog({ folder });
    const next = new TurnScript((event) => again.append(event), {
      sessionId: script.sessionId,
      identity: new SteadyIdentity(Date.UTC(2026, 2, 21), 500),
    });
    next.ask().reply({ content: "Yes." }).answered("Yes.");
    await again.dispose();
    const items = await readAll(log, script.sessionId);
    assert.equal(problems(items).length, 1, "the half line costs itself only");
    const followed = events(items).filter(({ turnId }) => turnId === next.turnId);
    assert.deepEqual([followed[0]?.type, followed.at(-1)?.type], ["turn.start", "turn.end"]);
  });

  it("begins a file that is there and holds nothing as it begins a new one", async () => {
    const emitted: TurnEvent[] = [];
    const script = new TurnScript((event) => emitted.push(event));
    await writeFile(path(script.sessionId), "");
    script.ask().reply({ content: "Yes." }).answered("Yes.");
    for (const event of emitted) log.append(event);
    await log.flush();
    const items = await readAll(log, script.sessionId);
    assert.equal(items[0]?.type, "session");
    assert.equal(items.filter(({ type }) => type === "session").length, 1);
    assert.deepEqual(problems(items), []);
  });

  it("lets a bad line cost itself only", async () => {
    const { script } = await bed.written();
    const good = (await readAll(log, script.sessionId)).length;
    const bad = [
      "{",
      "[]",
      '{"type":"turn.end"}',
      '"x"',
      '{"type":"model.end","id":4}',
      "\u0000\u0001",
      "null",
    ];
    await appendFile(path(script.sessionId), `${bad.join("\n")}\n`);
    const items = await readAll(log, script.sessionId);
    assert.equal(events(items).length, good - 1);
    assert.equal(problems(items).length, bad.length);
    assert.ok(problems(items).every((message) => /^line \d+ /.test(message)));
  });

  it("reads a file that some editor put its mark before", async () => {
    const { script } = await bed.written();
    const before = await readAll(log, script.sessionId);
    await writeFile(path(script.sessionId), `\ufeff${await readFile(path(script.sessionId), "utf8")}`);
    assert.deepEqual(await readAll(log, script.sessionId), before);
  });

  it("says when a newer version wrote the trace, and reads what it knows of it", async () => {
    const { script } = await bed.written();
    const file = await readFile(path(script.sessionId), "utf8");
    const newer = file.replace('"schema":1', '"schema":7').replace('"agent.start"', '"agent.begin"');
    await writeFile(path(script.sessionId), newer);
    const items = await readAll(log, script.sessionId);
    assert.match(problems(items)[0] ?? "", /newer version \(schema 7/);
    assert.match(problems(items)[1] ?? "", /was written by a newer version and was left out/);
    assert.ok(events(items).length > 5);
  });

  it("never leaves its folder: an id that is no UUID names no file", async () => {
    const outside = join(folder, "..", "outside.jsonl");
    for (const sessionId of ["../outside", "..\\outside", "a/b", "", "C:evil", `${"0".repeat(8)}/../x`]) {
      new TurnScript((event) => log.append(event), { sessionId }).ask();
      assert.deepEqual(await readAll(log, sessionId), []);
      assert.deepEqual(await log.delete(sessionId), { ok: true, value: { deleted: false } });
      assert.deepEqual(await log.rows(sessionId), { ok: true, value: [] });
    }
    await log.flush();
    await assert.rejects(stat(outside));
    assert.equal(bed.errors.length, 1, "told once");
  });

  it("reports a disk that fails once, as a value, and writes again when it is mended", async () => {
    await rm(folder, { recursive: true });
    await writeFile(folder, "a file where the folder should be");
    const script = new TurnScript((event) => log.append(event));
    await log.flush();
    script.ask();
    await log.flush();
    assert.equal(bed.errors.length, 1);
    assert.match(bed.errors[0]?.message ?? "", /can't be written/);
    await rm(folder);
    await mkdir(folder);
    script.reply({ content: "Yes." }).answered("Yes.");
    await log.flush();
    const kept = events(await readAll(log, script.sessionId));
    assert.equal(kept.at(-1)?.type, "turn.end");
    assert.equal(bed.errors.length, 1);
  });

  it("keeps the beginning of a very long text and says how much was cut, at a whole sign", async () => {
    const script = new TurnScript((event) => log.append(event));
    const done = script.ask().reply({}).call("web_fetch", { url: "https://example.test/" });
    done({ result: `${"x".repeat(256 * 1024 - 3)}👩‍🚀${"y".repeat(1_000_000)}` });
    await log.flush();
    const result = events(await readAll(log, script.sessionId)).find((event) => event.type === "tool.result");
    const text = result?.data.result ?? "";
    assert.match(text, /^x+\n\[cut: 262141 of 1262146 characters kept in the trace\]$/);
  });
});
