import assert from "node:assert/strict";
import fc from "fast-check";
import type { TurnEvent } from "../../../src/agent/events.ts";
import { failure } from "../../../src/agent/failure.ts";
import { emptySession, foldEvent, foldSession, markInterrupted } from "../../../src/trace/fold.ts";
import { answerCell, cellsInOrder, emptyTurn, type TurnModel } from "../../../src/trace/model.ts";
import { snapshot } from "./support/snapshot.ts";
import { cacheTurn } from "./support/cache-turn.ts";
import { SteadyIdentity } from "./support/steady-identity.ts";
import { TurnScript } from "./support/turn-script.ts";

function fold(events: readonly TurnEvent[]): TurnModel {
  const first = events[0];
  assert.ok(first);
  const turn = emptyTurn(first.sessionId, first.turnId, first.time);
  for (const event of events) foldEvent(turn, event);
  return turn;
}

function told(tell: (script: TurnScript) => void): TurnEvent[] {
  const events: TurnEvent[] = [];
  tell(new TurnScript((event) => events.push(event)));
  return events;
}

function kinds(turn: TurnModel): string[] {
  return cellsInOrder(turn)
    .filter(({ kind }) => kind !== "agent" && kind !== "step")
    .map(({ kind, status }) => (status === "done" ? kind : `${kind} ${status}`));
}

describe("read model", () => {
  it("shows a turn in reading order, each thought before what was said", () => {
    const events: TurnEvent[] = [];
    cacheTurn((event) => events.push(event));
    assert.deepEqual(kinds(fold(events)), [
      "question",
      "model",
      "thinking",
      "tool",
      "tool",
      "model",
      "thinking",
      "answer",
    ]);
  });

  it("shows text as it streams, before its model call ends", () => {
    const turn = fold(
      told((script) => script.ask().stream("thinking", "Hm").stream("answer", "Ye").stream("answer", "s")),
    );
    assert.deepEqual(kinds(turn), ["question", "model running", "thinking", "answer running"]);
    assert.equal(answerCell(turn)?.text, "Yes");
  });

  it("moves an answer that is taken back to thinking", () => {
    const turn = fold(
      told((script) => script.ask().stream("answer", "maybe 40").retract().stream("thinking", "maybe 40")),
    );
    assert.deepEqual(kinds(turn), ["question", "model running", "thinking running"]);
  });

  it("calls text beside tool calls, and attempts that another step replaced, remarks", () => {
    const turn = fold(
      told((script) => {
        script
          .ask()
          .reply({ content: "Let me look.", calls: [{ id: "1", name: "search_memory", arguments: {} }] });
        script.call("search_memory", {})({ result: "nothing" });
        script.stepEnd().ask().reply({ content: "Not yet." }).stepEnd();
        script.ask().reply({ content: "Yes." }).stepEnd().answered("Yes.");
      }),
    );
    assert.deepEqual(kinds(turn), [
      "question",
      "model",
      "remark",
      "tool",
      "model",
      "remark",
      "model",
      "answer",
    ]);
  });

  it("keeps what was shown when the turn fails, and ends with what went wrong", () => {
    const broken = failure("stream_broken", "The stream broke off.", { action: "retry" });
    const turn = fold(
      told((script) => {
        script
          .ask()
          .stream("answer", "Half")
          .reply({ content: "Half", error: broken })
          .stopped("failed", broken, "Half");
      }),
    );
    assert.deepEqual(kinds(turn), ["question", "model failed", "answer failed", "error failed"]);
    assert.equal(turn.status, "failed");
    assert.equal(turn.error?.action, "retry");
  });

  it("marks everything that ran as cancelled when the turn is cancelled", () => {
    const cancelled = failure("cancelled", "Cancelled.");
    const turn = fold(
      told((script) => {
        script.ask().reply({ calls: [{ id: "1", name: "web_fetch", arguments: {} }] });
        script.call("web_fetch", {});
        script.stopped("cancelled", cancelled);
      }),
    );
    assert.deepEqual(kinds(turn), ["question", "model", "tool cancelled"]);
  });

  it("says of a turn without an end that it was interrupted", () => {
    const turn = fold(told((script) => script.ask().wait(500).reply({}).call("web_fetch", {})));
    markInterrupted(turn);
    assert.equal(turn.status, "interrupted");
    assert.deepEqual(kinds(turn), ["question", "model", "tool interrupted"]);
  });

  it("adds tokens while the turn runs, and takes the turn's own count at its end", () => {
    const events: TurnEvent[] = [];
    cacheTurn((event) => events.push(event));
    const half = fold(
      events.slice(
        0,
        events.findIndex((event) => event.type === "tool.request"),
      ),
    );
    assert.equal(half.inputTokens, 1610);
    const whole = fold(events);
    assert.deepEqual([whole.inputTokens, whole.outputTokens], [3728, 530]);
    assert.deepEqual(whole.context, { used: 2118, length: 32_768, model: "qwen3:8b" });
  });

  it("takes a verdict between two respondents; the latest one counts", () => {
    const turn = emptyTurn("s", "t", 0);
    const script = new TurnScript((event) => foldEvent(turn, event));
    script.answered("Yes.");
    const place = { parentId: script.turnId };
    const verdict = { feedback: "It names its source.", "gen_ai.request.model": "judge:8b" };
    script.emitter.emit("pairwise.result", place, { winner: "A", ...verdict });
    script.emitter.emit("pairwise.result", place, { winner: null, ...verdict, feedback: "Both do." });
    const { winner, feedback, model } = turn.pairwise ?? {};
    assert.deepEqual([winner, feedback, model], [null, "Both do.", "judge:8b"]);
  });

  it("takes feedback, grade and memory that come after the end", () => {
    const events = told((script) => {
      script.ask().reply({ content: "Yes." }).answered("Yes.");
      const place = { parentId: script.turnId };
      script.emitter.emit("user.feedback", place, { rating: "up", "conclave.door": "panel" });
      script.emitter.emit("critique.result", place, {
        score: 4,
        feedback: "good",
        "gen_ai.request.model": "m",
      });
      script.emitter.emit("memory.ingested", place, {
        "conclave.episode_ids": ["e"],
        "conclave.duration_ms": 3,
      });
    });
    const turn = fold(events);
    assert.deepEqual(
      [turn.feedback?.rating, turn.grade?.score, turn.remembered?.episodeIds],
      ["up", 4, ["e"]],
    );
  });

  it("keeps the turns of a session apart", () => {
    const events: TurnEvent[] = [];
    const first = cacheTurn((event) => events.push(event));
    const identity = new SteadyIdentity(undefined, 4000);
    const second = new TurnScript((event) => events.push(event), { identity, sessionId: first.sessionId });
    const other = new TurnScript((event) => events.push(event), {
      identity: new SteadyIdentity(undefined, 8000),
    });
    const session = emptySession(first.sessionId);
    for (const event of events) foldSession(session, event);
    assert.deepEqual([...session.turns.keys()], [first.turnId, second.turnId]);
    assert.ok(!session.turns.has(other.turnId));
  });

  it("comes to the same from the log as from the live stream, however the turn went", () => {
    fc.assert(
      fc.property(turnPlan, (plan) => {
        const live = tellPlan(plan);
        const logged = live.filter((event) => event.type !== "model.delta");
        assert.equal(snapshot(fold(logged)), snapshot(fold(live)));
      }),
      { numRuns: 200, seed: 20_260_320 },
    );
  });

  it("survives events in any order, and each of them twice", () => {
    fc.assert(
      fc.property(
        turnPlan,
        fc.infiniteStream(fc.nat()),
        (plan, random: Iterator<number, number, undefined>) => {
          const events = tellPlan(plan).flatMap((event) => [event, event]);
          const keyed = events.map((event) => ({ event, key: random.next().value }));
          keyed.sort((a, b) => a.key - b.key);
          const turn = fold(keyed.map(({ event }) => event));
          assert.equal(new Set(cellsInOrder(turn).map(({ id }) => id)).size, cellsInOrder(turn).length);
        },
      ),
      { numRuns: 100, seed: 20_260_321 },
    );
  });

  it("folds a turn of ten thousand events into its cells", () => {
    const events = told((script) => {
      for (let step = 0; step < 400; step += 1) {
        script.ask();
        for (let delta = 0; delta < 20; delta += 1) script.stream("answer", "word ");
        script.reply({
          content: "word ".repeat(20),
          calls: [{ id: `${step}`, name: "web_fetch", arguments: {} }],
        });
        script.call("web_fetch", {})({ result: "ok" });
        script.stepEnd();
      }
    });
    assert.ok(events.length > 10_000);
    const tools = cellsInOrder(fold(events)).filter((cell) => cell.kind === "tool");
    assert.equal(tools.length, 400);
  });
});

interface StepPlan {
  readonly deltas: readonly (readonly ["thinking" | "answer" | "retract", string])[];
  readonly tools: number;
  readonly unended: boolean;
}

const stepPlan: fc.Arbitrary<StepPlan> = fc.record({
  deltas: fc.array(
    fc.tuple(
      fc.constantFrom("thinking" as const, "answer" as const, "retract" as const),
      fc.string({ minLength: 1 }),
    ),
    { maxLength: 8 },
  ),
  tools: fc.nat({ max: 3 }),
  unended: fc.boolean(),
});

const turnPlan = fc.record({
  steps: fc.array(stepPlan, { maxLength: 5 }),
  end: fc.constantFrom("answered" as const, "failed" as const, "cancelled" as const),
});

/** Tells a planned turn as the engine does: the end of a model call holds what its deltas came to. */
function tellPlan(plan: {
  readonly steps: readonly StepPlan[];
  readonly end: "answered" | "failed" | "cancelled";
}): TurnEvent[] {
  return told((script) => {
    let last = "";
    for (const step of plan.steps) {
      script.wait(10).ask();
      let thinking = "";
      let answer = "";
      for (const [channel, text] of step.deltas) {
        script.wait(7);
        if (channel === "retract") {
          script.retract();
          if (answer !== "") script.stream("thinking", answer);
          thinking += answer;
          answer = "";
        } else {
          script.stream(channel, text);
          if (channel === "thinking") thinking += text;
          else answer += text;
        }
      }
      const calls = Array.from({ length: step.tools }, (_, id) => ({
        id: `${id}`,
        name: "web_fetch",
        arguments: {},
      }));
      script.wait(5).reply({ thinking, content: answer, calls });
      last = answer;
      calls.forEach((_, index) => {
        const done = script.call("web_fetch", { index });
        script.wait(3);
        if (!step.unended || plan.end === "answered") done({ result: "ok" });
      });
      script.stepEnd();
    }
    if (plan.end === "answered") script.answered(last === "" ? "Yes." : last);
    else
      script.stopped(
        plan.end,
        failure(plan.end === "failed" ? "server_error" : "cancelled", "It ended."),
        last,
      );
  });
}
