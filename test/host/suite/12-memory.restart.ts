import assert from "node:assert/strict";
import { createWorld, left, storedIn, type World } from "./world.ts";

describe("memory, after the window was opened again", () => {
  let world: World;

  before(async () => {
    world = await createWorld();
  });

  after(async () => {
    await world.close();
  });

  async function questions(): Promise<string> {
    const sessions = await world.services.log.sessions({ offset: 0, limit: 200 });
    assert.ok(sessions.ok);
    return sessions.value.sessions.map(({ title }) => title).join("\n");
  }

  it("a private session is gone that was not saved, and nothing of it is anywhere", async function () {
    const { unsaved } = await left();
    if (unsaved === undefined) this.skip();
    assert.deepEqual(await storedIn(world, unsaved), []);
    assert.equal((await questions()).includes(unsaved), false);
  });

  it("one that was saved is there, and remembered", async function () {
    const { saved } = await left();
    if (saved === undefined) this.skip();
    assert.ok((await questions()).includes(saved));
    const found = await world.services.memory.search({ query: saved }, AbortSignal.timeout(60_000));
    assert.ok(JSON.stringify(found).includes(saved));
  });
});
