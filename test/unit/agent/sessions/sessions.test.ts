import assert from "node:assert/strict";
import { failed, success } from "../../../../src/agent/failure.ts";
import type { HistoryPort, PastTurn } from "../../../../src/agent/sessions/history-port.ts";
import { createSessions } from "../../../../src/agent/sessions/sessions.ts";

function turn(turnId: string, parentTurnId: string | null = null): PastTurn {
  return { turnId, parentTurnId, messages: [{ role: "user", content: turnId }] };
}

function logOf(turns: readonly PastTurn[]): HistoryPort & { reads: number } {
  const log = {
    reads: 0,
    turns: () => {
      log.reads += 1;
      return Promise.resolve(success(turns));
    },
  };
  return log;
}

describe("sessions in memory", () => {
  it("hold what was added, without asking the log again", async () => {
    const log = logOf([]);
    const sessions = createSessions(log);
    sessions.append("s", await sessions.load("s"), turn("a"));
    sessions.append("s", await sessions.load("s"), turn("b", "a"));
    const { turns } = await sessions.load("s");
    assert.deepEqual(
      turns.map(({ turnId }) => turnId),
      ["a", "b"],
    );
    assert.equal(log.reads, 1);
  });

  it("read nothing of a session that just begins, and hold its turns for the next one", async () => {
    const log = Object.assign(logOf([]), { firstVersion: "0", version: () => Promise.resolve("0") });
    const sessions = createSessions(log);
    const begun = sessions.begin();
    assert.deepEqual(begun.turns, []);
    sessions.append("s", begun, turn("a"));
    assert.equal((await sessions.load("s")).turns[0]?.turnId, "a");
    assert.equal(log.reads, 0);
  });

  it("read a session back whose first turn was forgotten while it ran", async () => {
    const log = Object.assign(logOf([]), { firstVersion: "0", version: () => Promise.resolve("7") });
    const sessions = createSessions(log);
    sessions.append("s", sessions.begin(), turn("a"));
    assert.deepEqual((await sessions.load("s")).turns, []);
    assert.equal(log.reads, 1);
  });

  it("are 50 at most; the least recently used is read back from the log when it goes on", async () => {
    const log = logOf([turn("from the log")]);
    const sessions = createSessions(log);
    const none = { turns: [] };
    for (let index = 0; index < 50; index += 1) sessions.append(`s${index}`, none, turn("a"));
    await sessions.load("s0");
    sessions.append("one more", none, turn("a"));
    assert.equal((await sessions.load("s0")).turns[0]?.turnId, "a");
    assert.equal((await sessions.load("s1")).turns[0]?.turnId, "from the log");
    assert.equal(log.reads, 1);
  });

  it("hold their newest 50 turns", async () => {
    const sessions = createSessions(undefined);
    for (let index = 0; index < 60; index += 1)
      sessions.append("s", await sessions.load("s"), turn(`t${index}`));
    const { turns } = await sessions.load("s");
    assert.equal(turns.length, 50);
    assert.equal(turns.at(-1)?.turnId, "t59");
  });

  it("follow a log's newest branch, and survive one that goes in a circle", async () => {
    const circle = createSessions(logOf([turn("a", "b"), turn("b", "a")]));
    const { turns } = await circle.load("s");
    assert.deepEqual(
      turns.map(({ turnId }) => turnId),
      ["a", "b"],
    );
  });

  it("take nothing from a log that would break a request", async () => {
    const bad: PastTurn = {
      turnId: "a",
      parentTurnId: null,
      messages: [
        { role: "user", content: "One?" },
        { role: "assistant", content: "", toolCalls: [{ id: "1", name: "x", arguments: "text" }] },
        { role: "tool", toolName: "y", toolCallId: "2", content: "stray" },
      ],
    };
    const { turns } = await createSessions(logOf([bad])).load("s");
    assert.deepEqual(turns[0]?.messages, [{ role: "user", content: "One?" }]);
  });

  it("say why a log could not be read, and do not take a part for the whole", async () => {
    let readable = false;
    const sessions = createSessions({
      turns: () => Promise.resolve(readable ? success([turn("a")]) : failed("internal", "The disk is away.")),
    });
    const conversation = await sessions.load("s");
    assert.equal(conversation.problem?.message, "The disk is away.");
    sessions.append("s", conversation, turn("b"));
    readable = true;
    assert.equal((await sessions.load("s")).turns[0]?.turnId, "a");
  });

  it("are read anew when something of them was forgotten, also by a turn that ran then", async () => {
    let version = "1";
    let turns = [turn("secret"), turn("other", "secret")];
    const sessions = createSessions({
      turns: () => Promise.resolve(success(turns)),
      version: () => Promise.resolve(version),
    });
    const before = await sessions.load("s");
    assert.equal(await sessions.load("s").then((again) => again.turns.length), 2);
    version = "2";
    turns = [turn("other", "secret"), turn("running", "other")];
    sessions.append("s", before, turn("running", "other"));
    const after = await sessions.load("s");
    assert.deepEqual(
      after.turns.map(({ turnId }) => turnId),
      ["other", "running"],
    );
  });

  it("go on when nobody can say whether something was forgotten", async () => {
    const sessions = createSessions({
      turns: () => Promise.resolve(success([turn("a")])),
      version: () => Promise.reject(new Error("away")),
    });
    assert.equal((await sessions.load("s")).turns.length, 1);
  });
});
