import { copyFile, cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Engine } from "../../../src/agent/engine-port.ts";
import type { TurnEvent } from "../../../src/agent/events.ts";
import { DEFAULT_CRITIC } from "../../../src/agent/critic/settings.ts";
import { success, type Result } from "../../../src/agent/failure.ts";
import { systemIdentity } from "../../../src/agent/ids.ts";
import { callsOf } from "../../../src/cli/eval/calls.ts";
import { eventsOf, usageOf } from "../../../src/cli/eval/measure.ts";
import { startPages, withPages, type Pages } from "../../../src/cli/eval/pages.ts";
import { EventWatch } from "../../../src/cli/eval/watch.ts";
import type { CliServices } from "../../../src/cli/services.ts";
import type { Settings } from "../../../src/cli/settings/schema.ts";
import { logPath } from "../../../src/trace/log-writer.ts";
import { playTurn, type PlayedTurn } from "./play-turn.ts";
import { openProduct, type ProductDeps } from "./product.ts";
import type { AskedRecord } from "./records.ts";
import type { Question, QuestionSet } from "./schema.ts";

/** A question, and what it is asked of. */
export interface Asking {
  readonly question: Question;
  readonly pages: QuestionSet["pages"];
  readonly settings: Settings;
  readonly seed: number;
  /** Folder of data that was told; it is copied, and stays as it is. */
  readonly data: string;
  /** Absolute path that the turn's trace is copied to. */
  readonly trace: string;
}

/** What came of a question, before it is scored. */
export type Asked = Pick<
  AskedRecord,
  | "ended"
  | "answer"
  | "error"
  | "seconds"
  | "firstTextSeconds"
  | "modelCalls"
  | "tools"
  | "inputTokens"
  | "outputTokens"
  | "warnings"
  | "recalled"
> & {
  /** Its trace was kept. */
  readonly hasTrace: boolean;
};

/** Asks a question in a new session over a copy of the data that was told. Fails where nobody answers. */
export async function ask(asking: Asking, deps: ProductDeps, signal: AbortSignal): Promise<Result<Asked>> {
  const pages = asking.question.kind === "page" ? await startPages(pageSource(asking.pages)) : undefined;
  if (pages?.ok === false) return pages;
  const folder = await mkdtemp(join(tmpdir(), "conclave-eval-real-"));
  try {
    await cp(asking.data, folder, { recursive: true });
    return await askIn(folder, pages?.value, asking, deps, signal);
  } finally {
    await pages?.value.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function pageSource(pages: QuestionSet["pages"]) {
  const served = Object.entries(pages).map(
    ([path, body]) => [path, { body, type: "text/html; charset=utf-8", status: 200, delay: 0 }] as const,
  );
  return { pages: new Map(served), search: [] };
}

async function askIn(
  folder: string,
  pages: Pages | undefined,
  asking: Asking,
  deps: ProductDeps,
  signal: AbortSignal,
): Promise<Result<Asked>> {
  const services = openProduct(
    {
      folder,
      settings: { ...asking.settings, webFetchEnabled: pages !== undefined },
      // It would work after the answer, when all is over.
      critic: { ...DEFAULT_CRITIC, mode: "off" },
      ...(pages && { allowedHosts: [pages.host] }),
    },
    deps,
  );
  const question = pages === undefined ? asking.question.ask : withPages(asking.question.ask, pages.url);
  try {
    const asked = await askOf(services, question, asking.seed, deps, signal);
    if (!asked.ok) return asked;
    const { sessionId, ...rest } = asked.value;
    await services.log.flush();
    const hasTrace = await keepTrace(logPath(join(folder, "sessions"), sessionId), asking.trace);
    return success({ ...rest, hasTrace });
  } finally {
    await services.dispose();
  }
}

async function askOf(
  { engine }: CliServices,
  question: string,
  seed: number,
  deps: ProductDeps,
  signal: AbortSignal,
): Promise<Result<Omit<Asked, "hasTrace"> & { readonly sessionId: string }>> {
  const watch = new EventWatch(engine, deps.timer);
  const began = systemIdentity.now();
  const firstText = firstTextOf(engine);
  const limit = { ms: deps.askMs, timer: deps.timer };
  const played = await playTurn(engine, { question, options: { seed } }, limit, signal);
  const ended = systemIdentity.now();
  const first = firstText();
  watch.dispose();
  if (!played.ok) return played;
  return success({
    sessionId: played.value.sessionId,
    ...outcomeOf(played.value),
    seconds: (ended - began) / 1_000,
    ...(first !== undefined && { firstTextSeconds: (first - began) / 1_000 }),
    ...figuresOf(watch.of(played.value.turnId)),
  });
}

function outcomeOf({ outcome, isLate, answer, error }: PlayedTurn) {
  const ended = isLate ? ("late" as const) : outcome;
  return { ended, answer, ...(error !== undefined && { error: error.message }) };
}

function figuresOf(events: readonly TurnEvent[]) {
  const { inputTokens, outputTokens } = usageOf(events);
  return {
    modelCalls: eventsOf(events, "model.end").length,
    tools: callsOf(events).map(({ name }) => name),
    ...{ inputTokens, outputTokens },
    warnings: eventsOf(events, "warning").map(({ data }) => `${data.code}: ${data.message}`),
    recalled: events.some(({ type }) => type === "memory.card"),
  };
}

/** Listens for the first text of an answer; ends listening and gives when it came, milliseconds since the epoch. */
function firstTextOf(engine: Engine): () => number | undefined {
  let first: number | undefined;
  const stop = engine.onEvent((event) => {
    if (event.type !== "model.delta" || event.data.channel !== "answer") return;
    // What was shown so far was thinking after all.
    if (event.data.retract === true) first = undefined;
    else if (event.data.text.trim() !== "") first ??= systemIdentity.now();
  });
  return () => {
    stop();
    return first;
  };
}

/** Copies a session's log; false where that can't be done. */
async function keepTrace(log: string, target: string): Promise<boolean> {
  await mkdir(dirname(target), { recursive: true });
  return await copyFile(log, target).then(
    () => true,
    () => false,
  );
}
