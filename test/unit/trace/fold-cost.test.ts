import assert from "node:assert/strict";
import type { TurnEvent } from "../../../src/agent/events.ts";
import type { Cell } from "../../../src/trace/cells.ts";
import { foldEvent } from "../../../src/trace/fold.ts";
import { emptyTurn } from "../../../src/trace/model.ts";
import { TurnScript } from "./support/turn-script.ts";

/** Cells by id that count how often one is looked up or gone through. */
class CountingCells extends Map<string, Cell> {
  looked = 0;

  override get(id: string): Cell | undefined {
    this.looked += 1;
    return super.get(id);
  }

  override *values(): MapIterator<Cell> {
    for (const cell of super.values()) {
      this.looked += 1;
      yield cell;
    }
  }
}

/** How many cells are looked at while the last ten steps of a turn of so many are folded. */
function lookedAt(steps: number): number {
  const events: TurnEvent[] = [];
  const script = new TurnScript((event) => events.push(event));
  let before = 0;
  for (let step = 1; step <= steps; step += 1) {
    if (step === steps - 9) before = events.length;
    script.ask().reply({ content: "A remark.", calls: [{ id: "1", name: "web_fetch", arguments: {} }] });
    script.call("web_fetch", {})({ result: "ok" });
    script.stepEnd();
  }
  const cells = new CountingCells();
  const turn = { ...emptyTurn(script.sessionId, script.turnId, 0), cells };
  for (const event of events.slice(0, before)) foldEvent(turn, event);
  cells.looked = 0;
  for (const event of events.slice(before)) foldEvent(turn, event);
  return cells.looked;
}

describe("folding a turn", () => {
  it("looks at no more cells for a step of a turn of thousands than for one of a turn of twenty", () => {
    assert.equal(lookedAt(4_000), lookedAt(20));
  });
});
