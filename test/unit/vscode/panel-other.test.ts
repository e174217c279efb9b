import assert from "node:assert/strict";
import { readTurn } from "../../../src/trace/fork/read-turn.ts";
import { foldPosted, type Cuts } from "../../../src/trace/posted.ts";
import { emptyTurn } from "../../../src/trace/model.ts";
import { OTHER_ANSWER, otherAnswers } from "../trace/support/other-answer.ts";
import { PanelBed } from "../trace/support/panel-bed.ts";

describe("a second answer in the panel's host", () => {
  let bed: PanelBed;

  beforeEach(async () => {
    bed = await PanelBed.create();
  });

  afterEach(() => bed.close());

  /** A turn that was answered and is shown. */
  async function shown(): Promise<{ readonly sessionId: string; readonly turnId: string }> {
    const { script } = bed.engine.begin({ question: "Which cache?" });
    script.ask().reply({ content: "In process." }).stepEnd().answered("In process.");
    const { sessionId, turnId } = script;
    await bed.ready();
    await bed.host.receive({ type: "select", sessionId, turnId });
    return { sessionId, turnId };
  }

  it("is posted while it is given, after the turn has ended, and stands in the list as it did", async () => {
    const { sessionId, turnId } = await shown();
    const all = bed.next("events", ({ events }) =>
      events.some(({ event }) => event.type === "shadow.answer"),
    );
    otherAnswers({ sessionId, turnId }, (event) => bed.engine.publish(event));
    await all;
    const turn = emptyTurn(sessionId, turnId, 0);
    const cuts: Cuts = new Map();
    for (const { events } of bed.posted("events"))
      for (const posted of events) foldPosted(turn, cuts, posted);
    assert.deepEqual(
      [turn.answer, turn.steps, turn.other?.answer, turn.other?.steps],
      ["In process.", 1, OTHER_ANSWER, 7],
    );
    await bed.log.flush();
    const rows = await bed.log.rows(sessionId);
    assert.ok(rows.ok);
    assert.deepEqual(
      rows.value.map(({ answer, tools, model }) => [answer, tools, model]),
      [["In process.", [], "qwen3:8b"]],
    );
  });

  it("is no part of what runs on from the turn", async () => {
    const { sessionId, turnId } = await shown();
    await bed.log.flush();
    const before = await readTurn(bed.log, { sessionId, turnId });
    otherAnswers({ sessionId, turnId }, (event) => bed.engine.publish(event));
    const after = await readTurn(bed.log, { sessionId, turnId });
    assert.ok(before.ok && after.ok);
    const types = (events: typeof before.value) =>
      events.filter(({ type }) => type !== "shadow.answer").map(({ type }) => type);
    assert.deepEqual(types(after.value), types(before.value));
  });
});
