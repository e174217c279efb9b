import assert from "node:assert/strict";
import type { Engine } from "../../../src/agent/engine-port.ts";
import type { EventOf } from "../../../src/agent/events.ts";
import { failed, success, type Result } from "../../../src/agent/failure.ts";
import type { Episode, MemoryPort } from "../../../src/agent/memory/port.ts";
import { createGate } from "../../../src/agent/gate.ts";
import { createRemember } from "../../../src/agent/remember/remember.ts";
import { DEFAULT_ENGINE_SETTINGS } from "../../../src/agent/settings.ts";
import { emptyMemory } from "./memory.ts";
import {
  answers,
  ask,
  broken,
  engineOver,
  fakeTimer,
  playModel,
  say,
  seededIdentity,
  type Reply,
  type Setup,
} from "./support.ts";

type Add = MemoryPort["add"];

interface Bed {
  readonly engine: Engine;
  readonly added: Episode[];
  readonly ingested: EventOf<"memory.ingested">[];
}

/** A memory of which only `add` matters. */
function memoryThat(add: Add): MemoryPort {
  return emptyMemory({ add });
}

/** An engine whose memory does what `add` says. */
function bed(add?: Add, replies: readonly Reply[] = [answers("Forty-two.")], setup: Setup = {}): Bed {
  const added: Episode[] = [];
  const ingested: EventOf<"memory.ingested">[] = [];
  const keep: Add = (episodes) => {
    added.push(...episodes);
    return Promise.resolve(success({ added: episodes.length }));
  };
  const memory = memoryThat(add ?? keep);
  const engine = engineOver(playModel(replies), { memory, ...setup });
  engine.onEvent((event) => {
    if (event.type === "memory.ingested") ingested.push(event);
  });
  return { engine, added, ingested };
}

describe("an answered turn", () => {
  it("is remembered as one episode: question, answer, model, session, time", async () => {
    const { engine, added, ingested } = bed();
    const { sessionId, end, events } = await ask(engine, "How much?");
    await engine.dispose();
    const [episode] = added;
    assert.deepEqual(
      { ...episode, id: "" },
      {
        id: "",
        sessionId,
        turnId: end.turnId,
        question: "How much?",
        answer: "Forty-two.",
        agent: "conclave",
        respondent: "A",
        model: "tiny",
        time: events[0]!.time,
        kind: "turn",
        scope: "",
        intent: "fact",
        entities: [],
        references: [],
        sources: [],
      },
    );
    assert.match(episode!.id, /^[0-9a-f-]{36}$/);
    assert.deepEqual(ingested[0]!.data["conclave.episode_ids"], [episode!.id]);
    assert.equal(ingested[0]!.parentId, end.turnId);
  });

  it("does not wait for memory", async () => {
    let release: ((added: Result<{ added: number }>) => void) | undefined;
    const { engine, ingested } = bed(() => new Promise((resolve) => (release = resolve)));
    assert.equal((await ask(engine)).end.data.outcome, "answered");
    assert.equal(ingested.length, 0);
    release?.(success({ added: 1 }));
    await engine.dispose();
    assert.equal(ingested.length, 1);
  });

  it("is answered all the same when memory fails; the failure is in the event", async () => {
    for (const add of [
      () => Promise.resolve(failed("memory_unavailable", "The store is locked.")),
      () => Promise.reject(new Error("died")),
      () => {
        throw new Error("died");
      },
    ] as Add[]) {
      const { engine, ingested } = bed(add);
      assert.equal((await ask(engine)).end.data.outcome, "answered");
      await engine.dispose();
      assert.equal(ingested[0]?.data.error?.code, "memory_unavailable");
      assert.deepEqual(ingested[0].data["conclave.episode_ids"], []);
    }
  });
});

describe("memory", () => {
  it("is given nothing of a turn that failed", async () => {
    const { engine, added, ingested } = bed(undefined, [[say("half"), broken("stream_broken")]]);
    await ask(engine);
    await engine.dispose();
    assert.deepEqual([added, ingested], [[], []]);
  });

  it("is given nothing of a turn whose end was no good one, whatever was said before", async () => {
    const { events } = await ask(engineOver(playModel([answers("x")])));
    const added: Episode[] = [];
    const memory = memoryThat((episodes) => {
      added.push(...episodes);
      return Promise.resolve(success({ added: episodes.length }));
    });
    const ingest = createRemember({
      memory,
      identity: seededIdentity(),
      timer: fakeTimer().timer,
      publish: () => undefined,
      settings: () => DEFAULT_ENGINE_SETTINGS,
      model: () => playModel([answers("{}")]),
      gate: createGate(1),
    });
    for (const event of events) {
      const end = event.type === "turn.end";
      void ingest.onEvent(end ? { ...event, data: { ...event.data, outcome: "failed" } } : event);
    }
    await ingest.flush(1_000);
    assert.deepEqual(added, []);
  });

  it("that hangs holds the end up for a bounded time, and is told to stop", async () => {
    const { clock, timer } = fakeTimer();
    let signal: AbortSignal | undefined;
    const hang: Add = (_episodes, given) => ((signal = given), new Promise(() => undefined));
    const { engine, ingested } = bed(hang, undefined, { timer });
    await ask(engine);
    const disposed = engine.dispose();
    await clock.tickAsync(5_000);
    await disposed;
    assert.equal(signal?.aborted, true);
    assert.equal(ingested[0]?.data.error?.code, "cancelled");
    assert.equal(clock.countTimers(), 0);
  });

  it("that is slow gets what waits in bounded numbers; what is too much is refused in words", async () => {
    const sizes: number[] = [];
    let release: (() => void) | undefined;
    const slow: Add = async (episodes) => {
      sizes.push(episodes.length);
      if (sizes.length === 1) await new Promise<void>((resolve) => (release = resolve));
      return success({ added: episodes.length });
    };
    const { engine, ingested } = bed(slow);
    for (let index = 0; index < 205; index += 1) await ask(engine);
    await new Promise((resolve) => setImmediate(resolve));
    const refused = ingested.filter(({ data }) => data.error !== undefined);
    assert.equal(refused.length, 4);
    release?.();
    await engine.dispose();
    assert.equal(ingested.length, 205);
    assert.ok(Math.max(...sizes) <= 20);
  });
});
