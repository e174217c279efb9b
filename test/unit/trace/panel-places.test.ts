import assert from "node:assert/strict";
import { PanelBed } from "./support/panel-bed.ts";
import { cacheTurn } from "./support/cache-turn.ts";

describe("panel host: sent somewhere by a command", () => {
  let bed: PanelBed;

  beforeEach(async () => {
    bed = await PanelBed.create();
  });

  afterEach(async () => {
    await bed.close();
  });

  async function loggedTurn(): Promise<{ readonly sessionId: string; readonly turnId: string }> {
    const { sessionId, turnId } = cacheTurn((event) => bed.log.append(event));
    await bed.log.flush();
    return { sessionId, turnId };
  }

  it("shows the memory view at once when it is open, and as soon as it is ready when it is not", async () => {
    bed.host.showPane("memory");
    assert.deepEqual(bed.messages, []);
    await bed.ready();
    assert.deepEqual(bed.posted("pane"), [{ type: "pane", pane: "memory" }]);
    bed.host.showPane("memory");
    assert.equal(bed.posted("pane").length, 2);
  });

  it("leaves the memory view for a turn that is asked for", async () => {
    const turn = await loggedTurn();
    await bed.ready();
    bed.host.showPane("memory");
    const loaded = bed.next("loaded");
    bed.host.show(turn);
    await loaded;
    assert.deepEqual(
      bed.posted("pane").map(({ pane }) => pane),
      ["memory", "turn"],
    );
    assert.equal(bed.posted("turn").at(-1)?.turnId, turn.turnId);
  });

  it("lets go of its turn for a new session, and of the one it had chosen before it was hidden", async () => {
    const turn = await loggedTurn();
    await bed.ready();
    bed.host.newSession();
    assert.equal(bed.posted("new_session").length, 1);
    bed.host.sleep();
    bed.host.newSession();
    await bed.host.receive({ type: "ready", selected: turn });
    assert.equal(bed.posted("new_session").length, 2);
    assert.deepEqual(bed.posted("turn"), []);
  });

  it("does the last of what it was sent to while it was hidden", async () => {
    const turn = await loggedTurn();
    bed.host.newSession();
    bed.host.show(turn);
    await bed.host.receive({ type: "ready", selected: null });
    assert.deepEqual(bed.posted("new_session"), []);
    assert.equal(bed.posted("turn").at(-1)?.turnId, turn.turnId);
  });

  it("goes on with the turn it had when nobody sent it anywhere", async () => {
    const turn = await loggedTurn();
    await bed.host.receive({ type: "ready", selected: turn });
    assert.equal(bed.posted("turn").at(-1)?.turnId, turn.turnId);
    assert.deepEqual(bed.posted("pane"), []);
  });
});
