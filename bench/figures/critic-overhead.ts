import { BUILT_IN_RUBRICS } from "../../src/agent/critic/built-in.ts";
import { createJudge } from "../../src/agent/critic/judge.ts";
import type { GradeRequest, JudgeDeps } from "../../src/agent/critic/types.ts";
import { createGate } from "../../src/agent/gate.ts";
import { success } from "../../src/agent/failure.ts";
import type { ChatModel } from "../../src/agent/models/types.ts";
import { median, quartiles, type Figure, type Measured } from "../frame.ts";

/** Grades a round: one by itself is too short to be measured. */
const GRADES = 50;
const ROUNDS = 40;
const WARM_UP = 10;
/** Longer than most answers and what they rest on, in characters. */
const ANSWER = 6_000;
const SOURCES = 24_000;

const REPLIES = {
  constrained: JSON.stringify({
    feedback: "It names the ferry, and where it goes from. ".repeat(8),
    score: 4,
  }),
  prometheus: `Feedback: ${"It names the ferry, and where it goes from. ".repeat(20)}[RESULT] 4`,
};

/** A judge that says the same at once, so that what is measured is the code around it. */
function atOnce(name: string, text: string): ChatModel {
  return {
    provider: "bench",
    name,
    describe: () => Promise.resolve(success({ name, capabilities: ["completion"], contextLength: 32_768 })),
    chat: async function* () {
      // As a server streams it: some words at a time.
      for (let from = 0; from < text.length; from += 40)
        yield await Promise.resolve({ type: "content", text: text.slice(from, from + 40) } as const);
      const usage = { inputTokens: 9_000, outputTokens: 120 };
      yield { type: "end", finishReason: "stop", usage, model: name } as const;
    },
  };
}

/** Milliseconds of the processor for each of some grades. */
async function perGrade(deps: JudgeDeps, request: GradeRequest): Promise<number> {
  const judge = createJudge();
  const { signal } = new AbortController();
  const before = process.cpuUsage();
  for (let count = 0; count < GRADES; count += 1) {
    const graded = await judge.grade(request, deps, signal);
    if (!graded.ok || graded.value.score !== 4) throw new Error("a grade was not read");
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / GRADES;
}

async function measure(): Promise<Measured> {
  const [rubric] = BUILT_IN_RUBRICS;
  if (rubric === undefined) throw new Error("there is no rubric");
  const text = (length: number): string =>
    "Take the ferry from Oban: it goes twice a day, höchstens. ".repeat(length / 58);
  const request = {
    question: "How do we get to Mull?",
    answer: text(ANSWER),
    sources: text(SOURCES),
    rubric,
  };
  const deps = (name: string, reply: string): JudgeDeps => ({
    model: atOnce(name, reply),
    gate: createGate(1),
    runner: { contextLength: 32_768, keepAlive: "30m" },
    now: () => performance.now(),
    samples: 1,
  });
  const any = deps("any-model", REPLIES.constrained);
  const prometheus = deps("prometheus", REPLIES.prometheus);
  const samples = { any: [] as number[], prometheus: [] as number[] };
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const [one, other] = [await perGrade(any, request), await perGrade(prometheus, request)];
    if (round < WARM_UP) continue;
    samples.any.push(one);
    samples.prometheus.push(other);
  }
  return {
    value: median(samples.any),
    reference: { name: "the same in Prometheus's form", value: median(samples.prometheus), unit: "ms" },
    rounds: ROUNDS,
    spread: quartiles(samples.any),
    note: `an answer of ${ANSWER} characters with ${SOURCES} of sources, ${GRADES} grades a round`,
  };
}

/** What a grade costs beside the judge itself: fencing, fitting, prompting, reading. */
export const criticOverhead: Figure = {
  name: "critic.overhead.ms",
  unit: "ms",
  goal: 2,
  about: "the critic's own code per grade, time of the processor",
  measure,
};
