import assert from "node:assert/strict";
import { createJudge } from "../../../../src/agent/critic/judge.ts";
import { createGate } from "../../../../src/agent/gate.ts";
import { answers, broken, end, hangs, playModel, say, type Reply } from "../support.ts";
import { graded, judgeDeps, NEVER, toGrade } from "./judge-bed.ts";

describe("a judge that can't be asked", () => {
  for (const code of ["server_unreachable", "model_missing", "timeout", "stream_broken"] as const) {
    it(`is a failure: ${code}`, async () => {
      const outcome = await createJudge().grade(
        toGrade("Yes."),
        judgeDeps(playModel([[broken(code)]])),
        NEVER,
      );
      assert.equal(!outcome.ok && outcome.failure.code, code);
    });
  }

  it("is a failure when it is not installed", async () => {
    const describe = () =>
      Promise.resolve({ ok: false, failure: { code: "model_missing", message: "No such model." } } as const);
    const outcome = await createJudge().grade(toGrade("Yes."), judgeDeps(playModel([], { describe })), NEVER);
    assert.equal(!outcome.ok && outcome.failure.code, "model_missing");
  });

  it("is a failure when its client breaks down", async () => {
    const model = playModel([
      () => {
        throw new Error("no socket");
      },
    ]);
    const outcome = await createJudge().grade(toGrade("Yes."), judgeDeps(model), NEVER);
    assert.deepEqual(!outcome.ok && [outcome.failure.code, outcome.failure.cause], ["internal", "no socket"]);
  });

  it("stops at once when it is told to, in line or in mid-reply, and leaves its place", async () => {
    const deaf: Reply = async function* () {
      yield say("Let me");
      await new Promise<void>(() => undefined);
    };
    for (const reply of [hangs(say("Let me")), deaf]) {
      const gate = createGate(1);
      const stop = new AbortController();
      const work = createJudge().grade(toGrade("Yes."), judgeDeps(playModel([reply]), { gate }), stop.signal);
      setImmediate(() => stop.abort());
      const outcome = await work;
      assert.equal(!outcome.ok && outcome.failure.code, "cancelled");
      const leave = await gate.enter(AbortSignal.timeout(5_000));
      assert.ok(leave);
      const waiting = new AbortController();
      const queued = createJudge().grade(
        toGrade("Yes."),
        judgeDeps(playModel([reply]), { gate }),
        waiting.signal,
      );
      setImmediate(() => waiting.abort());
      const refused = await queued;
      assert.equal(!refused.ok && refused.failure.code, "cancelled");
    }
  });

  it("lets everybody else go first", async () => {
    const gate = createGate(1);
    const leave = await gate.enter(NEVER);
    const order: string[] = [];
    const model = playModel([answers(graded(3))]);
    const work = createJudge().grade(toGrade("Yes."), judgeDeps(model, { gate }), NEVER);
    await new Promise((resolve) => setImmediate(resolve));
    const other = gate.enter(NEVER).then((left) => {
      order.push(`question, ${model.requests.length} judged`);
      left?.();
    });
    leave?.();
    await Promise.all([other, work]);
    assert.deepEqual(order, ["question, 0 judged"]);
  });

  it("does not count the time at the gate", async () => {
    let time = 0;
    const gate = createGate(1);
    const leave = await gate.enter(NEVER);
    const slow: Reply = async function* () {
      time += 70;
      yield await Promise.resolve(say(graded(3)));
      yield end();
    };
    const deps = judgeDeps(playModel([slow]), { gate, now: () => time });
    const work = createJudge().grade(toGrade("Yes."), deps, NEVER);
    await new Promise((resolve) => setImmediate(resolve));
    time += 10_000;
    leave?.();
    const outcome = await work;
    assert.equal(outcome.ok && outcome.value.durationMs, 70);
  });
});
