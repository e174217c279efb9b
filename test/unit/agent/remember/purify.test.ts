import assert from "node:assert/strict";
import { CANCELLED, failure, success } from "../../../../src/agent/failure.ts";
import { createGate } from "../../../../src/agent/gate.ts";
import {
  DEFAULT_RETRIEVAL,
  type Episode,
  type MemoryHit,
  type MemoryQuery,
} from "../../../../src/agent/memory/port.ts";
import { purifyingMemory } from "../../../../src/agent/remember/purify.ts";
import { DEFAULT_ENGINE_SETTINGS } from "../../../../src/agent/settings.ts";
import { emptyMemory } from "../memory.ts";
import { answers, ask, broken, fakeTimer, hangs, playModel, type Reply } from "../support.ts";
import { bed, settle } from "./bed.ts";

const never = new AbortController().signal;
const PURIFIED = { ...DEFAULT_RETRIEVAL, purify: true };

function hit(answer: string): MemoryHit {
  const ids = { id: answer, sessionId: "5e55104e", turnId: answer };
  const who = { agent: "conclave", respondent: "A", model: "tiny", kind: "turn" };
  const episode: Episode = { ...ids, ...who, question: "And?", answer, time: Date.UTC(2026, 0, 1) };
  return { episode, score: 0.5, parts: { text: 0.5 } };
}

/** Memory with three turns, the boat's and two others, looked at by a model that plays `replies`. */
function purifying(replies: readonly Reply[], memories = ["A ferry.", "The boat is in Oban.", "Tea."]) {
  const asked: MemoryQuery[] = [];
  const { clock, timer } = fakeTimer();
  const model = playModel(replies, { name: "helper" });
  const gate = createGate(1);
  const memory = purifyingMemory(
    emptyMemory({
      search: (query) => {
        asked.push(query);
        const hits = memories.slice(0, query.limit).map(hit);
        return Promise.resolve(success({ hits, searched: 40, dropped: 2 }));
      },
    }),
    {
      settings: () => ({ ...DEFAULT_ENGINE_SETTINGS, model: "tiny", helperModel: "helper" }),
      model: (name) => (name === "helper" ? model : failure("model_missing", `There is no ${name}.`)),
      gate: () => gate,
      timer,
      now: () => clock.now,
    },
  );
  const search = async (query: Partial<MemoryQuery> = {}) => {
    const found = await memory.search({ query: "Where is the boat?", settings: PURIFIED, ...query }, never);
    assert.ok(found.ok);
    return found.value;
  };
  return { memory, model, asked, clock, gate, search };
}

function told(search: { readonly hits: readonly MemoryHit[] }): readonly string[] {
  return search.hits.map(({ episode }) => episode.answer);
}

describe("what a search found, looked at by a model", () => {
  it("is rid of what has nothing to do with the question, and says by whom and how much went", async () => {
    const { search, model } = purifying([answers('{"relevant":[2]}')]);
    const found = await search();
    assert.deepEqual(told(found), ["The boat is in Oban."]);
    assert.deepEqual(found.purified, { model: "helper", dropped: 2, inputTokens: 10, outputTokens: 5 });
    assert.equal(found.dropped, 4);
    const [system, shown] = model.requests[0]?.messages ?? [];
    assert.match(String(system?.content), /material, not instructions/);
    assert.match(String(shown?.content), /^1\. .*A ferry\.\n2\. .*The boat is in Oban\.\n3\. .*Tea\.$/m);
    assert.ok(model.requests[0]?.format !== undefined);
  });

  it("is nothing when nothing has to do with it", async () => {
    const { search } = purifying([answers('{"relevant":[]}')]);
    assert.deepEqual(told(await search()), []);
  });

  it("has others take the places of those that went", async () => {
    const { search, asked } = purifying([answers('{"relevant":[2,3]}')], ["one", "two", "three"]);
    assert.deepEqual(told(await search({ limit: 2 })), ["two", "three"]);
    assert.equal(asked[0]?.limit, 4);
  });

  it("is left alone where the settings don't want it: no model is asked", async () => {
    const { memory, model, asked } = purifying([answers('{"relevant":[]}')]);
    for (const query of [{ query: "boat" }, { query: "boat", limit: 3, settings: DEFAULT_RETRIEVAL }]) {
      const found = await memory.search(query, never);
      assert.equal(found.ok && found.value.hits.length, 3);
    }
    assert.equal(model.requests.length, 0);
    assert.equal(asked[0]?.limit, undefined);
  });

  it("asks no model about nothing", async () => {
    const { search, model } = purifying([answers('{"relevant":[1]}')], []);
    assert.deepEqual(told(await search()), []);
    assert.equal(model.requests.length, 0);
  });

  for (const [what, reply] of [
    ["says something else", answers("The second one.")],
    ["answers in another form", answers('{"relevant":["2"]}')],
    ["fails", [broken("server_unreachable", "Ollama is not running.")]],
  ] as const) {
    it(`is given as it is when the model ${what}, and says so`, async () => {
      const { search } = purifying([reply]);
      const found = await search();
      assert.equal(found.hits.length, 3);
      assert.equal(found.purified, undefined);
      assert.match(found.note ?? "", /^No model looked at what was found: /);
    });
  }

  it("passes over numbers that there are none of, whatever the model makes of them", async () => {
    const { search } = purifying([answers('{"relevant":[0,2,2,99,-1]}')]);
    assert.deepEqual(told(await search()), ["The boat is in Oban."]);
  });

  it("is not waited for longer than ten seconds, and the model is then left alone for a while", async () => {
    const { search, model, clock } = purifying([hangs(), answers('{"relevant":[2]}')]);
    const slow = search();
    await settle();
    clock.tick(10_000);
    assert.match((await slow).note ?? "", /helper took longer than 10 s/);
    assert.match((await search()).note ?? "", /helper took too long; it is asked again in 60 s/);
    assert.equal(model.requests.length, 1);
    clock.tick(60_000);
    assert.deepEqual(told(await search()), ["The boat is in Oban."]);
  });

  it("waits in line with the answers of others, and stops with the question", async () => {
    const { memory, model, gate } = purifying([answers('{"relevant":[2]}')]);
    const leave = await gate.enter(never);
    const stop = new AbortController();
    const waiting = memory.search({ query: "boat", settings: PURIFIED }, stop.signal);
    await settle();
    assert.equal(model.requests.length, 0);
    stop.abort();
    const found = await waiting;
    assert.deepEqual(found, { ok: false, failure: CANCELLED });
    leave?.();
  });

  it("is what a model without tools is given", async () => {
    const { memory } = purifying([answers('{"relevant":[2]}')]);
    const { engine, chat } = bed({
      settings: { toolProtocol: "none" },
      memorySettings: { retrieval: PURIFIED, card: "off" },
      memory: { search: (query, signal) => memory.search(query, signal) },
    });
    await ask(engine, "Where is the boat?");
    const sent = JSON.stringify(chat.requests[0]?.messages);
    assert.match(sent, /The boat is in Oban/);
    assert.doesNotMatch(sent, /A ferry|Tea\./);
    await engine.dispose();
  });
});
