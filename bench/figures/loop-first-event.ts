import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { interleave, median, quartiles, type Figure, type Measured } from "../frame.ts";
import { makeEngine, type BenchEngine } from "../support/bench-engine.ts";
import { rawChat } from "../support/raw-client.ts";
import { startServer } from "../support/server.ts";

const ROUNDS = 200;
const WARM_UP = 50;
const QUESTION = "What time is it?";

/** Milliseconds since the time that a text begins with. */
function since(text: string): number {
  return Number(process.hrtime.bigint() - BigInt(text.split(" ", 1)[0] ?? "")) / 1e6;
}

/** From the server's first byte to our first event with text. */
async function ourFirst({ engine, log }: BenchEngine): Promise<number> {
  const turn = await engine.ask({ question: QUESTION, door: "test" });
  if (!turn.ok) throw new Error(turn.failure.message);
  let first: number | undefined;
  for await (const event of turn.value.events) {
    if (event.type === "model.delta") first ??= since(event.data.text);
  }
  await log.flush();
  if (first === undefined) throw new Error("no text came");
  return first;
}

async function rawFirst(host: string): Promise<number> {
  let first: number | undefined;
  for await (const { message } of rawChat(host, [{ role: "user", content: QUESTION }])) {
    first ??= since(message.content);
  }
  if (first === undefined) throw new Error("no text came");
  return first;
}

async function measure(): Promise<Measured> {
  const server = await startServer({ kind: "stamp" });
  const folder = await mkdtemp(join(tmpdir(), "conclave-bench-"));
  const ours = makeEngine(server.host, folder, 5);
  try {
    const pair = await interleave(
      ROUNDS,
      WARM_UP,
      () => ourFirst(ours),
      () => rawFirst(server.host),
    );
    return {
      value: median(pair.ours),
      reference: { name: "a raw fetch", value: median(pair.reference), unit: "ms" },
      rounds: ROUNDS,
      spread: quartiles(pair.ours),
    };
  } finally {
    await ours.engine.dispose();
    await ours.log.dispose();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** How soon text is an event. */
export const loopFirstEvent: Figure = {
  name: "loop.first_event.ms",
  unit: "ms",
  goal: 0.4,
  about: "from the server's first byte to the first event with text",
  measure,
};
