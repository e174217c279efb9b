import assert from "node:assert/strict";
import type { TurnEvent } from "../../../../src/agent/events.ts";
import { otlpJson } from "../../../../src/trace/export/otlp/build.ts";
import { cacheTurn } from "../support/cache-turn.ts";
import { committeeTurn } from "../support/committee-turn.ts";
import { turnEvents } from "./support.ts";
import { foldAll, gathered, of, told } from "./told.ts";

describe("OTLP JSON of our own export", () => {
  it("comes back as a conversation that reads the same", async () => {
    const events = turnEvents(3);
    const back = await told(otlpJson(events));
    assert.deepEqual(back.notes, []);
    const words = (list: readonly TurnEvent[]) => [
      of(list, "query.received").map(({ data }) => data.query),
      of(list, "model.end").map(({ data }) => [data.content, data.tool_calls.map(({ name }) => name)]),
      of(list, "tool.result").map(({ data }) => [data.name, data.result]),
      of(list, "answer.dialog").map(({ data }) => data.answer),
      of(list, "turn.end").map(({ data }) => [
        data.outcome,
        data["conclave.messages"],
        data["conclave.steps"],
      ]),
    ];
    assert.deepEqual(words(back.events), words(events));
  });

  it("comes back with the same cells, in the same tree", async () => {
    const events = gathered((sink) => cacheTurn(sink));
    const back = await told(otlpJson(events));
    const cells = (list: readonly TurnEvent[]) => {
      const turn = foldAll(list);
      const depth = (id: string | null): number => {
        const cell = id === null ? undefined : turn.cells.get(id);
        return cell === undefined ? 0 : 1 + depth(cell.parentId);
      };
      return [...turn.cells.values()].map((cell) => `${" ".repeat(depth(cell.parentId))}${cell.kind}`);
    };
    assert.deepEqual(cells(back.events), cells(events));
    const [one, other] = [foldAll(back.events), foldAll(events)];
    for (const name of [
      "question",
      "answer",
      "agent",
      "status",
      "steps",
      "inputTokens",
      "sources",
      "grade",
    ] as const)
      assert.deepEqual(one[name], other[name], name);
  });

  it("comes back as a committee, with its rounds, positions and verdict", async () => {
    const events = gathered((sink) => committeeTurn(sink));
    const back = await told(otlpJson(events));
    for (const type of ["committee.start", "round.start", "round.end", "committee.end"] as const)
      assert.deepEqual(
        of(back.events, type).map(({ data }) => data),
        of(events, type).map(({ data }) => data),
        type,
      );
    const agents = (list: readonly TurnEvent[]) =>
      of(list, "agent.start")
        .map(({ agent }) => agent)
        .sort();
    assert.deepEqual(agents(back.events), agents(events));
    // In a list of turns it goes by the committee's name, not by that of the first who spoke.
    assert.equal(foldAll(back.events).agent, "committee");
    assert.equal(foldAll(events).agent, "committee");
  });
});
