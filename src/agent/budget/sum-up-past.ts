import { MAX_COMPACTED_TURNS } from "../events-context.ts";
import { messagesTokens } from "../context.ts";
import { requestTokens } from "./gauge.ts";
import type { Run } from "../loop/types.ts";
import type { ChatMessage } from "../models/types.ts";
import { summaryGroup, type EarlierTurn, type Past } from "./past.ts";
import { compacted } from "./said.ts";
import { pin, pinnedIn, summaryInstruction, summaryText, type Pinned } from "./summary-text.ts";
import type { SummaryAttempt, SummaryJob } from "./summarise.ts";
import { usageData } from "../usage-data.ts";

/** What a summary takes at most: tokens, and the part of the room for the past. */
const MAX_SUMMARY = 1_500;
const SUMMARY_PART = 0.2;

/** With less than this for a summary, in tokens, there is no use in one. */
const LEAST_SUMMARY = 160;

/** Times that the prompt for a summary is made smaller. */
const MAX_TRIES = 4;

/**
 * Has the oldest turns summed up by a model and puts the summary in their place, with what must not be lost of them. An
 * older summary is a part of what is summed up. False, and nothing is changed, where there is nobody to do it, the
 * user took back a summary of these turns, or it failed: that is told.
 */
export async function replaceBySummary(
  run: Run,
  stepId: string,
  room: number,
  total: (run: Run) => number,
): Promise<boolean> {
  const { past } = run.input.context;
  const { sumUp } = run.deps;
  const size = Math.floor(Math.min(MAX_SUMMARY, room * SUMMARY_PART));
  if (sumUp === undefined || past.summaryFailed || size < LEAST_SUMMARY) return false;
  const count = past.toDrop(room, size);
  if (count === 0 || !past.maySumUp(count)) return false;
  const before = total(run);
  const oldest = past.oldest(count);
  const pinned = pinnedOf(past, oldest);
  const attempt = await whileBusy(past, () => sumUp(jobOf(run, oldest, pinned, size)));
  const { written, model } = attempt;
  if (run.deps.signal.aborted) return false;
  const turns = namedTurns(past, oldest);
  const told = { how: "summary" as const, before, turns, "gen_ai.request.model": model };
  if (!written.ok) {
    past.summaryFailed = true;
    compacted(run, stepId, { ...told, after: before, error: written.failure });
    return false;
  }
  const text = summaryText(written.value.text, pinned, turnsBefore(past) + count, size);
  const id = run.deps.identity.spanId();
  past.drop(count, { id, text, turns });
  const { inputTokens, outputTokens } = written.value.usage;
  run.inputTokens = sumOf(run.inputTokens, inputTokens);
  run.outputTokens = sumOf(run.outputTokens, outputTokens);
  compacted(
    run,
    stepId,
    {
      ...told,
      after: total(run),
      summary: text,
      ...usageData({ inputTokens, outputTokens }),
    },
    id,
  );
  return true;
}

function sumOf(so: number | undefined, more: number | undefined): number | undefined {
  return more === undefined ? so : (so ?? 0) + more;
}

async function whileBusy(past: Past, work: () => Promise<SummaryAttempt>): Promise<SummaryAttempt> {
  let free = (): void => undefined;
  past.busy = new Promise((resolve) => {
    free = resolve;
  });
  try {
    return await work();
  } finally {
    past.busy = undefined;
    free();
  }
}

function pinnedOf(past: Past, oldest: readonly EarlierTurn[]): Pinned {
  const groups = oldest.map(({ messages }) => messages);
  return past.summary === undefined ? pin(groups) : pin(groups, pinnedIn(past.summary.text));
}

function namedTurns(past: Past, oldest: readonly EarlierTurn[]): readonly string[] {
  return [...(past.summary?.turns ?? []), ...oldest.flatMap(({ turnId }) => turnId ?? [])].slice(
    -MAX_COMPACTED_TURNS,
  );
}

function turnsBefore(past: Past): number {
  return past.summary?.turns.length ?? 0;
}

function jobOf(run: Run, oldest: readonly EarlierTurn[], pinned: Pinned, size: number): SummaryJob {
  const { prompt, tools, context } = run.input;
  const instruction = summaryInstruction(pinned, Math.floor(size * 0.5));
  const { summary } = context.past;
  const older = summary === undefined ? [] : summaryGroup(summary.text);
  return {
    size,
    prompt: (room, plain) => {
      const adapter = run.deps.adapter(plain ? "none" : run.protocol);
      let left = room - messagesTokens([prompt.system, ...older, instruction]);
      for (let tries = 0; tries < MAX_TRIES && left > 0; tries += 1) {
        // All of it fitted a moment ago, as a rule; of a long session read back from the log the newest part does.
        const groups = newestWithin(oldest, left);
        const step = adapter.prepare([prompt.system, ...older, ...groups, instruction], tools, false);
        const over = requestTokens(step) - room;
        if (over <= 0) return groups.length > 0 || older.length > 0 ? step : undefined;
        left -= over;
      }
      return undefined;
    },
  };
}

function newestWithin(turns: readonly EarlierTurn[], room: number): readonly ChatMessage[] {
  let used = 0;
  let from = turns.length;
  for (; from > 0; from -= 1) {
    used += messagesTokens(turns[from - 1]?.messages ?? []);
    if (used > room) break;
  }
  return turns.slice(from).flatMap(({ messages }) => messages);
}
