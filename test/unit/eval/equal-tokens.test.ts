import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseCase, readCase } from "../../../src/cli/eval/case/file.ts";
import type { EvalCase } from "../../../src/cli/eval/case/types.ts";
import { isForEqualTokens, rightBy, runEqualTokens, samplesFor } from "../../../src/cli/eval/equal-tokens.ts";
import { equalTokensReport } from "../../../src/cli/eval/equal-tokens-report.ts";
import { committeeSection } from "../../../src/cli/report/sections.ts";
import { EVAL_REPORT, type EvalCommittee } from "../../../src/trace/eval/report.ts";
import { inProcess } from "../../support/eval/in-process.ts";
import { scriptedServer } from "../../support/eval/scripted-server.ts";

const FOLDER = fileURLToPath(new URL("../../eval/cases", import.meta.url));

async function load(file: string): Promise<EvalCase> {
  const parsed = await readCase(join(FOLDER, file), file);
  assert.ok(parsed.case !== undefined);
  return parsed.case;
}

async function compare(files: readonly string[]) {
  const cases = await Promise.all(files.map(load));
  const plan = { cases, repeats: 1, seed: 1 };
  const outcome = await runEqualTokens(plan, inProcess(scriptedServer()), new AbortController().signal);
  assert.deepEqual(EVAL_REPORT.unwrap().shape.committee.safeParse(outcome.committee).error, undefined);
  return outcome;
}

function row({ rows }: EvalCommittee, name: string) {
  const found = rows.find((one) => one.name === name);
  assert.ok(found !== undefined, name);
  return found;
}

describe("a committee at equal tokens", () => {
  it("stands beside a single answer and as many samples as its tokens buy", async () => {
    const { runs, committee } = await compare(["committee-wrong-majority.yaml"]);
    assert.deepEqual(
      runs.map(({ configuration }) => configuration),
      ["as-written", "single", "self-consistency"],
    );
    // The committee takes 7,710 tokens, a single answer 710: ten samples, two of them right.
    assert.match(row(committee, "self-consistency").note ?? "", /^10 samples/u);
    const spent = (name: string) => row(committee, name).inputTokens + row(committee, name).outputTokens;
    assert.ok(spent("self-consistency") <= spent("blind"));
    assert.ok(spent("self-consistency") > 0.9 * spent("blind"));
    assert.deepEqual(
      ["blind", "self-consistency", "single"].map((name) => row(committee, name).right),
      [1, 0, 0],
    );
  });

  it("tells from the traces who was talked into the right and who out of it, and who gave in to a majority", async () => {
    const convinced = (await compare(["committee-wrong-majority.yaml"])).committee;
    assert.deepEqual(convinced.flips, { toRight: 1, toWrong: 0, changed: 1, of: 3 });
    assert.deepEqual([convinced.conformity.yielded, convinced.conformity.of], [0, 1]);
    const yielding = (await compare(["committee-conforms.yaml"])).committee;
    assert.deepEqual(yielding.flips, { toRight: 0, toWrong: 1, changed: 1, of: 3 });
    assert.deepEqual([yielding.conformity.yielded, yielding.conformity.of], [1, 1]);
  });

  it("says whether the sum beat the best single answer and the majority, and that so few cases tell nothing", async () => {
    const { committee } = await compare(["committee-agree.yaml", "committee-conforms.yaml"]);
    assert.deepEqual(committee.synthesis, { better: 1, worse: 0, same: 1 });
    assert.equal(row(committee, "majority").right, 1);
    assert.equal(row(committee, "any member").right, 1);
    assert.match(
      committee.verdict,
      /^Too few cases come out differently to tell the committee from self-consistency/u,
    );
    const section = committeeSection(committee);
    for (const words of ["self-consistency", "best single answer", "right to wrong 1", "1 of 1 members"])
      assert.ok(section.includes(words), words);
  });

  it("compares nothing where no case has a committee and says what is right", async () => {
    const { case: silent } = await parseCase("x.yaml", "name: x\nquestion: q\ncommittee: blind\n");
    const { case: alone } = await parseCase(
      "y.yaml",
      "name: y\nquestion: q\nexpect: { answer: yes it is }\n",
    );
    assert.ok(silent !== undefined && alone !== undefined);
    assert.deepEqual([isForEqualTokens(silent), isForEqualTokens(alone)], [false, false]);
    const { case: own } = await parseCase(
      "z.yaml",
      "name: z\nquestion: q\ncommittee: blind\nconfigurations: as-written\nexpect: { answer: another view }\n",
    );
    assert.equal(own && isForEqualTokens(own), false);
    const blind = { name: "blind", base: "blind", switches: {} } as const;
    assert.equal(isForEqualTokens(alone, blind), true);
    assert.match(equalTokensReport([]).verdict, /nothing was compared/u);
  });

  it("takes for right what the case takes for right", async () => {
    const { case: one } = await parseCase(
      "x.yaml",
      "name: x\nquestion: q\nexpect: { answer: { contains: [Oban, /ferry/i], not_contains: Mallaig } }\n",
    );
    const isRight = one?.dialogue[0] && rightBy(one.dialogue[0]);
    assert.ok(isRight !== undefined);
    assert.deepEqual(
      ["The Ferry leaves from Oban.", "From Oban.", "The ferry leaves from Oban, not Mallaig."].map(isRight),
      [true, false, false],
    );
  });

  it("asks for two samples at least, and for no more than can be asked for", () => {
    assert.deepEqual(
      [samplesFor(1_000, 800), samplesFor(4_000, 1_000), samplesFor(1_000_000, 10), samplesFor(100, 0)],
      [2, 4, 25, 2],
    );
  });

  it("stops with the signal, and reports what it has", async () => {
    const cases = [await load("committee-agree.yaml"), await load("committee-conforms.yaml")];
    const stop = new AbortController();
    const deps = { ...inProcess(scriptedServer()), onRun: () => stop.abort() };
    const { runs, committee } = await runEqualTokens({ cases, repeats: 2, seed: 1 }, deps, stop.signal);
    assert.equal(runs[0]?.outcome, "passed");
    assert.ok(runs.slice(1).every(({ outcome }) => outcome === "cancelled"));
    assert.deepEqual(committee.rows, []);
  });
});
