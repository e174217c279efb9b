import assert from "node:assert/strict";
import * as fc from "fast-check";
import type { TurnEvent } from "../../../src/agent/events.ts";
import { foldEvent, markInterrupted } from "../../../src/trace/fold.ts";
import { emptyTurn, type TurnModel } from "../../../src/trace/model.ts";
import { depthOf, opensBelow, shownCells, wayTo, type ShownCell } from "../../../src/webview/shown-cells.ts";
import { askedTurn } from "./support/asked-turn.ts";
import { committeeTurn } from "./support/committee-turn.ts";
import { TurnScript } from "./support/turn-script.ts";

/** Folds what a turn tells, up to one of its events. */
function told(tell: (sink: (event: TurnEvent) => void) => unknown, until = Infinity): TurnModel {
  const events: TurnEvent[] = [];
  tell((event) => events.push(event));
  const [first] = events;
  assert.ok(first);
  const turn = emptyTurn(first.sessionId, first.turnId, first.time);
  for (const event of events.slice(0, until)) foldEvent(turn, event);
  return turn;
}

/** What is drawn; `open` says otherwise than what holds by itself. */
function shown(turn: TurnModel, open: ReadonlyMap<string, boolean> = new Map()): readonly ShownCell[] {
  return shownCells(turn, (key) => open.get(key) ?? opensBelow(turn.cells.get(key)));
}

const said = (cell: ShownCell): string =>
  cell.kind === "remark" ? cell.text : cell.kind === "tool" ? cell.name : cell.kind;

describe("the cells of a turn as they are drawn", () => {
  it("move in what an agent did that was asked on the way, one step for each question", () => {
    const turn = told((sink) => askedTurn(sink));
    const lines = shown(turn).map((cell) => `${depthOf(turn, cell)} ${cell.agent} ${cell.kind}`);
    assert.deepEqual(lines, [
      "0 conclave question",
      "0 conclave model",
      "0 conclave answer",
      "0 conclave tool",
      "1 Researcher model",
      "1 Researcher remark",
      "1 Researcher tool",
      "2 Skeptic model",
      "2 Skeptic remark",
    ]);
  });

  it("fold with the call what was done for it, however deep", () => {
    const turn = told((sink) => askedTurn(sink));
    const [call] = shown(turn).filter(({ kind }) => kind === "tool");
    assert.ok(call);
    const folded = shown(turn, new Map([[call.id, false]]));
    assert.deepEqual(folded.map(said), ["question", "model", "answer", "ask_agent"]);
  });

  it("come to light by the way to any of them, whatever was folded", () => {
    const names = fc
      .integer({ min: 1, max: 7 })
      .map((many) => Array.from({ length: many }, (_, at) => `Agent ${at}`));
    fc.assert(
      fc.property(names, fc.nat(), (asked, pick) => {
        const turn = told((sink) => askedTurn(sink, ["conclave", ...asked]));
        const all = shown(turn);
        const cell = all[pick % all.length];
        assert.ok(cell);
        const folds = new Map<string, boolean>([...turn.cells.keys()].map((id) => [id, false]));
        for (const key of wayTo(turn, cell.id)) folds.set(key, true);
        assert.ok(shown(turn, folds).some(({ id }) => id === cell.id));
        assert.equal(wayTo(turn, cell.id).length, depthOf(turn, cell));
      }),
      { numRuns: 60 },
    );
  });

  it("move in the steps of a committee's member under its round", () => {
    const turn = told((sink) => committeeTurn(sink));
    const steps = shownCells(turn, () => true).filter(({ agent }) => agent === "Skeptic");
    assert.ok(steps.length > 1);
    assert.deepEqual([...new Set(steps.map((cell) => depthOf(turn, cell)))], [1]);
  });

  it("say at their end that a turn was left by everybody, or stopped; of others they say nothing", () => {
    const script = (sink: (event: TurnEvent) => void) =>
      void new TurnScript(sink).ask().reply({ content: "Half of it" }).stepEnd();
    const turn = told(script);
    assert.equal(shown(turn).at(-1)?.kind, "answer", "it runs");
    markInterrupted(turn);
    const last = shown(turn).at(-1);
    assert.equal(last?.kind === "ended" && last.answered, true);
    assert.ok(!shown(told((sink) => askedTurn(sink))).some(({ kind }) => kind === "ended"));
  });
});
