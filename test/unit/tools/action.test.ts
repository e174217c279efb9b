import assert from "node:assert/strict";
import { failed } from "../../../src/agent/failure.ts";
import { action } from "../../../src/tools/action.ts";
import type { ConfirmQuestion } from "../../../src/tools/memory-access.ts";
import { contextOf, textOf } from "../../support/web/tools.ts";
import { NotedActions } from "./editor.ts";

describe("action", () => {
  let actions: NotedActions;
  let asked: ConfirmQuestion[];
  let answer: (signal: AbortSignal) => Promise<boolean>;

  beforeEach(() => {
    actions = new NotedActions();
    asked = [];
    answer = () => Promise.resolve(true);
  });

  async function run(args: unknown, more: Partial<Parameters<typeof action>[0]> = {}, signal?: AbortSignal) {
    const tool = action({
      actions,
      timeoutMs: () => 1_000,
      confirm: (question, stop) => {
        asked.push(question);
        return answer(stop);
      },
      ...more,
    });
    return tool.run(tool.parameters.parse(args), contextOf(signal));
  }

  it("runs an allowed command once the user has agreed to it and its arguments by name", async () => {
    actions.gives = "done";
    const outcome = await run({ command: "view.show", arguments: [{ file: "a.ts" }, 3] });
    assert.deepEqual(actions.ran, [["view.show", [{ file: "a.ts" }, 3]]]);
    assert.match(textOf(outcome), /^view\.show was run and gave:\n<untrusted_content[^]*done/);
    assert.equal(asked[0]?.title, "Run the command view.show?");
    assert.match(asked[0].detail, /"file": "a\.ts"[^]*3/);
  });

  it("asks nobody and runs nothing that is not on the list, and gives the list", async () => {
    for (const command of ["workbench.action.quit", "VIEW.SHOW", "view", "constructor"]) {
      const outcome = await run({ command });
      assert.match(textOf(outcome), /is not allowed\. The commands that are: view\.show, view\.hide\./);
    }
    actions.list = [];
    assert.match(textOf(await run({ command: "view.show" })), /The commands that are: none\./);
    assert.deepEqual([asked, actions.ran], [[], []]);
  });

  it("runs nothing when the user declines, the question breaks, or nobody can be asked", async () => {
    answer = () => Promise.resolve(false);
    assert.match(textOf(await run({ command: "view.show" })), /declined/);
    answer = () => Promise.reject(new Error("no window"));
    assert.match(textOf(await run({ command: "view.show" })), /declined/);
    assert.match(textOf(await run({ command: "view.show" }, { confirm: undefined })), /nobody here to ask/);
    assert.deepEqual(actions.ran, []);
  });

  it("runs nothing on a yes that comes after the turn was stopped", async () => {
    const stop = new AbortController();
    answer = () => {
      stop.abort();
      return Promise.resolve(true);
    };
    const outcome = await run({ command: "view.show" }, {}, stop.signal);
    assert.equal(!outcome.ok && outcome.failure.code, "cancelled");
    assert.deepEqual(actions.ran, []);
  });

  it("refuses arguments that nobody could read in a dialog", async () => {
    const outcome = await run({ command: "view.show", arguments: ["x".repeat(5_000)] });
    assert.match(textOf(outcome), /nobody could check them/);
    assert.deepEqual(asked, []);
  });

  it("passes on why a command failed", async () => {
    actions.run = () => Promise.resolve(failed("tool_failed", "The command view.show failed: no"));
    assert.equal(textOf(await run({ command: "view.show" })), "The command view.show failed: no");
  });
});
