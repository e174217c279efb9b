import assert from "node:assert/strict";
import { Dreamer, type DreamerDeps } from "../../../../src/agent/dreaming/dreamer.ts";
import { failed, success } from "../../../../src/agent/failure.ts";
import { answers, ask, fakeTimer, hangs, type Reply } from "../support.ts";
import { bed, deps, HOUR, MOMENTS, never, stateOf, turn } from "./bed.ts";

/** A dreamer whose clock only the test moves. */
function idler(part: Partial<DreamerDeps> = {}, replies: readonly Reply[] = [MOMENTS]) {
  const { clock, timer } = fakeTimer();
  const made = bed(replies);
  const state = stateOf(0);
  const lines: string[] = [];
  let fresh = 0;
  const dreamer = new Dreamer({
    ...deps(made.engine, []),
    recent: () => Promise.resolve(success([turn((fresh += 1), "ships")])),
    ...{ state, timer, now: () => clock.now, onLine: (line: string) => lines.push(line) },
    whenIdle: () => true,
    ...part,
  });
  made.engine.onEvent((event) => dreamer.onEvent(event));
  return { ...made, clock, dreamer, lines, state };
}

describe("Dreaming by itself", () => {
  it("begins after ten minutes without a sign of the user", async () => {
    const { clock, dreamer, model, lines } = idler();
    await clock.tickAsync(9 * 60_000);
    dreamer.seen();
    await clock.tickAsync(9 * 60_000);
    assert.equal(model.requests.length, 0);
    await clock.tickAsync(60_000);
    await dreamer.dispose();
    assert.equal(model.requests.length, 1);
    assert.deepEqual(lines, ["Dreaming looked back over 1 turns and kept 1 moments."]);
  });

  it("begins a minute after the window was left, and not when the user is back by then", async () => {
    const { clock, dreamer, model } = idler();
    dreamer.focused(false);
    await clock.tickAsync(50_000);
    dreamer.focused(true);
    await clock.tickAsync(60_000);
    assert.equal(model.requests.length, 0);
    dreamer.focused(false);
    await clock.tickAsync(60_000);
    await dreamer.dispose();
    assert.equal(model.requests.length, 1);
  });

  it("does so once an hour at most", async () => {
    const { clock, dreamer, model } = idler();
    dreamer.focused(false);
    await clock.tickAsync(61_000);
    await clock.tickAsync(58 * 60_000);
    assert.equal(model.requests.length, 1);
    await clock.tickAsync(3 * 60_000);
    await dreamer.dispose();
    assert.equal(model.requests.length, 2);
  });

  it("counts a dream of another window as one of its own", async () => {
    const { clock, dreamer, model, state } = idler();
    dreamer.focused(false);
    await clock.tickAsync(30_000);
    state.kept.endedAt = clock.now;
    await clock.tickAsync(59 * 60_000);
    assert.equal(model.requests.length, 0);
    await clock.tickAsync(2 * 60_000);
    await dreamer.dispose();
    assert.equal(model.requests.length, 1);
  });

  it("does nothing where the user does not allow it, but dreams on command", async () => {
    const { clock, dreamer, model } = idler({ whenIdle: () => false });
    dreamer.focused(false);
    await clock.tickAsync(5 * HOUR);
    assert.equal(model.requests.length, 0);
    assert.equal((await dreamer.now(never)).ok, true);
    await dreamer.dispose();
    assert.equal(model.requests.length, 1);
  });

  it("waits while a question is answered", async () => {
    const { clock, dreamer, engine, model } = idler({}, [hangs(), MOMENTS]);
    const asked = await engine.ask({ question: "Why?", door: "test" });
    assert.ok(asked.ok);
    await new Promise<void>((resolve) => engine.onEvent(({ type }) => type === "model.start" && resolve()));
    await clock.tickAsync(2 * HOUR);
    assert.equal(model.requests.length, 1);
    asked.value.cancel();
    await asked.value.done;
    await clock.tickAsync(10 * 60_000);
    await dreamer.dispose();
    assert.equal(model.requests.length, 2);
  });

  it("gives way to a question at once, and tries again later", async () => {
    const { clock, dreamer, engine, state, lines } = idler({}, [hangs(), answers("Because."), MOMENTS]);
    const dreaming = new Promise<void>((resolve) =>
      engine.onEvent(({ type }) => type === "model.start" && resolve()),
    );
    await clock.tickAsync(10 * 60_000);
    await dreaming;
    const { end } = await ask(engine, "Why?");
    assert.equal(end.data.outcome, "answered");
    assert.equal(state.kept.endedAt, undefined);
    await clock.tickAsync(10 * 60_000);
    await dreamer.dispose();
    assert.deepEqual(lines, ["Dreaming looked back over 1 turns and kept 1 moments."]);
  });

  it("says in the log, and nowhere else, that it failed", async () => {
    const recent = () => Promise.resolve(failed("internal", "The trace can't be read."));
    const { clock, dreamer, lines } = idler({ recent });
    await clock.tickAsync(10 * 60_000);
    await dreamer.dispose();
    assert.deepEqual(lines, ["Dreaming failed: The trace can't be read."]);
  });

  it("leaves no timer behind when it ends", async () => {
    const { clock, dreamer } = idler();
    await dreamer.dispose();
    assert.equal(clock.countTimers(), 0);
    dreamer.seen();
    assert.equal(clock.countTimers(), 0);
    assert.equal((await dreamer.now(never)).ok, false);
  });
});
