import assert from "node:assert/strict";
import { failed, success, type Result } from "../../../src/agent/failure.ts";
import type { HistoryPort, PastTurn } from "../../../src/agent/sessions/history-port.ts";
import type { ChatMessage } from "../../../src/agent/models/types.ts";
import {
  all,
  answers,
  ask,
  broken,
  call,
  callTools,
  end,
  engineOver,
  gives,
  makeTool,
  only,
  playModel,
  start,
  toolSet,
  warnings,
  type PlayedModel,
} from "./support.ts";

/** A log that keeps what the engine's events say, as the one on disk does; it can be out of reach. */
function logBook(): HistoryPort & {
  readonly turns: (sessionId: string) => Promise<Result<readonly PastTurn[]>>;
  readonly book: PastTurn[];
  away: boolean;
} {
  const log = {
    book: [] as PastTurn[],
    away: false,
    turns: () => Promise.resolve(log.away ? failed("internal", "The disk is away.") : success([...log.book])),
  };
  return log;
}

const past = (turnId: string, parentTurnId: string | null): PastTurn => ({
  turnId,
  parentTurnId,
  messages: [
    { role: "user", content: turnId },
    { role: "assistant", content: `on ${turnId}` },
  ],
});

const questionsOf = (messages: readonly ChatMessage[]): readonly string[] =>
  messages.filter(({ role }) => role === "user").map(({ content }) => content);

describe("a session whose log can't be read", () => {
  it("says so, starts no new branch, and is whole again once the log can be read", async () => {
    const log = logBook();
    log.book.push(past("a", null), past("b", "a"));
    log.away = true;
    const model = playModel([answers("x")]);
    const engine = engineOver(model, { history: log });
    const { events, end: last } = await ask(engine, "c", { sessionId: "s" });
    assert.match(only(events, "warning").data.message, /could not be read.*The disk is away\./);
    const parentTurnId = only(events, "turn.start").data["conclave.parent_turn_id"];
    assert.notEqual(parentTurnId, null, "it is not the first turn");
    log.book.push({ turnId: last.turnId, parentTurnId, messages: last.data["conclave.messages"] });
    log.away = false;
    await ask(engine, "d", { sessionId: "s" });
    assert.deepEqual(questionsOf(model.requests[1]!.messages), ["a", "b", "c", "d"]);
  });

  it("with one damaged record loses that turn only", async () => {
    const log = logBook();
    log.book.push(past("a", null), past("c", "b"), past("d", "c"));
    const model = playModel([answers("x")]);
    await ask(engineOver(model, { history: log }), "e", { sessionId: "s" });
    assert.deepEqual(questionsOf(model.requests[0]!.messages), ["a", "c", "d", "e"]);
  });

  it("because it hangs can be cancelled, and does not hold up the end", async () => {
    const history: HistoryPort = { turns: () => new Promise(() => undefined) };
    const engine = engineOver(playModel([answers("x")]), { history });
    const turn = await start(engine, "One?", { sessionId: "s" });
    turn.cancel();
    assert.equal((await turn.done).outcome, "cancelled");
    await start(engine, "Two?", { sessionId: "s" });
    await engine.dispose();
  });
});

describe("a conversation that outgrows its context", () => {
  const size = 400;
  const long = "a".repeat(size * 3.5);

  async function talk(model: PlayedModel, turns = 30): Promise<{ cuts: number; prefixes: number }> {
    const engine = engineOver(model);
    let cuts = 0;
    let prefixes = 0;
    for (let index = 0; index < turns; index += 1) {
      const { events } = await ask(engine, `Q${index}`, { sessionId: "s" });
      cuts += warnings(events).filter((code) => code === "context_cut").length;
      const [before, now] = model.requests.slice(-2).map(({ messages }) => messages.map((m) => m.content));
      if (before !== undefined && now?.slice(0, before.length).join() === before.join()) prefixes += 1;
    }
    return { cuts, prefixes };
  }

  it("is cut seldom and in large pieces, so that most prompts begin with the one before", async () => {
    const model = playModel([answers(long)], { contextLength: 8_192 });
    const { cuts, prefixes } = await talk(model);
    assert.ok(cuts >= 2 && cuts <= 5, `${cuts} cuts`);
    assert.equal(prefixes, 29 - cuts);
  });

  it("tells tools which earlier turns the model is shown, and no others", async () => {
    const told: (readonly string[] | undefined)[] = [];
    const search = makeTool({
      name: "look_up",
      run: (_args, { heldTurnIds }) => (told.push(heldTurnIds), Promise.resolve(gives("x"))),
    });
    const lookUp = [callTools(call("look_up", { query: "a" })), end()];
    const replies = [
      answers(long),
      answers(long),
      lookUp,
      answers("x"),
      lookUp,
      [broken("context_overflow")],
    ];
    const model = playModel([...replies, lookUp, answers("x")]);
    const engine = engineOver(model, { tools: toolSet(search) });
    const ids: string[] = [];
    for (const question of ["Q0", "Q1", "Q2", "Q3"]) {
      ids.push((await ask(engine, question, { sessionId: "s" })).end.turnId);
    }
    assert.deepEqual(told, [ids.slice(0, 2), ids.slice(0, 3), ids.slice(2, 3)]);
  });

  it("keeps the cut that the server forced", async () => {
    const model = playModel([
      ...["1", "2", "3", "4"].map(answers),
      [broken("context_overflow")],
      answers("5"),
      answers("6"),
    ]);
    const engine = engineOver(model);
    for (const question of ["Q1", "Q2", "Q3", "Q4", "Q5", "Q6"])
      await ask(engine, question, { sessionId: "s" });
    assert.deepEqual(questionsOf(model.requests.at(-1)!.messages), ["Q3", "Q4", "Q5", "Q6"]);
  });

  it("is sent whole again when the user gives it a longer context, and the reload is said", async () => {
    const model = playModel([answers(long)]);
    let contextLength = 4_096;
    const engine = engineOver(model, {
      settings: {
        get contextLength() {
          return contextLength;
        },
      },
    });
    for (let index = 0; index < 11; index += 1) await ask(engine, `Q${index}`, { sessionId: "s" });
    assert.ok(questionsOf(model.requests.at(-1)!.messages).length < 11);
    contextLength = 16_384;
    const { events } = await ask(engine, "Q11", { sessionId: "s" });
    assert.equal(questionsOf(model.requests.at(-1)!.messages).length, 12);
    const [changed] = all(events, "warning");
    assert.equal(changed?.data.code, "context_changed");
    assert.deepEqual(changed.data.detail, { from: 4_096, to: 16_384 });
  });
});
