import assert from "node:assert/strict";
import fc from "fast-check";
import type { TurnEvent } from "../../../src/agent/events.ts";
import { answerCell, emptyTurn, type TurnModel } from "../../../src/trace/model.ts";
import {
  cutKey,
  foldPosted,
  isShort,
  lighten,
  POSTED_STRING_LIMIT,
  withoutRepeats,
  type Cuts,
} from "../../../src/trace/posted.ts";
import { TurnScript } from "./support/turn-script.ts";

function told(tell: (script: TurnScript) => void): TurnEvent[] {
  const events: TurnEvent[] = [];
  tell(new TurnScript((event) => events.push(event)));
  return events;
}

function foldAll(events: readonly TurnEvent[]): { turn: TurnModel; cuts: Cuts } {
  const first = events[0];
  assert.ok(first);
  const turn = emptyTurn(first.sessionId, first.turnId, first.time);
  const cuts: Cuts = new Map();
  for (const event of events) foldPosted(turn, cuts, lighten(event));
  return { turn, cuts };
}

const LONG = "abcdefgh".repeat(5000);

describe("events as they are posted", () => {
  it("are left as they are when they are short", () => {
    const [event] = told(() => undefined).filter(({ type }) => type === "query.received");
    assert.ok(event);
    assert.deepEqual(lighten(event), { event, cuts: [] });
  });

  it("hold no string over 16 KB, and say where the whole is", () => {
    const events = told((script) => script.ask().reply({}).call("web_fetch", {})({ result: LONG }));
    const result = events.at(-1);
    assert.ok(result);
    const { event, cuts } = lighten(result);
    assert.equal(event.type === "tool.result" && event.data.result?.length, POSTED_STRING_LIMIT);
    assert.deepEqual(cuts, [
      {
        eventId: result.id,
        eventType: "tool.result",
        path: ["data", "result"],
        length: 40_000,
        unit: "characters",
      },
    ]);
  });

  it("stay bounded however many strings they hold", () => {
    const hits = Array.from({ length: 400 }, () => ({ text: "z".repeat(10_000) }));
    const events = told((script) =>
      script.ask().reply({}).call("search_memory", {})({ details: { summary: "many", data: { hits } } }),
    );
    const result = events.at(-1);
    assert.ok(result);
    assert.ok(JSON.stringify(lighten(result)).length < 100_000);
  });

  it("leave out the prompts, but not how many messages there were", () => {
    const messages = Array.from({ length: 7 }, () => ({ role: "user" as const, content: LONG }));
    const [start] = told((script) => script.ask(messages)).filter(({ type }) => type === "model.start");
    assert.ok(start);
    const posted = lighten(start);
    assert.ok(JSON.stringify(posted).length < 2000);
    assert.equal(posted.event.type === "model.start" && posted.event.data["conclave.messages"].length, 7);
  });

  it("don't shorten a text again that streamed in whole", () => {
    const { turn, cuts } = foldAll(
      told((script) => script.ask().stream("answer", LONG).reply({ content: LONG }).answered(LONG)),
    );
    const answer = answerCell(turn);
    assert.equal(answer?.text, LONG);
    assert.equal(cuts.has(cutKey(answer.id, "text")), false);
  });

  it("note the cut of an answer that comes from the log", () => {
    const { turn, cuts } = foldAll(told((script) => script.ask().reply({ content: LONG }).answered(LONG)));
    const answer = answerCell(turn);
    assert.equal(answer?.text.length, POSTED_STRING_LIMIT);
    assert.equal(cuts.get(cutKey(answer.id, "text"))?.length, LONG.length);
  });

  it("never cut inside a sign", () => {
    const events = told((script) =>
      script.ask().reply({}).call("web_fetch", {})({
        result: `${"x".repeat(POSTED_STRING_LIMIT - 3)}👩‍🚀tail`,
      }),
    );
    const result = events.at(-1);
    assert.ok(result);
    const { event } = lighten(result);
    assert.match(event.type === "tool.result" ? (event.data.result ?? "") : "", /^x+$/);
  });

  it("are never taken for short by their JSON where they have to be cut", () => {
    const text = fc.oneof(
      fc.string(),
      fc.integer({ min: 0, max: 17_000 }).map((length) => "x".repeat(length)),
    );
    const list = fc.integer({ min: 0, max: 600 }).map((length) => new Array<number>(length).fill(1));
    const data = fc.dictionary(fc.string(), fc.oneof(text, list, fc.array(text, { maxLength: 3 })));
    let short = 0;
    fc.assert(
      fc.property(data, (details) => {
        const events = told((script) =>
          script.ask().reply({}).call("web_fetch", {})({ details: { summary: "", data: details } }),
        );
        const result = events.at(-1);
        assert.ok(result);
        if (!isShort(JSON.stringify(withoutRepeats(result)))) return;
        short += 1;
        assert.deepEqual(lighten(result).cuts, []);
      }),
      { seed: 1 },
    );
    assert.ok(short > 10, "some are short");
  });
});
