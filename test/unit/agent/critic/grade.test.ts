import assert from "node:assert/strict";
import { createJudge } from "../../../../src/agent/critic/judge.ts";
import type { GradeOutcome, GradeRequest, JudgeDeps } from "../../../../src/agent/critic/types.ts";
import type { ChatModel } from "../../../../src/agent/models/types.ts";
import { answers, broken, end, muse, playModel, say, type Reply } from "../support.ts";
import { cutOff, graded, judgeDeps, NEVER, promptOf, toGrade } from "./judge-bed.ts";

async function grade(
  model: ChatModel,
  request: GradeRequest = toGrade("A town in Scotland."),
  more: Partial<JudgeDeps> = {},
): Promise<GradeOutcome> {
  const outcome = await createJudge().grade(request, judgeDeps(model, more), NEVER);
  assert.ok(outcome.ok, JSON.stringify(outcome));
  return outcome.value;
}

describe("a grade by any model", () => {
  it("is asked for as an object whose feedback comes first, without thinking, and the prompt says its form", async () => {
    const model = playModel([answers(graded(4, "Names the country."))]);
    const outcome = await grade(model);
    assert.deepEqual(outcome, {
      judge: "constrained",
      score: 4,
      feedback: "Names the country.",
      scores: [4],
      spread: 0,
      attempts: 1,
      inputTokens: 10,
      outputTokens: 5,
      durationMs: 0,
    });
    const [request] = model.requests;
    assert.ok(request);
    const { properties, required } = request.format as { properties: object; required: readonly string[] };
    assert.deepEqual(Object.keys(properties), ["feedback", "score"]);
    assert.deepEqual(required, ["feedback", "score"]);
    assert.equal(request.think, false);
    assert.equal(request.temperature, 0);
    assert.deepEqual(request.runner, { contextLength: 8_192, keepAlive: "30m" });
    assert.ok(promptOf(request).includes(JSON.stringify(request.format)));
    for (const text of ["What is Oban?", "A town in Scotland.", "Is the answer plain?", "5: All of it."])
      assert.ok(promptOf(request).includes(text), text);
  });

  it("is never asked for with a larger context than the model has", async () => {
    const model = playModel([answers(graded(4))], { contextLength: 2_048 });
    await grade(model);
    assert.equal(model.requests[0]?.runner.contextLength, 2_048);
  });

  it("is read from free text where the output is not bound to the form", async () => {
    const outcome = await grade(playModel([answers("There are 3 sources and 2 errors. Grade: 4/5")]));
    assert.deepEqual([outcome.score, outcome.feedback], [4, "There are 3 sources and 2 errors."]);
  });

  it("is asked for again without the form by a server that can't bind the output, which is remembered", async () => {
    const model = playModel([[broken("invalid_format")], answers(graded(3)), answers(graded(2))]);
    const judge = createJudge();
    const first = await judge.grade(toGrade("Yes."), judgeDeps(model), NEVER);
    assert.ok(first.ok);
    assert.equal(first.value.score, 3);
    await judge.grade(toGrade("No."), judgeDeps(model), NEVER);
    assert.deepEqual(
      model.requests.map(({ format }) => format !== undefined),
      [true, false, false],
    );
  });

  it("is asked for once more, at another temperature, when nothing can be read", async () => {
    const model = playModel([answers("Not excellent. I'd say two."), answers(graded(2))]);
    const outcome = await grade(model);
    assert.deepEqual([outcome.score, outcome.attempts, outcome.inputTokens], [2, 2, 20]);
    assert.notEqual(model.requests[0]?.temperature, model.requests[1]?.temperature);
  });

  for (const text of ["85", "Score: 4.5", "Not excellent. I'd say two.", "¡Excelente!"]) {
    it(`is none where the judge only says ${JSON.stringify(text)}; its words are kept`, async () => {
      const outcome = await grade(playModel([answers(text)]));
      assert.deepEqual(
        [outcome.score, outcome.scores, outcome.ungraded, outcome.raw],
        [null, [null], "not graded (no result could be read)", text],
      );
    });
  }

  it("is none where the judge says nothing at all", async () => {
    const outcome = await grade(playModel([[end()]]));
    assert.deepEqual(
      [outcome.score, outcome.ungraded, outcome.raw],
      [null, "not graded (the judge said nothing)", undefined],
    );
  });

  it("is none for an answer that is empty, and nobody is asked", async () => {
    const model = playModel([answers(graded(5))]);
    const outcome = await grade(model, toGrade("  \n"));
    assert.deepEqual(
      [outcome.score, outcome.ungraded, model.requests.length],
      [null, "not graded (there is no answer)", 0],
    );
  });
});

describe("a judge whose words are cut off", () => {
  it("gets one more try with more room, and then there is no grade; thinking never gives one", async () => {
    const model = playModel([
      cutOff("", "maybe 2, no, 4. [RESULT] 4"),
      cutOff('{"grade":4,"feedback":"Misses the da'),
    ]);
    const outcome = await grade(model);
    assert.equal(model.requests.length, 2);
    const [first, second] = model.requests;
    assert.ok((second?.maxTokens ?? 0) > (first?.maxTokens ?? 0));
    assert.deepEqual(
      [outcome.score, outcome.ungraded, outcome.raw],
      [null, "not graded (cut off)", '{"grade":4,"feedback":"Misses the da'],
    );
  });

  it("has its grade when the second try ends", async () => {
    const outcome = await grade(playModel([cutOff("", "hm"), answers(graded(4))]));
    assert.deepEqual([outcome.score, outcome.attempts], [4, 2]);
  });

  it("is not waited for without end when it heeds no limit", async () => {
    let taken = 0;
    const endless: Reply = async function* () {
      for (;;) {
        taken += 1;
        yield await Promise.resolve(say("so good, so good "));
      }
    };
    const outcome = await grade(playModel([endless]));
    assert.deepEqual([outcome.score, outcome.ungraded, outcome.attempts], [null, "not graded (cut off)", 2]);
    assert.ok(taken < 20_000);
    assert.ok((outcome.raw?.length ?? 0) <= 2_000);
  });

  it("is not waited for while it thinks without end", async () => {
    const endless: Reply = async function* () {
      for (;;) yield await Promise.resolve(muse("let me see, perhaps a 4 "));
    };
    const outcome = await grade(playModel([endless]));
    assert.deepEqual(
      [outcome.score, outcome.ungraded, outcome.raw],
      [null, "not graded (cut off)", undefined],
    );
  });

  it("has what it took back as thinking not read", async () => {
    const outcome = await grade(
      playModel([[say("[RESULT] 2 "), { type: "retract" }, say(graded(4)), end()]]),
    );
    assert.equal(outcome.score, 4);
  });
});

describe("several samples of a grade", () => {
  it("give the median with the spread, each asked for with a seed of its own", async () => {
    const model = playModel([
      answers(graded(5, "Best.")),
      answers(graded(2, "Poor.")),
      answers(graded(4, "Good.")),
    ]);
    const outcome = await grade(model, toGrade("Yes."), { samples: 3 });
    assert.deepEqual(
      [outcome.score, outcome.scores, outcome.spread, outcome.feedback],
      [4, [5, 2, 4], 3, "Good."],
    );
    assert.equal(new Set(model.requests.map(({ seed }) => seed)).size, 3);
    assert.ok(model.requests.every(({ temperature = 0 }) => temperature > 0));
  });

  it("that could not be read do not count", async () => {
    const model = playModel([answers("?"), answers("?"), answers(graded(2)), answers(graded(4))]);
    const outcome = await grade(model, toGrade("Yes."), { samples: 3 });
    assert.deepEqual([outcome.score, outcome.scores, outcome.spread], [2, [null, 2, 4], 2]);
    assert.equal(outcome.ungraded, undefined);
  });

  it("keep what was given when the server goes away between them", async () => {
    const model = playModel([answers(graded(4)), [broken("server_unreachable")]]);
    const outcome = await grade(model, toGrade("Yes."), { samples: 2 });
    assert.deepEqual([outcome.score, outcome.scores], [4, [4, null]]);
  });
});

describe("a Prometheus", () => {
  const options = { name: "ggozad/prometheus2:latest", contextLength: 32_768 };

  it("is asked in the form that it was trained on", async () => {
    const model = playModel([answers("Feedback: Plain enough. [RESULT] 4")], options);
    const outcome = await grade(model, toGrade("A town.", { reference: "A town in Argyll." }));
    assert.deepEqual([outcome.judge, outcome.score, outcome.feedback], ["prometheus", 4, "Plain enough."]);
    const [request] = model.requests;
    assert.ok(request);
    assert.deepEqual(
      [request.temperature, request.topP, request.maxTokens, request.format, request.messages.length],
      [1, 0.9, 1_024, undefined, 1],
    );
    const headings = promptOf(request).match(/^###.*$/gmu);
    assert.deepEqual(headings, [
      "###Task Description:",
      "###The instruction to evaluate:",
      "###Response to evaluate:",
      "###Reference Answer (Score 5):",
      "###Score Rubrics:",
      "###Feedback: ",
    ]);
    assert.match(
      promptOf(request),
      /^\[Is the answer plain\?\]\nScore 1: Not at all\.\n[^]*^Score 5: All of it\.$/mu,
    );
  });

  it("is asked again at other temperatures", async () => {
    const model = playModel([answers("Good."), answers("Good."), answers("Good. [RESULT] 3")], options);
    const outcome = await grade(model);
    assert.deepEqual([outcome.score, outcome.attempts], [3, 3]);
    assert.equal(new Set(model.requests.map(({ temperature }) => temperature)).size, 3);
  });

  it("is not asked with less context than it needs, and that is said", async () => {
    const model = playModel([answers("[RESULT] 3")], options);
    const outcome = await grade(model, toGrade("Yes."), { runner: { contextLength: 2_048, keepAlive: -1 } });
    assert.equal(model.requests.length, 0);
    assert.equal(outcome.score, null);
    assert.match(outcome.ungraded ?? "", /at least 4096 tokens, and has 2048/u);
  });
});

describe("texts that are too long for the judge", () => {
  it("are cut to its context, and the judge is told so", async () => {
    const model = playModel([answers(graded(3))], { contextLength: 4_096 });
    const long = "A long answer of many words. ".repeat(4_000);
    await grade(model, toGrade(long, { sources: "A source. ".repeat(9_000) }));
    const [request] = model.requests;
    assert.ok(request);
    assert.ok(Buffer.byteLength(promptOf(request)) / 3.5 < 4_096 - request.maxTokens);
    assert.match(promptOf(request), new RegExp(`only the first \\d+ of ${long.length} characters`, "u"));
    assert.match(promptOf(request), /only the first \d+ of 90000 characters/u);
    assert.match(promptOf(request), /What is Oban\?/u);
  });

  it("are made smaller when the server still finds them too long", async () => {
    const model = playModel([[broken("context_overflow")], answers(graded(3))]);
    const outcome = await grade(model, toGrade("Many words. ".repeat(3_000)));
    assert.equal(outcome.score, 3);
    const [first, second] = model.requests.map((request) => promptOf(request).length);
    assert.ok((second ?? 0) < (first ?? 0));
  });
});
