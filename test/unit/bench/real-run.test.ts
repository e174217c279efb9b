import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { chosenQuestions, jobsOf, type Job, type Recall } from "../../../bench/real/main-job/plan.ts";
import { RecordFile, type AskedRecord } from "../../../bench/real/main-job/records.ts";
import { runJobs, type JobDeps, type JobsRun } from "../../../bench/real/main-job/run-jobs.ts";
import { success } from "../../../src/agent/failure.ts";
import { systemTimer } from "../../../src/agent/timer.ts";
import { DEFAULT_SETTINGS, settingsWith } from "../../../src/cli/settings/case-settings.ts";
import { inProcess } from "../../support/eval/in-process.ts";
import { scriptedServer } from "../../support/eval/scripted-server.ts";
import * as ollama from "../../support/ollama/index.ts";
import type { ChatBody, ReplySteps } from "../../support/ollama/index.ts";
import { cleanUp, later, never, temporaryFolder, valueOf } from "../memory/support.ts";
import { halfOf, SET_TEXT } from "./real-support.ts";

const DAY_MS = 86_400_000;

/** What the model answers, by the question. */
function reply({ messages }: ChatBody): ReplySteps {
  const question = messages.findLast(({ role }) => role === "user")?.content ?? "";
  const address = /http:\S+\/harbour\.html/u.exec(question)?.[0];
  if (address !== undefined && messages.at(-1)?.role !== "tool")
    return [ollama.toolCalls(ollama.call("web_fetch", { url: address })), ollama.done()];
  const answer =
    address !== undefined
      ? /[\d.]+ metres/u.exec(messages.at(-1)?.content ?? "")?.[0]
      : question.includes("2 et 3")
        ? "Cela fait cinq."
        : question.includes("Port")
          ? "Das weiß ich nicht."
          : question.includes("tide cache?")
            ? "In Redis."
            : "Noted.";
  return [...ollama.words(answer ?? "I can't read it."), ollama.done()];
}

interface Bed {
  readonly jobs: readonly Job[];
  readonly questions: () => readonly string[];
  readonly out: string;
  readonly run: (signal?: AbortSignal, part?: Partial<JobDeps>) => Promise<JobsRun>;
}

async function openBed(script: (body: ChatBody) => ReplySteps = reply, askMs = 30_000): Promise<Bed> {
  const out = await temporaryFolder("conclave-real-run-");
  const server = await ollama.startScriptedOllama({ script: ({ body }) => script(body) });
  later(() => server.close());
  const half = halfOf("first", SET_TEXT);
  const { questions } = chosenQuestions([half], { only: ["why", "port", "sum", "quay"], seed: 1 });
  const jobs = jobsOf([{ model: "scripted:latest", recall: "default" satisfies Recall }], questions, 1);
  const { memory, reader } = inProcess(scriptedServer());
  const settings = settingsWith(DEFAULT_SETTINGS, {
    "conclave.ollama.host": server.host,
    "conclave.model": "scripted:latest",
    "conclave.memory.extraction": "rules",
    "conclave.critic.mode": "off",
  });
  const product = { memory, reader, timer: systemTimer, tellMs: 30_000, patienceMs: 10_000, askMs };
  return {
    ...{ jobs, out },
    questions: () =>
      server.chats.map(({ messages }) => messages.findLast(({ role }) => role === "user")?.content ?? ""),
    run: async (signal = never, part = {}) =>
      runJobs(
        jobs,
        {
          product: { ...product, onProblem: (problem) => assert.fail(problem) },
          halves: [half],
          records: valueOf(await RecordFile.open(join(out, "main-job.json"))),
          tellSettings: () => Promise.resolve(success(settings)),
          askSettings: () => Promise.resolve(success(settings)),
          ...{ out, isFresh: false, commit: "c0ffee", say: () => undefined },
          ...part,
        },
        signal,
      ),
  };
}

function byQuestion({ records }: JobsRun): Readonly<Record<string, AskedRecord>> {
  return Object.fromEntries(records.map((record) => [record.question, record]));
}

describe("a run of the main job", () => {
  afterEach(cleanUp);

  it("tells what was said, asks every question over it, and keeps what came of each", async () => {
    const bed = await openBed();
    const ran = await bed.run();
    assert.equal(ran.failure, undefined);
    const { why, port, sum, quay } = byQuestion(ran);
    assert.deepEqual(why?.score.why, ["lacks /sqlite/", "has /redis/"]);
    assert.deepEqual(
      [port, sum, quay].map((one) => one?.score.right),
      [true, true, true],
    );
    assert.deepEqual([quay?.tools, quay?.modelCalls], [["web_fetch"], 2]);
    assert.deepEqual(quay?.ask, "How deep is the quay according to {{pages}}/harbour.html?");
    for (const { seconds, firstTextSeconds = Infinity, outputTokens, trace, ended } of ran.records) {
      assert.equal(ended, "answered");
      assert.ok(firstTextSeconds <= seconds && outputTokens > 0);
      assert.ok(existsSync(join(bed.out, trace ?? "none")));
    }
    const [told] = ran.told;
    assert.deepEqual(
      told?.said.map(({ id, stored }) => [id, stored]),
      [
        ["tide-cache", true],
        ["tea", true],
      ],
    );
  });

  it("lets what was told stand where it was told, days ago", async () => {
    const bed = await openBed();
    const ran = await bed.run();
    const [folder = ""] = readdirSync(join(bed.out, "main-job", "told"));
    const { data } = { data: join(bed.out, "main-job", "told", folder, "data") };
    const { memory } = inProcess(scriptedServer());
    const store = memory(data, DEFAULT_SETTINGS);
    const { rows } = valueOf(await store.list({ table: "episodes", offset: 0, limit: 10 }, never));
    await store.dispose();
    const days = rows.map(({ question, time }) => [
      question.slice(0, 6),
      Math.round(((ran.told[0]?.begun ?? 0) - time) / DAY_MS),
    ]);
    // Nothing that was asked is in it: questions are asked of copies.
    assert.deepEqual(days.sort(), [
      ["I like", 3],
      ["We dec", 21],
    ]);
  });

  it("that was stopped goes on where it was, and tells and asks nothing twice", async () => {
    const bed = await openBed();
    const stop = new AbortController();
    const first = await bed.run(stop.signal, {
      say: (line) => (line.startsWith("[2/4]") ? stop.abort() : undefined),
    });
    assert.equal(first.failure?.code, "cancelled");
    assert.deepEqual(
      first.records.map(({ question }) => question),
      ["why", "port"],
    );
    assert.equal(first.told[0]?.said.length, 2);
    const second = await bed.run();
    assert.equal(second.failure, undefined);
    assert.deepEqual(
      second.records.map(({ question }) => question),
      ["why", "port", "sum", "quay"],
    );
    const asked = bed.questions();
    assert.equal(asked.filter((text) => text.includes("We decided")).length, 1);
    assert.equal(asked.filter((text) => text.includes("Port läuft")).length, 1);
    const third = await bed.run();
    assert.equal(bed.questions().length, asked.length);
    assert.equal(third.records.length, 4);
  });

  it("that was stopped while it told goes on with what was not yet said", async () => {
    const bed = await openBed();
    const stop = new AbortController();
    const first = await bed.run(stop.signal, { say: () => stop.abort() });
    assert.deepEqual([first.failure?.code, first.told[0]?.said.length], ["cancelled", 1]);
    const second = await bed.run();
    assert.deepEqual(
      second.told[0]?.said.map(({ id }) => id),
      ["tide-cache", "tea"],
    );
    assert.equal(bed.questions().filter((text) => text.includes("We decided")).length, 1);
  });

  it("counts a question as late whose time is up, and goes on with the next", async () => {
    const slow = (body: ChatBody): ReplySteps => {
      const question = body.messages.findLast(({ role }) => role === "user")?.content ?? "";
      return question.includes("2 et 3") ? [ollama.wait(new Promise(() => undefined))] : reply(body);
    };
    const bed = await openBed(slow, 500);
    const { sum, quay } = byQuestion(await bed.run());
    assert.deepEqual([sum?.ended, sum?.score.right, quay?.score.right], ["late", false, true]);
  });

  it("breaks off where nobody answers, and says why", async () => {
    const bed = await openBed();
    const settings = settingsWith(DEFAULT_SETTINGS, {
      "conclave.ollama.host": "http://127.0.0.1:9",
      "conclave.model": "scripted:latest",
    });
    const ran = await bed.run(never, { tellSettings: () => Promise.resolve(success(settings)) });
    assert.equal(ran.failure?.code, "server_unreachable");
    assert.deepEqual(ran.records, []);
  });
});
