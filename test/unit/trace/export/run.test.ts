import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TurnEvent } from "../../../../src/agent/events.ts";
import { FORMAT_NAMES, type ExportFormat } from "../../../../src/trace/export/formats.ts";
import { DEFAULT_CLEANING, NO_CLEANING } from "../../../../src/trace/export/redact/options.ts";
import { exportTrace } from "../../../../src/trace/export/run.ts";
import type { ExportFigures, ExportRequest, ExportSource } from "../../../../src/trace/export/types.ts";
import { readLogFile } from "../../../../src/trace/log-reader.ts";
import { TraceLog } from "../../../../src/trace/log.ts";
import { SteadyIdentity } from "../support/steady-identity.ts";
import { councilTurn, judgedTurn, sayingEverywhere, sourceOf, turnOf } from "./support/turns.ts";

const SESSION = "00000000-0000-4000-8000-00000000000c";

async function run(
  source: ExportSource,
  request: Partial<ExportRequest> & { readonly format: ExportFormat },
): Promise<{ readonly text: string; readonly figures: ExportFigures }> {
  const pieces: string[] = [];
  const done = await exportTrace(
    source,
    { sessionId: SESSION, cleaning: DEFAULT_CLEANING, ...request },
    (piece) => void pieces.push(piece),
    { signal: new AbortController().signal },
  );
  assert.ok(done.ok, done.ok ? "" : done.failure.message);
  return { text: pieces.join(""), figures: done.value };
}

describe("export of a log", () => {
  const two = (): TurnEvent[] => {
    const identity = new SteadyIdentity();
    return [...judgedTurn(identity, SESSION), ...councilTurn(identity, SESSION)];
  };

  for (const format of FORMAT_NAMES) {
    it(`as ${format} counts turns, tokens, bytes and what was taken out`, async () => {
      const secret = sayingEverywhere("DB_PASSWORD=hunter2", new SteadyIdentity(0, 9_000), SESSION);
      const events = [...two(), ...secret];
      const { text, figures } = await run(sourceOf(events), { format });
      assert.equal(figures.turns, 3);
      assert.equal(figures.title, "What did we decide about the cache?");
      assert.equal(figures.inputTokens, 3_728 + 9_400 + 1_200);
      assert.equal(figures.bytes, Buffer.byteLength(text));
      assert.equal(figures.cleaned[0]?.what, "password");
      assert.ok(!text.includes("hunter2"));
      assert.ok(text.includes("redacted: password 1"));
    });

    it(`as ${format} gives one turn alone when one is asked for`, async () => {
      const events = two();
      const turnId = events[0]?.turnId ?? "";
      const { text, figures } = await run(sourceOf(events), { format, turnId });
      assert.equal(figures.turns, 1);
      assert.ok(text.includes("What did we decide about the cache?"));
      assert.ok(!text.includes("two replicas?"));
    });
  }

  it("as JSON Lines is a log of ours: what is read of it is what was exported", async () => {
    const folder = await mkdtemp(join(tmpdir(), "conclave-export-"));
    try {
      const log = new TraceLog({ folder });
      const events = two();
      for (const event of events) log.append(event);
      await log.flush();
      const { text } = await run(log, { format: "jsonl", cleaning: NO_CLEANING });
      const file = join(folder, "out.conclave");
      await writeFile(file, text);
      const read: TurnEvent[] = [];
      for await (const { item } of readLogFile(file)) {
        assert.notEqual(item.type, "problem");
        if (item.type === "event") read.push(item.event);
      }
      assert.deepEqual(read, events);
      await log.dispose();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it("as JSON Lines writes a long turn's requests in proportion to the turn, redacted or not", async () => {
    const messages = Array.from({ length: 120 }, (_, at) => ({
      role: "user" as const,
      content: `message ${at} `.repeat(40),
    }));
    const events = turnOf((script) => {
      for (let step = 1; step <= 120; step += 1) script.ask(messages.slice(0, step)).reply({ content: "x" });
      script.answered("Done.");
    });
    const plain = await run(sourceOf(events), { format: "jsonl", cleaning: NO_CLEANING });
    const cleaned = await run(sourceOf(events), { format: "jsonl" });
    assert.equal(cleaned.text, plain.text);
    assert.ok(plain.text.length < 300_000, String(plain.text.length));
  });

  it("counts lines that could not be read, and tells them where the format has a place for it", async () => {
    const source = sourceOf(judgedTurn(), ["line 7 is not JSON and was left out"]);
    const { text, figures } = await run(source, { format: "markdown" });
    assert.equal(figures.problems, 1);
    assert.match(text, /line 7 is not JSON/);
  });

  it("says of a private session that it is one", async () => {
    const [first, ...rest] = judgedTurn();
    const data = { ...first?.data, "conclave.private": true };
    const source = sourceOf([{ ...first, data } as TurnEvent, ...rest]);
    assert.equal((await run(source, { format: "otlp" })).figures.isPrivate, true);
  });

  it("stops within a moment when it is cancelled, and says nothing of an empty session", async () => {
    const stop = new AbortController();
    const [event] = judgedTurn();
    const endless: ExportSource = {
      read: async function* () {
        for (;;) {
          await new Promise((resolve) => setImmediate(resolve));
          yield { type: "event", event: event! };
        }
      },
    };
    const request = { format: "html" as const, sessionId: SESSION, cleaning: DEFAULT_CLEANING };
    const running = exportTrace(endless, request, () => undefined, { signal: stop.signal });
    stop.abort();
    const done = await running;
    assert.equal(done.ok ? "" : done.failure.code, "cancelled");
    const empty = await exportTrace(sourceOf([]), request, () => undefined, {
      signal: new AbortController().signal,
    });
    assert.equal(empty.ok ? "" : empty.failure.message, "There is nothing to export.");
  });

  it("gives what its sink or its log throws as a failure", async () => {
    const request = { format: "jsonl" as const, sessionId: SESSION, cleaning: DEFAULT_CLEANING };
    const signal = new AbortController().signal;
    const full = (): never => {
      throw new Error("the disk is full");
    };
    const done = await exportTrace(sourceOf(judgedTurn()), request, full, { signal });
    assert.match(done.ok ? "" : (done.failure.cause ?? ""), /the disk is full/);
  });

  it("lets other work have its turn again and again while it goes through a large session", async () => {
    const identity = new SteadyIdentity();
    const events = Array.from({ length: 8 }, () =>
      sayingEverywhere("word ".repeat(2_000), identity, SESSION),
    ).flat();
    for (const format of FORMAT_NAMES) {
      let turns = 0;
      let isDone = false;
      const other = (): void => {
        turns += 1;
        if (!isDone) setImmediate(other);
      };
      setImmediate(other);
      await run(sourceOf(events), { format });
      isDone = true;
      assert.ok(turns >= 5, `${format}: ${turns} turns`);
    }
  });
});
