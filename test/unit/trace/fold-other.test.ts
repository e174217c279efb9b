import assert from "node:assert/strict";
import type { TurnEvent } from "../../../src/agent/events.ts";
import { SessionFold } from "../../../src/trace/activity/session-fold.ts";
import { ConversationReader } from "../../../src/trace/request/conversation.ts";
import { parseEvent } from "../../../src/trace/event-schema.ts";
import { isTaken } from "../../../src/trace/fold-after.ts";
import { foldEvent, markInterrupted } from "../../../src/trace/fold.ts";
import { emptyTurn, type TurnModel } from "../../../src/trace/model.ts";
import { foldPosted, lighten, type Cuts } from "../../../src/trace/posted.ts";
import { applySummary, type SummaryRows } from "../../../src/trace/summary.ts";
import { cacheTurn } from "./support/cache-turn.ts";
import { OTHER_ANSWER, OTHER_MODEL, otherAnswers } from "./support/other-answer.ts";
import { SteadyIdentity } from "./support/steady-identity.ts";
import type { TurnScript } from "./support/turn-script.ts";

/** A turn as it was answered, and what came of respondent B after it. */
function turnAndOther(): {
  readonly first: readonly TurnEvent[];
  readonly later: readonly TurnEvent[];
  readonly script: TurnScript;
} {
  const first: TurnEvent[] = [];
  const later: TurnEvent[] = [];
  const script = cacheTurn((event) => first.push(event), { identity: new SteadyIdentity() });
  otherAnswers(script, (event) => later.push(event));
  return { first, later, script };
}

function folded(events: readonly TurnEvent[]): TurnModel {
  const turn = emptyTurn("s", "t", 0);
  for (const event of events) foldEvent(turn, event);
  return turn;
}

/** All that a turn says of itself, apart from what it says of respondent B and how often it changed. */
function own({ other: _other, shadow: _shadow, revision: _revision, ...rest }: TurnModel): unknown {
  return rest;
}

describe("the second answer to a question", () => {
  it("changes nothing of the turn's own: cells, tools, protocol, steps, tokens, context, budget, answer", () => {
    const { first, later } = turnAndOther();
    const before = own(folded(first));
    assert.deepEqual(own(folded([...first, ...later])), before);
    for (const after of later) assert.deepEqual(own(folded([...first, after])), before, after.type);
  });

  it("is a turn of its own, with its tools, its tokens and its answer", () => {
    const { first, later } = turnAndOther();
    const { other, shadow } = folded([...first, ...later]);
    assert.ok(other && shadow);
    assert.deepEqual(
      [other.status, other.answer, other.steps, other.inputTokens, other.outputTokens, other.tools],
      ["answered", OTHER_ANSWER, 7, 5_000, 400, ["read_notes"]],
    );
    assert.deepEqual(
      [shadow.answer, shadow.model, shadow.temperature, shadow.askedBy, shadow.inputTokens],
      [OTHER_ANSWER, OTHER_MODEL, 0.2, "user", 5_000],
    );
    assert.ok([...other.cells.values()].every(({ respondent }) => respondent === "B"));
    assert.equal(other.context?.length, 4_096);
  });

  it("leaves the turn's row, its calls and what the conversation goes on with as they were", () => {
    const { first, later, script } = turnAndOther();
    const row = (events: readonly TurnEvent[]) => {
      const rows: SummaryRows = new Map();
      for (const event of events) applySummary(rows, event);
      return rows.get(script.turnId);
    };
    const calls = (events: readonly TurnEvent[]) => {
      const fold = new SessionFold();
      for (const event of events) fold.take(event);
      return [...fold.records.values()];
    };
    const talk = (events: readonly TurnEvent[]) => {
      const reader = new ConversationReader(script.turnId);
      for (const event of events) reader.take(event);
      return reader.page(0, 100);
    };
    for (const read of [row, calls, talk]) assert.deepEqual(read([...first, ...later]), read(first));
  });

  it("is graded and judged by itself, wherever that stands", () => {
    const { first, later, script } = turnAndOther();
    const agentId = later[0]?.id ?? "";
    for (const parentId of [script.turnId, agentId]) {
      const base = { parentId, time: 9, sessionId: script.sessionId, turnId: script.turnId };
      const said: readonly TurnEvent[] = [
        {
          ...{ ...base, id: "g", agent: "second", respondent: "B", type: "critique.result" },
          data: { score: 5, feedback: "Names its source.", "gen_ai.request.model": "judge" },
        },
        {
          ...{ ...base, id: "f", agent: "user", respondent: "B", type: "user.feedback" },
          data: { rating: "up", "conclave.door": "panel" },
        },
      ];
      const turn = folded([...first, ...later, ...said]);
      assert.deepEqual([turn.grade, turn.feedback], [undefined, undefined], "A has none of it");
      assert.deepEqual([turn.other?.grade?.score, turn.other?.feedback?.rating], [5, "up"]);
      const rows: SummaryRows = new Map();
      for (const event of [...first, ...later, ...said]) applySummary(rows, event);
      assert.deepEqual([rows.get(script.turnId)?.grade, rows.get(script.turnId)?.feedback], [null, null]);
    }
  });

  it("is known as taken for good, and only as long as it is the one that was taken", () => {
    const { first, later, script } = turnAndOther();
    const given = later.at(-1)?.time ?? 0;
    const taken: TurnEvent = {
      ...{ id: "taken", parentId: script.turnId, time: given + 1, agent: "user", respondent: "B" },
      ...{ sessionId: script.sessionId, turnId: script.turnId, type: "shadow.taken", data: {} },
    };
    assert.equal(isTaken(folded([...first, ...later])), false);
    for (const events of [
      [...first, ...later, taken],
      [...first, taken, ...later],
    ])
      assert.equal(isTaken(folded(events)), true);
    const again: TurnEvent[] = [];
    otherAnswers(script, (event) => again.push(event), {
      identity: new SteadyIdentity(Math.max(given + 10, 1), 960_000),
    });
    assert.equal(isTaken(folded([...first, ...later, taken, ...again])), false, "another answer came since");
    assert.ok("event" in parseEvent(JSON.parse(JSON.stringify(taken))), "a log may hold it");
  });

  it("may be asked for again: the latest one counts, and begins anew", () => {
    const { first, later, script } = turnAndOther();
    const again: TurnEvent[] = [];
    otherAnswers(script, (event) => again.push(event), {
      identity: new SteadyIdentity(undefined, 950_000),
      answer: "Another one.",
    });
    const turn = folded([...first, ...later, ...again.slice(0, 3)]);
    assert.deepEqual([turn.other?.status, turn.other?.answer], ["running", ""]);
    for (const event of again.slice(3)) foldEvent(turn, event);
    assert.deepEqual(
      [turn.shadow?.answer, turn.other?.answer, turn.other?.roots.length],
      ["Another one.", "Another one.", 2],
    );
  });

  it("is interrupted where the window was closed before it was there, and the turn is not", () => {
    const { first, script } = turnAndOther();
    const some: TurnEvent[] = [];
    otherAnswers(script, (event) => some.push(event), { until: "working" });
    const turn = folded([...first, ...some]);
    markInterrupted(turn);
    assert.deepEqual([turn.status, turn.other?.status, turn.shadow], ["answered", "interrupted", undefined]);
    assert.ok([...(turn.other?.cells.values() ?? [])].every(({ status }) => status !== "running"));
  });

  it("is posted cut where it is long, and what streamed of it is kept whole", () => {
    const { first, script } = turnAndOther();
    const long = "It holds. ".repeat(4_000);
    const turn = folded(first);
    const cuts: Cuts = new Map();
    const post = (event: TurnEvent) => {
      const posted = lighten(event);
      assert.ok(JSON.stringify(posted).length < 256 * 1024);
      foldPosted(turn, cuts, posted);
    };
    otherAnswers(
      script,
      (event) => {
        if (event.type === "model.end")
          post({ ...event, type: "model.delta", data: { channel: "answer", text: long } });
        post(event);
      },
      { answer: long },
    );
    const text = [...(turn.other?.cells.values() ?? [])].find(({ kind }) => kind === "answer");
    assert.equal(text?.kind === "answer" && text.text.length, long.length);
    const shadow = turn.shadow;
    assert.ok(shadow && shadow.answer.length < long.length);
    assert.equal(cuts.get(`${shadow.eventId} text`)?.length, long.length, "the whole of it can be fetched");
  });
});
