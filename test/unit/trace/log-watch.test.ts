import assert from "node:assert/strict";
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TraceLog } from "../../../src/trace/log.ts";
import { watchLogs, type LogChange } from "../../../src/trace/log-watch.ts";
import { Outside } from "../../../src/vscode/panel/outside.ts";
import { PanelBed } from "./support/panel-bed.ts";
import { SteadyIdentity } from "./support/steady-identity.ts";
import { TurnScript } from "./support/turn-script.ts";

const SESSION = "0a0b0c0d-0000-4000-8000-00000000beef";

/** The next change that fits. */
function nextChange(
  folder: string,
  fits: (change: LogChange) => boolean,
): { readonly change: Promise<LogChange>; readonly stop: () => void } {
  let stop: () => void = () => undefined;
  const change = new Promise<LogChange>((resolve) => {
    stop = watchLogs(folder, (heard) => {
      if (fits(heard)) resolve(heard);
    });
  });
  return { change, stop: () => stop() };
}

describe("watching the logs on disk", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "conclave-watch-"));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it("tells of a session that another window writes, and of nothing else in the folder", async () => {
    const { change, stop } = nextChange(folder, () => true);
    await writeFile(join(folder, "notes.txt"), "x");
    await writeFile(join(folder, `${SESSION}.index.json`), "{}");
    await writeFile(join(folder, `${SESSION}.jsonl`), "line\n");
    assert.deepEqual((await change).sessionIds, [SESSION]);
    stop();
  });

  it("says which log was put in place anew, as it is when something was forgotten", async () => {
    const path = join(folder, `${SESSION}.jsonl`);
    await writeFile(path, "secret\n");
    const { change, stop } = nextChange(folder, ({ replaced }) => replaced.has(SESSION));
    await writeFile(join(folder, "new.tmp"), "tombstone\n");
    await rename(join(folder, "new.tmp"), path);
    assert.ok((await change).replaced.has(SESSION));
    stop();
  });

  it("makes a folder that isn't there, and gives up quietly on a place that can't be one", async () => {
    watchLogs(join(folder, "a", "b"), () => undefined)();
    await writeFile(join(folder, "file"), "");
    watchLogs(join(folder, "file"), () => undefined)();
  });
});

describe("what other windows do to the logs", () => {
  it("is told from what this window wrote itself a moment ago", () => {
    let now = 0;
    const outside = new Outside(() => now);
    const script = new TurnScript((event) => outside.hear(event), {
      identity: new SteadyIdentity(),
      question: "Q",
    });
    const change = { sessionIds: [script.sessionId, SESSION], replaced: new Set([SESSION]) };
    assert.deepEqual(outside.of(change), { sessionIds: [SESSION], replaced: new Set([SESSION]) });
    now = 10_000;
    assert.deepEqual(outside.of(change).sessionIds, [script.sessionId, SESSION]);
  });

  it("is heard at once where something was taken out of a log that this window just wrote to", () => {
    const outside = new Outside(() => 0);
    const script = new TurnScript((event) => outside.hear(event), { identity: new SteadyIdentity() });
    const change = { sessionIds: [script.sessionId], replaced: new Set([script.sessionId]) };
    assert.deepEqual(outside.of(change).sessionIds, [script.sessionId]);
  });

  it("is shown in an open panel: turns that ended there come into the list, and what is shown is read again", async () => {
    const bed = await PanelBed.create({ watch: true });
    const other = new TraceLog({ folder: bed.folder });
    try {
      await bed.ready();
      const told = bed.next("rows", ({ rows }) => rows.some(({ status }) => status === "answered"));
      const identity = new SteadyIdentity(Date.now(), 77_000);
      const script = new TurnScript((event) => other.append(event), { identity, question: "From there?" });
      script.wait(10).ask().wait(10).reply({ content: "Yes." }).stepEnd().answered("Yes.");
      await other.flush();
      const [row] = (await told).rows;
      assert.deepEqual([row?.question, row?.answer], ["From there?", "Yes."]);
      await bed.host.receive({ type: "select", sessionId: script.sessionId, turnId: script.turnId });
      const again = bed.next("events", ({ events }) => {
        const queried = events.find(({ event }) => event.type === "query.received");
        return queried !== undefined && !JSON.stringify(queried).includes("From there?");
      });
      const forgotten = await other.bury({
        turns: [{ sessionId: script.sessionId, turnId: script.turnId }],
        time: Date.now(),
      });
      assert.ok(forgotten.ok);
      await again;
    } finally {
      await other.dispose();
      await bed.close();
    }
  });
});
