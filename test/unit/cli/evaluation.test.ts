import assert from "node:assert/strict";
import type { ModelServer } from "../../../src/cli/eval/model-server.ts";
import type { EvalProgress } from "../../../src/cli/eval/run.ts";
import { scriptedServer } from "../../support/eval/scripted-server.ts";
import { fakeTimer } from "../agent/support.ts";
import { caseOf, configurations, evaluate, onlyRun } from "./support.ts";

const PLAIN = `
name: capital
question: What is the capital of France?
expect: { answer: Paris }
script: [{ think: Easy., say: The capital is Paris. }]
`;

const COFFEE = `
name: coffee
question: How do I like my coffee?
memory: { turns: [{ question: I take my coffee with oat milk., answer: Noted., days_ago: 2 }] }
expect: { answer: oat milk }
compare: [memory]
script:
  - when: { not_prompt: oat milk, offers: search_memory }
    call: [{ tool: search_memory, arguments: { query: coffee } }]
  - when: { prompt: oat milk }
    say: With oat milk.
  - when: { not_prompt: oat milk }
    say: I don't know.
`;

describe("An evaluation", () => {
  it("runs each case with each seed in each configuration, and tells how far it is", async () => {
    const told: EvalProgress[] = [];
    const report = await evaluate(
      [await caseOf(PLAIN)],
      { configurations: configurations("as-written", "single-tools"), repeats: 2, seed: 7 },
      { onProgress: (progress) => told.push(progress) },
    );
    assert.deepEqual(
      report.runs.map(({ configuration, repeat, seed }) => [configuration, repeat, seed]),
      [
        ["as-written", 1, 7],
        ["as-written", 2, 8],
        ["single-tools", 1, 7],
        ["single-tools", 2, 8],
      ],
    );
    assert.deepEqual(report.seeds, [7, 8]);
    assert.deepEqual(
      report.configurations.map(({ name, passed, runs }) => [name, passed, runs]),
      [
        ["as-written", 2, 2],
        ["single-tools", 2, 2],
      ],
    );
    assert.deepEqual(
      told.filter(({ run }) => run !== undefined).map(({ done, of }) => [done, of]),
      [1, 2, 3, 4].map((done) => [done, 4]),
    );
  });

  it("runs a case without a feature too where it asks for that, and fails nothing by it", async () => {
    const report = await evaluate([await caseOf(COFFEE)]);
    assert.deepEqual(
      report.configurations.map(({ name, comparison, passed, failed }) => [name, comparison, passed, failed]),
      [
        ["as-written", false, 1, 0],
        ["as-written-memory", true, 0, 1],
      ],
    );
    const [comparison] = report.comparisons;
    assert.equal(comparison?.feature, "memory");
    assert.deepEqual(comparison.onlyWith, ["coffee"]);
    assert.match(
      comparison.verdict,
      /^Too few cases to tell whether memory helps: 1 of 1 differ, 1 better with/u,
    );
  });

  it("says plainly of a feature that does not help that it does not", async () => {
    const report = await evaluate([await caseOf(`${PLAIN}compare: [memory, tools]\n`)]);
    assert.deepEqual(
      report.comparisons.map(({ verdict }) => verdict.split(":")[0]),
      ["Memory does not help on this 1 case", "Tools do not help on this 1 case"],
    );
  });

  it("says plainly of a feature that only does harm that it does not help, also where cases are few", async () => {
    // With memory the model is told something wrong, and believes it.
    const misled = COFFEE.replace("expect: { answer: oat milk }", "expect: { answer: I don't know }");
    const few = await evaluate([await caseOf(misled)]);
    assert.match(
      few.comparisons[0]?.verdict ?? "",
      /^Memory does not help on this 1 case: 1 of 1 differ, 0 better with, 1 better without; too few to tell whether it hurts/u,
    );
    const names = Array.from({ length: 6 }, (_, at) => misled.replace("name: coffee", `name: coffee ${at}`));
    const many = await evaluate(await Promise.all(names.map((text) => caseOf(text))));
    assert.match(
      many.comparisons[0]?.verdict ?? "",
      /^Memory hurts on these 6 cases \(0 % with, 100 % without/u,
    );
  });

  it("holds a server that went away against no feature and no answer, and says so", async () => {
    const scripted = scriptedServer();
    let runs = 0;
    const server: ModelServer = {
      ...scripted,
      start: async (run, signal) => {
        const started = await scripted.start(run, signal);
        runs += 1;
        // Gone before the second run, which is without memory.
        if (started.ok && runs > 1) await started.value.close();
        return started;
      },
    };
    const report = await evaluate([await caseOf(COFFEE)], {}, { server });
    assert.deepEqual(
      report.runs.map(({ outcome, answerRight }) => [outcome, answerRight]),
      [
        ["passed", true],
        ["error", undefined],
      ],
    );
    assert.match(report.runs[1]?.error ?? "", /^Ollama is not running at/u);
    assert.deepEqual(report.comparisons, []);
    assert.ok(
      report.notes.includes(
        "1 of 2 runs could not be made and count as failed, and their cases are in no comparison: coffee.",
      ),
      report.notes.join("\n"),
    );
  });

  it("counts a failure of the server as an answer where the case is about one", async () => {
    const down = "name: down\nquestion: What?\nexpect: { outcome: failed }\nscript: [{ error: broken }]\n";
    assert.equal(onlyRun(await evaluate([await caseOf(down)])).outcome, "passed");
  });

  it("comes out the same twice, but for what clocks and chance say", async () => {
    const cases = [await caseOf(COFFEE), await caseOf(PLAIN)];
    const figures = async () => {
      const report = await evaluate(cases, { repeats: 2, seed: 7 });
      const runs = report.runs.map(
        ({ case: name, configuration, seed, outcome, checks, toolCalls, steps }) => ({
          ...{ name, configuration, seed, outcome, checks, toolCalls, steps },
        }),
      );
      return { runs, success: report.configurations.map(({ success }) => success), notes: report.notes };
    };
    assert.deepEqual(await figures(), await figures());
  });

  it("compares by answers alone: how a feature works does not prove that it helps", async () => {
    const text = `${PLAIN.replace("Paris }", "Paris, events: [memory.ingested] }")}compare: [memory]\n`;
    const { configurations: figures, comparisons } = await evaluate([await caseOf(text)]);
    assert.equal(figures[1]?.failed, 1);
    assert.deepEqual(comparisons[0]?.onlyWith, []);
  });

  it("stops at once when it is cancelled, and reports what was run until then", async () => {
    const stop = new AbortController();
    const hanging = await caseOf("name: hangs\nquestion: What?\nscript: [{ hang: true }]\n");
    const server = scriptedServer();
    let asked: (() => void) | undefined;
    const began = new Promise<void>((resolve) => (asked = resolve));
    const watched = {
      ...server,
      start: async (...parts: Parameters<typeof server.start>) => {
        const started = await server.start(...parts);
        if (parts[0].case.name === "hangs") asked?.();
        return started;
      },
    };
    const running = evaluate([await caseOf(PLAIN), hanging], {}, { server: watched }, stop.signal);
    await began;
    const cancelledAt = performance.now();
    stop.abort();
    const report = await running;
    assert.ok(performance.now() - cancelledAt < 5_000);
    assert.equal(report.outcome, "cancelled");
    assert.deepEqual(
      report.runs.map(({ outcome }) => outcome),
      ["passed", "cancelled"],
    );
    assert.deepEqual(
      report.configurations.map(({ runs, passed }) => [runs, passed]),
      [[1, 1]],
    );
  });

  it("counts a run that could not be made as failed, and says why", async () => {
    const server = scriptedServer();
    const refused = {
      ...server,
      start: () =>
        Promise.resolve({ ok: false, failure: { code: "internal", message: "No server." } } as const),
    };
    const report = await evaluate([await caseOf(PLAIN)], {}, { server: refused });
    assert.equal(onlyRun(report).outcome, "error");
    assert.equal(onlyRun(report).error, "No server.");
    assert.equal(report.configurations[0]?.success.estimate, 0);
  });

  it("stops a run that never ends, and goes on with the next", async () => {
    const hangs = await caseOf("name: hangs\nquestion: What?\nscript: [{ hang: true }]\n");
    const { clock, timer } = fakeTimer();
    const report = await evaluate(
      [hangs, await caseOf(PLAIN)],
      {},
      {
        runMs: 60_000,
        timer,
        onProgress: ({ job, run }) => {
          if (job.case.name === "hangs" && run === undefined) setImmediate(() => clock.tick(60_000));
        },
      },
    );
    assert.deepEqual(
      report.runs.map(({ outcome, error }) => [outcome, error]),
      [
        ["error", "It took longer than 60 s and was stopped."],
        ["passed", undefined],
      ],
    );
  });

  it("survives parts that throw", async () => {
    const server = { ...scriptedServer(), start: () => Promise.reject(new Error("broke")) };
    assert.equal(onlyRun(await evaluate([await caseOf(PLAIN)], {}, { server })).error, "broke");
    const reader = (): never => {
      throw new Error("no reader");
    };
    assert.equal(onlyRun(await evaluate([await caseOf(PLAIN)], {}, { reader })).error, "no reader");
  });
});
