import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SUMMARY_TIMEOUT_MS } from "../../../../src/agent/budget/summarise.ts";
import type { Engine } from "../../../../src/agent/engine-port.ts";
import { createEngine } from "../../../../src/agent/engine.ts";
import { DEFAULT_ENGINE_SETTINGS } from "../../../../src/agent/settings.ts";
import { TraceLog } from "../../../../src/trace/log.ts";
import {
  all,
  answers,
  ask,
  broken,
  engineOver,
  fakeTimer,
  hangs,
  only,
  playModel,
  seededIdentity,
  start,
  toolSet,
  until,
  warnings,
  type PlayedModel,
  type Reply,
  type Setup,
  type WholeTurn,
} from "../support.ts";

const long = (letter: string, tokens: number): string => letter.repeat(Math.floor(tokens * 3.5));
const SESSION = "00000000-0000-4000-8000-00000000abcd";
const contextLength = 4_096;

/** A model whose conversation overflows at its fifth question; then it is asked for a summary. */
function forgetful(...then: readonly Reply[]): PlayedModel {
  const turns = Array.from({ length: 4 }, (_, turn) => answers(`A${turn} ${long("a", 900)}`));
  return playModel([...turns, ...then], { contextLength });
}

async function overflow(
  engine: Engine,
  questions = ["Build src/tide.ts", "Q1", "Q2", "Q3", "Q4"],
): Promise<WholeTurn> {
  let last: WholeTurn | undefined;
  for (const question of questions) last = await ask(engine, question, { sessionId: SESSION });
  return last!;
}

const summing = (setup: Setup = {}): Setup => ({
  ...setup,
  settings: { budget: { summary: true }, ...setup.settings },
});

const texts = (model: PlayedModel, at = -1): readonly string[] =>
  model.requests.at(at)!.messages.map(({ content }) => content);

describe("a conversation that outgrows its context", () => {
  it("is summed up by the model: the oldest turns go, a summary stands in their place", async () => {
    const model = forgetful(answers("The user builds a tide table."), answers("x"));
    const { events } = await overflow(engineOver(model, summing()));
    const { data } = only(events, "context.compacted");
    assert.equal(data.how, "summary");
    assert.match(data.summary ?? "", /The user builds a tide table\./);
    assert.match(data.summary ?? "", /The first question:\n- Build src\/tide\.ts/);
    assert.equal(data["gen_ai.request.model"], "tiny");
    assert.equal(data["gen_ai.usage.input_tokens"], 10);
    assert.ok(data.after < data.before && data.turns.length >= 2);
    const sent = texts(model);
    assert.equal(sent[1], data.summary);
    assert.ok(!sent.some((text) => text.startsWith("A0")));
    assert.ok(
      sent.some((text) => text.startsWith("A3")),
      "the newest turn is sent as it was",
    );
    assert.equal(sent.at(-1), "Q4");
    assert.deepEqual(warnings(events), [], "nothing is lost without a word");
    assert.equal(
      only(events, "turn.end").data["gen_ai.usage.input_tokens"],
      20,
      "the summary is paid for too",
    );
  });

  it("asks for the summary behind the prompt that the server knows, so that nothing is read anew", async () => {
    const model = forgetful(answers("A summary."), answers("x"));
    await overflow(engineOver(model, summing()));
    const [before, asked] = [model.requests[3]!, model.requests[4]!];
    const replaced = asked.messages.slice(0, -1).map((message) => JSON.stringify(message));
    const known = before.messages.map((message) => JSON.stringify(message));
    assert.deepEqual(replaced.slice(0, known.length), known.slice(0, replaced.length));
    assert.deepEqual(asked.tools, before.tools);
    assert.deepEqual(asked.runner, before.runner);
    assert.equal(asked.think, false);
    assert.match(asked.messages.at(-1)!.content, /Write a summary of the conversation/);
  });

  it("keeps the user's corrections and the names that the model forgot", async () => {
    const model = forgetful(answers("Something was built."), answers("x"));
    const { events } = await overflow(engineOver(model, summing()), [
      "Build src/tide.ts",
      "No, I meant lib/moon.ts with 42 rows",
      "Q2",
      "Q3",
      "Q4",
    ]);
    const { summary } = only(events, "context.compacted").data;
    assert.match(summary!, /corrections, which hold:\n- No, I meant lib\/moon\.ts with 42 rows/);
    assert.match(summary!, /src\/tide\.ts/);
  });

  it("goes on from the summary in later turns, and a later summary holds what the first one held", async () => {
    const model = forgetful(
      answers("The first summary."),
      ...Array.from({ length: 3 }, (_, turn) => answers(`B${turn} ${long("b", 900)}`)),
      answers("The second summary."),
      answers("x"),
    );
    const engine = engineOver(model, summing());
    await overflow(engine);
    const next = await ask(engine, "Q5", { sessionId: SESSION });
    assert.deepEqual(all(next.events, "context.compacted"), []);
    assert.match(texts(model)[1]!, /The first summary\./);
    let second: WholeTurn | undefined;
    for (const question of ["Q6", "Q7"]) second = await ask(engine, question, { sessionId: SESSION });
    const { data } = only(second!.events, "context.compacted");
    assert.match(data.summary!, /The second summary\./);
    assert.match(data.summary!, /Build src\/tide\.ts/, "what was pinned stays pinned");
    assert.ok(data.turns.length > 2, "the turns of the first summary are among those of the second");
    assert.ok(model.requests.at(-2)!.messages.some(({ content }) => content.includes("The first summary.")));
  });

  it("is summed up by a model of its own where the settings name one", async () => {
    const chat = forgetful(answers("x"));
    const small = playModel([answers("By the small one.")], { name: "small" });
    const engine = createEngine({
      identity: seededIdentity(),
      settings: () => ({
        ...DEFAULT_ENGINE_SETTINGS,
        model: "tiny",
        memory: { learning: "rules" },
        budget: { summaryModel: "small" },
      }),
      model: (name) => (name === "small" ? small : chat),
      tools: () => toolSet(),
    });
    const { events } = await overflow(engine);
    const { data } = only(events, "context.compacted");
    assert.equal(data["gen_ai.request.model"], "small");
    assert.match(data.summary!, /By the small one\./);
    assert.equal(small.requests.length, 1);
  });

  it("has its oldest turns left out where summaries are turned off", async () => {
    const model = forgetful(answers("x"));
    const { events } = await overflow(engineOver(model));
    assert.equal(only(events, "context.compacted").data.how, "turns");
    assert.deepEqual(warnings(events), ["context_cut"]);
    assert.equal(model.requests.length, 5);
  });
});

describe("a summary that does not come about", () => {
  for (const [what, reply] of [
    ["failed", [broken("runner_stopped")]],
    ["is empty", answers("  ")],
  ] as const) {
    it(`because it ${what} leaves the oldest turns out, and the event says why`, async () => {
      const model = forgetful(reply, answers("the answer"));
      const { events } = await overflow(engineOver(model, summing()));
      const [tried, cut] = all(events, "context.compacted");
      assert.equal(tried!.data.how, "summary");
      assert.ok(tried!.data.error !== undefined && tried!.data.summary === undefined);
      assert.equal(cut!.data.how, "turns");
      assert.deepEqual(warnings(events), ["context_cut"]);
      assert.equal(only(events, "answer.dialog").data.answer, "the answer");
    });
  }

  it("in time does not hold the answer up any longer", async () => {
    const { clock, timer } = fakeTimer();
    const model = forgetful(hangs(), answers("the answer"));
    const engine = engineOver(model, summing({ timer }));
    await overflow(engine, ["Q0", "Q1", "Q2", "Q3"]);
    const turn = await start(engine, "Q4", { sessionId: SESSION });
    while (model.requests.length < 5) await new Promise(setImmediate);
    await clock.tickAsync(SUMMARY_TIMEOUT_MS + 1);
    const { answer } = await turn.done;
    assert.equal(answer, "the answer");
    const events = [];
    for await (const event of turn.events) events.push(event);
    const [tried] = all(events, "context.compacted");
    assert.equal(tried!.data.error?.code, "timeout");
  });

  it("because the turn was cancelled ends the turn at once", async () => {
    const model = forgetful(hangs());
    const engine = engineOver(model, summing());
    await overflow(engine, ["Q0", "Q1", "Q2", "Q3"]);
    const turn = await start(engine, "Q4", { sessionId: SESSION });
    await until(turn.events, "step.start");
    while (model.requests.length < 5) await new Promise(setImmediate);
    turn.cancel();
    assert.equal((await turn.done).outcome, "cancelled");
  });
});

describe("a summary that the user takes back", () => {
  it("leaves room for what it replaced; those turns are not summed up again", async () => {
    const model = forgetful(answers("A summary."), answers("x"));
    const engine = engineOver(model, summing());
    await overflow(engine);
    const events: string[] = [];
    engine.onEvent(({ type }) => events.push(type));
    assert.deepEqual(await engine.restoreContext!(SESSION), { ok: true, value: true });
    assert.deepEqual(events, ["context.restored"]);
    const { events: next } = await ask(engine, "Q5", { sessionId: SESSION });
    assert.deepEqual(
      all(next, "context.compacted").map(({ data }) => data.how),
      ["turns"],
    );
    assert.ok(!texts(model).some((text) => text.includes("A summary.")));
  });

  it("is none where there is no summary, and not while a turn runs", async () => {
    const engine = engineOver(playModel([answers("x"), hangs()]), summing());
    await ask(engine, "Q0", { sessionId: SESSION });
    assert.deepEqual(await engine.restoreContext!(SESSION), { ok: true, value: false });
    const turn = await start(engine, "Q1", { sessionId: SESSION });
    const refused = await engine.restoreContext!(SESSION);
    assert.equal(refused.ok ? undefined : refused.failure.code, "session_busy");
    turn.cancel();
    await turn.done;
  });
});

describe("a summary in the log", () => {
  let folder: string;
  let log: TraceLog;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "conclave-summary-"));
    log = new TraceLog({ folder });
  });

  afterEach(async () => {
    await log.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  function engineWithLog(model: PlayedModel): Engine {
    const engine = engineOver(model, summing({ history: log }));
    engine.onEvent((event) => log.append(event));
    return engine;
  }

  it("stands in the place of the same turns after a restart", async () => {
    const model = forgetful(answers("A summary."), answers("x"));
    await overflow(engineWithLog(model));
    const before = texts(model);
    const again = playModel([answers("y")], { contextLength });
    const { events } = await ask(engineWithLog(again), "Q5", { sessionId: SESSION });
    assert.deepEqual(all(events, "context.compacted"), []);
    assert.deepEqual(texts(again).slice(0, before.length), before);
    assert.match(before[1]!, /A summary\./);
  });

  it("that was taken back is not read back, in this window or after a restart", async () => {
    const model = forgetful(answers("A summary."), answers("x"));
    const engine = engineWithLog(model);
    await overflow(engine);
    assert.deepEqual(await engine.restoreContext!(SESSION), { ok: true, value: true });
    await ask(engine, "Q5", { sessionId: SESSION });
    assert.ok(!texts(model).some((text) => text.includes("A summary.")));
    // Six questions and one summary: the same turns are not summed up again.
    assert.equal(model.requests.length, 7);
    const again = playModel([answers("y")], { contextLength: 32_768 });
    await ask(engineWithLog(again), "Q6", { sessionId: SESSION });
    assert.ok(!texts(again).some((text) => text.includes("A summary.")));
    assert.ok(
      texts(again).some((text) => text.startsWith("A0")),
      "what it replaced is sent again",
    );
  });

  it("does not hold for a context of another length: there all fits", async () => {
    await overflow(engineWithLog(forgetful(answers("A summary."), answers("x"))));
    const wide = playModel([answers("y")], { contextLength: 32_768 });
    await ask(engineWithLog(wide), "Q5", { sessionId: SESSION });
    assert.ok(texts(wide).some((text) => text.startsWith("A0")));
  });
});
