import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Result } from "../../../src/agent/failure.ts";
import { LOOK_MS, ReminderClock } from "../../../src/vscode/tools/reminders/clock.ts";
import { ReminderStore } from "../../../src/vscode/tools/reminders/store.ts";
import { reminderText, snoozeChoices } from "../../../src/vscode/tools/reminders/words.ts";

const NOW = new Date(2026, 10, 19, 15, 50).getTime();
const DAY = 24 * 60 * 60 * 1_000;

function valueOf<T>(result: Result<T>): T {
  assert.ok(result.ok, result.ok ? "" : `${result.failure.message} ${result.failure.cause ?? ""}`);
  return result.value;
}

/** A clock that goes only when it is told to, and timers that go with it. */
class Hands {
  now = NOW;
  #timers: { at: number; fire: () => void }[] = [];

  readonly timer = (ms: number, fire: () => void): (() => void) => {
    assert.ok(ms >= 1 && ms <= LOOK_MS, `a timer of ${ms} ms`);
    const one = { at: this.now + ms, fire };
    this.#timers.push(one);
    return () => void this.#timers.splice(this.#timers.indexOf(one) >>> 0, 1);
  };

  get pending(): number {
    return this.#timers.length;
  }

  /** Moves on to the next timer, and fires it; false when there is none before `until`. */
  step(until: number): boolean {
    const [next] = [...this.#timers].sort((one, other) => one.at - other.at);
    if (next === undefined || next.at > until) {
      this.now = Math.max(this.now, until);
      return false;
    }
    this.#timers.splice(this.#timers.indexOf(next), 1);
    this.now = Math.max(this.now, next.at);
    next.fire();
    return true;
  }
}

describe("reminders", () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "conclave-reminders-"));
    path = join(folder, "inner", "reminders.json");
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const reminder = (text: string, at: number, turnId = "t1") => ({ text, at, sessionId: "s1", turnId });

  /** A window of the editor: a store of its own on the shared file, and a clock. */
  function open(hands: Hands, file = path) {
    const shown: string[] = [];
    const failures: string[] = [];
    const store = new ReminderStore(file);
    const clock = new ReminderClock({
      store,
      show: ({ text }) => shown.push(text),
      onFailure: ({ message }) => failures.push(message),
      timer: hands.timer,
      now: () => hands.now,
    });
    return { store, clock, shown, failures };
  }

  /** Lets the time of some windows pass, as far as their timers go. */
  async function pass(hands: Hands, until: number, ...windows: readonly ReturnType<typeof open>[]) {
    while (hands.step(until)) for (const { clock } of windows) await clock.wake();
  }

  it("are shown once they are due, not before, the earliest first", async () => {
    const hands = new Hands();
    const window = open(hands);
    valueOf(await window.store.add(reminder("later", NOW + 50_000)));
    valueOf(await window.store.add(reminder("sooner", NOW + 20_000)));
    await window.clock.wake();
    assert.deepEqual(window.shown, []);
    await pass(hands, NOW + 19_999, window);
    assert.deepEqual(window.shown, []);
    await pass(hands, NOW + 20_000, window);
    assert.deepEqual(window.shown, ["sooner"]);
    await pass(hands, NOW + 120_000, window);
    assert.deepEqual(window.shown, ["sooner", "later"]);
    window.clock.dispose();
  });

  it("of months ahead are shown on their day: no timer is longer than a timer can be", async () => {
    const hands = new Hands();
    const window = open(hands);
    valueOf(await window.store.add(reminder("far", NOW + 60 * DAY)));
    await window.clock.wake();
    await pass(hands, NOW + 5 * LOOK_MS, window);
    assert.deepEqual(window.shown, []);
    // The machine slept for two months: the next look finds it.
    hands.now = NOW + 60 * DAY;
    await pass(hands, NOW + 60 * DAY + LOOK_MS, window);
    assert.deepEqual(window.shown, ["far"]);
    window.clock.dispose();
  });

  it("survive a restart: one that came due meanwhile is shown at the next start, once", async () => {
    const hands = new Hands();
    const before = open(hands);
    valueOf(await before.store.add(reminder("missed", NOW + 1_000)));
    before.clock.dispose();
    hands.now = NOW + DAY;
    const after = open(hands);
    await after.clock.wake();
    assert.deepEqual(after.shown, ["missed"]);
    after.clock.dispose();
    const third = open(hands);
    await third.clock.wake();
    assert.deepEqual(third.shown, []);
    third.clock.dispose();
  });

  it("are shown by one of several windows that look at the same time", async () => {
    const hands = new Hands();
    const windows = [open(hands), open(hands), open(hands)];
    for (let index = 0; index < 10; index += 1)
      valueOf(await windows[0]!.store.add(reminder(`r${index}`, NOW)));
    await Promise.all(windows.map(({ clock }) => clock.wake()));
    assert.deepEqual(
      windows.flatMap(({ shown }) => shown).sort(),
      Array.from({ length: 10 }, (_, index) => `r${index}`),
    );
    windows.forEach(({ clock }) => clock.dispose());
  });

  it("that another window wrote are seen within a minute", async () => {
    const hands = new Hands();
    const [one, other] = [open(hands), open(hands)];
    await one.clock.wake();
    valueOf(await other.store.add(reminder("theirs", NOW + 1_000)));
    await pass(hands, NOW + LOOK_MS, one);
    assert.deepEqual(one.shown, ["theirs"]);
    one.clock.dispose();
  });

  it("that are put off come again at their new time", async () => {
    const hands = new Hands();
    const window = open(hands);
    const { id } = valueOf(await window.store.add(reminder("again", NOW)));
    await window.clock.wake();
    assert.equal(valueOf(await window.store.snooze(id, NOW + 30_000)), true);
    await window.clock.wake();
    assert.deepEqual(window.shown, ["again"]);
    await pass(hands, NOW + 30_000, window);
    assert.deepEqual(window.shown, ["again", "again"]);
    assert.equal(valueOf(await window.store.snooze("gone", NOW)), false);
    window.clock.dispose();
  });

  it("are all kept when windows write at once, and none is half written", async () => {
    const stores = [new ReminderStore(path), new ReminderStore(path)];
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) =>
        stores[index % 2]!.add(reminder(`r${index}`, NOW + index)),
      ),
    );
    const listed = valueOf(await stores[0]!.list());
    assert.deepEqual(
      listed.map(({ text }) => text),
      Array.from({ length: 20 }, (_, index) => `r${index}`),
    );
    assert.deepEqual(await readdir(join(folder, "inner")), ["reminders.json"], "nothing is left behind");
  });

  it("go when they are deleted, and when the turn they come from is forgotten", async () => {
    const store = new ReminderStore(path);
    valueOf(await store.add(reminder("keep", NOW, "t1")));
    valueOf(await store.add(reminder("secret word", NOW, "t2")));
    assert.equal(valueOf(await store.remove(({ turnId }) => turnId === "t2")), 1);
    assert.equal(valueOf(await store.remove(({ turnId }) => turnId === "t2")), 0);
    assert.doesNotMatch(await readFile(path, "utf8"), /secret/);
  });

  it("are bounded: of those that were shown the latest hundred are kept, and no more than a thousand wait", async () => {
    const rows = (count: number, shownAt: number | null) =>
      Array.from({ length: count }, (_, index) => ({
        ...{ id: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`, text: `r${index}`, at: NOW },
        ...{ sessionId: "s", turnId: "t", shownAt: shownAt === null ? null : shownAt + index },
      }));
    const file = join(folder, "many.json");
    await writeFile(file, JSON.stringify({ version: 1, reminders: rows(150, 1) }));
    const store = new ReminderStore(file);
    valueOf(await store.add(reminder("new", NOW)));
    const listed = valueOf(await store.list());
    assert.equal(listed.length, 101);
    assert.ok(!listed.some(({ text }) => text === "r0") && listed.some(({ text }) => text === "r149"));
    await writeFile(file, JSON.stringify({ version: 1, reminders: rows(1_000, null) }));
    const full = await store.add(reminder("too many", NOW));
    assert.equal(!full.ok && full.failure.code, "bad_input");
  });

  it("lose a damaged row only; a file that is none is an error and is not written over", async () => {
    const file = join(folder, "bad.json");
    const good = {
      id: "00000000-0000-4000-8000-000000000000",
      text: "good",
      at: 1,
      sessionId: "s",
      turnId: "t",
    };
    await writeFile(
      file,
      JSON.stringify({ version: 1, reminders: [{ ...good, shownAt: null }, { at: "x" }, 7] }),
    );
    const store = new ReminderStore(file);
    assert.deepEqual(
      valueOf(await store.list()).map(({ text }) => text),
      ["good"],
    );
    for (const text of ["{", "[]", '{"version":2,"reminders":[]}']) {
      await writeFile(file, text);
      const window = open(new Hands(), file);
      await window.clock.wake();
      assert.equal(window.failures.length, 1, text);
      assert.equal((await window.store.add(reminder("x", NOW))).ok, false);
      assert.equal(await readFile(file, "utf8"), text);
      window.clock.dispose();
    }
  });

  it("leave no timer behind once the window closes", async () => {
    const hands = new Hands();
    const window = open(hands);
    await window.clock.wake();
    assert.equal(hands.pending, 1);
    window.clock.dispose();
    assert.equal(hands.pending, 0);
    const looking = open(hands);
    const woken = looking.clock.wake();
    looking.clock.dispose();
    await woken;
    assert.equal(hands.pending, 0);
  });

  it("say when they were due if they come late, and can be put off until tomorrow morning", () => {
    assert.equal(reminderText("call", NOW, NOW + 1_000), "Reminder: call");
    const linked = reminderText("[go](command:workbench.action.quit)", NOW, NOW);
    assert.doesNotMatch(linked, /\]\(/, "no link that runs a command");
    assert.equal(reminderText("call", NOW, NOW + DAY), "Reminder (due Thursday 2026-11-19 15:50): call");
    assert.deepEqual(
      snoozeChoices(NOW).map(({ at }) => at - NOW),
      [600_000, 3_600_000, new Date(2026, 10, 20, 9).getTime() - NOW],
    );
  });
});
