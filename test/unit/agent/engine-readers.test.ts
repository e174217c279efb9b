import assert from "node:assert/strict";
import type { TurnEvent } from "../../../src/agent/events.ts";
import { all, answers, ask, end, engineOver, only, playModel, read, until, say, start } from "./support.ts";

describe("the engine: readers of the stream", () => {
  it("gives every reader all events, early or late, once or more", async () => {
    const turn = await start(engineOver(playModel([[say("Forty"), say("-two."), end()]])));
    const early = await read(turn.events);
    const late = await read(turn.events);
    const textOf = (events: readonly TurnEvent[]): string =>
      all(events, "model.delta").reduce((text, { data }) => text + data.text, "");
    const kinds = (events: readonly TurnEvent[]): string[] =>
      events.map(({ type }) => type).filter((type) => type !== "model.delta");
    assert.deepEqual(kinds(late), kinds(early));
    assert.deepEqual([textOf(early), textOf(late)], ["Forty-two.", "Forty-two."]);
  });

  it("joins text for who comes late, so that what is held does not grow with the number of chunks", async () => {
    const chunks = Array.from({ length: 5_000 }, (_, index) => say(String.fromCodePoint(0x4e00 + index)));
    const turn = await start(engineOver(playModel([[...chunks, end()]])));
    await turn.done;
    const events = await read(turn.events);
    assert.ok(events.length < 30, `${events.length} events are held`);
    assert.equal(only(events, "model.delta").data.text.length, 5_000);
  });

  it("lets a reader leave early without harm", async () => {
    const turn = await start(engineOver(playModel([answers("x")])));
    await until(turn.events, "turn.start");
    assert.equal((await turn.done).outcome, "answered");
  });

  it("tells listeners of all sessions, until they leave", async () => {
    const engine = engineOver(playModel([answers("x")]));
    const heard: string[] = [];
    const leave = engine.onEvent((event) => heard.push(event.sessionId));
    const { sessionId, events } = await ask(engine);
    assert.equal(heard.filter((id) => id === sessionId).length, events.length);
    const before = heard.length;
    leave();
    await ask(engine);
    assert.equal(heard.length, before);
  });

  it("is not harmed by a listener that throws, and tells of it", async () => {
    const faults: unknown[] = [];
    const engine = engineOver(playModel([answers("x")]), { onFault: (error) => faults.push(error) });
    const heard: string[] = [];
    engine.onEvent(() => {
      throw new Error("boom");
    });
    const later = (): unknown => Promise.reject(new Error("later"));
    engine.onEvent(later);
    engine.onEvent((event) => heard.push(event.type));
    const turn = await ask(engine);
    assert.equal(turn.end.data.outcome, "answered");
    assert.equal(heard.length, turn.events.length);
    assert.equal(faults.length, 2 * turn.events.length);
  });

  it("is not harmed by who hears of faults and throws too", async () => {
    const onFault = (): never => {
      throw new Error("the log is closed");
    };
    const engine = engineOver(playModel([answers("x")]), { onFault });
    engine.onEvent(onFault);
    assert.equal((await ask(engine)).end.data.outcome, "answered");
  });

  it("passes on events of finished turns, such as feedback", async () => {
    const engine = engineOver(playModel([answers("x")]));
    const { end: last } = await ask(engine);
    const heard: TurnEvent[] = [];
    engine.onEvent((event) => heard.push(event));
    const feedback: TurnEvent = {
      ...last,
      type: "user.feedback",
      id: "f",
      parentId: last.turnId,
      data: { rating: "up", "conclave.door": "test" },
    };
    engine.publish(feedback);
    assert.deepEqual(heard, [feedback]);
  });
});
