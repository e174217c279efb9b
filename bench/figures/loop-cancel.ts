import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TurnEvent } from "../../src/agent/events.ts";
import * as ollama from "../../test/support/ollama/index.ts";
import { quantile, quartiles, type Figure, type Measured } from "../frame.ts";
import { makeEngine, type BenchEngine } from "../support/bench-engine.ts";

const ROUNDS = 40;
const NEVER = new Promise<void>(() => undefined);

/** A stage of a turn: what the server does until then, and the event by which we know that it is reached. */
interface Stage {
  readonly name: string;
  readonly steps: readonly ollama.ReplyStep[];
  readonly isReached: (event: TurnEvent) => boolean;
}

const shows =
  (channel: string) =>
  (event: TurnEvent): boolean =>
    event.type === "model.delta" && event.data.channel === channel;

const STAGES: readonly Stage[] = [
  {
    name: "before the headers",
    steps: [ollama.noHeadersUntil(NEVER)],
    isReached: ({ type }) => type === "model.start",
  },
  {
    name: "after the headers",
    steps: [ollama.headers(), ollama.wait(NEVER)],
    isReached: ({ type }) => type === "model.start",
  },
  { name: "thinking", steps: [ollama.thinking("hm "), ollama.wait(NEVER)], isReached: shows("thinking") },
  { name: "answering", steps: [ollama.text("half "), ollama.wait(NEVER)], isReached: shows("answer") },
];

/** From the cancel of a turn to its end, in milliseconds. */
async function cancelled(
  { engine }: BenchEngine,
  server: ollama.ScriptedOllama,
  stage: Stage,
): Promise<number> {
  server.enqueue(stage.steps);
  const before = server.chats.length;
  const turn = await engine.ask({ question: "When?", door: "test" });
  if (!turn.ok) throw new Error(turn.failure.message);
  // A reply that was not asked for yet would be the next request's.
  await server.received(before + 1);
  for await (const event of turn.value.events) if (stage.isReached(event)) break;
  const began = performance.now();
  turn.value.cancel();
  const { outcome } = await turn.value.done;
  if (outcome !== "cancelled") throw new Error(`a turn that was cancelled ${stage.name} ended as ${outcome}`);
  return performance.now() - began;
}

/** From the abort of a plain request to its rejection, in milliseconds. */
async function aborted(server: ollama.ScriptedOllama): Promise<number> {
  server.enqueue([ollama.text("half "), ollama.wait(NEVER)]);
  const stop = new AbortController();
  const body = JSON.stringify({ model: "scripted", messages: [{ role: "user", content: "When?" }] });
  const response = await fetch(`${server.host}/api/chat`, { method: "POST", body, signal: stop.signal });
  const reader = response.body?.getReader();
  await reader?.read();
  const began = performance.now();
  stop.abort();
  await reader?.read().catch(() => undefined);
  return performance.now() - began;
}

async function measure(): Promise<Measured> {
  const server = await ollama.startScriptedOllama({ models: [{ name: "scripted", loaded: true }] });
  const folder = await mkdtemp(join(tmpdir(), "conclave-bench-"));
  const ours = makeEngine(server.host, folder, 5);
  const took: number[] = [];
  const plain: number[] = [];
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const stage of STAGES) took.push(await cancelled(ours, server, stage));
      plain.push(await aborted(server));
    }
  } finally {
    await ours.engine.dispose();
    await ours.log.dispose();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
  return {
    value: quantile(took, 0.99),
    reference: { name: "a plain request, aborted", value: quantile(plain, 0.99), unit: "ms" },
    rounds: ROUNDS,
    spread: quartiles(took),
    note: STAGES.map(({ name }) => name).join(", "),
  };
}

/** How soon a turn ends that is cancelled. */
export const loopCancel: Figure = {
  name: "loop.cancel.ms",
  unit: "ms",
  goal: 200,
  about: "from a cancel to the end of the turn, 99th percentile over its stages, the server silent",
  measure,
};
