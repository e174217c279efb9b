import assert from "node:assert/strict";
import { otherAnswers } from "../support/other-answer.ts";
import { readdir } from "node:fs/promises";
import type { TurnEvent } from "../../../../src/agent/events.ts";
import { failed, success } from "../../../../src/agent/failure.ts";
import type { ForgetWhat } from "../../../../src/agent/memory/types.ts";
import { TraceLog } from "../../../../src/trace/log.ts";
import { deleteSessions } from "../../../../src/vscode/files/delete-session.ts";
import { Bed, SESSION, turnEvents } from "./support.ts";

const signal = new AbortController().signal;
const NOTHING = {
  removed: 0,
  counts: { episodes: 0, facts: 0, people: 0, relationships: 0, resources: 0 },
  turns: [],
};

describe("deleting a session", () => {
  let bed: Bed;
  let log: TraceLog;

  beforeEach(async () => {
    bed = await Bed.create();
    log = new TraceLog({ folder: bed.folder });
  });

  afterEach(async () => {
    await log.dispose();
    await bed.close();
  });

  function append(events: readonly TurnEvent[]): void {
    for (const event of events) log.append(event);
  }

  it("leaves no file of it: no log, no index, no lock", async () => {
    append(turnEvents(60));
    await log.flush();
    await log.rows(SESSION);
    assert.ok((await readdir(bed.folder, { recursive: true })).length >= 3);
    assert.deepEqual(await log.delete(SESSION), success({ deleted: true }));
    assert.deepEqual(await readdir(bed.folder, { recursive: true }), ["index"]);
  });

  it("is not undone by what is still said of its turns afterwards", async () => {
    const events = turnEvents(1);
    append(events);
    await log.delete(SESSION);
    const [first] = events;
    const late = {
      ...first,
      type: "reward.event",
      id: "late",
      data: { reward: 1, reason: "x" },
    } as TurnEvent;
    log.append(late);
    await log.flush();
    assert.deepEqual(await readdir(bed.folder), []);
    if (first !== undefined) otherAnswers(first, (event) => log.append(event));
    await log.flush();
    assert.deepEqual(await readdir(bed.folder), [], "respondent B was still at work on it");
  });

  it("lets a new turn begin it anew", async () => {
    append(turnEvents(1));
    await log.delete(SESSION);
    append(turnEvents(1, SESSION, 500));
    await log.flush();
    const rows = await log.rows(SESSION);
    assert.equal(rows.ok && rows.value.length, 1);
  });

  it("is known to a conversation that is held in memory: it does not go on with what was deleted", async () => {
    const before = await log.version(SESSION);
    append(turnEvents(1));
    await log.flush();
    assert.equal(await log.version(SESSION), before);
    await log.delete(SESSION);
    assert.notEqual(await log.version(SESSION), before);
  });

  it("by another window is known here, too", async () => {
    append(turnEvents(1));
    await log.flush();
    const before = await log.version(SESSION);
    const other = new TraceLog({ folder: bed.folder });
    await other.delete(SESSION);
    assert.notEqual(await log.version(SESSION), before);
    await other.dispose();
  });

  it("takes a private one out of the window's memory", async () => {
    log.beginPrivate(SESSION, 1);
    append(turnEvents(1));
    const told: string[] = [];
    log.onDeleted((sessionId) => told.push(sessionId));
    assert.deepEqual(await log.delete(SESSION), success({ deleted: true }));
    assert.deepEqual(told, [SESSION]);
    const rows = await log.rows(SESSION);
    assert.equal(rows.ok && rows.value.length, 0);
    assert.equal(log.isPrivate(SESSION), false);
  });

  it("of one that is not there is no failure, and touches no other file", async () => {
    append(turnEvents(1));
    await log.flush();
    for (const id of ["00000000-0000-4000-8000-0000000000ff", "../../etc/passwd", "", "index"])
      assert.deepEqual(await log.delete(id), success({ deleted: false }));
    assert.equal((await readdir(bed.folder)).length, 1);
  });
});

describe("deleting sessions, as the user asks for it", () => {
  function parts(forgets: typeof NOTHING | "fails" = NOTHING) {
    const done: string[] = [];
    let end: () => void = () => undefined;
    const running = new Promise<void>((resolve) => (end = resolve));
    return {
      done,
      deps: {
        engine: {
          running: (sessionId: string) =>
            sessionId === "busy"
              ? {
                  ...{ sessionId, turnId: "t", events: (async function* () {})() },
                  done: running.then(() => ({ outcome: "cancelled" as const, answer: "" })),
                  cancel: () => {
                    done.push("cancel");
                    end();
                  },
                }
              : undefined,
        },
        log: {
          delete: (sessionId: string) => {
            done.push(`delete ${sessionId}`);
            return Promise.resolve(success({ deleted: sessionId !== "gone" }));
          },
        },
        memory: {
          forget: (what: ForgetWhat) => {
            done.push(`forget ${what.by === "session" ? what.sessionId : what.by}`);
            return Promise.resolve(
              forgets === "fails" ? failed("memory_unavailable", "Memory is off.") : success(forgets),
            );
          },
        },
      },
    };
  }

  it("leaves memory as it is unless it was asked for", async () => {
    const { deps, done } = parts();
    assert.deepEqual(await deleteSessions(deps, ["a", "gone"], "traces", signal), success(1));
    assert.deepEqual(done, ["delete a", "delete gone"]);
  });

  it("has memory forget first, and keeps the trace where it can't", async () => {
    const { deps, done } = parts("fails");
    const deleted = await deleteSessions(deps, ["a"], "memories", signal);
    assert.equal(deleted.ok, false);
    assert.deepEqual(done, ["forget a"]);
    const well = parts();
    await deleteSessions(well.deps, ["a"], "memories", signal);
    assert.deepEqual(well.done, ["forget a", "delete a"]);
  });

  it("stops what runs, and waits for its end", async () => {
    const { deps, done } = parts();
    await deleteSessions(deps, ["busy"], "traces", signal);
    assert.deepEqual(done, ["cancel", "delete busy"]);
  });
});
