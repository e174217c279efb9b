import assert from "node:assert/strict";
import { connect, type Connection } from "@lancedb/lancedb";
import { success } from "../../../../src/agent/failure.ts";
import type { Clock } from "../../../../src/agent/models/clock.ts";
import { StoreLock } from "../../../../src/memory/store/lock.ts";
import { STALE_TABLE_MS } from "../../../../src/memory/store/table-lock.ts";
import { cleanUp, later, never, temporaryFolder, valueOf } from "../support.ts";

/** A clock that stands still until it is moved on, and fires nothing: a machine that no longer beats. */
class StandingClock implements Clock {
  #now = 0;

  readonly now = (): number => this.#now;
  readonly timer = (): (() => void) => () => undefined;

  pass(ms: number): void {
    this.#now += ms;
  }
}

/** A machine of its own, with its own connection and clock. */
interface Machine {
  readonly lock: StoreLock;
  readonly clock: StandingClock;
  readonly connection: Connection;
}

async function machine(folder: string): Promise<Machine> {
  const connection = await connect(folder, { readConsistencyInterval: 0 });
  later(() => {
    connection.close();
    return Promise.resolve();
  });
  const clock = new StandingClock();
  return {
    lock: StoreLock.ofTable(folder, () => Promise.resolve(success(connection)), "held", clock),
    clock,
    connection,
  };
}

async function machines(count: number): Promise<readonly Machine[]> {
  const folder = await temporaryFolder();
  return Promise.all(Array.from({ length: count }, () => machine(folder)));
}

/** A promise and what settles it. */
function gate(): { readonly passed: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

/** The lock of a store that several machines share. */
describe("The lock in a table", function () {
  this.timeout(60_000);
  afterEach(cleanUp);

  it("is had by one machine at a time, whoever reaches for it in the same moment", async () => {
    const all = await machines(4);
    let [inside, done] = [0, 0];
    const work = async ({ lock, connection }: Machine): Promise<void> => {
      const ran = await lock.run(async () => {
        inside += 1;
        await connection.tableNames();
        assert.equal(inside, 1);
        inside -= 1;
        done += 1;
      }, never);
      valueOf(ran);
    };
    for (let round = 0; round < 3; round += 1) await Promise.all(all.map(work));
    assert.equal(done, 12);
  });

  it("of a machine that died is taken over by exactly one of those who wait", async () => {
    const [dead, ...waiting] = await machines(4);
    assert.ok(dead);
    const { passed, open } = gate();
    const started = gate();
    const dying = dead.lock.run(() => {
      started.open();
      return passed;
    }, never);
    await started.passed;
    const end = gate();
    const reach = ({ lock }: Machine): Promise<unknown> => lock.tryRun(() => end.passed);
    const busy = waiting.map(() => "busy");
    assert.deepEqual(await Promise.all(waiting.map(reach)), busy);
    waiting.forEach(({ clock }) => clock.pass(STALE_TABLE_MS));
    assert.deepEqual(await Promise.all(waiting.map(reach)), busy);
    waiting.forEach(({ clock }) => clock.pass(1));
    const answers: unknown[] = [];
    const lost = gate();
    const reached = waiting.map(async (each) => {
      answers.push(await reach(each));
      if (answers.length === waiting.length - 1) lost.open();
    });
    await lost.passed;
    assert.deepEqual(answers, busy.slice(1));
    end.open();
    await Promise.all(reached);
    assert.deepEqual(answers, [...busy.slice(1), success(undefined)]);
    open();
    assert.equal((await dying).ok, false);
  });

  it("is not kept from whom it was given to by a machine that wakes up: that one changes nothing", async () => {
    const [sleeper, next, third] = await machines(3);
    assert.ok(sleeper && next && third);
    let changed = false;
    const asleep = gate();
    const slept = gate();
    const old = sleeper.lock.run(async (confirm) => {
      asleep.open();
      await slept.passed;
      await confirm();
      changed = true;
    }, never);
    await asleep.passed;
    assert.equal(await next.lock.tryRun(() => Promise.resolve()), "busy");
    next.clock.pass(STALE_TABLE_MS + 1);
    sleeper.clock.pass(STALE_TABLE_MS + 1);
    const ran = await next.lock.tryRun(async (confirm) => {
      slept.open();
      assert.equal((await old).ok, false);
      assert.equal(await third.lock.tryRun(() => Promise.resolve()), "busy");
      await confirm();
    });
    assert.deepEqual(ran, success(undefined));
    assert.equal(changed, false);
    assert.deepEqual(await third.lock.tryRun(() => Promise.resolve("free")), success("free"));
  });
});
