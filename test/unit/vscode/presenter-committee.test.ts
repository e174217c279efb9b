import assert from "node:assert/strict";
import FakeTimers, { type Clock } from "@sinonjs/fake-timers";
import { createEmitter, type Emitter } from "../../../src/agent/emitter.ts";
import type { AgentRole, TurnEvent, WarningCode } from "../../../src/agent/events.ts";
import { failure } from "../../../src/agent/failure.ts";
import { TurnPresenter } from "../../../src/vscode/chat/presenter.ts";
import { CommitteeScript, MEMBERS } from "../trace/support/committee-script.ts";
import { committeeTurn } from "../trace/support/committee-turn.ts";
import { SteadyIdentity } from "../trace/support/steady-identity.ts";

/** A chat that remembers what it was told. */
function chat() {
  const progress: string[] = [];
  let markdown = "";
  const presenter = new TurnPresenter({
    progress: (line) => void progress.push(line),
    markdown: (text) => {
      markdown += text;
    },
    source: () => undefined,
  });
  return { presenter, progress, markdown: () => markdown };
}

const identity = new SteadyIdentity();
const TURN = "t".repeat(32);

/** One agent of a turn, told event by event. */
class Agent {
  readonly #emitter: Emitter;
  readonly #step = identity.spanId();

  constructor(sink: (event: TurnEvent) => void, name: string, role: AgentRole | undefined, parentId = TURN) {
    const origin = { sessionId: "s1", turnId: TURN, agent: name, respondent: "A" };
    this.#emitter = createEmitter(origin, identity, sink);
    this.#emitter.emit(
      "agent.start",
      { id: this.#emitter.agentId, parentId },
      {
        "gen_ai.agent.name": name,
        "gen_ai.request.model": "m:7b",
        ...(role !== undefined && { "conclave.role": role }),
      },
    );
    this.#emitter.emit(
      "step.start",
      { id: this.#step, parentId: this.#emitter.agentId, stepId: this.#step },
      { index: 1, "conclave.protocol": "native", "conclave.last_step": false },
    );
  }

  says(...texts: readonly string[]): this {
    const place = { parentId: this.#step, stepId: this.#step };
    const id = this.#emitter.emit("model.start", place, {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "ollama",
      "gen_ai.request.model": "m:7b",
      "gen_ai.request.max_tokens": 100,
      "conclave.context_length": 4_096,
      "conclave.think": "off",
      "conclave.messages": [],
    });
    for (const text of texts)
      this.#emitter.emit("model.delta", { ...place, id }, { channel: "answer", text });
    return this;
  }

  warns(code: WarningCode, message: string): this {
    this.#emitter.warn(code, message, undefined, this.#step);
    return this;
  }

  calls(name: string, args: { readonly [key: string]: string }, chained = false): string {
    const place = { parentId: this.#step, stepId: this.#step };
    const id = this.#emitter.emit("tool.request", place, {
      name,
      arguments: args,
      "gen_ai.tool.call.id": "call_1",
      ...(chained && { "conclave.chained": true as const }),
    });
    this.#emitter.emit(
      "tool.result",
      { ...place, id },
      {
        name,
        result: "ok",
        details: { summary: "2 moments kept" },
        "conclave.duration_ms": 1,
        "conclave.attempts": 1,
      },
    );
    return id;
  }

  fails(message: string): void {
    this.#emitter.emit(
      "agent.end",
      { id: this.#emitter.agentId, parentId: TURN },
      { outcome: "failed", "conclave.duration_ms": 1, error: failure("timeout", message) },
    );
  }
}

describe("a committee's turn in the chat", () => {
  let clock: Clock;
  beforeEach(() => {
    clock = FakeTimers.install({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  });
  afterEach(() => clock.uninstall());

  function whole() {
    const shown = chat();
    committeeTurn((event) => shown.presenter.show(event), { identity: new SteadyIdentity() });
    shown.presenter.end(shown.markdown());
    return shown;
  }

  it("shows the synthesis alone as the answer: what members say is not streamed into it", () => {
    const text = whole().markdown();
    assert.ok(text.startsWith("Keep the cache in process, and drop entries"), text);
    assert.ok(!text.includes("leaves the other stale for up to ten minutes"));
  });

  it("says while it runs who is at work, with which tool, who has answered, and how many tokens so far", () => {
    const { progress } = whole();
    for (const line of [
      "3 members: Skeptic, Evidence Seeker, Pragmatist · blind · about 24,000 tokens at most",
      "Round 1 of 2",
      "Skeptic is at work",
      'Skeptic: searching memory for "cache replicas"',
      "Skeptic: search_memory: 1 of 41 memories given",
      "Evidence Seeker answered, 2 of 3 · 2,780 tokens so far",
      "Newcomer's Advocate gave no answer: It gave no answer within 600 s.",
      "The members agree",
      "The Self sums up",
    ])
      assert.ok(progress.includes(line), `${line} is missing in:\n${progress.join("\n")}`);
  });

  it("keeps best answer, majority, other view and everybody's position under the synthesis", () => {
    const text = whole().markdown();
    assert.match(
      text,
      /\*\*Best single answer:\*\* Pragmatist \(it is closest to all\) · \*\*majority, 2 of 3:\*\* Keep it.* · \*\*another view:\*\* Skeptic/,
    );
    assert.match(
      text,
      /- \*\*Evidence Seeker:\*\* Keep it, .*\(changed: the event bus.*\)\* \*\(search\\_memory, 180 tokens\)\*/,
    );
    assert.match(text, /- \*\*Newcomer's Advocate:\*\* \*no answer: It gave no answer within 600 s\.\*/);
    assert.match(text, /\*2 rounds · 9,100 tokens in, 630 out\*/);
  });

  it("keeps where a member stood that failed in a later round", () => {
    const { presenter, markdown } = chat();
    const sink = (event: TurnEvent): void => presenter.show(event);
    const script = new CommitteeScript(sink, new SteadyIdentity());
    const [first, other] = MEMBERS;
    assert.ok(first && other);
    const one = script.round(1);
    for (const member of [first, other]) script.speaks(one, member, 0);
    script.roundEnd(one, 1);
    const two = script.round(2);
    script.speaks(two, other, 1);
    script.fails(two, first.name, failure("timeout", "It gave no answer within 600 s."));
    script.roundEnd(two, 2);
    script.sumsUp();
    presenter.end("Keep it.");
    assert.match(markdown(), /- \*\*Skeptic:\*\* No\. A write on one replica leaves the other stale/);
  });

  it("counts the seconds of a member that waits for its model under its name", () => {
    const { presenter, progress } = chat();
    new Agent((event) => presenter.show(event), "Skeptic", "persona").says();
    clock.tick(6_000);
    assert.equal(progress.at(-1), "Skeptic: loading m:7b, 5 s");
    presenter.stop();
    assert.equal(clock.countTimers(), 0);
  });

  it("adds the view that the synthesis lost behind what was streamed of it, and says nothing twice", () => {
    const { presenter, markdown } = chat();
    const self = new Agent((event) => presenter.show(event), "The Self", "synthesizer");
    self.says("On Tuesday.\n\n", "The hall is free.");
    presenter.end("On Tuesday.\n\nThe hall is free.\n\n#### Another view\n\n> Thursday\n\n> Late.");
    assert.equal(
      markdown(),
      "On Tuesday.\n\nThe hall is free.\n\n#### Another view\n\n> Thursday\n\n> Late.",
    );
  });

  it("takes back the words of a synthesizer that broke off, and shows the second try whole", () => {
    const { presenter, markdown } = chat();
    const sink = (event: TurnEvent): void => presenter.show(event);
    new Agent(sink, "The Self", "synthesizer").says("Keep the ").fails("The server went away.");
    new Agent(sink, "The Self", "synthesizer").says("Keep the cache.");
    presenter.end("Keep the cache.");
    assert.equal(
      markdown(),
      "Keep the \n\n*(What stands above broke off. The committee is summed up once more:)*\n\nKeep the cache.",
    );
  });

  it("offers to sum up once more where nobody summed up, and does not say why twice", () => {
    const { presenter, markdown } = chat();
    new Agent((event) => presenter.show(event), "The Self", "synthesizer").warns(
      "no_synthesis",
      "no synthesis: why",
    );
    presenter.end("*no synthesis: why*\n\nThe best single answer stands in.");
    assert.equal(presenter.lacksSynthesis, true);
    assert.equal(markdown().split("no synthesis: why").length, 2);
  });

  const KEPT: readonly WarningCode[] = [
    "agent_unknown",
    "agent_failed",
    "committee_too_small",
    "stopped_early",
  ];
  for (const code of KEPT)
    it(`keeps under the answer that ${code}`, () => {
      const { presenter, markdown, progress } = chat();
      new Agent((event) => presenter.show(event), "conclave", undefined).warns(code, `about ${code}`);
      presenter.end("Yes.");
      assert.ok(markdown().includes(`about ${code.replaceAll("_", "\\_")}`), markdown());
      assert.ok(!progress.includes(`about ${code}`));
    });

  for (const code of ["step_limit", "answer_cut", "context_cut"] as const)
    it(`lets ${code} of one member pass by under its name: the synthesis is not cut`, () => {
      const { presenter, markdown, progress } = chat();
      new Agent((event) => presenter.show(event), "Skeptic", "persona").warns(code, "it was cut");
      presenter.end("Yes.");
      assert.equal(markdown(), "Yes.");
      assert.equal(progress.at(-1), "Skeptic: it was cut");
    });
});

describe("agents that are asked in between, and objects, in the chat", () => {
  it("do not put the words of an agent that was asked into the answer", () => {
    const { presenter, markdown, progress } = chat();
    const sink = (event: TurnEvent): void => presenter.show(event);
    const asker = new Agent(sink, "conclave", undefined);
    const call = asker.calls("ask_agent", { agent: "Skeptic", question: "What fails?" });
    new Agent(sink, "Skeptic", "delegate", call).says("All of it.");
    asker.says("Not all of it.");
    presenter.end("Not all of it.");
    assert.equal(markdown(), "Not all of it.");
    assert.ok(progress.includes('Asking "Skeptic"'));
    assert.ok(progress.includes("Skeptic was asked, and is at work"));
  });

  it("show a structured answer once, as code, and what the chained tool made of it", () => {
    const { presenter, markdown } = chat();
    const agent = new Agent((event) => presenter.show(event), "Dreaming", undefined);
    agent.says("{", '"moments"', ": []}");
    agent.calls("save_moments", {}, true);
    presenter.end('```json\n{\n  "moments": []\n}\n```');
    assert.equal(
      markdown(),
      '```json\n{\n  "moments": []\n}\n```\n\n*The object was given to save\\_moments: 2 moments kept*',
    );
  });

  it("show an answer that begins with a code block of another language as it streams", () => {
    const { presenter, markdown } = chat();
    new Agent((event) => presenter.show(event), "conclave", undefined).says("``", "`", "js", "\nlet a;");
    assert.equal(markdown(), "```js\nlet a;");
    presenter.end("```js\nlet a;\n```");
  });

  it("show what there is of an object when the turn breaks off within it", () => {
    const { presenter, markdown } = chat();
    new Agent((event) => presenter.show(event), "conclave", undefined).says('{"a": ');
    presenter.end("");
    assert.equal(markdown(), '{"a": ');
  });
});
