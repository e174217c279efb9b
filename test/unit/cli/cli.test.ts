import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { readReport } from "../../../src/trace/eval/report.ts";
import * as ollama from "../../support/ollama/index.ts";
import type { ScriptedOllama } from "../../support/ollama/index.ts";
import { bundledCli, removeBundledCli } from "./bundle.ts";
import { cleanUp, folderWith } from "./support.ts";

/** What a command said and how it ended. */
interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A command that runs. */
interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Settles once standard output, or standard error, holds this. */
  readonly says: (text: string) => Promise<void>;
}

describe("conclave on the command line", () => {
  let server: ScriptedOllama;
  let cli: string;
  let folder: string;
  const running = new Set<ChildProcess>();

  before(async () => {
    cli = await bundledCli();
  });
  after(removeBundledCli);
  beforeEach(async () => {
    server = await ollama.startScriptedOllama();
    folder = await folderWith();
  });
  afterEach(async () => {
    for (const child of running) child.kill("SIGKILL");
    running.clear();
    await server.close();
    await cleanUp();
  });

  /** Starts a command in a folder and an environment of its own. */
  function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Running {
    const child = spawn(process.execPath, [cli, ...args], {
      cwd: folder,
      env: {
        PATH: process.env["PATH"],
        HOME: folder,
        OLLAMA_HOST: server.host,
        CONCLAVE_DATA: join(folder, "data"),
        ...env,
      },
      stdio: ["pipe", "pipe", "pipe"],
    });
    running.add(child);
    const said = { out: "", err: "" };
    const listeners = new Set<() => void>();
    const hear = (name: "out" | "err") => (chunk: Buffer) => {
      said[name] += chunk.toString("utf8");
      for (const listener of listeners) listener();
    };
    child.stdout.on("data", hear("out"));
    child.stderr.on("data", hear("err"));
    child.stdin.end();
    const ended = new Promise<Ended>((resolve) => {
      child.once("close", (code) => {
        running.delete(child);
        resolve({ code, ...said });
      });
    });
    const says = (text: string): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (said.out.includes(text) || said.err.includes(text)) resolve();
        };
        listeners.add(look);
        look();
      });
    return { child, ended, says };
  }

  const run = (...args: readonly string[]): Promise<Ended> => start(args).ended;
  const MODEL = ["--model", "scripted:latest", "--set", "memory.embedder.provider=none"];

  describe("ask", () => {
    it("prints the answer on standard output, thinking and tools on standard error, and ends with 0", async () => {
      server.enqueue(
        [...ollama.thinkingWords("I look it up."), ollama.toolCall("search_memory", { query: "coffee" })],
        ollama.words("With oat milk."),
      );
      const { code, out, err } = await run(
        "ask",
        "How do I like my coffee?",
        ...MODEL,
        "--set",
        "memory.extraction=rules",
      );
      assert.equal(out, "With oat milk.\n");
      assert.match(err, /I look it up\.\n> search_memory \{"query":"coffee"\}\n< /u);
      assert.equal(code, 0);
    });

    it("prints the answer while it is written", async () => {
      const gate = ollama.gate();
      server.enqueue([ollama.text("First words"), ollama.wait(gate), ollama.text(", then the rest.")]);
      const { ended, says } = start(["ask", "What?", ...MODEL, "--no-memory"]);
      await says("First words");
      gate.open();
      assert.equal((await ended).out, "First words, then the rest.\n");
    });

    it("gives all there is to know as one JSON object", async () => {
      server.enqueue([...ollama.thinkingWords("Easy."), ...ollama.words("Paris.")]);
      const { out, code } = await run(
        "ask",
        "The capital of France?",
        ...MODEL,
        "--json",
        "--no-memory",
        "-q",
      );
      const turn = JSON.parse(out) as Record<string, unknown>;
      assert.equal(code, 0);
      assert.deepEqual(
        [turn["outcome"], turn["answer"], turn["thinking"], turn["tools"], turn["steps"], turn["model"]],
        ["answered", "Paris.", "Easy.", [], 1, "scripted:latest"],
      );
    });

    it("goes on with a session, remembers it, and writes its trace where that is wanted", async () => {
      server.enqueue(ollama.words("Hello."), ollama.words("Again."));
      const first = await run("ask", "Hi!", ...MODEL, "--json", "--set", "memory.extraction=rules");
      const { sessionId } = JSON.parse(first.out) as { sessionId: string };
      const trace = join(folder, "not", "yet", "there", "talk.conclave");
      const second = await run(
        "ask",
        "And?",
        ...MODEL,
        "--session",
        sessionId,
        "--log",
        trace,
        "--no-memory",
      );
      assert.equal(second.out, "Again.\n");
      const lines = (await readFile(trace, "utf8")).trim().split("\n");
      assert.equal(lines.filter((line) => line.includes('"turn.end"')).length, 2);
      assert.ok(server.chats.at(-1)?.messages.some(({ content }) => content === "Hello."));
      assert.ok((await stat(join(folder, "data", "memory"))).isDirectory());
    });

    it("keeps nothing of a private question", async () => {
      server.enqueue(ollama.words("Hush."));
      const { code } = await run("ask", "A secret?", ...MODEL, "--private", "--no-memory");
      assert.equal(code, 0);
      const kept = await readdir(join(folder, "data"), { recursive: true }).catch(() => []);
      assert.deepEqual(
        kept.filter((name) => name.endsWith(".jsonl")),
        [],
      );
    });

    it("lets a committee answer, and prints only its synthesis as the answer", async () => {
      server = await replaced(server, { script: () => ollama.words("It is safe.") });
      const { out, err, code } = await run(
        ...["ask", "Is it safe?", ...MODEL, "--committee", "blind", "--no-memory"],
        ...["--set", 'committee.personas=["Skeptic","Pragmatist"]', "--set", "committee.agreement=off"],
      );
      assert.equal(code, 0, err);
      assert.equal(out, "It is safe.\n");
      assert.match(err, /Skeptic \(scripted:latest\)/u);
    });

    it("stops on Ctrl-C within a moment, and says so by its code", async () => {
      server.enqueue([ollama.text("Half an"), ollama.wait(new Promise(() => undefined))]);
      const { child, ended, says } = start(["ask", "What?", ...MODEL, "--no-memory"]);
      await says("Half an");
      child.kill("SIGINT");
      const { code, out } = await ended;
      assert.equal(code, 130);
      assert.match(out, /^Half an/u);
    });

    it("ends without a word where whoever read the answer has gone, as `head` does", async () => {
      const gate = ollama.gate();
      server.enqueue([ollama.text("One line\n"), ollama.wait(gate), ollama.text("Another line\n")]);
      const { child, ended, says } = start(["ask", "What?", ...MODEL, "--no-memory", "--quiet"]);
      await says("One line");
      child.stdout?.destroy();
      gate.open();
      const { code, err } = await ended;
      assert.deepEqual([code, err], [141, ""]);
    });

    it("ends with 1 and a sentence where there is no answer", async () => {
      const { code, out, err } = await run("ask", "What?", "--model", "nobody:7b", "--no-memory");
      assert.deepEqual([code, out], [1, ""]);
      assert.match(err, /nobody:7b/u);
    });
  });

  it("ends with 2 for what it can't use, with one sentence", async () => {
    const { code, out, err } = await run("ask", "What?", "--modle", "x");
    assert.deepEqual([code, out, err], [2, "", "There is no option --modle; do you mean --model?\n"]);
  });

  it("says what it takes", async () => {
    for (const args of [["--help"], ["ask", "--help"], ["eval", "--help"]]) {
      const { code, out, err } = await run(...args);
      assert.deepEqual([code, err], [0, ""]);
      assert.match(out, /conclave/u);
    }
    assert.equal((await run("--version")).out, "9.9.9\n");
  });

  describe("eval", () => {
    const CASE = "name: capital\nquestion: The capital of France?\nexpect: { answer: Paris }\n";
    const EVAL = [
      "--live",
      "scripted:latest",
      "--set",
      "memory.embedder.provider=none",
      "--set",
      "memory.extraction=rules",
    ];

    it("runs the cases of the folder at hand on a model that is there, and writes the report", async () => {
      folder = await folderWith({
        ".conclave/evals/a.yaml": CASE,
        ".conclave/evals/b/c.yaml": CASE.replace("capital\n", "other\n").replace("Paris }", "Rome }"),
      });
      server = await replaced(server, { script: () => ollama.words("It is Paris.") });
      const { code, out, err } = await run("eval", ...EVAL, "--report", "out");
      assert.equal(code, 1, err);
      assert.match(out, /^1 of 2 runs passed\.\n/u);
      const report = readReport(await readFile(join(folder, "out", "report.json"), "utf8"));
      assert.deepEqual(
        report?.runs.map((one) => [one.file, one.outcome]),
        [
          [".conclave/evals/a.yaml", "passed"],
          [".conclave/evals/b/c.yaml", "failed"],
        ],
      );
      assert.deepEqual(report.server, { kind: "live", host: server.host, version: "0.17.4" });
      assert.deepEqual((await readdir(join(folder, "out"))).sort(), [
        "report.json",
        "report.md",
        "report.xml",
        "traces",
      ]);
      assert.equal((await readdir(join(folder, "out", "traces"))).length, 2);
    });

    it("only reads the cases where that is wanted", async () => {
      folder = await folderWith({ "a.yaml": CASE });
      const { code, err } = await run("eval", "a.yaml", "--check");
      assert.deepEqual([code, err], [0, "1 case can be run.\n"]);
      assert.equal(server.chats.length, 0);
    });

    it("stops on Ctrl-C, and still reports what was run", async () => {
      folder = await folderWith({ "a.yaml": CASE, "b.yaml": CASE.replace("capital\n", "other\n") });
      let asked = 0;
      const hang = (): ollama.ReplySteps => [ollama.wait(new Promise(() => undefined))];
      server = await replaced(server, { script: () => (++asked > 1 ? hang() : ollama.words("Paris.")) });
      const { child, ended } = start(["eval", "a.yaml", "b.yaml", ...EVAL, "--format", "json"]);
      await server.received(2);
      child.kill("SIGINT");
      const { code, out } = await ended;
      assert.equal(code, 130);
      const report = readReport(out);
      assert.equal(report?.outcome, "cancelled");
      assert.deepEqual(
        report.runs.map(({ outcome }) => outcome),
        ["passed", "cancelled"],
      );
    });
  });
});

/** Another server in place of one. */
async function replaced(
  server: ScriptedOllama,
  options: ollama.ScriptedOllamaOptions,
): Promise<ScriptedOllama> {
  await server.close();
  return await ollama.startScriptedOllama(options);
}
