import assert from "node:assert/strict";
import { canDrive, window } from "./driver.ts";
import { MEMORY_ROW, openMemory, showTable } from "./memory-view.ts";
import { createWorld, left, storedIn, type World } from "./world.ts";

describe("the memory view, after the window was opened again", () => {
  let world: World;

  before(async () => {
    world = await createWorld();
  });

  after(async () => {
    await world.close();
  });

  it("shows what was remembered, and nothing of what was forgotten", async function () {
    const { forgotten, remembered } = await left();
    if (!canDrive || forgotten === undefined || remembered === undefined) {
      this.skip();
      return;
    }
    await openMemory();
    await showTable("episodes", remembered);
    await window.waitForText(MEMORY_ROW, remembered);
    await showTable("episodes", forgotten);
    await window.waitForText("main .memory", "Nothing matches");
    assert.deepEqual(await storedIn(world, forgotten), []);
  });
});
