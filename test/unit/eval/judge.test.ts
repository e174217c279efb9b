import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { BUILT_IN_RUBRICS } from "../../../src/agent/critic/built-in.ts";
import type { Json } from "../../../src/agent/models/types.ts";
import { createModels } from "../../../src/cli/models.ts";
import { judgeTheJudge, type JudgeTrial } from "../../../src/cli/eval/judge/judge-judge.ts";
import {
  parseLabelledSet,
  readLabelledSet,
  type LabelledSet,
} from "../../../src/cli/eval/judge/labelled-set.ts";
import { judgeSection } from "../../../src/cli/report/sections.ts";
import { EVAL_REPORT, type EvalJudge } from "../../../src/trace/eval/report.ts";
import { startScriptedOllama, httpError, text, type ScriptedOllama } from "../../support/ollama/index.ts";

const SHIPPED = fileURLToPath(new URL("../../eval/judge/set.yaml", import.meta.url));

/** What a scripted judge says to a prompt; it is asked for a grade or for a winner. */
type Opinion = (prompt: string, asked: "score" | "winner") => Json | undefined;

describe("a judge on trial", () => {
  let server: ScriptedOllama | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  async function trial(set: LabelledSet, opinion: Opinion, part: Partial<JudgeTrial> = {}) {
    server = await startScriptedOllama({
      script: ({ body }) => {
        const asked = JSON.stringify(body.format ?? {}).includes('"winner"') ? "winner" : "score";
        const said = opinion(body.messages.at(-1)?.content ?? "", asked);
        return said === undefined
          ? [httpError(500, "the judge has a bad day")]
          : [text(typeof said === "string" ? said : JSON.stringify(said))];
      },
    });
    const model = createModels({ ollamaHost: server.host, requestTimeout: 20 }).model("scripted:latest");
    assert.ok("chat" in model);
    const settings = { contextLength: 8_192, keepAlive: "5m", samples: 1 };
    return judgeTheJudge(
      { set, model, rubrics: BUILT_IN_RUBRICS, rubric: "helpfulness", settings, ...part },
      new AbortController().signal,
    );
  }

  async function tried(set: LabelledSet, opinion: Opinion): Promise<EvalJudge> {
    const outcome = await trial(set, opinion);
    assert.ok(outcome.ok, outcome.ok ? "" : outcome.failure.message);
    assert.ok(EVAL_REPORT.unwrap().shape.judge.safeParse(outcome.value).success);
    return outcome.value;
  }

  async function shipped(): Promise<LabelledSet> {
    const { set } = await readLabelledSet(SHIPPED, "set.yaml");
    assert.ok(set !== undefined);
    return set;
  }

  /** Knows the labels of a set by heart. */
  function knowing({ graded, pairs }: LabelledSet): Opinion {
    return (prompt, asked) => {
      if (asked === "score") {
        const item = graded.find(({ answer }) => prompt.includes(answer));
        return { feedback: "As labelled.", score: item?.label ?? 3 };
      }
      const item = pairs.find(({ question }) => prompt.includes(question));
      const [, first = ""] = /Answer A:([^]*)Answer B:/u.exec(prompt) ?? [];
      const isTurned = item !== undefined && first.includes(item.b) && !first.includes(item.a);
      const winner = item?.label ?? "tie";
      const shown = winner === "tie" ? "tie" : (winner === "A") === isTurned ? "B" : "A";
      return { feedback: "As labelled.", winner: shown };
    };
  }

  it("that agrees with every label has a kappa of 1, no flips, and its own sort of answers in no other light", async () => {
    const set = await shipped();
    const report = await tried(set, knowing(set));
    assert.equal(report.kappa?.estimate, 1);
    assert.equal(report.weightedKappa?.estimate, 1);
    assert.deepEqual([report.flips.flips, report.noGrade.none], [0, 0]);
    for (const { given, labelled } of report.distribution) assert.equal(given, labelled);
    assert.match(report.verdict, /almost perfect/u);
    assert.equal(report.items, set.graded.length + set.pairs.length);
  });

  it("that says 5 to everything is told to agree no better than chance, though it is often right", async () => {
    const set = await shipped();
    const report = await tried(set, (_prompt, asked) =>
      asked === "score" ? { feedback: "Great.", score: 5 } : { feedback: "Both.", winner: "tie" },
    );
    assert.equal(report.weightedKappa?.estimate, 0);
    assert.match(report.verdict, /not shown to agree with the labels better than chance/u);
    assert.ok(report.notes?.some((note) => /gave 5 to 20 of 20/u.test(note)));
    assert.ok(report.notes?.some((note) => /"hostile": labelled 1\.0 on average, given 5\.0/u.test(note)));
  });

  it("that prefers whom it reads first flips on every pair, and wins for nobody", async () => {
    const set = await shipped();
    const report = await tried(set, (_prompt, asked) =>
      asked === "score" ? { feedback: "So so.", score: 3 } : { feedback: "The first.", winner: "A" },
    );
    assert.deepEqual([report.flips.flips, report.flips.of], [set.pairs.length, set.pairs.length]);
    assert.match(
      report.verdict,
      new RegExp(`${set.pairs.length} of ${set.pairs.length} verdicts turned`, "u"),
    );
    assert.ok(report.notes?.some((note) => /8 went to whom stood first/u.test(note)));
  });

  it("that can't be read gives no grade, which counts apart and in no average", async () => {
    const { set } = parseLabelledSet(
      "set.yaml",
      "- { question: q1, answer: quicksilver, label: 4 }\n- { question: q2, answer: marmalade, label: 2, kind: odd }\n",
    );
    assert.ok(set !== undefined);
    const report = await tried(set, (prompt) =>
      prompt.includes("marmalade") ? "I would rather not say." : { feedback: "ok", score: 4 },
    );
    assert.deepEqual([report.noGrade.none, report.noGrade.of], [1, 2]);
    assert.equal(report.distribution.find(({ score }) => score === 4)?.given, 1);
    assert.equal(
      report.distribution.reduce((sum, { given }) => sum + given, 0),
      1,
    );
    assert.ok(report.notes?.some((note) => /"odd": labelled 2\.0 on average, given no grade/u.test(note)));
    assert.match(report.verdict, /no grade to 1 of 2/u);
  });

  it("whose verdicts can't be read has no agreement with ties, though the product takes them for ties", async () => {
    const { set } = parseLabelledSet(
      "set.yaml",
      [1, 2, 3]
        .map((at) => `- { question: q${at}, a: one ${at}, b: two ${at}, label: ${at < 3 ? "tie" : "A"} }`)
        .join("\n"),
    );
    assert.ok(set !== undefined);
    const report = await tried(set, () => "[]");
    assert.equal(report.pairKappa, undefined);
    assert.ok(
      report.notes?.some((note) => /No verdict could be read in at least one order of 3 pairs/u.test(note)),
    );
  });

  it("that agreed on a handful of answers is not said to agree: they are too few to tell", async () => {
    const all = await shipped();
    const set = { ...all, graded: all.graded.slice(0, 9), pairs: [] };
    const report = await tried(set, knowing(set));
    assert.equal(report.kappa?.estimate, 1);
    assert.match(report.verdict, /^9 items are too few to tell/u);
  });

  it("that nobody can reach fails in words, and says how far it came", async () => {
    const set = await shipped();
    let asked = 0;
    const outcome = await trial(set, () => {
      asked += 1;
      return asked > 3 ? undefined : { feedback: "ok", score: 4 };
    });
    assert.ok(!outcome.ok);
    assert.match(outcome.failure.message, /after 3 of 28 items/u);
  });

  it("is asked nothing where a rubric is not there", async () => {
    const { set } = parseLabelledSet(
      "set.yaml",
      "- { question: q, answer: a, label: 4, rubric: helpfullness }\n",
    );
    assert.ok(set !== undefined);
    const outcome = await trial(set, () => ({ feedback: "ok", score: 4 }));
    assert.ok(!outcome.ok);
    assert.match(outcome.failure.message, /no rubric "helpfullness".*helpfulness/u);
    assert.equal(server?.chats.length, 0);
  });

  it("stops with the signal", async () => {
    const set = await shipped();
    const stop = new AbortController();
    server = await startScriptedOllama({ script: () => [text('{"feedback":"ok","score":4}')] });
    const model = createModels({ ollamaHost: server.host, requestTimeout: 20 }).model("scripted:latest");
    assert.ok("chat" in model);
    const settings = { contextLength: 8_192, keepAlive: "5m", samples: 1 };
    const outcome = await judgeTheJudge(
      {
        set,
        model,
        rubrics: BUILT_IN_RUBRICS,
        rubric: "helpfulness",
        settings,
        onProgress: () => stop.abort(),
      },
      stop.signal,
    );
    assert.ok(!outcome.ok && outcome.failure.code === "cancelled");
  });

  it("has a section in the report with kappa, flips, grades that are missing, and its grades beside the labels", async () => {
    const set = await shipped();
    const section = judgeSection(await tried(set, knowing(set)));
    for (const words of ["1.00 (1.00 to 1.00)", "0 of 6", "0 of 20", "set.yaml", "hostile"])
      assert.ok(section.includes(words), words);
  });
});
