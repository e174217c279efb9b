import assert from "node:assert/strict";
import type { Episode } from "../../../../src/agent/memory/port.ts";
import { success } from "../../../../src/agent/failure.ts";
import { planFork } from "../../../../src/agent/fork/plan.ts";
import type { PairOutcome } from "../../../../src/agent/critic/types.ts";
import { emptyMemory } from "../memory.ts";
import {
  answers,
  ask,
  broken,
  call,
  callTools,
  end,
  gives,
  hangs,
  makeTool,
  playModel,
  say,
  start,
  toolSet,
} from "../support.ts";
import { bed, playJudge, untilStopped, verdict, type BedPart } from "./critic-bed.ts";

const REQUEST = { settings: { mode: "request" as const, shadow: "request" as const } };

/** A bed in which one turn was answered by A, and is compared with what B answers. */
async function compared(
  part: BedPart = {},
  wish: { model?: string; agent?: string; temperature?: number } = {},
) {
  const made = bed({ model: playModel([answers("Paris."), answers("It is Paris.")]), ...REQUEST, ...part });
  const turn = await ask(made.engine, "What is the capital of France?");
  const place = { sessionId: turn.sessionId, turnId: turn.end.turnId };
  const asked = await made.critic.compare({ ...place, ...wish });
  assert.ok(asked.ok);
  await made.done();
  return { ...made, turn, place };
}

describe("a second answer", () => {
  it("is compared with the first, and both are graded", async () => {
    const { of, judge, place } = await compared();
    const [shadow] = of("shadow.answer");
    assert.equal(shadow?.parentId, place.turnId);
    assert.equal(shadow.respondent, "B");
    assert.equal(shadow.data.answer, "It is Paris.");
    assert.equal(shadow.data.outcome, "answered");
    assert.equal(shadow.data["conclave.asked_by"], "user");
    const [pairwise] = of("pairwise.result");
    assert.equal(pairwise?.parentId, place.turnId);
    assert.equal(pairwise.data.winner, "A");
    assert.equal(pairwise.data["conclave.orders"]?.length, 2);
    assert.deepEqual(pairwise.data["conclave.a"], { agent: "conclave", model: "tiny" });
    assert.deepEqual(pairwise.data["conclave.b"], { agent: "conclave", model: "tiny" });
    assert.deepEqual([judge.compared[0]?.a, judge.compared[0]?.b], ["Paris.", "It is Paris."]);
    const graded = of("critique.result").map(({ respondent, parentId }) => [respondent, parentId]);
    const b = of("agent.start").find(({ respondent }) => respondent === "B");
    assert.equal(b?.data["conclave.role"], "shadow");
    assert.deepEqual(graded, [
      ["A", place.turnId],
      ["B", b.id],
    ]);
  });

  it("has all its work told under the turn as respondent B, and none of it as A", async () => {
    const look = makeTool({ name: "look_up", run: () => Promise.resolve(gives("It is Paris.")) });
    const calls = callTools(call("look_up", { query: "x" }));
    const model = playModel([answers("Paris."), [calls, end()], answers("Paris, surely.")]);
    const { eventsOf, place } = await compared({ model, setup: { tools: toolSet(look) } });
    const all = eventsOf(place.turnId);
    const at = all.findIndex(({ type }) => type === "turn.end");
    const late = all.slice(at + 1).filter(({ type }) => !/^(?:critique|pairwise)/.test(type));
    assert.ok(late.length > 8);
    for (const event of late) assert.equal(event.respondent, "B", event.type);
    for (const event of all.slice(0, at + 1)) assert.equal(event.respondent, "A", event.type);
    assert.ok(late.some(({ type }) => type === "tool.result"));
    assert.equal(late.at(-1)?.type, "shadow.answer");
  });

  it("is given the conversation as it stood, although the session has gone on since", async () => {
    const model = playModel([answers("One."), answers("Two."), answers("Three."), answers("Two again.")]);
    const { engine, critic, done } = bed({ model, ...REQUEST });
    const first = await ask(engine, "First?");
    const { sessionId } = first;
    const references = [{ label: "notes.md", uri: "file:///notes.md", text: "Two it is." }];
    const second = await ask(engine, "Second?", { sessionId, references });
    await ask(engine, "Third?", { sessionId });
    await critic.compare({ sessionId, turnId: second.end.turnId });
    await done();
    assert.deepEqual(model.requests[3]?.messages, model.requests[1]?.messages);
  });

  it("is given what was recalled then, and nothing anew: the first answer is remembered by now", async () => {
    let cards = 0;
    const memory = emptyMemory({
      card: () => {
        cards += 1;
        const pinned = [{ id: `f${cards}`, text: `The user likes tea number ${cards}.` }];
        return Promise.resolve(success({ relationships: [], facts: [], pinned, interests: [] } as never));
      },
    });
    const settings = { memory: { enabled: true, learning: "off" as const, card: "always" as const } };
    const { model } = await compared({ setup: { memory }, engineSettings: settings });
    const [first, second] = (model as ReturnType<typeof playModel>).requests;
    assert.deepEqual(second?.messages, first?.messages);
    assert.equal(cards, 1);
  });

  it("may only read: a tool that changes something is neither offered nor run", async () => {
    let saved = 0;
    const save = makeTool({
      name: "save_memory",
      readOnly: false,
      run: () => {
        saved += 1;
        return Promise.resolve(gives("saved"));
      },
    });
    const model = playModel([
      answers("Yes."),
      [callTools(call("save_memory", { query: "x" })), end()],
      answers("No."),
    ]);
    const look = makeTool({ name: "look_up" });
    await compared({ model, setup: { tools: toolSet(save, look) } });
    assert.deepEqual(
      model.requests.map(({ tools = [] }) => tools.map(({ name }) => name)),
      [["save_memory", "look_up"], ["look_up"], ["look_up"]],
    );
    assert.equal(saved, 0);
  });

  it("is another model's or at another temperature where that is asked for", async () => {
    const { of, model } = await compared({}, { model: "other", temperature: 1.2 });
    const [shadow] = of("shadow.answer");
    assert.equal(shadow?.data["gen_ai.request.model"], "other");
    assert.equal(shadow.data["gen_ai.request.temperature"], 1.2);
    assert.equal((model as ReturnType<typeof playModel>).requests[1]?.temperature, 1.2);
    assert.deepEqual(of("pairwise.result")[0]?.data["conclave.b"], {
      ...{ agent: "conclave", model: "other", temperature: 1.2 },
    });
  });

  it("is remembered as an episode of respondent B, and the verdict names both episodes", async () => {
    const added: Episode[] = [];
    const memory = emptyMemory({
      add: (episodes) => (added.push(...episodes), Promise.resolve(success({ added: episodes.length }))),
    });
    const settings = { memory: { enabled: true, learning: "off" as const } };
    const { of } = await compared({ setup: { memory }, engineSettings: settings });
    assert.deepEqual(
      added.map(({ respondent, answer }) => [respondent, answer]),
      [
        ["A", "Paris."],
        ["B", "It is Paris."],
      ],
    );
    assert.deepEqual(
      of("pairwise.result")[0]?.data["conclave.episode_ids"],
      added.map(({ id }) => id),
    );
    assert.deepEqual(of("memory.ingested").length, 1);
  });

  it("of a private turn is not remembered", async () => {
    const added: Episode[] = [];
    const memory = emptyMemory({
      add: (episodes) => (added.push(...episodes), Promise.resolve(success({ added: episodes.length }))),
    });
    const made = bed({ ...REQUEST, setup: { memory }, engineSettings: { memory: { enabled: true } } });
    const turn = await ask(made.engine, "A secret?", { private: true });
    await made.critic.compare({ sessionId: turn.sessionId, turnId: turn.end.turnId });
    await made.done();
    assert.equal(made.of("shadow.answer").length, 1);
    assert.deepEqual(added, []);
  });

  it("that fails says so, and no verdict is given", async () => {
    const model = playModel([answers("Paris."), [broken("model_missing")]]);
    const { of, judge } = await compared({ model });
    assert.equal(of("shadow.answer")[0]?.data.outcome, "failed");
    assert.equal(of("shadow.answer")[0]?.data.error?.code, "model_missing");
    assert.deepEqual([of("pairwise.result"), judge.compared], [[], []]);
  });

  it("leaves the session free, and its conversation as it is", async () => {
    const model = playModel([answers("Paris."), hangs(say("It")), answers("Lyon.")]);
    const { engine, critic, until } = bed({ model, ...REQUEST });
    const { sessionId, end: ended } = await ask(engine, "Capital?");
    await critic.compare({ sessionId, turnId: ended.turnId });
    await until(() => model.requests.length === 2);
    assert.equal(engine.running(sessionId), undefined);
    await ask(engine, "And the next one?", { sessionId });
    const told = model.requests[2]?.messages.map(({ content }) => content).join("\n") ?? "";
    assert.match(told, /Paris\./);
    assert.doesNotMatch(told, /^It$/m);
    await critic.dispose();
  });

  it("is put aside the moment a question comes, and given once afterwards", async () => {
    const model = playModel([answers("Paris."), hangs(say("It")), answers("Lyon."), answers("It is Paris.")]);
    const { engine, critic, of, until, done } = bed({ model, ...REQUEST });
    const { sessionId, end: ended } = await ask(engine, "Capital?");
    await critic.compare({ sessionId, turnId: ended.turnId });
    await until(() => model.requests.length === 2);
    const next = await start(engine, "Another?");
    const { answer } = await next.done;
    assert.equal(answer, "Lyon.");
    await done();
    assert.deepEqual(
      of("shadow.answer").map(({ data }) => data.answer),
      ["It is Paris."],
    );
    assert.equal(of("pairwise.result").length, 1);
  });

  it("is not given again when only the comparison was put aside", async () => {
    let asks = 0;
    const judge = playJudge({
      compare: (_request, signal) => {
        asks += 1;
        return asks === 1 ? untilStopped<PairOutcome>(signal) : Promise.resolve(verdict("B"));
      },
    });
    const { engine, critic, of, until, done } = bed({ judge, ...REQUEST });
    const { sessionId, end: ended } = await ask(engine, "Capital?");
    await critic.compare({ sessionId, turnId: ended.turnId });
    await until(() => judge.compared.length === 1);
    await ask(engine, "Another?");
    await done();
    assert.equal(of("shadow.answer").length, 1);
    assert.equal(of("pairwise.result")[0]?.data.winner, "B");
  });

  it("leaves no half of it in the trace where nobody asked for it", async () => {
    const model = playModel([answers("Paris."), hangs(say("It")), answers("Lyon.")]);
    const { engine, critic, events, until } = bed({ model, settings: { mode: "request", shadow: "all" } });
    await ask(engine, "Capital?");
    await until(() => model.requests.length === 2);
    await critic.dispose();
    assert.deepEqual(
      events.filter(({ respondent }) => respondent === "B"),
      [],
    );
  });

  it("is given by itself to every answer where the settings say so", async () => {
    const { engine, of, done } = bed({ settings: { mode: "all", shadow: "all" } });
    await ask(engine, "Capital?");
    await done();
    assert.equal(of("shadow.answer")[0]?.data["conclave.asked_by"], "critic");
    assert.equal(of("pairwise.result").length, 1);
    assert.deepEqual(
      of("critique.result").map(({ respondent }) => respondent),
      ["A", "B"],
    );
  });

  it("is not given where the settings say that nothing is compared", async () => {
    const { engine, critic } = bed({ settings: { mode: "all", shadow: "off" } });
    const { sessionId, end: ended } = await ask(engine, "Capital?");
    const refused = await critic.compare({ sessionId, turnId: ended.turnId });
    assert.equal(refused.ok ? "" : refused.failure.target, "conclave.critic.shadow");
    await critic.dispose();
  });

  it("is no place to branch off, and takes none away", async () => {
    const { eventsOf, place } = await compared();
    const events = eventsOf(place.turnId);
    const b = events.find(({ respondent, type }) => respondent === "B" && type === "step.start");
    assert.equal(planFork({ turnId: place.turnId, eventId: b!.id, edits: [] }, events).ok, false);
    const a = events.find(({ respondent, type }) => respondent === "A" && type === "step.start");
    assert.ok(planFork({ turnId: place.turnId, eventId: a!.id, edits: [] }, events).ok);
  });

  it("ends with the engine", async () => {
    const model = playModel([answers("Paris."), hangs(say("It"))]);
    const { engine, critic, until } = bed({ model, ...REQUEST });
    const { sessionId, end: ended } = await ask(engine, "Capital?");
    await critic.compare({ sessionId, turnId: ended.turnId });
    await until(() => model.requests.length === 2);
    await engine.dispose();
    await critic.dispose();
  });

  it("that came out in one order only, or not at all, is told as the judge said it", async () => {
    const judge = playJudge({ compare: () => Promise.resolve(verdict(null, { orderBound: true })) });
    const { of } = await compared({ judge });
    const { data } = of("pairwise.result")[0]!;
    assert.deepEqual([data.winner, data["conclave.order_bound"]], [null, true]);
  });
});
