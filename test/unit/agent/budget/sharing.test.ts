import assert from "node:assert/strict";
import {
  TurnContexts,
  type ContextOf,
  type ContextPast,
} from "../../../../src/agent/budget/model-context.ts";
import { roomBehindQuestion } from "../../../../src/agent/budget/room.ts";
import { NO_AGENTS } from "../../../../src/agent/agents/definition.ts";
import type { PastTurn } from "../../../../src/agent/sessions/history-port.ts";
import type { HistoryCut } from "../../../../src/agent/sessions/types.ts";
import { DEFAULT_ENGINE_SETTINGS } from "../../../../src/agent/settings.ts";
import { makeTool, toolSet } from "../support.ts";

const turn = (turnId: string, tokens = 400): PastTurn => ({
  turnId,
  parentTurnId: null,
  messages: [
    { role: "user", content: turnId },
    { role: "assistant", content: "a".repeat(tokens * 3.5) },
  ],
});

const wanted = (part: Partial<ContextOf> = {}): ContextOf => ({
  model: "tiny",
  contextLength: 4_096,
  maxOutputTokens: 1_024,
  calibration: 1,
  shares: {},
  ...part,
});

describe("the contexts of one turn", () => {
  const turns = ["a", "b", "c", "d"].map((id) => turn(id));
  let cuts: HistoryCut[];
  let past: ContextPast;

  beforeEach(() => {
    cuts = [];
    past = { conversation: { turns }, earlier: () => [], turnId: "now", onCut: (cut) => cuts.push(cut) };
  });

  it("are one for all agents that are asked with the same model: what is cut for one, is cut for all", () => {
    const contexts = new TurnContexts();
    const one = contexts.of(wanted(), past);
    one.past.drop(2);
    const other = contexts.of(wanted({ calibration: 1.7 }), past);
    assert.equal(other, one);
    assert.deepEqual(other.past.turnIds, ["c", "d"]);
    assert.equal(other.calibration, 1, "what is learnt in mid-turn counts from the next turn on");
    assert.deepEqual(cuts, [{ from: "c", contextLength: 4_096 }]);
  });

  it("are apart for another model, another server and another length", () => {
    const contexts = new TurnContexts();
    const one = contexts.of(wanted(), past);
    one.past.drop(3);
    for (const part of [{ model: "big" }, { host: "http://127.0.0.1:1" }, { contextLength: 8_192 }]) {
      assert.deepEqual(contexts.of(wanted(part), past).past.turnIds, ["a", "b", "c", "d"]);
    }
  });

  it("leave no mark for later turns while what the caller brought along is still sent", () => {
    const earlier = ["x", "y"].map((id) => turn(id).messages);
    const { past: shown } = new TurnContexts().of(wanted(), { ...past, earlier: () => earlier });
    shown.drop(1);
    assert.equal(shown.groups.length, 5);
    assert.deepEqual(cuts, []);
    shown.drop(1);
    assert.deepEqual(cuts, [{ from: "a", contextLength: 4_096 }]);
  });

  it("begin where the turn before began, for each length of its own", () => {
    const conversation = {
      turns,
      cuts: [
        { from: "d", contextLength: 2_048 },
        { from: "b", contextLength: 4_096 },
      ],
    };
    const idsOf = (contextLength: number) =>
      new TurnContexts().of(wanted({ contextLength }), { ...past, conversation }).past.turnIds;
    assert.deepEqual(idsOf(2_048), ["d"]);
    assert.deepEqual(idsOf(4_096), ["b", "c", "d"]);
    assert.deepEqual(idsOf(8_192), ["a", "b", "c", "d"]);
  });
});

describe("the room behind the question", () => {
  const tools = toolSet(makeTool({ name: "look_up" }));
  const input = (turns: readonly PastTurn[]) => ({
    request: { question: "What is it?", door: "test" as const },
    sessionId: "s",
    turnId: "t",
    conversation: { turns },
    settings: DEFAULT_ENGINE_SETTINGS,
    tools,
    allTools: tools,
    agents: NO_AGENTS,
  });

  it("leaves the history its share, and the agent as much again for its own steps", () => {
    const room = (turns: readonly PastTurn[], contextLength = 32_768) =>
      roomBehindQuestion(input(turns), { contextLength, tools });
    const empty = room([]);
    assert.ok(empty > 14_000 && empty < 14_336, `${empty}`);
    assert.ok(empty - room([turn("a", 1_000)]) >= 500);
    const long = Array.from({ length: 40 }, (_, at) => turn(`${at}`, 2_000));
    assert.equal(empty - room(long), 4_096, "no more than its share");
    assert.equal(room(long, 256), 0, "a short context has none");
  });
});
