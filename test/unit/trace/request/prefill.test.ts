import assert from "node:assert/strict";
import type { TurnEvent } from "../../../../src/agent/events.ts";
import { PrefillReader } from "../../../../src/trace/request/prefill.ts";
import type { PrefillView } from "../../../../src/trace/request/types.ts";
import { committeeTurn } from "../support/committee-turn.ts";
import { requestTurns } from "../support/request-turns.ts";
import { TurnScript } from "../support/turn-script.ts";

function read(events: readonly TurnEvent[], turnId: string): PrefillView | undefined {
  const reader = new PrefillReader(turnId);
  for (const event of events) if (reader.take(event)) break;
  return reader.view();
}

const RULES = { role: "system" as const, content: "r".repeat(900) };
const ask = (content: string) => ({ role: "user" as const, content });

describe("how far the prompts of a turn begin alike", () => {
  it("is told of the latest request in the tokens that its server counted", () => {
    const events: TurnEvent[] = [];
    const script = new TurnScript((event) => events.push(event));
    const usage = (inputTokens: number) => ({ content: "", usage: { inputTokens, outputTokens: 1 } });
    script
      .ask([RULES, ask("q".repeat(100))])
      .reply(usage(1000))
      .stepEnd();
    script
      .ask([RULES, ask("q".repeat(100)), ask("n".repeat(1000))])
      .reply(usage(2000))
      .stepEnd();
    script.answered("Yes.");
    assert.deepEqual(read(events, script.turnId), {
      prompts: 2,
      tokens: 2000,
      shared: 1000,
      latest: { tokens: 2000, shared: 1000 },
      speakers: 1,
    });
  });

  it("counts the turn before, which the server has read as well", () => {
    const events: TurnEvent[] = [];
    const [first, second] = requestTurns((event) => events.push(event));
    assert.equal(read(events, first.turnId)?.latest, undefined, "nothing came before the first request");
    const view = read(events, second.turnId);
    assert.ok((view?.latest?.shared ?? 0) > 0);
    assert.ok((view?.shared ?? 0) <= (view?.tokens ?? 0));
  });

  it("says what all speakers cost to read beside one", () => {
    const events: TurnEvent[] = [];
    const { turnId } = committeeTurn((event) => events.push(event));
    const view = read(events, turnId);
    assert.ok((view?.speakers ?? 0) > 1);
    assert.ok((view?.times ?? 0) >= 1, "the first one is read from its start");
    assert.ok((view?.times ?? 0) <= (view?.speakers ?? 0), "at worst each is read from its start");
  });

  it("is not known of a turn that asked no model, nor of one that is not in the log", () => {
    const events: TurnEvent[] = [];
    const script = new TurnScript((event) => events.push(event));
    script.answered("Yes.");
    assert.equal(read(events, script.turnId), undefined);
    assert.equal(read(events, "f".repeat(32)), undefined);
  });
});
