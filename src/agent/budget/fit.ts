import { cutResult, messageTokens, messagesTokens, toolTokens } from "../context.ts";
import { failure, type Failure } from "../failure.ts";
import type { Run } from "../loop/types.ts";
import { madeOf } from "../message-parts.ts";
import type { ChatMessage } from "../models/types.ts";
import { CONTEXT_SETTING } from "../models/errors.ts";
import { raceAbort } from "../timer.ts";
import { compacted, warnContextCut } from "./said.ts";
import { replaceBySummary } from "./sum-up-past.ts";

/** What trimming and dropping leave of the room for the past, so that the next cut is many turns away. */
const KEPT_PART = 0.6;

/** Results of the turn itself that are smaller than this, in tokens, are not cut further. */
const SMALL_RESULT = 256;

/** Estimated tokens that everything but the past takes in the next prompt. */
export function fixedTokens(run: Run): number {
  const { prompt, tools } = run.input;
  const recalled = run.recalled === undefined ? 0 : messageTokens(run.recalled);
  const offered = run.protocol === "none" ? 0 : toolTokens(tools.schemas);
  const shared = messageTokens(prompt.system) + messageTokens(prompt.question);
  return shared + recalled + offered + messagesTokens(run.own);
}

/** Estimated tokens that the next prompt may take at most. */
export function promptLimit(run: Run): number {
  return run.input.context.limits.prompt;
}

/**
 * Makes what is sent fit, `excess` tokens less than the limit: nothing is touched while it fits. Else, in this order
 * and only as far as it takes: results of earlier turns are trimmed; thinking of the turn's earlier steps goes; earlier
 * turns are summed up by a model or left out, down to their share; results of the turn itself are cut; the rest of
 * the earlier turns goes. Gives a failure where all that is not enough. Never throws.
 */
export async function fit(run: Run, stepId: string, excess = 0): Promise<Failure | undefined> {
  const { past } = run.input.context;
  // Another agent of the turn is having the past summed up: it is the same past.
  while (past.busy !== undefined) {
    const { busy } = past;
    const waited = await raceAbort(run.deps.signal, () => busy);
    if (waited.kind === "aborted") return undefined;
  }
  limitRecalled(run, stepId);
  const room = (): number => promptLimit(run) - excess - fixedTokens(run);
  const fits = (): boolean => past.tokens <= room();
  if (fits()) return undefined;
  trimPast(run, stepId, room());
  if (!fits()) dropThinking(run, stepId);
  const share = Math.min(past.tokens, run.input.context.limits.history);
  if (!fits()) await shorten(run, stepId, Math.max(room(), share));
  if (!fits()) cutOwnResults(run, stepId, () => past.tokens - room());
  if (!fits()) await shorten(run, stepId, room());
  if (!fits() && past.summary !== undefined) past.dropSummary();
  if (!fits()) dropRecalled(run, stepId);
  return fits() ? undefined : doesNotFit(run);
}

/** What is said when a request can't be made small enough. */
export function doesNotFit(run: Run, cause?: string): Failure {
  const { contextLength, calibration, limits, past } = run.input.context;
  const needed = Math.round((fixedTokens(run) + past.tokens) * calibration);
  const numbers = `about ${needed} tokens, and ${limits.answer} for the answer`;
  return failure(
    "context_overflow",
    `The question with its material (${numbers}) does not fit the context of ${contextLength} tokens. Attach less, start a new session, or raise the context length.`,
    { action: "open_settings", target: CONTEXT_SETTING, ...(cause !== undefined && { cause }) },
  );
}

function total(run: Run): number {
  return fixedTokens(run) + run.input.context.past.tokens;
}

function trimPast(run: Run, stepId: string, room: number): void {
  const before = total(run);
  const turns = run.input.context.past.trimResults(Math.max(0, room * KEPT_PART));
  if (turns.length > 0) compacted(run, stepId, { how: "results", before, after: total(run), turns });
}

/** The thinking of steps before the last one: the model has acted on it. */
function dropThinking(run: Run, stepId: string): void {
  const before = total(run);
  const last = run.own.findLastIndex(({ role }) => role === "assistant");
  let dropped = false;
  for (const [index, message] of run.own.entries()) {
    if (message.role !== "assistant" || message.thinking === undefined || index === last) continue;
    const { role, content, toolCalls } = message;
    run.own[index] = { role, content, ...(toolCalls && { toolCalls }) };
    dropped = true;
  }
  const { turnId } = run.deps.emitter.origin;
  if (dropped) compacted(run, stepId, { how: "thinking", before, after: total(run), turns: [turnId] });
}

/** Earlier turns are summed up where that can be done, else left out. */
async function shorten(run: Run, stepId: string, room: number): Promise<void> {
  const { past } = run.input.context;
  if (past.tokens <= room) return;
  if (await replaceBySummary(run, stepId, room, total)) {
    if (past.tokens <= room) return;
  }
  if (run.deps.signal.aborted) return;
  const drop = past.toDrop(room, past.tokens - tokensOfTurns(run));
  leaveOut(run, stepId, drop);
}

function tokensOfTurns(run: Run): number {
  return run.input.context.past.groups.reduce((sum, group) => sum + messagesTokens(group), 0);
}

/** Leaves the oldest turns out, and says so. */
export function leaveOut(run: Run, stepId: string, drop: number): void {
  const { past } = run.input.context;
  if (drop <= 0) return;
  const before = total(run);
  const of = past.groups.length;
  const turns = past.oldest(drop).flatMap(({ turnId }) => turnId ?? []);
  past.drop(drop);
  compacted(run, stepId, { how: "turns", before, after: total(run), turns });
  warnContextCut(run, drop, of, stepId);
}

/** Cuts long results of the turn itself, the oldest first, each to half as often as it takes. */
function cutOwnResults(run: Run, stepId: string, over: () => number): void {
  const cut = new Set<string>();
  let least = SMALL_RESULT * 16;
  while (over() > 0 && least >= SMALL_RESULT) {
    let found = false;
    for (const [index, message] of run.own.entries()) {
      if (over() <= 0) break;
      if (message.role !== "tool" || messageTokens(message) <= least || !cutOwn(run, index)) continue;
      cut.add(message.toolCallId);
      found = true;
    }
    if (!found) least /= 2;
  }
  if (cut.size > 0) saidCut(run, stepId, cut.size);
}

function cutOwn(run: Run, index: number): boolean {
  const message = run.own[index];
  if (message?.role !== "tool") return false;
  const tokens = messageTokens(message);
  const shorter = { ...message, content: cutResult(message.content, Math.floor(tokens / 2)).text };
  if (messageTokens(shorter) >= tokens) return false;
  const kept = run.kept.indexOf(message);
  run.own[index] = shorter;
  if (kept >= 0) run.kept[kept] = shorter;
  // What stands no longer in full can't be pointed to.
  run.given.clear();
  return true;
}

function saidCut(run: Run, stepId: string, cut: number): void {
  const { contextLength } = run.input.runner;
  run.deps.emitter.warn(
    "context_cut",
    `${cut} results of tools were cut to half: they don't fit the context of ${contextLength} tokens.`,
    { results: cut, context_length: contextLength },
    stepId,
  );
}

/** Cuts every long result of the turn to half; false when there was none. */
export function halveOwnResults(run: Run, stepId: string): boolean {
  let cut = 0;
  for (const [index, message] of run.own.entries()) {
    if (message.role === "tool" && messageTokens(message) > SMALL_RESULT && cutOwn(run, index)) cut += 1;
  }
  if (cut > 0) saidCut(run, stepId, cut);
  return cut > 0;
}

/** Recalled messages that are within their share, cut or not. */
const withinShare = new WeakSet<ChatMessage>();

/** What was recalled takes what the attached texts leave of their common share. */
function limitRecalled(run: Run, stepId: string): void {
  const { recalled, input } = run;
  if (recalled?.role !== "user" || withinShare.has(recalled)) return;
  const { text, cut } = cutResult(recalled.content, input.context.limits.memory - input.referenceTokens);
  const within: ChatMessage = cut === undefined ? recalled : madeOf("user", "memory", text);
  withinShare.add(within);
  run.recalled = within;
  if (cut === undefined) return;
  const message = `Of what was recalled from memory ${cut.kept} of ${cut.of} characters are given to the model, for want of room.`;
  run.deps.emitter.warn("context_cut", message, { ...cut }, stepId);
}

function dropRecalled(run: Run, stepId: string): void {
  if (run.recalled === undefined) return;
  const tokens = messageTokens(run.recalled);
  run.recalled = undefined;
  const { contextLength } = run.input.runner;
  run.deps.emitter.warn(
    "context_cut",
    `What was recalled from memory was left out: it does not fit the context of ${contextLength} tokens.`,
    { recalled: tokens, context_length: contextLength },
    stepId,
  );
}
