import assert from "node:assert/strict";
import { resolve } from "node:path";
import { findModels, type ModelWish, type RealScripts } from "../../../bench/real/model-source.ts";
import { readMainJobWish } from "../../../bench/real/main-job/options.ts";
import { MAIN_JOB } from "../../../bench/real/parts/main-job.ts";
import { cleanUp, never, temporaryFolder, valueOf } from "../memory/support.ts";

const ROOT = resolve(import.meta.dirname, "../../..");

/** Scripts of a machine; `part` replaces what matters to the test. */
function scripts(part: Partial<RealScripts> = {}): RealScripts {
  const chatModels = { native: "big", text: "big-text" };
  return {
    prepareRealModels: () => Promise.resolve({ capable: { chatModels }, embedderDir: "/e", skipped: [] }),
    startRealOllama: () => Promise.resolve({ host: "http://127.0.0.1:1", stop: () => Promise.resolve() }),
    ensureEmbedder: () => Promise.reject(new Error("no network")),
    ...part,
  };
}

const NOTHING = scripts({
  prepareRealModels: () => Promise.resolve({ skipped: ["the chat models: no network."] }),
});

const wish = (part: Partial<ModelWish> = {}): ModelWish => ({ models: [], log: () => undefined, ...part });

function messageOf(found: Awaited<ReturnType<typeof findModels>>): string {
  assert.ok(!found.ok);
  return found.failure.message;
}

describe("the models of a run with real models", () => {
  afterEach(cleanUp);

  it("are all that the machine has, or those that are named", async () => {
    const all = valueOf(await findModels(wish(), scripts()));
    assert.deepEqual("models" in all && [all.models, all.embedderFolder], [["big", "big-text"], "/e"]);
    const one = valueOf(await findModels(wish({ models: ["big-text"] }), scripts()));
    assert.deepEqual("models" in one && one.models, ["big-text"]);
    const other = await findModels(wish({ models: ["small"] }), scripts());
    assert.equal(messageOf(other), "There is no model small here; there are big and big-text.");
  });

  it("of another server must be named, and need nothing of this machine", async () => {
    const host = "http://elsewhere:11434";
    assert.match(messageOf(await findModels(wish({ host }), NOTHING)), /--model NAME/u);
    const found = valueOf(await findModels(wish({ host, models: ["theirs"] }), NOTHING));
    assert.ok("models" in found);
    assert.deepEqual([found.host, found.models, found.embedderFolder], [host, ["theirs"], undefined]);
  });

  it("that can't be had are said in one sentence, and the run is no failure", async () => {
    const out: string[] = [];
    const terminal = {
      out: (text: string) => void out.push(text),
      err: (text: string) => assert.fail(text),
      env: {},
      cwd: ROOT,
    };
    const bench = { terminal, root: ROOT, scripts: NOTHING, signal: never };
    const code = await MAIN_JOB.run(["--out", await temporaryFolder()], bench);
    assert.equal(code, 0);
    assert.deepEqual(out, ["The real models can't be had here: the chat models: no network.\n"]);
  });

  it("on a server that does not start are a failure with its words", async () => {
    const broken = scripts({ startRealOllama: () => Promise.reject(new Error("no port")) });
    assert.match(messageOf(await findModels(wish(), broken)), /can't be started: no port\./u);
  });
});

describe("the options of the main job", () => {
  const read = (...args: readonly string[]) => readMainJobWish(args, { cwd: ROOT, root: ROOT });

  it("left out are the first half, all models, and the folder out/eval-real", () => {
    const wished = valueOf(read());
    assert.ok(wished !== "help");
    assert.deepEqual(wished, {
      ...{ models: [], recalls: [], halves: ["first"], settings: [], tellSettings: [], isFresh: false },
      choice: { only: [], seed: 1 },
      from: resolve(ROOT, "test/eval/main-job"),
      out: resolve(ROOT, "out/eval-real"),
    });
  });

  it("that can't be used are refused in a sentence", () => {
    for (const [args, why] of [
      [["--recall", "never"], /--recall takes model, first, auto, and not "never"/u],
      [["--half", "third"], /--half takes first, second, both/u],
      [["--sample", "0"], /--sample must be a whole number/u],
      [["--modle", "x"], /do you mean --model\?/u],
      [["why"], /nothing to be done with "why"/u],
    ] as const) {
      const wished = read(...args);
      assert.ok(!wished.ok && why.test(wished.failure.message), args.join(" "));
    }
  });
});
