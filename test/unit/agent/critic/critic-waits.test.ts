import assert from "node:assert/strict";
import { LEARNING_FIRST_MS } from "../../../../src/agent/critic/idle.ts";
import { GRADE_MS } from "../../../../src/agent/critic/judging.ts";
import { MAX_WAITING } from "../../../../src/agent/critic/queue.ts";
import type { GradeOutcome } from "../../../../src/agent/critic/types.ts";
import { failed, failure, success, type Result } from "../../../../src/agent/failure.ts";
import { emptyMemory } from "../memory.ts";
import { answers, ask, hangs, playModel, say, start } from "../support.ts";
import { bed, graded, jobStore, playJudge, untilStopped } from "./critic-bed.ts";

describe("a question goes before the critic", () => {
  it("puts a grade aside the moment a question comes, and takes it up again", async () => {
    let asks = 0;
    const judge = playJudge({
      grade: (_request, signal) => {
        asks += 1;
        return asks === 1 ? untilStopped<GradeOutcome>(signal) : Promise.resolve(graded(5));
      },
    });
    const { engine, of, until, done } = bed({ judge });
    const first = await ask(engine, "one");
    await until(() => judge.signals.length === 1);
    const second = await start(engine, "two");
    assert.equal(judge.signals[0]?.aborted, true);
    await second.done;
    await done();
    assert.deepEqual(
      of("critique.result").map(({ turnId }) => turnId),
      [second.turnId, first.end.turnId],
    );
  });

  it("asks nothing while any turn runs, in whichever session", async () => {
    const model = playModel([hangs(say("Long")), answers("Short.")]);
    const { engine, critic, judge, until, done } = bed({ model, engineSettings: { parallelRequests: 2 } });
    const long = await start(engine, "long");
    await until(() => model.requests.length === 1);
    const short = await start(engine, "short");
    await short.done;
    await until(() => critic.view().waiting.length === 1);
    assert.deepEqual(judge.graded, []);
    long.cancel();
    await long.done;
    await done();
    assert.equal(judge.graded.length, 1);
  });

  it("lets memory read the turn first, but waits no longer than its time", async () => {
    const memory = emptyMemory({});
    const { engine, critic, judge, clock, until, done } = bed({
      setup: { memory },
      // Nothing is learnt here, so that nothing says that memory is done.
      engineSettings: { memory: { enabled: true, learning: "off" } },
      deps: { learns: () => true },
    });
    await ask(engine);
    await until(() => critic.view().waiting.length === 1);
    assert.deepEqual(judge.graded, []);
    clock.tick(LEARNING_FIRST_MS);
    await done();
    assert.equal(judge.graded.length, 1);
  });

  it("goes on as soon as memory has read the turn", async () => {
    const memory = emptyMemory({});
    const { engine, events, done, until, judge } = bed({
      setup: { memory },
      engineSettings: { memory: { enabled: true, learning: "rules" } },
      deps: { learns: () => true },
    });
    await ask(engine);
    await until(() => events.some(({ type }) => type === "critique.result"));
    await done();
    assert.equal(judge.graded.length, 1);
    const types = events.map(({ type }) => type);
    assert.ok(types.indexOf("memory.learned") < types.indexOf("critique.result"));
  });

  it("does what the user asks for without waiting for memory", async () => {
    const { engine, critic, judge, until } = bed({
      settings: { mode: "request" },
      deps: { learns: () => true },
    });
    const { sessionId, end: ended } = await ask(engine);
    await critic.grade({ sessionId, turnId: ended.turnId });
    await until(() => judge.graded.length === 1);
    await critic.dispose();
  });
});

describe("a critic that can't keep up", () => {
  it("keeps the newest of 200 turns, and says of each of the others that it was not graded", async () => {
    const judge = playJudge({ grade: (_request, signal) => untilStopped(signal) });
    const kept = jobStore();
    const { engine, critic, of, until } = bed({ judge, deps: { kept } });
    const turns: string[] = [];
    for (let at = 0; at < 200; at += 1) turns.push((await ask(engine, `question ${at}`)).end.turnId);
    await until(() => critic.view().running?.turnId === turns.at(-1));
    const said = of("critique.result");
    const { running, waiting, dropped } = critic.view();
    assert.equal(running?.turnId, turns.at(-1));
    assert.ok(waiting.length <= MAX_WAITING);
    assert.equal(said.length, dropped);
    assert.equal(said.length + waiting.length + 1, 200);
    assert.ok(said.every(({ data }) => data.score === null));
    assert.ok(said.every(({ data }) => data["conclave.ungraded"] === "not graded: newer answers waited"));
    assert.equal(kept.jobs.length, waiting.length + 1);
    assert.deepEqual(
      waiting.map(({ turnId }) => turnId),
      turns.slice(0, -1).reverse().slice(0, waiting.length),
    );
    await critic.dispose();
  });

  it("gives a dead judge's failure as what it is, with what can be done about it", async () => {
    const problem = failure("model_missing", "Ollama has no model called judge.", {
      ...{ action: "pull_model" as const, target: "judge" },
    });
    const { engine, of, done } = bed({ settings: { model: "judge" }, deps: { model: () => problem } });
    const turn = await ask(engine);
    await done();
    assert.equal(turn.end.data.outcome, "answered");
    const { data } = of("critique.result")[0]!;
    assert.equal(data["gen_ai.request.model"], "judge");
    assert.equal(data["conclave.ungraded"], "not graded: Ollama has no model called judge");
    assert.deepEqual(data.error, problem);
  });

  it("gives a slow judge up, and leaves it alone for a while", async () => {
    const judge = playJudge({ grade: () => new Promise(() => undefined) });
    const { engine, of, until, done, clock } = bed({ judge });
    await ask(engine, "one");
    await until(() => judge.graded.length === 1);
    clock.tick(GRADE_MS);
    await until(() => of("critique.result").length === 1);
    assert.equal(of("critique.result")[0]?.data.error?.code, "timeout");
    await ask(engine, "two");
    await done();
    assert.equal(judge.graded.length, 1);
    assert.match(
      of("critique.result")[1]?.data["conclave.ungraded"] ?? "",
      /took too long; it is asked again in/,
    );
  });

  it("outlives a judge that throws", async () => {
    const judge = playJudge({
      grade: () => {
        throw new Error("a bug");
      },
    });
    const { engine, of, done } = bed({ judge });
    await ask(engine);
    await done();
    assert.equal(of("critique.result")[0]?.data.error?.code, "internal");
  });

  it("tells raw words and why where the judge gave no grade", async () => {
    const judge = playJudge({
      grade: () =>
        Promise.resolve(graded(null, { ungraded: "not graded (cut off)", raw: "Well", feedback: "" })),
    });
    const { engine, of, done } = bed({ judge });
    await ask(engine);
    await done();
    const { data } = of("critique.result")[0]!;
    assert.deepEqual(
      [data.score, data["conclave.ungraded"], data["conclave.raw"]],
      [null, "not graded (cut off)", "Well"],
    );
  });

  it("holds up nothing when it ends: what it asks is stopped at once", async () => {
    const judge = playJudge({ grade: () => new Promise<Result<GradeOutcome>>(() => undefined) });
    const kept = jobStore();
    const { engine, critic, until } = bed({ judge, deps: { kept } });
    await ask(engine);
    await until(() => judge.graded.length === 1);
    await critic.dispose();
    assert.equal(kept.jobs.length, 1);
  });

  it("drops what waits when it is turned off", async () => {
    const judge = playJudge({ grade: (_request, signal) => untilStopped(signal) });
    const kept = jobStore();
    const { engine, critic, settings, until, done } = bed({ judge, deps: { kept } });
    await ask(engine);
    await until(() => critic.view().running !== null);
    settings.now = { ...settings.now, mode: "off" };
    critic.changed();
    await done();
    assert.deepEqual(kept.jobs, []);
  });

  it("says nothing more of turns that were forgotten", async () => {
    const judge = playJudge({ grade: (_request, signal) => untilStopped(signal) });
    const { engine, critic, of, until, done } = bed({ judge });
    const turn = await ask(engine);
    await until(() => critic.view().running !== null);
    critic.forget(({ turnId }) => turnId === turn.end.turnId);
    await done();
    assert.deepEqual(of("critique.result"), []);
  });
});

describe("a committee's answers", () => {
  it("are graded each, with the one that sums them up, by the same rubric", async () => {
    const { engine, of, done, judge } = bed({
      settings: { personas: true },
      setup: {
        agents: () => ({ agents: [persona("Skeptic"), persona("Newcomer")], rules: "", problems: [] }),
      },
    });
    await ask(engine, "Is it so?", {
      options: {
        committee: { personas: ["Skeptic", "Newcomer"], strategy: "blind", rounds: 1, synthesizer: "" },
      },
    });
    await done();
    const said = of("critique.result");
    assert.ok(said.length >= 3, String(said.length));
    assert.deepEqual(new Set(said.map(({ data }) => data["conclave.rubric"])), new Set(["helpfulness"]));
    const spans = new Set(
      of("agent.start")
        .filter(({ data }) => data["conclave.role"] === "persona")
        .map(({ id }) => id),
    );
    assert.equal(said.filter(({ parentId }) => spans.has(parentId ?? "")).length, 2);
    assert.equal(judge.graded.length, said.length);
  });
});

describe("a window that was closed", () => {
  it("has its jobs taken up at the next start, and none of them done twice", async () => {
    const first = bed({ judge: playJudge({ grade: (_request, signal) => untilStopped(signal) }), deps: {} });
    const open = await ask(first.engine, "one");
    await first.critic.dispose();
    const place = { sessionId: open.sessionId, turnId: open.end.turnId };
    const job = { kind: "grade" as const, ...place, askedBy: "critic" as const, askedAt: open.end.time };
    const kept = jobStore([job]);
    const log = (): Promise<Result<typeof first.events>> => Promise.resolve(success([...first.events]));
    const next = bed({ deps: { kept, events: log } });
    await next.critic.resume();
    await next.done();
    assert.equal(next.of("critique.result").length, 1);
    assert.deepEqual(kept.jobs, []);
    first.events.push(...next.of("critique.result"));
    const again = bed({ deps: { kept: jobStore([job]), events: log } });
    await again.critic.resume();
    await again.done();
    assert.deepEqual(again.of("critique.result"), []);
    assert.deepEqual(again.judge.graded, []);
  });

  it("leaves alone what can no longer be read", async () => {
    const job = {
      kind: "grade" as const,
      sessionId: "s",
      turnId: "t",
      askedBy: "critic" as const,
      askedAt: 1,
    };
    const kept = jobStore([job]);
    const gone = (): Promise<Result<never>> => Promise.resolve(failed("bad_input", "It was forgotten."));
    const { critic, of, done, judge } = bed({ deps: { kept, events: gone } });
    await critic.resume();
    await done();
    assert.deepEqual([judge.graded, of("critique.result"), kept.jobs], [[], [], []]);
  });
});

function persona(name: string) {
  return {
    ...{ name, description: "", kind: "persona" as const, prompt: `You are ${name}.` },
    ...{ limits: {}, required: [], structuredOutput: false, source: { origin: "built-in" as const } },
  };
}
