import assert from "node:assert/strict";
import type { TurnEvent } from "../../../src/agent/events.ts";
import type { JsonObject } from "../../../src/agent/models/types.ts";
import { parseEvent } from "../../../src/trace/event-schema.ts";
import { foldEvent } from "../../../src/trace/fold.ts";
import type { Cell } from "../../../src/trace/cells.ts";
import { answerCell, cellsInOrder, emptyTurn, type TurnModel } from "../../../src/trace/model.ts";
import { applySummary, type SummaryRows } from "../../../src/trace/summary.ts";
import { buriedEvent } from "../../../src/trace/tombstone.ts";
import { committeeTurn } from "./support/committee-turn.ts";

function events(until?: number): TurnEvent[] {
  const told: TurnEvent[] = [];
  committeeTurn((event) => told.push(event), until === undefined ? {} : { until });
  return told;
}

function fold(told: readonly TurnEvent[]): TurnModel {
  const [first] = told;
  assert.ok(first);
  const turn = emptyTurn(first.sessionId, first.turnId, first.time);
  for (const event of told) foldEvent(turn, event);
  return turn;
}

function cells<Kind extends Cell["kind"]>(turn: TurnModel, kind: Kind): Extract<Cell, { kind: Kind }>[] {
  return cellsInOrder(turn).filter((cell): cell is Extract<Cell, { kind: Kind }> => cell.kind === kind);
}

describe("a committee's turn", () => {
  it("is a tree: committee, rounds, members, and who sums up beside the rounds", () => {
    const turn = fold(events());
    const [committee] = cells(turn, "committee");
    assert.ok(committee);
    const under = committee.children.map((id) => turn.cells.get(id));
    assert.deepEqual(
      under.map((cell) => cell && `${cell.kind} ${cell.agent}`),
      ["round committee", "round committee", "agent The Self"],
    );
    const first = under[0]?.children.map((id) => turn.cells.get(id)?.agent);
    assert.deepEqual(first, ["Skeptic", "Evidence Seeker", "Pragmatist", "Newcomer's Advocate"]);
  });

  it("answers with the synthesis, whatever its members said", () => {
    const turn = fold(events());
    assert.match(turn.answer, /^Keep the cache in process/);
    assert.equal(answerCell(turn)?.text, turn.answer);
    assert.equal(turn.agent, "committee");
  });

  it("has no answer of its own while the members speak", () => {
    assert.equal(fold(events(2)).answer, "");
  });

  it("says of each member what it said, with which tokens and tools", () => {
    const [skeptic] = cells(fold(events()), "agent");
    assert.match(skeptic?.answer ?? "", /^No\. A write/);
    assert.deepEqual([skeptic?.inputTokens, skeptic?.outputTokens, skeptic?.toolCalls], [1300, 90, 1]);
    assert.equal(skeptic?.role, "persona");
  });

  it("says who failed and why, who changed and why, and whether they agreed", () => {
    const [first, second] = cells(fold(events()), "round");
    assert.equal(first?.standings.at(-1)?.error?.code, "timeout");
    assert.equal(first.agreed, false);
    const changed = second?.standings.filter((standing) => standing.changed);
    assert.deepEqual(
      changed?.map(({ agent, reason }) => [agent, reason?.slice(0, 13)]),
      [["Evidence Seeker", "the event bus"]],
    );
    assert.equal(second?.agreed, true);
  });

  it("keeps the best answer, the majority and the other view beside the synthesis, with their names", () => {
    const [committee] = cells(fold(events()), "committee");
    assert.equal(committee?.verdict?.best?.agent, "Pragmatist");
    assert.deepEqual(committee.verdict.majority?.agents, ["Evidence Seeker", "Pragmatist"]);
    assert.deepEqual(
      committee.verdict.minority.map(({ agent }) => agent),
      ["Skeptic"],
    );
    assert.deepEqual(committee.shownAs?.[0], { letter: "A", agent: "Pragmatist" });
  });

  it("reads the same from the log, which has no deltas, as from the stream", () => {
    const told = events();
    const logged = told
      .filter(({ type }) => type !== "model.delta")
      .map((event) => {
        const parsed = parseEvent(JSON.parse(JSON.stringify(event)));
        assert.ok("event" in parsed, JSON.stringify(parsed));
        return parsed.event;
      });
    const shape = (turn: TurnModel) =>
      cellsInOrder(turn).map(
        ({ revision: _revision, ...cell }) => JSON.parse(JSON.stringify(cell)) as unknown,
      );
    assert.deepEqual(shape(fold(logged)), shape(fold(told)));
  });

  it("is a row of the committee in the list, with the synthesis", () => {
    const rows: SummaryRows = new Map();
    for (const event of events()) applySummary(rows, event);
    const [row] = [...rows.values()];
    assert.equal(row?.agent, "committee");
    assert.match(row.answer, /^Keep the cache/);
    assert.equal(row.toolCalls, 6);
  });

  it("says nothing any more once it is forgotten, and is the same tree", () => {
    const told = events().filter(({ type }) => type !== "model.delta");
    const buried = told.map(
      (event) => buriedEvent(event as unknown as JsonObject, 1) as unknown as TurnEvent,
    );
    const text = JSON.stringify(buried);
    for (const word of ["replica", "row.changed", "stale", "event bus", "Two of three"]) {
      assert.ok(!text.includes(word), word);
    }
    for (const event of buried) assert.ok("event" in parseEvent(event), event.type);
    const kinds = (turn: TurnModel) => cellsInOrder(turn).map(({ id, kind }) => `${id} ${kind}`);
    const spoken = (list: readonly string[]) => list.filter((line) => !/ (?:answer|remark)$/.test(line));
    assert.deepEqual(spoken(kinds(fold(buried))), spoken(kinds(fold(told))));
  });
});
