import assert from "node:assert/strict";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import type { TurnEvent } from "../../../src/agent/events.ts";
import type { PanelMessage } from "../../../src/trace/panel-protocol.ts";
import type { PanelSourcePort } from "../../../src/vscode/panel/deps.ts";
import { makeFork } from "../../../src/trace/fork/make-fork.ts";
import { ForkHost } from "../../../src/vscode/panel/fork.ts";
import { OTHER_RESULT, RESULT, writeBranches } from "../trace/support/branches.ts";
import { all, answers, ask, engineOver, only, playModel, type WholeTurn } from "../agent/support.ts";
import { PanelBed } from "../trace/support/panel-bed.ts";
import { SteadyIdentity } from "../trace/support/steady-identity.ts";
import { TurnScript } from "../trace/support/turn-script.ts";

describe("branching off in the panel", () => {
  let bed: PanelBed;
  let turn: WholeTurn;
  let fork: WholeTurn;

  beforeEach(async () => {
    bed = await PanelBed.create();
    ({ turn, fork } = await writeBranches(bed.log));
    await bed.ready();
  });
  afterEach(() => bed.close());

  const place = (of = turn) => ({ sessionId: of.sessionId, turnId: of.end.turnId });
  const receive = (message: PanelMessage): Promise<void> => bed.host.receive(message);
  const branchOff = (part: Partial<Extract<PanelMessage, { readonly type: "fork" }>> = {}): Promise<void> =>
    receive({ type: "fork", ...place(), edits: [], options: {}, ...part });
  const notices = (): readonly string[] => bed.posted("notice").map(({ failure }) => failure.message);
  const textOf = async (
    message: Omit<Extract<PanelMessage, { readonly type: "fork_text" }>, "type" | "request">,
  ) => {
    await receive({ type: "fork_text", request: 1, ...message });
    return bed.posted("fork_text").at(-1);
  };

  it("asks the engine for the branch, and shows it", async () => {
    const eventId = only(turn.events, "tool.result").id;
    const edits = [{ part: "tool_result" as const, eventId, text: "In Redis." }];
    await branchOff({ eventId, edits, options: { temperature: 0.2 } });
    const [request] = bed.engine.asked;
    assert.ok(request?.fork);
    assert.deepEqual(request.fork.edits, edits);
    assert.deepEqual(request.fork.options, { temperature: 0.2 });
    assert.equal(request.options?.model, "tiny", "all else is as it was");
    assert.equal(request.fork.events.length, turn.events.filter(({ type }) => type !== "model.delta").length);
    assert.equal(bed.posted("asked").length, 1);
    assert.equal(bed.posted("turn").at(-1)?.turnId, bed.posted("asked")[0]?.turnId);
  });

  it("asks another question in the words that were typed", async () => {
    await branchOff({ edits: [{ part: "question", text: "And where is the log?" }] });
    assert.equal(bed.engine.asked[0]?.question, "And where is the log?");
  });

  it("gives the exact text of every part that can be changed", async () => {
    const result = only(turn.events, "tool.result").id;
    const [request] = all(turn.events, "model.start");
    const at = { ...place(), eventId: request!.id };
    const texts = await Promise.all([
      textOf({ ...place(), part: "tool_result", eventId: result }),
      textOf({ ...place(), part: "tool_arguments", eventId: result }),
      textOf({ ...place(), part: "question" }),
      textOf({ ...at, part: "recalled" }),
    ]);
    assert.deepEqual(
      texts.map((message) => message?.text).sort(),
      ["", '{\n  "query": "docs/cache.md"\n}', RESULT, only(turn.events, "query.received").data.query].sort(),
    );
    assert.match((await textOf({ ...at, part: "system" }))?.text ?? "", /^You are Conclave/);
    const changed = only(fork.events, "tool.result").id;
    assert.equal(
      (await textOf({ ...place(fork), part: "tool_result", eventId: changed }))?.text,
      OTHER_RESULT,
    );
  });

  it("says why a text can't be changed", async () => {
    const none = await textOf({ ...place(), part: "tool_result", eventId: "nowhere" });
    assert.equal(none?.text, null);
    assert.match(none.failure?.message ?? "", /does not hold this text/);
    const script = new TurnScript((event) => bed.log.append(event), { identity: new SteadyIdentity(1, 5) });
    script.ask().reply({ calls: [{ id: "1", name: "read_file", arguments: {} }] });
    script.call("read_file", {})({ result: "x".repeat(200_001) });
    let eventId = "";
    await bed.log.flush();
    for await (const item of bed.log.read(script.sessionId))
      if (item.type === "event" && item.event.type === "tool.result") eventId = item.event.id;
    const long = await textOf({
      sessionId: script.sessionId,
      turnId: script.turnId,
      part: "tool_result",
      eventId,
    });
    assert.match(long?.failure?.message ?? "", /longer than 200,000 characters/);
  });

  it("refuses a turn that runs, that was forgotten, or that can't be read whole, in words", async () => {
    const { script } = bed.engine.begin({ question: "Now?" });
    await branchOff({ sessionId: script.sessionId, turnId: script.turnId });
    assert.match(notices().at(-1) ?? "", /still runs/);
    assert.ok((await bed.log.bury({ turns: [place()], time: Date.now() })).ok);
    await branchOff();
    assert.match(notices().at(-1) ?? "", /was forgotten/);
    const sessionId = "00000000-0000-4000-8000-0000000000ff";
    const identity = new SteadyIdentity(1, 9);
    const other = new TurnScript((event) => bed.log.append(event), { identity, sessionId });
    await bed.log.flush();
    await appendFile(join(bed.folder, `${sessionId}.jsonl`), "{ half a line\n");
    other.answered("Yes.");
    await branchOff({ sessionId: other.sessionId, turnId: other.turnId });
    assert.match(notices().at(-1) ?? "", /can't be read whole/);
    await branchOff({ turnId: "0".repeat(32) });
    assert.match(notices().at(-1) ?? "", /does not hold this turn/);
    assert.deepEqual(bed.engine.asked, []);
  });

  it("refuses a turn that is shown from a file", async () => {
    const told: string[] = [];
    const source = {} as PanelSourcePort;
    const host = new ForkHost({
      deps: { engine: bed.engine, log: bed.log, source },
      post: () => undefined,
      begun: (asked) => {
        told.push(asked.ok ? "" : asked.failure.message);
        return Promise.resolve();
      },
    });
    await host.receive({ type: "fork", ...place(), edits: [], options: {} });
    assert.match(told[0] ?? "", /from a file\. Import it/);
  });

  it("takes no message that is none: unknown parts, other options, texts without end", async () => {
    const wrong: readonly unknown[] = [
      { edits: [{ part: "everything", text: "x" }] },
      { options: { tools: ["rm"] } },
      { options: { temperature: 9 } },
      { edits: [{ part: "question", text: "x".repeat(200_001) }] },
      { edits: Array.from({ length: 11 }, () => ({ part: "question", text: "x" })) },
    ];
    for (const part of wrong)
      await bed.host.receive({ type: "fork", ...place(), edits: [], options: {}, ...(part as object) });
    assert.deepEqual(bed.engine.asked, []);
  });

  it("lets the next question go on with the branch that is looked at, to its end", async () => {
    const parentOf = async (after: WholeTurn): Promise<string | null | undefined> => {
      await receive({
        type: "ask",
        question: "And then?",
        sessionId: turn.sessionId,
        after: after.end.turnId,
      });
      const request = bed.engine.asked.at(-1);
      bed.engine.running(turn.sessionId)?.cancel();
      return request?.parentTurnId;
    };
    assert.equal(await parentOf(fork), fork.end.turnId);
  });
});

describe("a branch of a conversation of which something was forgotten", () => {
  it("does not hand the model what stands in its place", async () => {
    const bed = await PanelBed.create();
    try {
      const model = playModel([answers("Yes.")]);
      const engine = engineOver(model, { history: bed.log });
      engine.onEvent((event) => bed.log.append(event));
      const first = await ask(engine, "one");
      const { sessionId } = first;
      await ask(engine, "two", { sessionId });
      const third = await ask(engine, "three", { sessionId });
      const turns = [{ sessionId, turnId: first.end.turnId }];
      assert.ok((await bed.log.bury({ turns, time: Date.now() })).ok);
      const wanted = { sessionId, turnId: third.end.turnId, edits: [] };
      for (const at of [{}, { eventId: all(third.events, "step.start")[0]!.id }]) {
        const made = await makeFork(bed.log, { ...wanted, ...at }, "panel");
        assert.ok(made.ok);
        const asked = await engine.ask(made.value);
        assert.ok(asked.ok);
        await asked.value.done;
        const said = model.requests
          .at(-1)
          ?.messages.slice(1)
          .map(({ content }) => content);
        assert.deepEqual(said, ["two", "Yes.", "three"]);
      }
    } finally {
      await bed.close();
    }
  });
});

describe("the branches of a session in the list", () => {
  it("names the turn that each branches off, and where", async () => {
    const bed = await PanelBed.create();
    try {
      const { turn, fork } = await writeBranches(bed.log);
      const rows = await bed.log.rows(turn.sessionId);
      assert.deepEqual(rows.ok ? rows.value.map(({ fork: of, forkAt }) => [of, forkAt]).slice(0, 2) : [], [
        [undefined, undefined],
        [turn.end.turnId, only(fork.events, "turn.start").data["conclave.fork"]?.eventId],
      ]);
      assert.deepEqual(rows.ok ? rows.value.map(({ inputTokens }) => inputTokens) : [], [20, 10, 10]);
    } finally {
      await bed.close();
    }
  });

  it("forgets with a turn what its branches took over from it, and leaves them their own", async () => {
    const bed = await PanelBed.create();
    try {
      const { turn, fork } = await writeBranches(bed.log);
      assert.ok(
        (
          await bed.log.bury({
            turns: [{ sessionId: turn.sessionId, turnId: turn.end.turnId }],
            time: Date.now(),
          })
        ).ok,
      );
      const events: TurnEvent[] = [];
      for await (const item of bed.log.read(turn.sessionId))
        if (item.type === "event" && item.event.turnId === fork.end.turnId) events.push(item.event);
      assert.match(only(events, "tool.result").data.result ?? "", /^Forgotten on/);
      assert.deepEqual(only(events, "tool.request").data.arguments, {});
      assert.match(only(events, "answer.dialog").data.answer, /in Redis/);
      assert.doesNotMatch(
        JSON.stringify(events),
        /docs\/cache\.md|It lives/,
        "what was changed is what was there",
      );
      const rows = await bed.log.rows(turn.sessionId);
      const row = rows.ok ? rows.value.find(({ turnId }) => turnId === fork.end.turnId) : undefined;
      assert.equal(row?.forgotten, undefined);
      assert.equal(row?.answer, "The cache is **in Redis** and lives ten minutes.", "its own answer stays");
    } finally {
      await bed.close();
    }
  });
});
