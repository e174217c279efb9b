import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtInRubrics } from "../../../../src/agent/critic/built-in.ts";
import { createCritic, type Critic } from "../../../../src/agent/critic/critic.ts";
import { createJudge } from "../../../../src/agent/critic/judge.ts";
import { DEFAULT_CRITIC, type CriticSettings } from "../../../../src/agent/critic/settings.ts";
import type { Engine } from "../../../../src/agent/engine-port.ts";
import type { EventOf, TurnEvent, TurnEventType } from "../../../../src/agent/events.ts";
import { createGate } from "../../../../src/agent/gate.ts";
import { systemIdentity } from "../../../../src/agent/ids.ts";
import { parseHost } from "../../../../src/agent/models/host.ts";
import { OllamaChatModel } from "../../../../src/agent/models/ollama.ts";
import { DEFAULT_ENGINE_SETTINGS } from "../../../../src/agent/settings.ts";
import { systemTimer } from "../../../../src/agent/timer.ts";
import { CriticJobs } from "../../../../src/trace/critic-jobs.ts";
import { readTurn } from "../../../../src/trace/fork/read-turn.ts";
import { TraceLog } from "../../../../src/trace/log.ts";
import { done, gate, startScriptedOllama, text, wait } from "../../../support/ollama/index.ts";
import type { ScriptedOllama } from "../../../support/ollama/types.ts";
import { ask, engineAt } from "../support.ts";

const judged = (score: number) => [text(JSON.stringify({ feedback: "It says so.", score })), done()];
const compared = (winner: string) => [text(JSON.stringify({ feedback: "Clearer.", winner })), done()];

/** One window: an engine with its log, and a critic with a real judge, on a server that answers over HTTP. */
class Window {
  readonly engine: Engine;
  readonly critic: Critic;
  readonly log: TraceLog;
  readonly events: TurnEvent[] = [];

  constructor(server: ScriptedOllama, folder: string, settings: Partial<CriticSettings> = {}) {
    const host = parseHost(server.host);
    if (!host.ok) throw new Error(host.failure.message);
    const address = host.value;
    this.log = new TraceLog({ folder: join(folder, "sessions") });
    this.engine = engineAt(server.host, { identity: systemIdentity, history: this.log });
    this.critic = createCritic({
      settings: () => ({ ...DEFAULT_CRITIC, ...settings }),
      engineSettings: () => ({ ...DEFAULT_ENGINE_SETTINGS, model: "scripted:latest" }),
      judge: createJudge(),
      rubrics: builtInRubrics,
      model: (model) => new OllamaChatModel({ host: address, model }),
      gate: createGate(1),
      identity: systemIdentity,
      timer: systemTimer,
      publish: (event) => this.engine.publish(event),
      events: (turn) => readTurn(this.log, turn),
      shadow: (request, signal) => this.engine.shadow!(request, signal),
      kept: new CriticJobs(join(folder, "critic")),
    });
    this.engine.onEvent((event) => {
      this.log.append(event);
      this.events.push(event);
    });
    this.engine.onEvent(this.critic.onEvent);
  }

  of<Type extends TurnEventType>(type: Type): EventOf<Type>[] {
    return this.events.filter((event): event is EventOf<Type> => event.type === type);
  }

  async until(isMet: () => boolean): Promise<void> {
    while (!isMet()) await new Promise((resolve) => setImmediate(resolve));
  }

  async close(): Promise<void> {
    await this.critic.dispose();
    await this.engine.dispose();
    await this.log.dispose();
  }
}

describe("a critic over HTTP", () => {
  let server: ScriptedOllama;
  let folder = "";

  beforeEach(async () => {
    server = await startScriptedOllama({});
    folder = await mkdtemp(join(tmpdir(), "conclave-critic-"));
  });
  afterEach(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  it("grades, has B answer, and compares, with a model that is loaded once", async () => {
    const window = new Window(server, folder, { shadow: "all" });
    server.enqueue([text("At noon."), done()], judged(4));
    server.enqueue([text("At noon, sharp."), done()], compared("B"), compared("A"), judged(5));
    await ask(window.engine, "When does it turn?");
    await window.until(() => window.of("critique.result").length === 2);
    assert.deepEqual(
      window.of("critique.result").map(({ respondent, data }) => [respondent, data.score]),
      [
        ["A", 4],
        ["B", 5],
      ],
    );
    assert.equal(window.of("pairwise.result")[0]?.data.winner, "B");
    const contexts = server.chats.map(({ options }) => options["num_ctx"]);
    assert.equal(new Set(contexts).size, 1, JSON.stringify(contexts));
    assert.ok(server.loads.length <= 1);
    await window.close();
  });

  it("closed in the middle of a grade leaves it to the next window, which does it once", async () => {
    const never = gate();
    server.enqueue([text("At noon."), done()], [text('{"feedback":"Well'), wait(never), done()]);
    const first = new Window(server, folder);
    const turn = await ask(first.engine, "When does it turn?");
    await server.received(2);
    await first.close();
    server.enqueue(judged(4));
    const [second, third] = [new Window(server, folder), new Window(server, folder)];
    await Promise.all([second.critic.resume(), third.critic.resume()]);
    const all = (): TurnEvent[] => [...second.of("critique.result"), ...third.of("critique.result")];
    await second.until(() => all().length > 0);
    await second.until(() => [second, third].every(({ critic }) => critic.view().running === null));
    assert.deepEqual(
      all().map(({ turnId }) => turnId),
      [turn.end.turnId],
    );
    await second.close();
    await third.close();
    const fourth = new Window(server, folder);
    await fourth.critic.resume();
    assert.deepEqual(fourth.critic.view(), { running: null, waiting: [], dropped: 0 });
    await fourth.close();
    assert.equal(server.chats.length, 3);
    never.open();
  });

  it("whose server is gone says so, and answers go on being given elsewhere", async () => {
    const window = new Window(server, folder, { model: "judge:latest" });
    server.enqueue([text("At noon."), done()]);
    const turn = await ask(window.engine, "When does it turn?");
    assert.equal(turn.end.data.outcome, "answered");
    await window.until(() => window.of("critique.result").length === 1);
    const { data } = window.of("critique.result")[0]!;
    assert.equal(data.score, null);
    assert.equal(data.error?.code, "model_missing");
    await window.close();
  });

  it("stops within a moment of a question", async () => {
    const never = gate();
    server.enqueue([text("One."), done()], [text('{"feedback":"Well'), wait(never), done()]);
    server.enqueue([text("Two."), done()], judged(3), judged(4));
    const window = new Window(server, folder);
    await ask(window.engine, "First?");
    await server.received(2);
    const second = await ask(window.engine, "Second?");
    assert.equal(second.end.data.outcome, "answered");
    await window.until(() => window.of("critique.result").length === 2);
    assert.deepEqual(
      window.of("critique.result").map(({ data }) => data.score),
      [3, 4],
    );
    never.open();
    await window.close();
  });
});
