import assert from "node:assert/strict";
import type { TurnEvent } from "../../../../src/agent/events.ts";
import { success } from "../../../../src/agent/failure.ts";
import type { MemoryCardQuery } from "../../../../src/agent/memory/types.ts";
import { emptyMemory } from "../memory.ts";
import {
  all,
  answers,
  ask,
  call,
  callTools,
  end,
  engineOver,
  gives,
  hangs,
  makeTool,
  only,
  playModel,
  read,
  say,
  start,
  toolSet,
  until,
  type PlayedModel,
  type WholeTurn,
} from "../support.ts";
import { branch } from "./bed.ts";

const LOOKS = [callTools(call("look_up", { query: "tide" })), end()];
const questions = ({ requests }: PlayedModel): readonly string[] =>
  (requests.at(-1)?.messages ?? []).filter(({ role }) => role === "user").map(({ content }) => content);
const stepAt = (turn: WholeTurn, index: number): string => all(turn.events, "step.start")[index]!.id;

describe("a branch of a turn", () => {
  it("repeats what came before as events that say so, and leaves the turn that it branches off alone", async () => {
    const model = playModel([LOOKS, answers("At two."), answers("At three.")]);
    const engine = engineOver(model);
    const turn = await ask(engine, "When?");
    const was = structuredClone(turn.events);
    const fork = await branch(engine, turn, { eventId: stepAt(turn, 1) });
    assert.deepEqual(turn.events, was);
    const start = only(fork.events, "turn.start").data;
    assert.equal(start["conclave.fork"]?.turnId, turn.end.turnId);
    assert.equal(start["conclave.parent_turn_id"], null, "it follows what that one followed");
    const repeated = fork.events.filter(({ replays }) => replays !== undefined);
    const ids = new Set(turn.events.map(({ id }) => id));
    assert.ok(repeated.length > 0 && repeated.every(({ replays }) => ids.has(replays ?? "")));
    assert.ok(
      fork.events.every(({ id }) => !ids.has(id)),
      "every event has an id of its own",
    );
    assert.deepEqual(
      all(fork.events, "model.start").map(({ replays }) => replays !== undefined),
      [true, false],
    );
    assert.deepEqual(
      fork.end.data["conclave.messages"].map(({ role }) => role),
      ["user", "assistant", "tool", "assistant"],
    );
  });

  it("counts only the tokens that were used anew", async () => {
    const model = playModel([LOOKS, answers("At two."), answers("At three.")]);
    const engine = engineOver(model);
    const turn = await ask(engine, "When?");
    const fork = await branch(engine, turn, { eventId: stepAt(turn, 1) });
    assert.equal(turn.end.data["gen_ai.usage.input_tokens"], 20);
    assert.equal(fork.end.data["gen_ai.usage.input_tokens"], 10);
  });

  it("branches off itself: what was taken over is taken over again", async () => {
    const model = playModel([LOOKS, answers("At two."), answers("At three."), answers("At four.")]);
    const engine = engineOver(model);
    const turn = await ask(engine, "When?");
    const at = only(turn.events, "tool.result").id;
    const edit = { part: "tool_result" as const, eventId: at, text: "high tide at three" };
    const fork = await branch(engine, turn, { eventId: at, edits: [edit] });
    const again = await branch(engine, fork, { eventId: stepAt(fork, 1) });
    assert.deepEqual(model.requests[3]?.messages, model.requests[2]?.messages);
    assert.equal(only(again.events, "tool.result").replays, only(fork.events, "tool.result").id);
  });

  it("runs with the model and temperature of then, or with those that the user chose", async () => {
    const settings = { temperature: 0.3 };
    const tiny = playModel([LOOKS, answers("At two.")]);
    const engine = engineOver(tiny, { settings });
    const turn = await ask(engine, "When?", { options: { model: "tiny", temperature: 0.7 } });
    await branch(engine, turn, { eventId: stepAt(turn, 1) });
    assert.equal(tiny.requests.at(-1)?.temperature, 0.7);
    const fork = await branch(engine, turn, { chosen: { model: "other", temperature: 0 } });
    assert.equal(tiny.requests.at(-1)?.temperature, 0);
    assert.equal(only(fork.events, "agent.start").data["gen_ai.request.model"], "other");
  });

  it("runs no tool that wrote something then, and plays one that is gone meanwhile", async () => {
    let written = 0;
    const save = makeTool({
      name: "save",
      readOnly: false,
      run: () => Promise.resolve(gives(`saved ${++written}`)),
    });
    const model = playModel([[callTools(call("save", { query: "x" })), end()], answers("Saved.")]);
    const set = { tools: toolSet(save) };
    const first = engineOver(model, set);
    const turn = await ask(first, "Save it.");
    await branch(first, turn, { eventId: stepAt(turn, 1) });
    assert.equal(written, 1);
    const without = engineOver(model, { tools: toolSet() });
    const fork = await branch(without, turn, { eventId: stepAt(turn, 1) });
    assert.equal(only(fork.events, "tool.result").data.result, "saved 1");
    await branch(first, turn, { eventId: only(turn.events, "tool.request").id });
    assert.equal(written, 2, "a call that the user has made anew is made");
  });

  it("tells the model of a call it has a result of, when it makes the same one again", async () => {
    let ran = 0;
    const long = "tide ".repeat(100);
    const look = makeTool({ name: "look_up", run: () => Promise.resolve(gives(`${++ran} ${long}`)) });
    const model = playModel([LOOKS, answers("At two."), LOOKS, answers("At three.")]);
    const engine = engineOver(model, { tools: toolSet(look) });
    const turn = await ask(engine, "When?");
    await branch(engine, turn, { eventId: stepAt(turn, 1) });
    assert.equal(ran, 1);
    assert.match(model.requests.at(-1)?.messages.at(-1)?.content ?? "", /the same call was made before/);
  });

  it("gives a call that was cut off the result that the user writes", async () => {
    const waits = makeTool({
      name: "look_up",
      run: (_args, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => resolve(gives("too late")), { once: true });
        }),
    });
    const model = playModel([LOOKS, answers("At six.")]);
    const engine = engineOver(model, { tools: toolSet(waits) });
    const running = await start(engine, "When?");
    await until(running.events, "tool.request");
    running.cancel();
    const events = await read(running.events);
    const turn = { sessionId: running.sessionId, events, end: only(events, "turn.end") };
    const at = only(events, "tool.request").id;
    const fork = await branch(engine, turn, {
      eventId: at,
      edits: [{ part: "tool_result", eventId: at, text: "high tide at six" }],
    });
    assert.equal(model.requests.at(-1)?.messages.at(-1)?.content, "high tide at six");
    assert.equal(fork.end.data.outcome, "answered");
  });

  it("keeps the conversation that another door had brought along", async () => {
    const model = playModel([answers("At two.")]);
    const engine = engineOver(model);
    const history = [
      { role: "user" as const, content: "Hi from the chat" },
      { role: "assistant" as const, content: "Hello." },
    ];
    const turn = await ask(engine, "When?", { history });
    await branch(engine, turn, { edits: [{ part: "question", text: "Where?" }] });
    assert.deepEqual(questions(model), ["Hi from the chat", "Where?"]);
  });

  it("can be stopped, and its session is free again", async () => {
    const model = playModel([LOOKS, answers("At two."), hangs(say("At")), answers("x")]);
    const engine = engineOver(model);
    const turn = await ask(engine, "When?");
    const events = turn.events.filter(({ type }) => type !== "model.delta");
    const fork = { turnId: turn.end.turnId, eventId: stepAt(turn, 1), edits: [], events };
    const running = await start(engine, "When?", { sessionId: turn.sessionId, fork });
    const busy = await engine.ask({ question: "When?", door: "test", sessionId: turn.sessionId, fork });
    assert.equal(busy.ok ? "" : busy.failure.code, "session_busy");
    await until(running.events, "model.delta");
    running.cancel();
    assert.equal((await running.done).outcome, "cancelled");
    await branch(engine, turn);
  });

  describe("with parts of its prompt changed", () => {
    const bed = async () => {
      const model = playModel([LOOKS, answers("At two."), answers("At three.")]);
      const engine = engineOver(model, { settings: { systemPrompt: "Be brief." } });
      const turn = await ask(engine, "When?");
      const request = all(turn.events, "model.start")[1]!.id;
      return { model, engine, turn, request };
    };

    it("is given the rules as they were written", async () => {
      const { model, engine, turn, request } = await bed();
      await branch(engine, turn, {
        eventId: request,
        edits: [{ part: "system", eventId: request, text: "Answer in verse." }],
      });
      const [system, ...rest] = model.requests.at(-1)!.messages;
      assert.equal(system?.content, "Answer in verse.");
      assert.deepEqual(rest, model.requests[1]!.messages.slice(1));
    });

    it("is given what was recalled as it was written, and none where that was emptied", async () => {
      const { model, engine, turn, request } = await bed();
      const recalled = (text: string) => ({
        eventId: request,
        edits: [{ part: "recalled" as const, eventId: request, text }],
      });
      const fork = await branch(engine, turn, recalled("They live in Oban."));
      assert.deepEqual(questions(model), ["They live in Oban.", "When?"]);
      await branch(engine, fork, { eventId: all(fork.events, "model.start")[1]!.id });
      assert.deepEqual(
        questions(model),
        ["They live in Oban.", "When?"],
        "it is kept in a branch of the branch",
      );
    });

    it("is given another question behind the steps that stay, and the conversation goes on with it", async () => {
      const { model, engine, turn, request } = await bed();
      await branch(engine, turn, {
        eventId: request,
        edits: [
          { part: "question", eventId: request, text: "When is low tide?" },
          { part: "tail", eventId: request, text: "Answer as a poet." },
        ],
      });
      assert.deepEqual(questions(model), ["When is low tide?\n\nAnswer as a poet."]);
      await ask(engine, "And tomorrow?", { sessionId: turn.sessionId });
      assert.deepEqual(questions(model), ["When is low tide?", "And tomorrow?"]);
    });
  });

  describe("and memory", () => {
    const bed = (model: PlayedModel) => {
      const asked: MemoryCardQuery[] = [];
      let facts = 0;
      const memory = emptyMemory({
        card: (query) => {
          asked.push(query);
          facts += 1;
          const pinned = [{ id: `${facts}`, text: `Fact ${facts}.`, confidence: 1 }];
          return Promise.resolve(success({ relationships: [], facts: [], pinned, interests: [] } as never));
        },
      });
      const engine = engineOver(model, { memory, settings: { memory: { card: "always", learning: "off" } } });
      return { engine, asked };
    };

    it("keeps what was recalled where its steps are kept, and recalls anew for another question", async () => {
      const model = playModel([LOOKS, answers("At two.")]);
      const { engine, asked } = bed(model);
      const turn = await ask(engine, "When?");
      assert.match(questions(model)[0] ?? "", /Fact 1/);
      const fork = await branch(engine, turn, { eventId: stepAt(turn, 1) });
      assert.match(questions(model)[0] ?? "", /Fact 1/);
      assert.equal(only(fork.events, "memory.card").replays, only(turn.events, "memory.card").id);
      await branch(engine, turn, { edits: [{ part: "question", text: "Where?" }] });
      assert.match(questions(model)[0] ?? "", /Fact 2/);
      assert.ok(
        asked.at(-1)?.excludeTurnIds?.includes(turn.end.turnId),
        "the answer that it is to be compared with is not recalled",
      );
    });

    it("is remembered as a turn of its own", async () => {
      const remembered: string[] = [];
      const memory = emptyMemory({
        add: (episodes) => {
          remembered.push(...episodes.map(({ answer }) => answer));
          return Promise.resolve(success({ added: episodes.length }));
        },
      });
      const model = playModel([LOOKS, answers("At two."), answers("At three.")]);
      const engine = engineOver(model, { memory, settings: { memory: { learning: "off" } } });
      const turn = await ask(engine, "When?");
      await branch(engine, turn, { eventId: stepAt(turn, 1) });
      await engine.dispose();
      assert.deepEqual(remembered, ["At two.", "At three."]);
    });
  });

  describe("that can't be", () => {
    const refused = async (
      part: Parameters<typeof branch>[2],
      change: (turn: WholeTurn) => WholeTurn = (turn) => turn,
    ): Promise<void> => {
      const engine = engineOver(playModel([LOOKS, answers("At two.")]));
      const turn = await ask(engine, "When?");
      const edits = part?.edits?.map((edit) => ({ ...edit, eventId: only(turn.events, "tool.request").id }));
      const eventId = part?.eventId ?? only(turn.events, "tool.request").id;
      await branch(engine, change(turn), { ...part, eventId, ...(edits && { edits }) });
    };

    it("is refused in words: a place that is not there, arguments that are none, an answer of nobody's committee", async () => {
      await assert.rejects(refused({ eventId: "nowhere" }), /no longer in the trace/);
      for (const text of ["{", "[]", '"x"', ""])
        await assert.rejects(refused({ edits: [{ part: "tool_arguments", text }] }), /one JSON object/);
      const engine = engineOver(playModel([answers("At two.")]));
      const turn = await ask(engine, "When?");
      const eventId = only(turn.events, "agent.start").id;
      const edits = [{ part: "answer" as const, eventId, text: "At noon." }];
      await assert.rejects(branch(engine, turn, { eventId, edits }), /member of a committee/);
      await assert.rejects(branch(engine, turn, { edits: [{ part: "question", text: " " }] }), /no question/);
    });

    it("is refused where the turn was forgotten, or its beginning is not in the trace", async () => {
      const forgotten = (turn: WholeTurn): WholeTurn => ({
        ...turn,
        events: turn.events.map((event): TurnEvent => ({ ...event, forgotten: 1 })),
      });
      await assert.rejects(refused({}, forgotten), /was forgotten/);
    });
  });
});
