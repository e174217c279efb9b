import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EVAL_REPORT } from "../../../src/trace/eval/report.ts";
import { caseOf, cleanUp, configurations, evaluate, failuresOf, folderWith, onlyRun } from "./support.ts";

const PLAIN = `
name: capital
question: What is the capital of France?
expect: { answer: Paris }
script: [{ think: Easy., say: The capital is Paris. }]
`;

const WEB = `
name: gil
question: Why was the GIL introduced?
pages:
  /gil: "<html><head><title>GIL</title></head><body><p>The GIL keeps reference counts right.</p></body></html>"
search: [{ query: gil, results: [{ title: The GIL, url: "{{pages}}/gil", snippet: A lock. }] }]
expect:
  answer: reference counts
  tools: [web_search, { tool: web_fetch, arguments: { url: /gil$/ }, result: reference counts }]
  events: [tool.request web_search, tool.result web_search, tool.request web_fetch, tool.result web_fetch]
script:
  - call: [{ tool: web_search, arguments: { query: python gil } }]
  - call: [{ tool: web_fetch, arguments: { url: "{{pages}}/gil" } }]
  - when: { after: web_fetch, last: reference counts }
    say: To keep reference counts right.
`;

afterEach(cleanUp);

describe("A run of an evaluation case", () => {
  it("asks the product over HTTP and checks what the user gets", async () => {
    const report = await evaluate([await caseOf(PLAIN)]);
    const run = onlyRun(report);
    assert.equal(run.outcome, "passed");
    assert.equal(run.answerRight, true);
    assert.equal(run.turns[0]?.answer, "The capital is Paris.");
    assert.equal(run.steps, 1);
    assert.ok(run.inputTokens > 0 && run.outputTokens > 0 && run.totalMs > 0);
    assert.equal(EVAL_REPORT.safeParse(JSON.parse(JSON.stringify(report))).success, true);
  });

  it("serves pages and search results on this machine, and the product's own tools reach them", async () => {
    const run = onlyRun(await evaluate([await caseOf(WEB)]));
    assert.deepEqual(failuresOf(run), []);
    assert.deepEqual(run.toolCalls, { expected: 2, made: 2, wrong: 0, missing: 0 });
    assert.deepEqual(run.turns[0]?.tools, ["web_search", "web_fetch"]);
  });

  it("says what failed, with what was wanted and what was there", async () => {
    const text = PLAIN.replace("Paris }", "[Rome, /paris/], tools: [web_search], thinking: false }");
    const run = onlyRun(await evaluate([await caseOf(text)]));
    assert.equal(run.outcome, "failed");
    assert.equal(run.answerRight, false);
    assert.deepEqual(failuresOf(run), [
      'answer contains: Rome is not in "The capital is Paris."',
      'answer contains: /paris/ is not in "The capital is Paris."',
      'thinking: it thought "Easy."',
      "tool calls: not made: web_search",
    ]);
    assert.deepEqual(run.toolCalls, { expected: 1, made: 0, wrong: 0, missing: 1 });
  });

  it("counts a call as wrong that is not expected, or that no tool takes", async () => {
    const stray = WEB.replace("tools: [web_search,", "tools: [").replace(
      "  events:",
      "  no_events: [warning]\n  events:",
    );
    const run = onlyRun(await evaluate([await caseOf(stray)]));
    assert.match(
      failuresOf(run).join("\n"),
      /no other tool calls: made: web_search \{"query":"python gil"\}/u,
    );
    assert.deepEqual(run.toolCalls, { expected: 1, made: 2, wrong: 1, missing: 0 });
    const invalid = `
name: invalid
question: What?
script:
  - call: [{ tool: search_memory, arguments: { query: 7 } }, { tool: no_such_tool }]
  - It failed.
`;
    assert.equal(onlyRun(await evaluate([await caseOf(invalid)])).toolCalls.wrong, 1);
  });

  it("fails a script that lacks a reply, and says for which request", async () => {
    const run = onlyRun(await evaluate([await caseOf("name: mute\nquestion: Anyone there?\nscript: []\n")]));
    assert.equal(run.outcome, "failed");
    assert.match(failuresOf(run).join("\n"), /script: the script has no reply to a request that ends with/u);
  });

  it("checks what a run may take", async () => {
    const run = onlyRun(await evaluate([await caseOf(`${PLAIN}budgets: { steps: 1, tokens: 5 }\n`)]));
    assert.match(failuresOf(run).join("\n"), /^budget of tokens: may take 5, took \d+$/u);
  });

  it("keeps nothing of one run for the next, and nothing on the disk", async () => {
    const before = await ownFolders();
    const text = `
name: alone
dialogue:
  - { ask: Remember that my cat is called Miso., expect: { answer: noted } }
  - { ask: What is my cat called?, session: new, expect: { answer: [Miso] } }
episodes: [{ question: Miso, answer: noted }]
script:
  - when: { question: Remember }
    say: Noted.
  - when: { question: What is my cat, prompt: Miso }
    say: Miso.
  - when: { question: What is my cat, not_prompt: Miso, offers: search_memory, last: What is my cat }
    call: [{ tool: search_memory, arguments: { query: cat called } }]
`;
    const other =
      "name: other\nquestion: What is my cat called?\nexpect: { prompt: { not_contains: Miso } }\nscript: [No idea.]\n";
    const { runs } = await evaluate([await caseOf(text), await caseOf(other)]);
    assert.deepEqual(runs.map(failuresOf), [[], []]);
    assert.deepEqual(await ownFolders(), before);
  });

  it("goes on within a session, begins another, and cancels on an event", async () => {
    const text = `
name: sessions
dialogue:
  - { ask: What is the GIL?, session: a, expect: { answer: lock } }
  - { ask: Why?, session: a, expect: { prompt: A lock of Python } }
  - { ask: Why?, session: b, expect: { prompt: { not_contains: A lock of Python } } }
  - { ask: Stop?, session: a, cancel_after: model.start, expect: { outcome: cancelled } }
  - { ask: "Number {{n}}?", session: a, times: 2, expect: { prompt: A lock of Python } }
script:
  - { when: { question: Stop }, hang: true }
  - A lock of Python.
  - Because.
  - Because of what?
  - One.
  - Two.
`;
    const run = onlyRun(
      await evaluate([await caseOf(text)], { configurations: configurations("as-written-memory") }),
    );
    assert.deepEqual(failuresOf(run), []);
    assert.deepEqual(
      run.turns.map(({ question, outcome }) => `${question} ${outcome}`),
      [
        "What is the GIL? answered",
        "Why? answered",
        "Why? answered",
        "Stop? cancelled",
        "Number 1? answered",
        "Number 2? answered",
      ],
    );
    assert.equal(new Set(run.turns.map(({ sessionId }) => sessionId)).size, 2);
  });

  it("lets a committee answer where the configuration wants one", async () => {
    const text = `
name: team
question: Is it safe?
committee: { personas: [Skeptic, Pragmatist], agreement: off }
expect: { answer: safe }
script: [{ when: { prompt: Is it safe }, say: It is safe. }]
`;
    const { runs } = await evaluate([await caseOf(text)], {
      configurations: configurations("as-written", "single"),
    });
    assert.deepEqual(runs.map(failuresOf), [[], []]);
    const [committee, single] = runs;
    // Two members and the one that sums up, against one agent.
    assert.deepEqual([committee?.steps, single?.steps], [3, 1]);
  });

  it("has answers graded by the critic where that is expected, and waits for the grade", async () => {
    const text = `
name: graded
question: What is the capital of France?
expect: { answer: Paris, grade: { from: 3, to: 5 } }
episodes: [{ answer: Paris, score: { from: 4, to: 4 } }]
script:
  - when: { schema: score }
    json: { feedback: Right and short., score: 4 }
  - The capital is Paris.
`;
    const run = onlyRun(await evaluate([await caseOf(text)]));
    assert.deepEqual(failuresOf(run), []);
    assert.equal(run.grade, 4);
  });

  it("keeps the trace of each run beside the report where that is wanted", async () => {
    const folder = await folderWith();
    const run = onlyRun(await evaluate([await caseOf(PLAIN)], {}, { traces: join(folder, "traces") }));
    assert.deepEqual(run.traces, ["traces/capital-as-written-1.conclave"]);
    const lines = (await readFile(join(folder, run.traces[0] ?? ""), "utf8")).trim().split("\n");
    assert.match(lines[0] ?? "", /"type":"session"/u);
    assert.ok(lines.some((line) => line.includes('"turn.end"')));
  });
});

/** The folders that runs make. */
async function ownFolders(): Promise<readonly string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith("conclave-eval-")).sort();
}
