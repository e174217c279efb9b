import assert from "node:assert/strict";
import type { Door } from "../../../src/agent/events.ts";
import { WebWishWatch } from "../../../src/vscode/chat/web-wish-watch.ts";
import type { WebSettings } from "../../../src/vscode/chat/web-wish.ts";
import { event, turnEnd } from "./events.ts";

const OFF: WebSettings = { webFetchEnabled: false, webSearchEnabled: false, webSearchProvider: "none" };
const PAGE = "Summarise https://example.test/news for me";
const SEARCH = "search the web for ferry times to Oban";

describe("a question outside of the chat that wants the web", () => {
  /** What is told while a turn runs from its start to its end. */
  function turn(watch: WebWishWatch, query: string, door: Door = "panel", error?: string): readonly string[] {
    const start = {
      "gen_ai.conversation.id": "s1",
      "conclave.parent_turn_id": null,
      "conclave.door": door,
    };
    const events = [event("turn.start", start), event("query.received", { query }), turnEnd(error)];
    return events.map((one) => watch.take(one)).filter((missing) => missing !== undefined);
  }

  it("is told of at its end, whether it came from the panel or the Command Palette", () => {
    for (const door of ["panel", "command"] as const) {
      const [missing, ...more] = turn(new WebWishWatch(() => OFF), PAGE, door);
      assert.match(missing ?? "", /a web page/);
      assert.deepEqual(more, []);
    }
  });

  it("is told of once for each thing that is missing", () => {
    const watch = new WebWishWatch(() => OFF);
    assert.equal(turn(watch, PAGE).length, 1);
    assert.equal(turn(watch, SEARCH).length, 1);
    assert.equal(turn(watch, PAGE).length + turn(watch, SEARCH).length, 0);
  });

  it("is not told of where the tool is on, the question wants nothing, or it got no answer", () => {
    assert.deepEqual(turn(new WebWishWatch(() => ({ ...OFF, webFetchEnabled: true })), PAGE), []);
    assert.deepEqual(turn(new WebWishWatch(() => OFF), "what did we decide about the cache?"), []);
    assert.deepEqual(turn(new WebWishWatch(() => OFF), PAGE, "panel", "Ollama is not running."), []);
  });

  it("is the chat's own to tell of there, and nobody's where code asks", () => {
    for (const door of ["chat", "cli", "notebook", "test"] as const)
      assert.deepEqual(turn(new WebWishWatch(() => OFF), PAGE, door), []);
  });
});
