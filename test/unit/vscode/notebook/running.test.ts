import assert from "node:assert/strict";
import FakeTimers from "@sinonjs/fake-timers";
import { systemTimer } from "../../../../src/agent/timer.ts";
import type { LiveTurn } from "../../../../src/trace/notebook/live-turn.ts";
import type { TurnOutput } from "../../../../src/trace/notebook/turn-output.ts";
import { above } from "../../../../src/vscode/notebook/history.ts";
import { KeptLogs } from "../../../../src/vscode/notebook/kept-logs.ts";
import { Painter } from "../../../../src/vscode/notebook/painter.ts";
import { refusal } from "../../../../src/vscode/notebook/refusal.ts";
import { runTurn, type RunRequest } from "../../../../src/vscode/notebook/run-turn.ts";
import { answered, logOf, read, SESSION } from "../../trace/notebook/read.ts";
import type { TurnScript } from "../../trace/support/turn-script.ts";
import { ScriptedEngine } from "../../trace/support/scripted-engine.ts";

const PLACE = { sessionId: SESSION.sessionId, parentTurnId: null };

describe("the cells above one", () => {
  const turns = [
    answered("First?", "One.", 1),
    answered("Second?", "Two.", 100),
    answered("Third?", "Three.", 200),
  ];
  const ids = turns.map(([first]) => first?.turnId ?? "");
  const eventsOf = (turnId: string) => turns[ids.indexOf(turnId)] ?? [];

  it("hand on their messages in order, and the nearest is what the turn follows", () => {
    const { history, parentTurnId } = above(ids, eventsOf);
    assert.deepEqual(
      history.map(({ content }) => content),
      ["First?", "One.", "Second?", "Two.", "Third?", "Three."],
    );
    assert.equal(parentTurnId, ids[2]);
  });

  it("hand on nothing when they have no answer", () => {
    const [one = "", two = ""] = ids;
    const half = (turnId: string) => (turnId === two ? eventsOf(two).slice(0, 6) : eventsOf(turnId));
    const { history, parentTurnId } = above([one, two, "gone"], half);
    assert.deepEqual([history.length, parentTurnId], [2, one]);
    assert.deepEqual(above([], eventsOf), { history: [], parentTurnId: null });
  });

  it("are the nearest fifty at most", () => {
    const many = Array.from({ length: 80 }, () => ids[0] ?? "");
    assert.equal(above(many, eventsOf).history.length, 100);
  });
});

describe("a drawing of what changes", () => {
  let clock: FakeTimers.Clock;

  beforeEach(() => {
    clock = FakeTimers.install();
  });

  afterEach(() => {
    clock.uninstall();
  });

  it("is made at once, then not more often than it may be, with all that changed meanwhile", async () => {
    let drawn = 0;
    const paint = (): Promise<void> => {
      drawn += 1;
      return Promise.resolve();
    };
    const painter = new Painter(paint, systemTimer, 250);
    for (let at = 0; at < 1_000; at += 10) {
      painter.request();
      await clock.tickAsync(10);
    }
    assert.ok(drawn >= 3 && drawn <= 5, `${drawn} drawings in a second`);
  });

  it("is made a last time when all is over, and never after that", async () => {
    const drawn: number[] = [];
    let state = 1;
    const painter = new Painter(() => Promise.resolve(void drawn.push(state)), systemTimer, 250);
    painter.request();
    await clock.tickAsync(0);
    painter.request();
    state = 2;
    await painter.finish();
    state = 3;
    painter.request();
    await clock.tickAsync(1_000);
    assert.deepEqual(drawn, [1, 2]);
    assert.equal(clock.countTimers(), 0);
  });
});

describe("a cell that runs", () => {
  let engine: ScriptedEngine;
  let drawn: TurnOutput[];
  let kept: LiveTurn[];

  beforeEach(() => {
    engine = new ScriptedEngine();
    drawn = [];
    kept = [];
  });

  const run = (request: Partial<RunRequest> = {}) =>
    runTurn(
      { question: "How many masts?", place: PLACE, ...request },
      {
        engine,
        timer: systemTimer,
        keep: (turn) => void kept.push(turn),
        draw: (output) => Promise.resolve(void drawn.push(output)),
      },
      new AbortController().signal,
    );

  it("asks with the cells above as all that went before, by the door of notebooks", async () => {
    engine.onTurn = ({ script }) => void script.ask().reply({ content: "Two." }).stepEnd().answered("Two.");
    const history = [{ role: "user", content: "Is it a ship?" }] as const;
    const end = await run({ history, sessionId: SESSION.sessionId });
    assert.equal(end.outcome, "answered");
    const [asked] = engine.asked;
    assert.deepEqual(asked, {
      ...{ question: "How many masts?", door: "notebook", parentTurnId: null },
      ...{ history, sessionId: SESSION.sessionId },
    });
  });

  it("is kept from its first event on, so that a save while it runs loses nothing", async () => {
    let script: TurnScript | undefined;
    engine.onTurn = (turn) => {
      script = turn.script.ask();
    };
    const ending = run();
    await new Promise(setImmediate);
    const meanwhile = kept[0]?.lines.length ?? 0;
    script?.reply({ content: "Two." }).stepEnd().answered("Two.");
    await ending;
    assert.ok(meanwhile > 0 && meanwhile < (kept[0]?.lines.length ?? 0), `${meanwhile} lines`);
  });

  it("is drawn while it runs, and last of all as it ended", async () => {
    engine.onTurn = ({ script }) => void script.ask().reply({ content: "Two." }).stepEnd().answered("Two.");
    await run();
    const types = drawn.at(-1)?.events.map(({ event }) => event.type);
    assert.ok(types?.includes("turn.end") && !types.includes("model.delta"));
    assert.ok(drawn.length <= 3, "one drawing at once, the others together");
  });

  it("is refused in words when its session answers already", async () => {
    engine.begin({ sessionId: SESSION.sessionId });
    const end = await run({ sessionId: SESSION.sessionId });
    assert.ok(end.outcome === "refused" && end.error.code === "session_busy");
    assert.deepEqual([kept, drawn], [[], []]);
  });

  it("is refused in words in a folder that is not trusted, and without a model", () => {
    assert.match(refusal(false, "qwen3:8b")?.message ?? "", /not trusted.*Manage Workspace Trust/s);
    assert.deepEqual(refusal(true, "")?.action, "select_model");
    assert.equal(refusal(true, "qwen3:8b"), undefined);
  });
});

describe("the logs of open notebooks", () => {
  it("are named by what they hold, so that two readings of a file differ in nothing", async () => {
    const logs = new KeptLogs();
    const text = logOf(answered("How many masts?", "Two.", 1));
    const [one, other] = [await logs.keep(await read(text)), await logs.keep(await read(text))];
    assert.deepEqual([one.base, one.session], [other.base, other.session]);
    assert.notEqual((await logs.keep(await read(`${text} `))).base, one.base);
  });

  it("tell two empty notebooks apart", async () => {
    const logs = new KeptLogs();
    const [one, other] = [await logs.keep(await read("")), await logs.keep(await read(""))];
    assert.ok(one.base !== other.base && one.session !== other.session);
  });

  it("are held as long as a notebook is open, and let go of after that", async () => {
    const logs = new KeptLogs();
    const open = await logs.keep(await read("open\n"));
    logs.use(new Set([open.base]));
    for (let at = 0; at < 20; at += 1) await logs.keep(await read(`looked at ${at}\n`));
    assert.equal(logs.get(open.base), open);
    logs.use(new Set());
    for (let at = 0; at < 20; at += 1) await logs.keep(await read(`looked at again ${at}\n`));
    assert.equal(logs.get(open.base), undefined);
  });

  it("find the turn of a cell that was pasted from another notebook", async () => {
    const logs = new KeptLogs();
    const events = answered("How many masts?", "Two.", 1);
    const turnId = events[0]?.turnId ?? "";
    await logs.keep(await read(logOf(events)));
    const into = await logs.keep(await read(""));
    const found = logs.lacking(turnId, into.session);
    assert.equal(found?.question, "How many masts?");
    assert.ok(
      found.lines.length === events.length && found.lines.every((line) => line.includes(into.session)),
    );
    assert.equal(logs.events(into.base, turnId).length, events.length);
    assert.equal(logs.lacking("gone", into.session), undefined);
  });
});
