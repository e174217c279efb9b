import assert from "node:assert/strict";
import type { CriticJob } from "../../../../src/agent/critic/jobs.ts";
import type { CriticSettings } from "../../../../src/agent/critic/settings.ts";
import type { GradeOutcome } from "../../../../src/agent/critic/types.ts";
import { success, type Result } from "../../../../src/agent/failure.ts";
import { answers, ask, playModel } from "../support.ts";
import { bed, graded, jobStore, playJudge, rubric, untilStopped } from "./critic-bed.ts";

/** A judge whose first grade waits until the test lets it go. */
function heldJudge(
  later: (signal: AbortSignal) => Promise<Result<GradeOutcome>> = () => Promise.resolve(graded(2)),
) {
  let give: (outcome: Result<GradeOutcome>) => void = () => undefined;
  const first = new Promise<Result<GradeOutcome>>((resolve) => (give = resolve));
  const judge = playJudge({
    grade: (_request, signal) => (judge.graded.length === 1 ? first : later(signal)),
  });
  return { judge, letGo: () => give(graded(4)) };
}

const RUBRICS = [rubric("helpfulness"), rubric("brevity")];

describe("what the user asks the critic for", () => {
  it("is graded by the rubric that is asked for, though another grade came meanwhile", async () => {
    const { judge, letGo } = heldJudge();
    const { engine, critic, of, until, done } = bed({ judge, rubrics: RUBRICS });
    const { sessionId, end } = await ask(engine);
    await until(() => judge.graded.length === 1);
    const asked = await critic.grade({ sessionId, turnId: end.turnId, rubric: "Brevity" });
    assert.ok(asked.ok);
    letGo();
    await done();
    assert.deepEqual(
      of("critique.result").map(({ data }) => data["conclave.rubric"]),
      ["helpfulness", "brevity"],
    );
  });

  it("is graded with the reference that is given, though a grade without one came meanwhile", async () => {
    const { judge, letGo } = heldJudge();
    const { engine, critic, of, until, done } = bed({ judge });
    const { sessionId, end } = await ask(engine);
    const place = { sessionId, turnId: end.turnId };
    await until(() => judge.graded.length === 1);
    await critic.grade(place);
    await critic.grade({ ...place, reference: "Paris, on the Seine." });
    letGo();
    await done();
    assert.deepEqual(
      judge.graded.map(({ reference }) => reference),
      [undefined, "Paris, on the Seine."],
    );
    assert.equal(of("critique.result")[1]?.data["conclave.reference"], true);
  });

  it("is kept for the next window though the same thing was just done", async () => {
    const { letGo, judge } = heldJudge((signal) => untilStopped(signal));
    const kept = jobStore();
    const { engine, critic, until } = bed({ judge, deps: { kept } });
    const { sessionId, end } = await ask(engine);
    await until(() => judge.graded.length === 1);
    await critic.grade({ sessionId, turnId: end.turnId, reference: "Paris, on the Seine." });
    letGo();
    await until(() => judge.graded.length === 2);
    await critic.dispose();
    assert.equal(kept.jobs.length, 1);
  });

  it("is not graded twice by one rubric where the critic was at it already", async () => {
    const { judge, letGo } = heldJudge();
    const { engine, critic, until, done } = bed({ judge });
    const { sessionId, end } = await ask(engine);
    await until(() => judge.graded.length === 1);
    await critic.grade({ sessionId, turnId: end.turnId });
    letGo();
    await done();
    assert.equal(judge.graded.length, 1);
  });

  it("is compared with whom the user names, though somebody else answered meanwhile", async () => {
    const model = playModel([answers("Paris."), answers("It is Paris."), answers("Paris, says the other.")]);
    const { judge, letGo } = heldJudge();
    const { engine, critic, of, until, done } = bed({
      judge,
      model,
      settings: { mode: "request", shadow: "all" },
    });
    const { sessionId, end } = await ask(engine);
    await until(() => judge.graded.length === 1);
    const asked = await critic.compare({ sessionId, turnId: end.turnId, model: "other" });
    assert.ok(asked.ok);
    letGo();
    await done();
    assert.deepEqual(
      of("pairwise.result").map(({ data }) => data["conclave.b"]?.model),
      ["tiny", "other"],
    );
    assert.deepEqual(
      of("shadow.answer").map(({ data }) => data.answer),
      ["It is Paris.", "Paris, says the other."],
    );
  });
});

describe("what is left when the settings have changed", () => {
  const turn = { sessionId: "s", turnId: "t", askedAt: 1 };
  const own: CriticJob = { kind: "grade", ...turn, askedBy: "critic" };
  const wished: CriticJob = { kind: "grade", ...turn, askedBy: "user" };
  const ownPair: CriticJob = { kind: "compare", ...turn, askedBy: "critic" };
  const wishedPair: CriticJob = { kind: "compare", ...turn, askedBy: "user" };
  const cases: readonly (readonly [string, Partial<CriticSettings>, readonly CriticJob[]])[] = [
    ["off", { mode: "off", shadow: "all" }, []],
    ["grading only on request", { mode: "request", shadow: "all" }, [wished, ownPair, wishedPair]],
    ["comparing only on request", { mode: "all", shadow: "request" }, [own, wished, wishedPair]],
    ["comparing off", { mode: "sampled", shadow: "off" }, [own, wished]],
  ];
  for (const [what, settings, wanted] of cases) {
    it(`is what is still wanted, with ${what} at the next start`, async () => {
      for (const job of [own, wished, ownPair, wishedPair]) {
        const isWanted = wanted.includes(job);
        let looked = 0;
        const events = (): Promise<Result<never[]>> => {
          looked += 1;
          return Promise.resolve(success([]));
        };
        const kept = jobStore([job]);
        const late = bed({ settings, deps: { kept, events } });
        await late.critic.resume();
        await late.done();
        assert.deepEqual([looked > 0, kept.jobs], [isWanted, []], JSON.stringify(job));
      }
    });
  }

  it("ends in mid-grade where the critic no longer grades by itself", async () => {
    const judge = playJudge({ grade: (_request, signal) => untilStopped(signal) });
    const kept = jobStore();
    const { engine, critic, settings, of, until, done } = bed({ judge, deps: { kept } });
    await ask(engine, "one");
    await until(() => judge.graded.length === 1);
    settings.now = { ...settings.now, mode: "request" };
    critic.changed();
    await done();
    assert.deepEqual([kept.jobs, of("critique.result"), critic.view().waiting], [[], [], []]);
  });
});
