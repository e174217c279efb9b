import assert from "node:assert/strict";
import type { PanelMessage } from "../../../src/trace/panel-protocol.ts";
import { ActivityState } from "../../../src/webview/views/activity-state.ts";
import { SettingsState } from "../../../src/webview/views/settings-state.ts";

describe("a view of the panel that is left late", () => {
  it("does not stop the list that took its place", () => {
    const sent: PanelMessage[] = [];
    const activity = new ActivityState(
      null,
      (message) => sent.push(message),
      () => undefined,
    );
    activity.watch("tools");
    activity.watch("tool:web_fetch");
    activity.leave("tools");
    assert.equal(activity.of, "tool:web_fetch");
    assert.deepEqual(
      sent.map(({ type }) => type),
      ["activity.watch", "activity.watch"],
    );
    activity.leave("tool:web_fetch");
    assert.equal(sent.at(-1)?.type, "activity.leave");
  });

  it("does not stop the settings that took its place", () => {
    const sent: PanelMessage[] = [];
    const settings = new SettingsState((message) => sent.push(message));
    settings.watch("memory");
    settings.watch("critic");
    settings.leave("memory");
    assert.equal(sent.length, 2);
    settings.leave("critic");
    assert.deepEqual(sent.at(-1), { type: "settings", group: null });
  });
});
