import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { chosenQuestions, jobsOf, type ReadHalf } from "../../../bench/real/main-job/plan.ts";
import { parseQuestions, readQuestions } from "../../../bench/real/main-job/read-set.ts";
import { halfOf, SET_TEXT } from "./real-support.ts";

const SETS = resolve(import.meta.dirname, "../../eval/main-job");

function faults(text: string): readonly string[] {
  const { set, problems } = parseQuestions("set.yaml", text);
  assert.equal(set, undefined);
  return problems.map(({ line, message }) => `${line}: ${message}`);
}

describe("the questions of the main job", () => {
  it("in the repository have nothing wrong with them", async () => {
    const { set, problems } = await readQuestions(join(SETS, "first.yaml"));
    assert.deepEqual(problems, []);
    assert.ok(set !== undefined && set.questions.length >= 20);
  });

  it("are read with what is left out filled in", () => {
    const { set, problems } = parseQuestions("set.yaml", SET_TEXT);
    assert.deepEqual(problems, []);
    const [why, , sum] = set?.questions ?? [];
    assert.deepEqual(why?.evidence, ["tide-cache"]);
    assert.deepEqual(
      why.expect.all.map(({ source, regex }) => [source, regex?.flags]),
      [["sqlite", "iu"]],
    );
    assert.deepEqual([sum?.evidence, sum?.expect.none, sum?.expect.refuses], [[], [], false]);
    assert.equal(set?.sessions[0]?.days_ago, 21);
    assert.deepEqual(Object.keys(set.pages), ["/harbour.html"]);
  });

  it("with a wrong field are told where it stands and what it must be", () => {
    const told = faults(SET_TEXT.replace("kind: reason", "kind: resaon").replace("[sqlite]", '["sqlite("]'));
    assert.match(told[0] ?? "", /^\d+: `questions\.0\.kind` must be one of decision, reason/u);
    assert.match(told[1] ?? "", /^\d+: `questions\.0\.expect\.all\.0` is no regular expression/u);
    const line = 1 + SET_TEXT.split("\n").findIndex((row) => row.includes("kind: reason"));
    assert.ok(told[0]?.startsWith(`${line}: `));
  });

  it("with an unknown field are told which one was probably meant", () => {
    assert.match(faults(SET_TEXT.replace("evidence:", "evidense:"))[0] ?? "", /do you mean `evidence`\?$/u);
  });

  it("that rest on what nobody says are refused", () => {
    assert.match(
      faults(SET_TEXT.replace("evidence: [tide-cache]", "evidence: [tide-cash]"))[0] ?? "",
      /`questions\.0\.evidence\.0` must be something that is said, not `tide-cash`\./u,
    );
  });

  it("can't have an id twice, and conversations stand oldest first", () => {
    assert.match(faults(SET_TEXT.replace("id: sum", "id: Why"))[0] ?? "", /`questions\.2\.id` is taken/u);
    assert.match(faults(SET_TEXT.replace("days_ago: 3", "days_ago: 30"))[0] ?? "", /oldest stands first/u);
  });

  it("of each kind must say what a right answer to that kind is", () => {
    const broken = SET_TEXT.replace("refuses: true", "all: [x]").replace("{{pages}}", "http://example.org");
    const told = faults(broken).join("\n");
    assert.match(told, /`questions\.1\.expect` must have `refuses: true`/u);
    assert.match(told, /`questions\.3\.ask` must name a page/u);
    assert.match(
      faults(SET_TEXT.replace("all: [sqlite]", "refuses: true"))[0] ?? "",
      /must not have `refuses`/u,
    );
  });

  it("whose file is not there are told so", async () => {
    const { problems } = await readQuestions(join(SETS, "none.yaml"), "none.yaml");
    assert.match(problems[0]?.message ?? "", /can't be read/u);
  });
});

describe("a sample of the main job's questions", () => {
  const halves: readonly ReadHalf[] = [halfOf("first", SET_TEXT)];
  const ids = (sample: number | undefined, seed: number, only: readonly string[] = []) =>
    chosenQuestions(halves, { only, seed, ...(sample !== undefined && { sample }) }).questions.map(
      ({ question }) => question.id,
    );

  it("has as many kinds as can be, and is the same for the same seed", () => {
    for (const seed of [1, 2, 3, 4]) {
      const taken = ids(4, seed);
      assert.deepEqual(taken, ids(4, seed));
      assert.deepEqual(taken.length, 4);
      assert.deepEqual(new Set(taken.map((id) => id.replace(/-two$/u, ""))).size, 4, taken.join());
    }
  });

  it("is all of them, in their order, where more are wished for than there are", () => {
    assert.deepEqual(ids(99, 1), ["why", "port", "sum", "quay", "why-two"]);
  });

  it("holds only what is named, and names are said that no question has", () => {
    assert.deepEqual(ids(undefined, 1, ["sum"]), ["sum"]);
    assert.deepEqual(chosenQuestions(halves, { only: ["sun"], seed: 1 }).strays, ["sun"]);
  });

  it("is asked of one model after the other", () => {
    const { questions } = chosenQuestions(halves, { only: ["why", "sum"], seed: 1 });
    const rows = [
      { model: "a", recall: "auto" },
      { model: "b", recall: "auto" },
      { model: "a", recall: "model" },
    ] as const;
    assert.deepEqual(
      jobsOf(rows, questions, 7).map(({ model, recall, question }) => `${model} ${recall} ${question.id}`),
      ["a auto why", "a auto sum", "a model why", "a model sum", "b auto why", "b auto sum"],
    );
  });
});
