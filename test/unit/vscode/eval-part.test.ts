import assert from "node:assert/strict";
import { mkdir, mkdtemp, realpath, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Failure } from "../../../src/agent/failure.ts";
import type { EvalReport } from "../../../src/trace/eval/report.ts";
import type { EvalHostMessage } from "../../../src/trace/panel-eval.ts";
import type { PanelMessage } from "../../../src/trace/panel-protocol.ts";
import { parsePanelMessage } from "../../../src/trace/panel-protocol.ts";
import { EvalPart } from "../../../src/vscode/panel/eval-part.ts";
import { evalReport, evalRun } from "../trace/support/eval-report.ts";

const MAX_BYTES = 256 * 1024;

/** The part on a folder of its own, with reports in it. */
class Bed {
  readonly posted: EvalHostMessage[] = [];
  readonly said: Failure[] = [];
  readonly shown: string[] = [];
  chosen: string | undefined;
  readonly part: EvalPart;
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
    this.part = new EvalPart({
      evals: {
        folder,
        choose: () => Promise.resolve(this.chosen),
        showTrace: (path) => {
          this.shown.push(path);
          return Promise.resolve();
        },
      },
      post: (message) => {
        assert.ok(Buffer.byteLength(JSON.stringify(message)) <= MAX_BYTES, `${message.type} is too large`);
        this.posted.push(message);
      },
      notice: (problem) => this.said.push(problem),
    });
  }

  async write(name: string, report: EvalReport | string, day = 1): Promise<string> {
    const place = join(this.folder, name);
    await mkdir(join(place, "traces"), { recursive: true });
    const path = join(place, "report.json");
    await writeFile(path, typeof report === "string" ? report : JSON.stringify(report));
    await utimes(path, day * 86_400, day * 86_400);
    return path;
  }

  /** Sends a message as the panel does: checked. */
  async ask(message: PanelMessage): Promise<EvalHostMessage | undefined> {
    assert.ok(parsePanelMessage(message), "the panel may say it");
    const before = this.posted.length;
    await this.part.receive(message);
    return this.posted[before];
  }

  async open(id: string | null): Promise<Extract<EvalHostMessage, { type: "eval.report" }>> {
    const answer = await this.ask({ type: "eval.open", request: 1, report: id });
    assert.ok(answer?.type === "eval.report");
    return answer;
  }
}

describe("reports of evaluations in the panel", () => {
  let folder = "";
  let bed: Bed;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "conclave-evals-"));
    bed = new Bed(folder);
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("are listed newest first with how they came out; what is no report is passed over", async () => {
    await bed.write("older", evalReport({ model: "llama3.2:3b" }), 1);
    await bed.write("newer", evalReport(), 2);
    await bed.write("broken", '{"schema":', 3);
    await bed.write("other", JSON.stringify({ schema: "conclave-eval/99" }), 3);
    await mkdir(join(folder, "empty"));
    const answer = await bed.ask({ type: "eval.list", request: 7 });
    assert.ok(answer?.type === "eval.list");
    assert.deepEqual(
      answer.reports.map(({ id, model, passed, runs }) => [id, model, passed, runs]),
      [
        ["newer", "qwen3:8b", 26, 28],
        ["older", "llama3.2:3b", 26, 28],
      ],
    );
  });

  it("are listed as none where the folder is not there", async () => {
    const none = new Bed(join(folder, "nowhere"));
    assert.deepEqual(await none.ask({ type: "eval.list", request: 1 }), {
      ...{ type: "eval.list", request: 1, reports: [] },
    });
  });

  it("are shown whole, with their runs page by page, and only those that failed on request", async () => {
    const runs = Array.from({ length: 250 }, (_, at) =>
      evalRun({ case: `case ${at}`, outcome: at % 10 === 0 ? "failed" : "passed" }),
    );
    await bed.write("one", evalReport({ runs }));
    const { view } = await bed.open("one");
    assert.deepEqual([view?.runs, view?.failures, view?.comparisons.length], [250, 25, 2]);
    const page = async (from: number, failed: boolean) => {
      const answer = await bed.ask({ type: "eval.runs", request: 2, report: "one", from, failed });
      assert.ok(answer?.type === "eval.runs");
      return answer;
    };
    const last = await page(200, false);
    assert.deepEqual([last.total, last.rows.length, last.rows[0]?.case], [250, 50, "case 200"]);
    const failed = await page(0, true);
    assert.deepEqual([failed.total, failed.rows[1]?.case], [25, "case 10"]);
  });

  it("say what did not hold, and what kept a run from being made", async () => {
    await bed.write("one", evalReport());
    await bed.open("one");
    const answer = await bed.ask({ type: "eval.runs", request: 2, report: "one", from: 0, failed: true });
    assert.ok(answer?.type === "eval.runs");
    assert.deepEqual(
      answer.rows.map(({ why }) => why),
      ["answer contains: “black” is wanted, “with milk” was said", "The server gave no answer.", ""],
    );
  });

  it("stay within what is posted, however long their texts and lists are", async () => {
    const long = "x".repeat(90_000);
    const names = Array.from({ length: 2_000 }, (_, at) => `case ${at} ${"y".repeat(200)}`);
    const [comparison] = evalReport().comparisons;
    assert.ok(comparison);
    const checks = [{ name: "answer contains", passed: false, reason: long }];
    await bed.write(
      "one",
      evalReport({
        runs: Array.from({ length: 300 }, () => evalRun({ outcome: "failed", checks })),
        comparisons: Array.from({ length: 20 }, () => ({
          ...comparison,
          ...{ onlyWith: names, onlyWithout: names, verdict: long },
        })),
        notes: Array.from({ length: 100 }, () => long),
      }),
    );
    const { view } = await bed.open("one");
    assert.ok(view && view.comparisons.length >= 2);
    await bed.ask({ type: "eval.runs", request: 2, report: "one", from: 0, failed: false });
  });

  it("may be any file that the user chooses, and none where the user backs out", async () => {
    assert.deepEqual(await bed.open(null), { type: "eval.report", request: 1 });
    bed.chosen = await bed.write("elsewhere", evalReport({ model: "phi4" }));
    const { id, view } = await bed.open(null);
    assert.equal(view?.model, "phi4");
    assert.equal((await bed.open(id ?? "")).view?.model, "phi4", "it can be opened again by its id");
    bed.chosen = await bed.write("hostile", '{"schema":"conclave-eval/1","runs":"all of them"}');
    assert.match((await bed.open(null)).problem ?? "", /no report of an evaluation/);
  });

  it("are never read from a place that the panel names", async () => {
    await bed.write("one", evalReport());
    for (const id of ["../one", "..", ".", join(folder, "one"), "one/../one"]) {
      const { view } = await bed.open(id);
      assert.equal(view, undefined, id);
    }
  });

  it("lead to the traces beside them, and to no other file", async () => {
    const secret = join(folder, "secret.jsonl");
    await writeFile(secret, "{}");
    const way = (trace: string) => evalRun({ traces: [trace] });
    const runs = [
      way("traces/a.jsonl"),
      way("../secret.jsonl"),
      way(secret),
      way("traces/link.jsonl"),
      way("gone"),
    ];
    const path = await bed.write("one", evalReport({ runs }));
    await writeFile(join(folder, "one", "traces", "a.jsonl"), "{}");
    await symlink(secret, join(folder, "one", "traces", "link.jsonl"));
    await bed.open("one");
    for (const at of runs.keys()) await bed.ask({ type: "eval.trace", report: "one", at, failed: false });
    assert.deepEqual(bed.shown, [await realpath(join(path, "..", "traces", "a.jsonl"))]);
    assert.equal(bed.said.length, 4, "the others are said not to be there");
  });
});
