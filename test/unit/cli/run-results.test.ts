import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { boundedRun } from "../../../src/cli/eval/bounded.ts";
import { EVAL_REPORT } from "../../../src/trace/eval/report.ts";
import { fakeTimer } from "../agent/support.ts";
import { caseOf, cleanUp, configurations, evaluate, failuresOf, folderWith, onlyRun } from "./support.ts";

const PLAIN = `
name: capital
question: What is the capital of France?
expect: { answer: Paris }
script: [{ think: Easy., say: The capital is Paris. }]
`;

afterEach(cleanUp);

describe("A run's traces", () => {
  it("are never another run's, whatever the cases are called", async () => {
    const folder = await folderWith();
    const long = "a".repeat(150);
    const names = ["a b", "a-b", "a  b", "a/b", `${long}1`, `${long}2`, "..", "日本", "\u{1F600}"];
    const cases = await Promise.all(
      names.map((name) => caseOf(PLAIN.replace("name: capital", `name: ${JSON.stringify(name)}`))),
    );
    const { runs } = await evaluate(
      cases,
      { repeats: 2, configurations: configurations("single", "as-written") },
      { traces: join(folder, "traces") },
    );
    const traces = runs.map(({ traces: own }) => own[0] ?? "");
    assert.equal(new Set(traces.map((name) => name.toLowerCase())).size, names.length * 4);
    assert.deepEqual(
      (await readdir(join(folder, "traces"))).sort(),
      traces.map((name) => name.slice(7)).sort(),
    );
  });

  it("stand in the order in which their sessions began", async () => {
    const folder = await folderWith();
    const turns = ["one", "two", "three", "four"].map((word) => `  - { ask: The ${word}., session: new }`);
    const text = `name: several\ndialogue:\n${turns.join("\n")}\nscript: [{ when: {}, say: Noted. }]\n`;
    const run = onlyRun(await evaluate([await caseOf(text)], {}, { traces: join(folder, "traces") }));
    const asked = await Promise.all(
      run.traces.map(async (name) => /The (\w+)\./u.exec(await readFile(join(folder, name), "utf8"))?.[1]),
    );
    assert.deepEqual(asked, ["one", "two", "three", "four"]);
  });
});

describe("A run's report", () => {
  it("can be read again however much the model says, calls and fails", async () => {
    const text = `
name: much
dialogue:
  - { ask: "Turn {{n}}.", times: 3 }
script:
  - when: { question: Turn 3, after: ${"t".repeat(190)} }
    say: ${"much ".repeat(19_990)}
  - when: { question: Turn 3 }
    say: ${"more ".repeat(15_000)}
    call: [${"t".repeat(190)}]
  - when: { question: Turn 2 }
    error: ${"e".repeat(1_900)}
  - when: {}
    say: Noted.
`;
    const report = await evaluate([await caseOf(text)]);
    const read = EVAL_REPORT.safeParse(JSON.parse(JSON.stringify(report)));
    assert.ok(read.success, read.error?.message);
    assert.equal(onlyRun(report).turns.length, 3);
  });

  it("cuts what is longer than it may hold, and keeps what failed", () => {
    const check = (passed: boolean) => ({ name: "n".repeat(500), passed, reason: "r".repeat(200_000) });
    const turn = { turnId: "t", sessionId: "s", question: "q", outcome: "answered" as const };
    const usage = {
      steps: 1,
      inputTokens: 1,
      outputTokens: 1,
      prefillMs: 1,
      totalMs: 1,
      retries: 0,
      repairs: 0,
    };
    const run = boundedRun({
      ...{ case: "c", file: "f", tags: [], configuration: "single", repeat: 1, seed: 1, outcome: "failed" },
      checks: [check(true), check(false)],
      // A turn of a case may be asked two hundred times.
      turns: Array.from({ length: 250 }, () => ({
        ...turn,
        answer: "a".repeat(200_000),
        tools: ["x".repeat(1_000)],
      })),
      toolCalls: { expected: 0, made: 0, wrong: 0, missing: 0 },
      ...usage,
      traces: [],
    });
    const read = EVAL_REPORT.unwrap().shape.runs.safeParse([run]);
    assert.ok(read.success, read.error?.message);
    assert.equal(run.checks.filter(({ passed }) => !passed).length, 1);
    assert.match(run.turns[0]?.answer ?? "", /a …$/u);
  });
});

describe("What a user does after an answer", () => {
  it("is not waited for where it can't be done, and is told", async () => {
    const text = `
name: nothing to grade
dialogue:
  - { ask: What?, cancel_after: model.delta, then: { grade: true, compare: true }, expect: { outcome: cancelled } }
script: [{ say: One moment., hang: true }]
`;
    // Whoever waited would wait for ever: this clock stands still.
    const { timer } = fakeTimer();
    const run = onlyRun(await evaluate([await caseOf(text)], {}, { timer }));
    assert.deepEqual(
      run.checks.filter(({ passed }) => !passed).map(({ name }) => name),
      ["graded", "compared"],
    );
  });

  it("is concluded from the next question too, unless that is turned off", async () => {
    const text = (setting: string): string => `
name: contradicted
${setting}
dialogue:
  - { ask: What is the capital of Australia? }
  - { ask: "No, that's wrong. Look it up." }
episodes: [{ answer: Sydney, reward: negative }]
script: [Sydney., Canberra.]
`;
    assert.deepEqual(failuresOf(onlyRun(await evaluate([await caseOf(text(""))]))), []);
    const off = text("settings: { conclave.feedback.implicit: false }");
    assert.match(failuresOf(onlyRun(await evaluate([await caseOf(off)]))).join(), /^episode in memory/u);
  });
});

describe("A committee of a case", () => {
  it("that lacks a member is no committee of that case", async () => {
    const text = (personas: string): string => `
name: who
question: What?
committee: { strategy: blind, rounds: 1, personas: [${personas}] }
script: [{ when: {}, say: "Position: This." }]
`;
    const whole = onlyRun(await evaluate([await caseOf(text("Skeptic, Pragmatist"))]));
    assert.deepEqual(failuresOf(whole), []);
    const lacking = onlyRun(await evaluate([await caseOf(text("Skeptic, Pragmatist, Skeptik"))]));
    assert.match(
      failuresOf(lacking).join("\n"),
      /^who answers: There is no agent "Skeptik"\. Did you mean Skeptic\?/u,
    );
    const single = onlyRun(await evaluate([await caseOf(text("Skeptic"))]));
    assert.match(failuresOf(single).join("\n"), /^who answers: A committee needs at least two personas/u);
  });
});
