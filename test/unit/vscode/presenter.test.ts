import assert from "node:assert/strict";
import FakeTimers, { type Clock } from "@sinonjs/fake-timers";
import { TurnPresenter } from "../../../src/vscode/chat/presenter.ts";
import { delta, event, modelStart, turnEnd } from "./events.ts";

/** A chat that remembers what it was told. */
function chat() {
  const progress: string[] = [];
  const sources: string[] = [];
  let markdown = "";
  const presenter = new TurnPresenter({
    progress: (line) => void progress.push(line),
    markdown: (text) => {
      markdown += text;
    },
    source: (source) => void sources.push(source.uri),
  });
  return { presenter, progress, sources, markdown: () => markdown };
}

const toolResult = (summary: string, uris: readonly string[] = []) =>
  event("tool.result", {
    name: "web_fetch",
    result: "text for the model",
    details: { summary, sources: uris.map((uri) => ({ uri, title: uri })) },
    "conclave.duration_ms": 3,
    "conclave.attempts": 1,
  });

describe("a turn in the chat", () => {
  let clock: Clock;
  beforeEach(() => {
    clock = FakeTimers.install({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  });
  afterEach(() => clock.uninstall());

  it("says every few seconds how long the model has been loading, 95 s included", () => {
    const { presenter, progress } = chat();
    presenter.show(modelStart());
    clock.tick(96_000);
    assert.equal(progress[0], "Loading qwen3:8b, 5 s");
    assert.equal(progress.at(-1), "Loading qwen3:8b, 95 s");
    assert.equal(progress.length, 19);
  });

  it("counts more calmly after two minutes", () => {
    const { presenter, progress } = chat();
    presenter.show(modelStart());
    clock.tick(900_000);
    assert.equal(progress.at(-1), "Loading qwen3:8b, 900 s");
    assert.ok(progress.length < 80, String(progress.length));
  });

  for (const [what, end] of [
    ["the first word", delta("answer", "Yes")],
    ["the end of the turn", turnEnd()],
  ] as const) {
    it(`stops counting with ${what}, and leaves no timer behind`, () => {
      const { presenter, progress } = chat();
      presenter.show(modelStart());
      clock.tick(6_000);
      presenter.show(end);
      clock.tick(60_000);
      assert.equal(progress.length, 1);
      assert.equal(clock.countTimers(), 0);
    });
  }

  it("stops counting when the turn breaks off without an end", () => {
    const { presenter } = chat();
    presenter.show(modelStart());
    presenter.stop();
    assert.equal(clock.countTimers(), 0);
  });

  it("says 'waiting', not 'loading', once the model has spoken in this turn", () => {
    const { presenter, progress } = chat();
    presenter.show(modelStart());
    presenter.show(delta("answer", "Let me look."));
    presenter.show(modelStart());
    clock.tick(5_000);
    presenter.stop();
    assert.deepEqual(progress, ["Waiting for qwen3:8b, 5 s"]);
  });

  it("says that a question stands in line while the server works on another", () => {
    const { presenter, progress } = chat();
    presenter.show(event("agent.start", { "gen_ai.agent.name": "conclave", "gen_ai.request.model": "m:7b" }));
    presenter.show(
      event("step.start", { index: 1, "conclave.protocol": "native", "conclave.last_step": false }),
    );
    clock.tick(5_000);
    presenter.show(modelStart("m:7b"));
    clock.tick(5_000);
    presenter.stop();
    assert.deepEqual(progress, ["In line for m:7b, 5 s", "Loading m:7b, 5 s"]);
  });

  it("shows the answer word for word as it streams", () => {
    const { presenter, markdown } = chat();
    for (const text of ["We keep ", "it in ", "SQLite."]) presenter.show(delta("answer", text));
    assert.equal(markdown(), "We keep it in SQLite.");
    presenter.end("We keep it in SQLite.\n");
    assert.equal(markdown(), "We keep it in SQLite.");
  });

  it("sets the words of one step apart from those of the next", () => {
    const { presenter, markdown } = chat();
    presenter.show(modelStart());
    presenter.show(delta("answer", "Let me look."));
    presenter.show(modelStart());
    presenter.show(delta("answer", "Here it is."));
    presenter.end("Here it is.");
    assert.equal(markdown(), "Let me look.\n\nHere it is.");
  });

  it("shows an answer that was not streamed, also after words of an earlier step", () => {
    const silent = chat();
    silent.presenter.end("Forty-two.");
    assert.equal(silent.markdown(), "Forty-two.");
    const talking = chat();
    talking.presenter.show(delta("answer", "Let me look."));
    talking.presenter.end("Forty-two.");
    assert.equal(talking.markdown(), "Let me look.\n\nForty-two.");
  });

  it("never puts thinking into the answer: it passes by in one line now and then", () => {
    const { presenter, progress, markdown } = chat();
    presenter.show(delta("thinking", "The user asks about the cache."));
    clock.tick(4_000);
    presenter.show(delta("thinking", " It may be in SQLite. Or "));
    presenter.show(delta("answer", "SQLite."));
    presenter.end("SQLite.");
    assert.deepEqual(progress, ["Thinking", "Thinking: It may be in SQLite."]);
    assert.equal(markdown(), "SQLite.");
  });

  it("does not flood the chat with a model that thinks for an hour", () => {
    const { presenter, progress } = chat();
    for (let at = 0; at < 3_600; at += 1) {
      presenter.show(delta("thinking", `Thought ${at}. `));
      clock.tick(1_000);
    }
    assert.ok(progress.length <= 61, String(progress.length));
  });

  it("says that shown text was thinking when the model takes it back", () => {
    const { presenter, markdown } = chat();
    presenter.show(delta("answer", "They want a number"));
    presenter.show(event("model.delta", { channel: "answer", text: "", retract: true }));
    presenter.show(delta("answer", "Forty-two."));
    presenter.end("Forty-two.");
    assert.match(markdown(), /^They want a number\n\n\*\(.*thinking aloud.*\)\*\n\nForty-two\.$/);
  });

  it("names the tool that runs and what came of it", () => {
    const { presenter, progress } = chat();
    presenter.show(
      event("tool.request", {
        name: "search_memory",
        arguments: { query: "cache" },
        "gen_ai.tool.call.id": "c1",
      }),
    );
    presenter.show(toolResult("3 of 41 given"));
    assert.deepEqual(progress, ['Searching memory for "cache"', "web_fetch: 3 of 41 given"]);
  });

  it("lists each source once, under the answer, and at most thirty", () => {
    const { presenter, sources } = chat();
    const uris = Array.from({ length: 40 }, (_, at) => `https://example.test/${at}`);
    presenter.show(toolResult("ok", uris.slice(0, 2)));
    presenter.show(toolResult("ok", uris));
    assert.deepEqual(sources, []);
    presenter.end("Done.");
    assert.deepEqual(sources, uris.slice(0, 30));
  });

  it("puts notes outside of a code block that the answer left open", () => {
    const { presenter, markdown } = chat();
    presenter.show(delta("answer", "So:\n```ts\nconst a"));
    presenter.end("So:\n```ts\nconst a", ["Web tools are off.", "Cut."]);
    assert.equal(markdown(), "So:\n```ts\nconst a\n```\n\n\n*Web tools are off.*\n\n*Cut.*");
  });

  it("keeps under the answer what changes how it is to be read, once, as text", () => {
    const { presenter, markdown } = chat();
    const cut = event("warning", { code: "context_cut", message: "2 turns <b>left</b> out" });
    presenter.show(cut);
    presenter.show(cut);
    presenter.show(event("warning", { code: "retried", message: "tried again" }));
    presenter.end("Yes.");
    assert.equal(markdown(), "Yes.\n\n*2 turns &lt;b&gt;left&lt;/b&gt; out*");
  });
});
