import assert from "node:assert/strict";
import { canReload, window } from "./driver.ts";
import { left } from "./world.ts";

describe("the trace panel, after the window was opened again", () => {
  it("stands where it stood: its turn, and what was typed", async function () {
    const { panel } = await left();
    if (!canReload || panel === undefined) this.skip();
    await window.click(".tab", "Conclave");
    await window.waitForText("main .question", panel);
    await window.waitForText("main .cell-answer", "slack water");
    await window.screenshot("panel-restored");
    assert.deepEqual(await window.texts("header h1"), [panel]);
    assert.equal(await window.value("footer textarea"), "half a question");
  });
});
