import assert from "node:assert/strict";
import type { TurnEvent } from "../../../../src/agent/events.ts";
import { ConversationReader } from "../../../../src/trace/request/conversation.ts";
import type { ConversationTurn, ConversationView } from "../../../../src/trace/request/types.ts";
import { SteadyIdentity } from "../support/steady-identity.ts";
import { TurnScript } from "../support/turn-script.ts";

/** Every line of a conversation, page by page. */
function whole(events: readonly TurnEvent[], turnId: string, size = 3) {
  const reader = new ConversationReader(turnId);
  for (const event of events) reader.take(event);
  const turns: ConversationTurn[] = [];
  let view: ConversationView | undefined;
  let from: number | null = 0;
  while (from !== null) {
    const read: ReturnType<ConversationReader["page"]> = reader.page(from, size);
    view ??= read.view;
    turns.push(...read.view.turns);
    from = read.next;
  }
  const lines = turns.flatMap((turn) => turn.lines.map(({ role, text }) => `${role}: ${text}`));
  const standings = new Map(turns.map(({ question, standing }) => [question, standing]));
  return { view, lines, standings };
}

describe("the conversation after a turn", () => {
  let events: TurnEvent[];
  let identity: SteadyIdentity;

  beforeEach(() => {
    events = [];
    identity = new SteadyIdentity();
  });

  function turn(question: string, after?: TurnScript): TurnScript {
    return new TurnScript((event) => events.push(event), {
      identity,
      question,
      ...(after && { sessionId: after.sessionId, parent: after.turnId }),
    });
  }

  function answered(question: string, after?: TurnScript): TurnScript {
    return turn(question, after)
      .ask()
      .reply({ content: `${question} Yes.` })
      .stepEnd()
      .answered(`${question} Yes.`);
  }

  it("is all messages of the turns that led to it, in order, and of no other branch", () => {
    const first = answered("One?");
    const second = answered("Two?", first);
    answered("Other branch?", first);
    const third = answered("Three?", second);
    answered("Later?", third);
    const { lines, view } = whole(events, third.turnId);
    assert.deepEqual(lines, [
      ...["user: One?", "assistant: One? Yes."],
      ...["user: Two?", "assistant: Two? Yes."],
      ...["user: Three?", "assistant: Three? Yes."],
    ]);
    assert.deepEqual([view?.messages, view?.running], [6, false]);
  });

  it("says which turns were trimmed, summed up or left out, and shows the summary", () => {
    const first = answered("One?");
    const second = answered("Two?", first);
    const third = answered("Three?", second);
    const last = turn("Four?", third);
    const place = { parentId: last.turnId };
    const figures = { before: 9, after: 5 };
    last.emitter.emit("context.compacted", place, { how: "results", ...figures, turns: [third.turnId] });
    last.emitter.emit("context.compacted", place, { how: "turns", ...figures, turns: [first.turnId] });
    last.emitter.emit("context.compacted", place, {
      how: "summary",
      ...figures,
      turns: [second.turnId],
      summary: "They spoke.",
      "gen_ai.request.model": "tiny",
    });
    last.ask().reply({ content: "Yes." }).stepEnd().answered("Yes.");
    const { standings, view } = whole(events, last.turnId);
    assert.deepEqual(
      [...standings],
      [
        ["One?", "left_out"],
        ["Two?", "summed_up"],
        ["Three?", "trimmed"],
        ["Four?", "whole"],
      ],
    );
    assert.deepEqual(view?.summary, { text: "They spoke.", model: "tiny" });
    // Two turns as they are, the summary and its assent.
    assert.equal(view.messages, 6);
  });

  it("sends turns as they were again once their summary was taken back, and when summing up failed", () => {
    const first = answered("One?");
    const last = turn("Two?", first);
    const place = { parentId: last.turnId };
    const data = {
      how: "summary" as const,
      before: 9,
      after: 5,
      turns: [first.turnId],
      summary: "They spoke.",
    };
    const compaction = last.emitter.emit("context.compacted", place, data);
    const error = { code: "timeout" as const, message: "late" };
    last.emitter.emit("context.compacted", place, { ...data, summary: "no", error });
    last.ask().reply({ content: "Yes." }).stepEnd().answered("Yes.");
    last.emitter.emit("context.restored", place, { compaction });
    const { standings, view } = whole(events, last.turnId);
    assert.deepEqual([...standings.values()], ["whole", "whole"]);
    assert.equal(view?.summary, undefined);
  });

  it("shows a turn that still runs as far as its latest request got", () => {
    const first = answered("One?");
    const last = turn("Two?", first);
    last.ask([
      { role: "system", content: "Be brief." },
      { role: "user", content: "One?" },
      { role: "assistant", content: "One? Yes." },
      { role: "user", content: "Two?", parts: [{ source: "question", length: 4 }] },
      { role: "tool", toolName: "look", toolCallId: "1", content: "14:10" },
    ]);
    const { lines, view } = whole(events, last.turnId);
    assert.deepEqual(lines.slice(2), ["user: Two?", "tool: 14:10"]);
    assert.deepEqual([view?.running, view?.system?.text], [true, "Be brief."]);
  });

  it("survives turns that lead to themselves, and turns that hold nothing", () => {
    const script = turn("One?");
    const [start] = events;
    assert.ok(start?.type === "turn.start");
    events[0] = { ...start, data: { ...start.data, "conclave.parent_turn_id": script.turnId } };
    assert.deepEqual(whole(events, script.turnId).lines, []);
    assert.deepEqual(whole(events, "nothing").lines, []);
  });
});
