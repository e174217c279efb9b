import assert from "node:assert/strict";
import fc from "fast-check";
import {
  callFigures,
  daysUntil,
  gradeFigures,
  isFailure,
  saysAll,
  toolLines,
} from "../../../../src/trace/activity/figures.ts";
import type {
  CallOutcome,
  CallRecord,
  GradeRecord,
  ToolInfo,
} from "../../../../src/trace/activity/records.ts";
import { SessionFold } from "../../../../src/trace/activity/session-fold.ts";
import { SteadyIdentity } from "../support/steady-identity.ts";
import { TurnScript } from "../support/turn-script.ts";

const NOW = new Date(2026, 10, 28, 15).getTime();
const HOUR = 3_600_000;

const base = { sessionId: "s", turnId: "t", question: "Where is the cache?" };
let made = 0;

function call(
  time: number,
  outcome: CallOutcome = "done",
  tool = "web_fetch",
  durationMs?: number,
): CallRecord {
  made += 1;
  return {
    ...base,
    ...{
      kind: "call",
      id: String(made),
      time,
      tool,
      agent: "Skeptic",
      arguments: "url: a",
      outcome,
      said: "",
    },
    attempts: 1,
    ...(durationMs !== undefined && { durationMs }),
  };
}

function grade(score: number | null, time: number): GradeRecord {
  made += 1;
  return {
    ...base,
    kind: "grade",
    id: String(made),
    time,
    agent: "",
    score,
    feedback: "Too long.",
    judge: "j",
  };
}

describe("activity in figures", () => {
  it("counts the calls and failures of each day, whatever comes", () => {
    const outcome = fc.constantFrom<CallOutcome>("done", "failed", "cancelled", "running", "interrupted");
    const some = fc.array(fc.tuple(fc.integer({ min: 0, max: 29 * 24 }), outcome), { maxLength: 60 });
    fc.assert(
      fc.property(some, (given) => {
        const calls = given.map(([hours, how]) => call(NOW - hours * HOUR, how));
        const { days, ...figures } = callFigures(calls, NOW);
        assert.equal(figures.calls, calls.length);
        assert.equal(figures.failures, calls.filter(isFailure).length);
        assert.equal(days.length, 30);
        assert.equal(
          days.reduce((sum, day) => sum + day.calls, 0),
          calls.length,
        );
        assert.equal(
          days.reduce((sum, day) => sum + day.failures, 0),
          figures.failures,
        );
      }),
      { seed: 7 },
    );
  });

  it("begins days at midnight of this machine, also where clocks change", () => {
    for (const from of daysUntil(NOW, 200)) assert.equal(new Date(from).getHours(), 0);
    assert.equal(daysUntil(NOW, 2).at(-1), new Date(2026, 10, 28).getTime());
  });

  it("leaves older calls out of the days, and in the sum", () => {
    const { calls, days } = callFigures([call(NOW), call(NOW - 60 * 24 * HOUR)], NOW);
    assert.equal(calls, 2);
    assert.equal(
      days.reduce((sum, day) => sum + day.calls, 0),
      1,
    );
  });

  it("has a median that one slow call does not move, and none without an end", () => {
    const of = (...ms: readonly number[]) =>
      callFigures(
        ms.map((one) => call(NOW, "done", "a", one)),
        NOW,
      ).medianMs;
    assert.equal(of(10, 20, 90_000), 20);
    assert.equal(of(10, 20), 15);
    assert.equal(callFigures([call(NOW, "running")], NOW).medianMs, null);
  });

  it("spreads grades over 1 to 5, with the mean of this week and the one before", () => {
    const week = 7 * 24 * HOUR;
    const figures = gradeFigures(
      [grade(5, NOW), grade(4, NOW), grade(2, NOW - week), grade(null, NOW), grade(1, NOW - 5 * week)],
      NOW,
    );
    assert.deepEqual(figures.counts, [1, 1, 0, 1, 1]);
    assert.deepEqual([figures.ungraded, figures.mean], [1, 3]);
    assert.deepEqual([figures.lastWeek, figures.weekBefore], [4.5, 2]);
  });

  it("lists tools in their order, calls by another name among theirs, and names nobody knows behind them", () => {
    const tools: readonly ToolInfo[] = [
      {
        name: "web_search",
        aliases: ["google"],
        description: "Searches.",
        state: "off",
        reason: "It is off.",
      },
      { name: "web_fetch", aliases: [], description: "Reads.", state: "on" },
    ];
    const lines = toolLines(
      tools,
      [
        call(NOW, "failed", "google"),
        call(NOW, "done", "made_up"),
        call(NOW - 90 * 24 * HOUR, "done", "web_fetch"),
      ],
      NOW,
    );
    assert.deepEqual(
      lines.map(({ name, state, calls, failures }) => [name, state, calls, failures]),
      [
        ["web_search", "off", 1, 1],
        ["web_fetch", "on", 0, 0],
        ["made_up", "gone", 1, 0],
      ],
    );
    assert.equal(lines[1]?.last, NOW - 90 * 24 * HOUR);
  });

  it("say of each day what was not graded beside the mean, and keep respondent B's grades out of all of it", () => {
    const figures = gradeFigures(
      [grade(4, NOW), grade(null, NOW), grade(2, NOW - HOUR), { ...grade(1, NOW), other: true }],
      NOW,
    );
    const today = figures.days.at(-1);
    assert.deepEqual([today?.grades, today?.ungraded, today?.mean], [2, 1, 3]);
    assert.deepEqual([figures.counts, figures.ungraded, figures.mean], [[0, 1, 0, 1, 0], 1, 3]);
    assert.deepEqual(figures.latest.length, 3);
    assert.equal(figures.latest[0], 2, "oldest first");
  });

  it("keep of a judgement how it came about, whose answer it is, and who gave the two that were compared", () => {
    const fold = new SessionFold();
    const script = new TurnScript((event) => void fold.take(event), { identity: new SteadyIdentity() });
    script.ask().reply({ content: "Yes." }).answered("Yes.");
    const place = { parentId: script.turnId };
    const how = {
      ...{ "gen_ai.request.model": "judge", "conclave.judge": "constrained" as const },
      ...{ "conclave.rubric": "grounding", "conclave.duration_ms": 900, "conclave.same_family": "qwen3" },
    };
    script.emitter.emit("critique.result", place, {
      ...{ score: null, feedback: "", ...how, "conclave.ungraded": "not graded (cut off)" },
      ...{ "conclave.raw": "x".repeat(5_000), "conclave.scores": [null, null], "conclave.spread": 0 },
    });
    const b = { agent: "second", model: "llama", temperature: 0.2 };
    script.emitter.emit("pairwise.result", place, {
      ...{ winner: null, feedback: "", ...how, "conclave.order_bound": true, "conclave.b": b },
      "conclave.orders": [{ first: "A", winner: "A", feedback: "long" }],
    });
    const [first, second] = [...fold.records.values()];
    assert.ok(first?.kind === "grade" && second?.kind === "verdict");
    assert.deepEqual(
      [first.rubric, first.judgeKind, first.durationMs, first.sameFamily, first.ungraded, first.scores],
      ["grounding", "constrained", 900, "qwen3", "not graded (cut off)", [null, null]],
    );
    assert.ok((first.raw?.length ?? 0) <= 200, "a record holds no more than a line");
    assert.deepEqual([second.orderBound, second.b, second.orders], [true, b, [{ first: "A", winner: "A" }]]);
    script.emitter.emit("critique.corrected", place, { score: 3, reason: "Fine.", "conclave.by": "you" });
    const corrected = fold.records.get(first.id);
    assert.ok(corrected?.kind === "grade");
    assert.deepEqual(
      [corrected.score, corrected.rubric, corrected.corrected?.given],
      [3, "grounding", null],
      "how it was judged stays beside what a person put in its place",
    );
  });

  it("are found by all words of a filter, in any of their texts and in any case", () => {
    assert.ok(saysAll(call(NOW, "failed"), ["failed", "skeptic", "cache"]));
    assert.ok(!saysAll(call(NOW), ["cache", "boat"]));
    assert.ok(saysAll(grade(4, NOW), ["4/5", "too"]));
  });
});

describe("grades and what memory did, out of events", () => {
  function turn(): { readonly fold: SessionFold; readonly script: TurnScript } {
    const fold = new SessionFold();
    return {
      fold,
      script: new TurnScript((event) => void fold.take(event), { identity: new SteadyIdentity() }),
    };
  }

  it("a grade that a person put right stays so, whatever the critic says later", () => {
    const { fold, script } = turn();
    const place = { parentId: script.turnId };
    const critic = { feedback: "Good.", "gen_ai.request.model": "judge:8b" };
    script.emitter.emit("critique.result", place, { score: 5, ...critic });
    script.emitter.emit("critique.corrected", place, {
      score: 2,
      reason: "Wrong date",
      "conclave.by": "mira",
    });
    script.wait(60_000);
    script.emitter.emit("critique.result", place, { score: 4, ...critic });
    const [record] = [...fold.records.values()];
    assert.ok(record?.kind === "grade");
    assert.equal(record.score, 2);
    const time = record.time - 60_000;
    assert.deepEqual(record.corrected, { by: "mira", reason: "Wrong date", time, given: 4 });
    assert.equal(record.judge, "judge:8b");
    assert.equal(fold.records.size, 1);
  });

  it("the answer of the turn and that of one persona are graded apart; a verdict stands beside them", () => {
    const { fold, script } = turn();
    const result = { score: 3, feedback: "", "gen_ai.request.model": "j" };
    script.emitter.emit("critique.result", { parentId: script.turnId }, result);
    script.emitter.emit("critique.result", { parentId: script.emitter.agentId }, result);
    script.emitter.emit(
      "pairwise.result",
      { parentId: script.turnId },
      { winner: null, feedback: "", "gen_ai.request.model": "j" },
    );
    const graded = [...fold.records.values()].flatMap((one) => (one.kind === "grade" ? one.agent : []));
    assert.deepEqual(graded, ["", "conclave"]);
    assert.deepEqual([...fold.records.values()].map(({ kind }) => kind).sort(), [
      "grade",
      "grade",
      "verdict",
    ]);
  });

  it("one line a turn says what memory gave and took", () => {
    const { fold, script } = turn();
    const place = { parentId: script.turnId };
    script.emitter.emit("memory.ingested", place, {
      "conclave.episode_ids": ["e"],
      "conclave.duration_ms": 1,
      "conclave.retrieved": 3,
    });
    script.emitter.emit("memory.learned", place, {
      ...{
        "conclave.episode_ids": ["e"],
        "conclave.extracted": 2,
        "conclave.updated": 1,
        "conclave.duration_ms": 1,
      },
      "conclave.by": "rules",
      "conclave.learned": {
        ...{ added: [{ id: "f", text: "Mira owns it" }], repeated: [], closed: [], entities: 0, edges: 0 },
        rejected: [{ text: "x", reason: "y" }],
      },
    });
    const [record] = [...fold.records.values()];
    assert.ok(record?.kind === "memory");
    const { recalled, extracted, updated, rejected, by, said } = record;
    assert.deepEqual(
      [recalled, extracted, updated, rejected, by, said],
      [3, 2, 1, 1, "rules", "Mira owns it"],
    );
  });
});
