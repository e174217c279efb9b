import assert from "node:assert/strict";
import { canDrive } from "./driver.ts";
import { notified } from "./user.ts";
import { createWorld, left, type World } from "./world.ts";

describe("reminders, after the window was opened again", () => {
  let world: World;

  before(async () => {
    world = await createWorld();
  });

  after(async () => {
    await world.close();
  });

  it("are still there, and shown when they are due", async function () {
    const { reminder } = await left();
    if (reminder === undefined || !canDrive) this.skip();
    const { reminders } = world.container;
    const kept = await reminders.list();
    assert.ok(kept.ok);
    const one = kept.value.find(({ text, shownAt }) => text === reminder && shownAt === null);
    assert.ok(one, JSON.stringify(kept.value));
    assert.ok((await reminders.snooze(one.id, Date.now())).ok);
    await notified(`Reminder: ${reminder}`);
    await reminders.remove(one.id);
  });
});
