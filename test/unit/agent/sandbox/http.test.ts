import assert from "node:assert/strict";
import type { Engine } from "../../../../src/agent/engine-port.ts";
import { createEngine } from "../../../../src/agent/engine.ts";
import { success } from "../../../../src/agent/failure.ts";
import { systemIdentity } from "../../../../src/agent/ids.ts";
import type { MemoryPort } from "../../../../src/agent/memory/port.ts";
import { parseHost } from "../../../../src/agent/models/host.ts";
import { OllamaChatModel } from "../../../../src/agent/models/ollama.ts";
import { DEFAULT_ENGINE_SETTINGS, type EngineSettings } from "../../../../src/agent/settings.ts";
import type { Timer } from "../../../../src/agent/timer.ts";
import type { Values } from "../../../../src/memory/process/values.ts";
import { MemoryService } from "../../../../src/memory/process/service.ts";
import * as ollama from "../../../support/ollama/index.ts";
import type { ScriptedOllama } from "../../../support/ollama/index.ts";
import { asPort } from "../../memory/reports/bed.ts";
import { cleanUp, fakeEmbedder, later, temporaryFolder } from "../../memory/support.ts";
import { persona } from "../committee/bed.ts";
import { all, ask, fakeTimer, toolSet, until } from "../support.ts";
import { begin, PAIR, talk } from "./bed.ts";

const never = new AbortController().signal;

/** Memory over a real store, with an embedder that knows words. */
async function realMemory(): Promise<MemoryPort> {
  const service = new MemoryService({
    store: { uri: await temporaryFolder() },
    embedder: () => Promise.resolve(success(fakeEmbedder())),
    onProgress: () => undefined,
    onLog: () => undefined,
  });
  later(() => service.close());
  return {
    ...asPort(service),
    embed: async (texts, kind, signal) => {
      const made = await service.handle("embed", { texts, kind }, signal);
      if (!made.ok) return made;
      const { model, embeddings } = made.value as Values["embed"];
      return success({ model, embeddings: embeddings.map((vector) => Float32Array.from(vector)) });
    },
  };
}

describe("A talk over HTTP and a real store", () => {
  let server: ScriptedOllama;

  beforeEach(async () => {
    server = await ollama.startScriptedOllama({ models: [{ name: "small:1b" }, { name: "large:8b" }] });
  });

  afterEach(async () => {
    await cleanUp();
    await server.close();
  });

  interface Parts {
    readonly memory?: MemoryPort;
    readonly timer?: Timer;
    readonly settings?: Partial<EngineSettings>;
    readonly personas?: typeof PAIR;
  }

  function engineOn({ memory, timer, settings, personas = PAIR }: Parts = {}): Engine {
    const host = parseHost(server.host);
    assert.ok(host.ok);
    const engine = createEngine({
      identity: systemIdentity,
      agents: () => ({ agents: personas, rules: "", problems: [] }),
      settings: () => ({
        ...DEFAULT_ENGINE_SETTINGS,
        model: "small:1b",
        think: false,
        memory: { learning: "rules" },
        ...settings,
      }),
      model: (model) => new OllamaChatModel({ host: host.value, model }),
      tools: () => toolSet(),
      ...(memory && { memory }),
      ...(timer && { timer }),
    });
    later(() => engine.dispose());
    return engine;
  }

  const say = (...lines: readonly string[]): void =>
    server.enqueue(...lines.map((text) => [...ollama.words(text)]));

  it("lets a persona know in the next talk what it told of itself in the last one, and nobody else", async () => {
    const memory = await realMemory();
    const engine = engineOn({ memory });
    say("I live in Oslo by the water.", "I like green tea.");
    const first = await talk(engine, { settings: { rounds: 1 } });
    assert.equal(first.outcome.rounds[0]?.extracted, 2);
    say("As I said.", "Indeed.");
    const second = await talk(engine, { opening: "Where do you live?", settings: { rounds: 1 } });
    const [mira, tom] = server.chats.slice(2).map(({ messages }) => messages.at(-1)?.content ?? "");
    assert.match(mira ?? "", /Mira lives in Oslo/u);
    assert.doesNotMatch(mira ?? "", /tea/u);
    assert.match(tom ?? "", /Tom likes green tea/u);
    // Where Mira lives is a fact and a relation of hers.
    assert.equal(second.outcome.rounds[0]?.retrieved, 3);
    const facts = await memory.list({ table: "facts", offset: 0, limit: 10 }, never);
    assert.deepEqual(facts.ok && facts.value.rows.map(({ owner }) => owner).sort(), ["Mira", "Tom"]);
    const episodes = await memory.list({ table: "episodes", offset: 0, limit: 10 }, never);
    assert.equal(episodes.ok && episodes.value.total, 0);
  });

  it("keeps what a persona told of itself off the cards of the user's own questions", async () => {
    const memory = await realMemory();
    const engine = engineOn({ memory, settings: { memory: { learning: "rules", card: "always" } } });
    say("I live in Oslo by the water.", "I like green tea.");
    await talk(engine, { settings: { rounds: 1 } });
    say("I don't know.");
    await ask(engine, "Where do I live?");
    assert.doesNotMatch(JSON.stringify(server.chats.at(-1)?.messages), /Oslo/u);
  });

  it("measures drift and repetition with memory's own embedder, and stops on repetition", async () => {
    const engine = engineOn({ memory: await realMemory() });
    say(
      "ships sail far away",
      "walls stand still here",
      "far away ships sail",
      "here still stand walls",
      "never said",
    );
    const { outcome } = await talk(engine, { opening: "ships and walls", settings: { rounds: 9 } });
    assert.equal(outcome.stopped, "repetition");
    assert.equal(outcome.messages.length, 5);
    assert.ok((outcome.rounds[0]?.drift ?? 0) > 0.1 && (outcome.rounds[0]?.drift ?? 2) < 1);
  });

  it("asks each persona's own model, with the same runner options, one after the other", async () => {
    say("One.", "Two.");
    await talk(engineOn(), {
      personas: [
        { name: "Mira", model: "small:1b" },
        { name: "Tom", model: "large:8b" },
      ],
      settings: { rounds: 1 },
    });
    assert.deepEqual(
      server.chats.map(({ model }) => model),
      ["small:1b", "large:8b"],
    );
    assert.deepEqual(server.chats[0]?.options["num_ctx"], server.chats[1]?.options["num_ctx"]);
  });

  it("ends, and names the persona, when one takes longer than its file allows", async () => {
    const { clock, timer } = fakeTimer();
    const held = ollama.gate();
    server.enqueue([...ollama.words("Ships.")], [...ollama.words("Sto"), ollama.wait(held)]);
    const personas = [persona("Mira"), persona("Tom", { limits: { seconds: 30 } })];
    const running = begin(engineOn({ timer, personas }));
    const speaking = (async () => {
      for await (const { type, agent } of running.events)
        if (type === "model.delta" && agent === "Tom") return;
    })();
    await speaking;
    await clock.tickAsync(30_000);
    const outcome = await running.done;
    held.open();
    assert.equal(outcome.failed, "Tom");
    assert.equal(outcome.error?.code, "timeout");
    assert.match(outcome.error.message, /Tom/u);
  });

  it("closes its request within a moment of being cancelled", async () => {
    const held = ollama.gate();
    server.enqueue([...ollama.words("Shi"), ollama.wait(held)]);
    const running = begin(engineOn());
    await until(running.events, "model.delta");
    running.cancel();
    assert.equal((await running.done).stopped, "cancelled");
    held.open();
  });

  it("is what a question in its session goes on from", async () => {
    const engine = engineOn();
    say("Ships.", "Stones.");
    const { events } = await talk(engine, { scenario: "On a ferry.", settings: { rounds: 1 } });
    const end = all(events, "turn.end").at(0);
    assert.deepEqual(end?.data["conclave.messages"], [
      {
        role: "user",
        content: "A talk among personas. The scene: On a ferry.\n\nWhat is worth keeping?",
      },
      { role: "assistant", content: "Mira: Ships.\n\nTom: Stones." },
    ]);
  });
});
