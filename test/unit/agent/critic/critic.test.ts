import assert from "node:assert/strict";
import fc from "fast-check";
import { isSampled } from "../../../../src/agent/critic/jobs.ts";
import {
  answers,
  ask,
  broken,
  call,
  callTools,
  end,
  gives,
  hangs,
  makeTool,
  playModel,
  say,
  start,
  toolSet,
} from "../support.ts";
import { bed, graded, jobStore, playJudge, rubric, untilStopped } from "./critic-bed.ts";

describe("the critic at work", () => {
  it("grades an answered turn by itself, and says how it came about", async () => {
    const { engine, of, done, judge } = bed({ settings: { samples: 3 } });
    const turn = await ask(engine, "What is the capital of France?");
    await done();
    const [critique] = of("critique.result");
    assert.equal(of("critique.result").length, 1);
    assert.equal(critique?.parentId, turn.end.turnId);
    assert.equal(critique.respondent, "A");
    assert.deepEqual(
      { ...critique.data },
      {
        ...{ score: 4, feedback: "It says what was asked.", "gen_ai.request.model": "tiny" },
        ...{
          "conclave.rubric": "helpfulness",
          "conclave.asked_by": "critic",
          "conclave.judge": "constrained",
        },
        ...{ "conclave.duration_ms": 12, "conclave.attempts": 1, "conclave.same_family": "tiny" },
        ...{ "gen_ai.usage.input_tokens": 100, "gen_ai.usage.output_tokens": 20 },
      },
    );
    assert.equal(judge.graded[0]?.question, "What is the capital of France?");
    assert.equal(judge.graded[0].answer, "Paris.");
    assert.equal(judge.deps[0]?.samples, 3);
  });

  it("tells the samples and how far they lie apart where there are several", async () => {
    const judge = playJudge({
      grade: () => Promise.resolve(graded(3, { scores: [2, 3, 5], spread: 3 })),
    });
    const { engine, of, done } = bed({ judge });
    await ask(engine);
    await done();
    const { data } = of("critique.result")[0]!;
    assert.deepEqual(data["conclave.scores"], [2, 3, 5]);
    assert.equal(data["conclave.spread"], 3);
  });

  it("sends the judge what the chat sends to the same model, so that nothing is loaded anew", async () => {
    const model = playModel([answers("Paris.")], { contextLength: 4_096 });
    const { engine, done, judge } = bed({ model, engineSettings: { contextLength: 8_192, keepAlive: "1h" } });
    await ask(engine);
    await done();
    assert.deepEqual(judge.deps[0]?.runner, model.requests[0]?.runner);
    assert.deepEqual(judge.deps[0]?.runner, { contextLength: 4_096, keepAlive: "1h" });
  });

  it("gives the judge what the answer was given to work with", async () => {
    const tool = makeTool({
      name: "look_up",
      run: () => Promise.resolve(gives("Paris has 2 million people.")),
    });
    const model = playModel([[callTools(call("look_up", { query: "x" })), end()], answers("Two million.")]);
    const { engine, done, judge } = bed({ model, setup: { tools: toolSet(tool) } });
    const references = [{ label: "notes.md", uri: "file:///notes.md", text: "Paris is in France." }];
    await ask(engine, "How many?", { references });
    await done();
    assert.match(judge.graded[0]!.sources, /notes\.md\nParis is in France\./);
    assert.match(judge.graded[0]!.sources, /Paris has 2 million people\./);
  });

  it("keeps what it holds of sources within bounds", async () => {
    const references = Array.from({ length: 50 }, (_, at) => ({
      ...{ label: `f${at}`, uri: `file:///f${at}`, text: "word ".repeat(10_000) },
    }));
    const { engine, done, judge } = bed({ engineSettings: { contextLength: 1_000_000 } });
    await ask(engine, "What?", { references });
    await done();
    assert.ok(judge.graded[0]!.sources.length <= 17_000);
  });

  it("grades no turn that failed, was cancelled, or that nobody asked for", async () => {
    const model = playModel([[broken("bad_input")], hangs(say("Par")), answers("Quietly.")]);
    const { engine, of, until, done, judge } = bed({ model });
    await ask(engine, "one");
    const running = await start(engine, "two");
    await until(() => model.requests.length === 2);
    running.cancel();
    await running.done;
    await ask(engine, "three", { background: true });
    await done();
    assert.deepEqual(judge.graded, []);
    assert.deepEqual(of("critique.result"), []);
  });

  it("grades no turn in which the user had something forgotten", async () => {
    const forget = makeTool({
      name: "forget_memory",
      run: () =>
        Promise.resolve({
          ok: true,
          content: "Gone.",
          details: { summary: "gone", data: { forgotten: true } },
        }),
    });
    const model = playModel([
      [callTools(call("forget_memory", { query: "my name" })), end()],
      answers("Done."),
    ]);
    const { engine, done, judge } = bed({ model, setup: { tools: toolSet(forget) } });
    await ask(engine, "Forget my name.");
    await done();
    assert.deepEqual(judge.graded, []);
  });

  it("grades a private turn in its window, and keeps nothing of the job", async () => {
    const kept = jobStore();
    const judge = playJudge({ grade: (_request, signal) => untilStopped(signal) });
    const { engine, critic, until } = bed({ judge, deps: { kept, isPrivate: () => true } });
    await ask(engine, "A secret?", { private: true });
    await until(() => critic.view().running !== null);
    assert.deepEqual(kept.jobs, []);
    await critic.dispose();
  });

  it("does nothing by itself when it is off, or only grades on request", async () => {
    for (const mode of ["off", "request"] as const) {
      const { engine, done, judge } = bed({ settings: { mode } });
      await ask(engine);
      await done();
      assert.deepEqual(judge.graded, [], mode);
    }
  });

  it("grades on request, and says why where it can't", async () => {
    const { engine, critic, settings, of, done } = bed({ settings: { mode: "request" } });
    const { sessionId, end: ended } = await ask(engine);
    const place = { sessionId, turnId: ended.turnId };
    assert.ok((await critic.grade(place)).ok);
    await done();
    assert.equal(of("critique.result")[0]?.data["conclave.asked_by"], "user");
    const unknown = await critic.grade({ sessionId, turnId: "none" });
    assert.match(unknown.ok ? "" : unknown.failure.message, /no answer/);
    settings.now = { ...settings.now, mode: "off" };
    const off = await critic.grade(place);
    assert.equal(off.ok ? "" : off.failure.target, "conclave.critic.mode");
  });

  it("grades once more on request what has a grade", async () => {
    const { engine, critic, of, done, clock } = bed();
    const { sessionId, end: ended } = await ask(engine);
    await done();
    clock.tick(1_000);
    await critic.grade({ sessionId, turnId: ended.turnId });
    await done();
    assert.equal(of("critique.result").length, 2);
  });

  it("takes a sample of turns that their ids alone decide", () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[0-9a-f]{32}$/),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (id, share) => {
          assert.equal(isSampled(id, share), isSampled(id, share));
          assert.equal(isSampled(id, 0), false);
          assert.equal(isSampled(id, 1), true);
          if (isSampled(id, share)) assert.ok(isSampled(id, Math.min(1, share + 0.1)));
        },
      ),
    );
    // Ids that only count up are spread as random ones are.
    const taken = Array.from({ length: 10_000 }, (_, at) => at.toString(16).padStart(32, "0"));
    const share = taken.filter((id) => isSampled(id, 0.2)).length / taken.length;
    assert.ok(Math.abs(share - 0.2) < 0.02, String(share));
  });

  it("grades by the rubric that names the agent before that of the settings", async () => {
    const rubrics = [rubric("helpfulness"), rubric("code", ["Conclave"])];
    const { engine, of, done } = bed({ rubrics });
    await ask(engine);
    await done();
    assert.equal(of("critique.result")[0]?.data["conclave.rubric"], "code");
  });

  it("says that there is no such rubric, and names the nearest", async () => {
    const { engine, of, done } = bed({ settings: { rubric: "helpfulnes" } });
    await ask(engine);
    await done();
    const { data } = of("critique.result")[0]!;
    assert.equal(data.score, null);
    assert.match(
      data["conclave.ungraded"] ?? "",
      /There is no rubric "helpfulnes". Did you mean helpfulness\?/,
    );
  });
});
