import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "../../../../src/agent/engine-port.ts";
import { TraceLog } from "../../../../src/trace/log.ts";
import { answers, ask, engineOver, only, playModel, type PlayedModel } from "../support.ts";
import { branch } from "./bed.ts";

const questions = ({ requests }: PlayedModel): readonly string[] =>
  (requests.at(-1)?.messages ?? []).filter(({ role }) => role === "user").map(({ content }) => content);

describe("a session with branches", () => {
  let folder: string;
  let log: TraceLog;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "conclave-branches-"));
    log = new TraceLog({ folder });
  });
  afterEach(async () => {
    await log.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  /** An engine that writes to the log; one that is new knows what the log holds. */
  const logged = (model: PlayedModel): Engine => {
    const engine = engineOver(model, { history: log });
    engine.onEvent((event) => log.append(event));
    return engine;
  };

  it("goes on from the newest branch, or from the one that the user looks at, also after a restart", async () => {
    const model = playModel([answers("Yes.")]);
    const engine = logged(model);
    const first = await ask(engine, "one");
    const { sessionId } = first;
    const second = await ask(engine, "two", { sessionId });
    const third = await ask(engine, "three", { sessionId });
    const fork = await branch(engine, second, { edits: [{ part: "question", text: "other two" }] });
    assert.deepEqual(questions(model), ["one", "other two"]);
    await ask(engine, "four", { sessionId });
    assert.deepEqual(questions(model), ["one", "other two", "four"]);
    const beside = await ask(engine, "five", { sessionId, parentTurnId: third.end.turnId });
    assert.deepEqual(questions(model), ["one", "two", "three", "five"]);
    assert.equal(only(beside.events, "turn.start").data["conclave.parent_turn_id"], third.end.turnId);
    const later = logged(model);
    await ask(later, "six", { sessionId, parentTurnId: fork.end.turnId });
    assert.deepEqual(questions(model), ["one", "other two", "six"]);
  });

  it("does not take the turn beside it for the past, where what both follow was forgotten", async () => {
    const model = playModel([answers("Yes.")]);
    const engine = logged(model);
    const first = await ask(engine, "one");
    const { sessionId } = first;
    const second = await ask(engine, "two", { sessionId });
    const third = await ask(engine, "three", { sessionId });
    await branch(engine, third, { edits: [{ part: "question", text: "other three" }] });
    assert.deepEqual(questions(model), ["one", "two", "other three"]);
    await log.flush();
    const turns = [{ sessionId, turnId: second.end.turnId }];
    assert.ok((await log.bury({ turns, time: Date.now() })).ok);
    await ask(logged(model), "four", { sessionId });
    assert.deepEqual(questions(model), ["one", "other three", "four"]);
  });
});
