import assert from "node:assert/strict";
import FakeTimers from "@sinonjs/fake-timers";
import { success } from "../../../src/agent/failure.ts";
import type { MemoryHostMessage } from "../../../src/trace/panel-memory.ts";
import { EmbeddingWatch } from "../../../src/vscode/panel/memory/embedding-watch.ts";

describe("panel host: rows that wait for their embedding", () => {
  let clock: ReturnType<typeof FakeTimers.install>;
  let waiting: number;
  let asked: string[];
  let said: MemoryHostMessage[];
  let watch: EmbeddingWatch;

  beforeEach(() => {
    clock = FakeTimers.install({ toFake: ["setTimeout", "clearTimeout"] });
    waiting = 3;
    asked = [];
    said = [];
    const memory = {
      status: () => Promise.resolve({ state: "ready" as const, waiting }),
      embedding: (action: "stop" | "start") => {
        asked.push(action);
        return Promise.resolve(success({ changed: true }));
      },
    };
    watch = new EmbeddingWatch(memory, (message) => said.push(message));
  });

  afterEach(() => {
    watch.stop();
    clock.uninstall();
  });

  function told(): unknown[] {
    return said.map((message) => (message.type === "memory.embedding" ? message.embedding : message));
  }

  it("are counted until none is left, and then nobody looks any more", async () => {
    await watch.look();
    waiting = 1;
    await clock.tickAsync(2_000);
    waiting = 0;
    await clock.tickAsync(2_000);
    assert.deepEqual(told(), [
      { waiting: 3, paused: false },
      { waiting: 1, paused: false },
      { waiting: 0, paused: false },
    ]);
    assert.equal(clock.countTimers(), 0);
  });

  it("are said once while nothing changes", async () => {
    await watch.look();
    await clock.tickAsync(10_000);
    assert.equal(said.length, 1);
  });

  it("wait while they are paused, and go on when the user says so", async () => {
    await watch.look();
    await watch.set("stop");
    assert.deepEqual([told().at(-1), clock.countTimers()], [{ waiting: 3, paused: true }, 0]);
    await watch.set("start");
    assert.deepEqual([told().at(-1), clock.countTimers()], [{ waiting: 3, paused: false }, 1]);
    assert.deepEqual(asked, ["stop", "start"]);
  });

  it("are not looked for once the page is gone", async () => {
    await watch.look();
    watch.stop();
    assert.equal(clock.countTimers(), 0);
    watch.wake();
    await watch.look();
    assert.equal(said.length, 2, "a page made anew is told again");
  });
});
