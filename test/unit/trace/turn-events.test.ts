import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TurnEventType } from "../../../src/agent/events.ts";
import { TraceLog } from "../../../src/trace/log.ts";
import { turnEventsOf } from "../../../src/trace/turn-events.ts";
import { begins, event, feedback, ingested, SESSION, TURN } from "../agent/reward/bed.ts";

const NEVER = new AbortController().signal;
const WANTED: ReadonlySet<TurnEventType> = new Set<TurnEventType>(["turn.start", "user.feedback"]);

describe("The events of one turn, out of the log", () => {
  let folder: string;
  let log: TraceLog;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "conclave-turn-events-"));
    log = new TraceLog({ folder });
  });
  afterEach(async () => {
    await log.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  it("are those of the types that are wanted, what was said a moment ago included", async () => {
    for (const one of [...begins(), ingested(), feedback("up")]) log.append(one);
    const other = "f".repeat(32);
    log.append(event("user.feedback", { rating: "down", "conclave.door": "panel" }, { turnId: other }));
    const read = await turnEventsOf(log).turnEvents({ sessionId: SESSION, turnId: TURN }, WANTED, NEVER);
    assert.deepEqual(
      read.map(({ type, turnId }) => [type, turnId]),
      [
        ["turn.start", TURN],
        ["user.feedback", TURN],
      ],
    );
  });

  it("are none of a session that nobody knows", async () => {
    const place = { sessionId: "00000000-0000-4000-8000-000000000000", turnId: TURN };
    assert.deepEqual(await turnEventsOf(log).turnEvents(place, WANTED, NEVER), []);
  });
});
