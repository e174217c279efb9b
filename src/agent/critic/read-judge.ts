import { success, type Result } from "../failure.ts";
import type { ChatRequest, JsonObject } from "../models/types.ts";
import { cutAtGrapheme } from "../text.ts";
import { askJudge, type JudgeReply, type Meter } from "./ask-judge.ts";
import { fitTexts, MAX_JUDGED, type WholeTexts } from "./fit-texts.ts";
import type { JudgeForm } from "./judge-form.ts";
import type { Reading, Written } from "./parse-text.ts";
import type { JudgeDeps } from "./types.ts";

/** So many times more may be written after a cut. */
const MORE_ROOM = 3;
/** Of the context, a reply may take so much at most. */
const REPLY_SHARE = 0.5;
/** How often the texts are made smaller for a server that finds them too long. */
const MAX_SHRINKS = 2;
/** The judge's words that are kept where nothing could be read from them, in UTF-16 units. */
const MAX_RAW = 2_000;

/** Who judges, and how it is asked. */
export interface Bench {
  readonly deps: JudgeDeps;
  readonly form: JudgeForm;
  /** The context that the judge is loaded with, in tokens; asks the server what the model can have. */
  readonly context: () => Promise<Result<number>>;
  readonly meter: Meter;
  /** Models whose server could not bind the output; this one joins them when it is so. */
  readonly unbound: { has(name: string): boolean; set(name: string, value: true): unknown };
}

/** One thing to be read from a judge. */
export interface Asking<T> {
  readonly whole: WholeTexts;
  readonly prompt: "grade" | "pair";
  readonly read: (written: Written) => Reading<T> | undefined;
  /** Which sample it is, from 0, and of how many. */
  readonly sample: number;
  readonly samples: number;
}

/** What was read, or why nothing was. */
export type JudgeReading<T> =
  | { readonly kind: "read"; readonly value: T; readonly feedback: string }
  | { readonly kind: "unread"; readonly why: string; readonly raw?: string };

/**
 * Asks until something can be read: again at another temperature when nothing could, once more with more room when the
 * reply was cut. Fails only where the judge could not be asked.
 */
export async function readJudge<T>(
  asking: Asking<T>,
  bench: Bench,
  signal: AbortSignal,
): Promise<Result<JudgeReading<T>>> {
  const { form } = bench;
  const known = await bench.context();
  if (!known.ok) return known;
  const context = known.value;
  if (context < form.minContext) return success({ kind: "unread", why: tooSmall(form, context) });
  const most = Math.floor(context * REPLY_SHARE);
  let maxTokens = Math.min(form.maxTokens, most);
  let unread: JudgeReading<T> = { kind: "unread", why: NOT_ASKED };
  let wasCut = false;
  for (let attempt = 0; attempt < form.tries; attempt += 1) {
    const asked = await askFitting(asking, bench, { attempt, maxTokens, context }, signal);
    if (!asked.ok) return asked;
    if (asked.value === undefined) return success({ kind: "unread", why: NO_ROOM });
    const { text, cut } = asked.value;
    const reading = asking.read({ text, cut, material: materialOf(asking.whole) });
    if (reading !== undefined) return success({ kind: "read", ...reading });
    unread = { kind: "unread", why: whyUnread(asked.value), ...(text.trim() !== "" && { raw: rawOf(text) }) };
    // Once is enough: what does not come to an end with more room comes to none.
    if (cut && wasCut) break;
    wasCut ||= cut;
    if (cut) maxTokens = Math.min(maxTokens * MORE_ROOM, most);
  }
  return success(unread);
}

const NOT_ASKED = "not graded (the judge was not asked)";
const NO_ROOM = "not graded (the judge's context has no room for the answer)";

function tooSmall(form: JudgeForm, context: number): string {
  const who = form.kind === "prometheus" ? "Prometheus" : "a judge";
  return `not graded (${who} needs a context of at least ${form.minContext} tokens, and has ${context}; see conclave.contextLength)`;
}

function whyUnread({ text, cut }: JudgeReply): string {
  if (cut) return "not graded (cut off)";
  return text.trim() === "" ? "not graded (the judge said nothing)" : "not graded (no result could be read)";
}

function rawOf(text: string): string {
  return cutAtGrapheme(text.trim(), MAX_RAW);
}

function materialOf({ question, answers, sources = "", reference = "" }: WholeTexts): readonly string[] {
  return [question, ...answers, sources, reference].map((text) => text.slice(0, MAX_JUDGED));
}

interface Try {
  readonly attempt: number;
  readonly maxTokens: number;
  readonly context: number;
}

/** Asks once, with less of the texts when the server finds them too long; nothing when there is no room for any. */
async function askFitting<T>(
  asking: Asking<T>,
  bench: Bench,
  { attempt, maxTokens, context }: Try,
  signal: AbortSignal,
): Promise<Result<JudgeReply | undefined>> {
  const { deps, form } = bench;
  let room = context - maxTokens;
  for (let shrinks = 0; ; shrinks += 1) {
    const messages = fitTexts(asking.whole, (texts) => form[asking.prompt](texts), room);
    if (messages === undefined) return success(undefined);
    const request: ChatRequest = {
      messages,
      maxTokens,
      think: false,
      runner: { contextLength: context, keepAlive: deps.runner.keepAlive },
      ...form.sampling(asking.sample, asking.samples, attempt),
    };
    const asked = await askBound(request, form.formats?.[asking.prompt], bench, signal);
    if (asked.ok || asked.failure.code !== "context_overflow" || shrinks === MAX_SHRINKS) return asked;
    room = Math.floor(room / 2);
  }
}

/** Asks with the output bound to a form, and without where the server can't do that. */
async function askBound(
  request: ChatRequest,
  format: JsonObject | undefined,
  { deps, meter, unbound }: Bench,
  signal: AbortSignal,
): Promise<Result<JudgeReply>> {
  const { name } = deps.model;
  if (format === undefined || unbound.has(name)) return askJudge(request, deps, meter, signal);
  const asked = await askJudge({ ...request, format }, deps, meter, signal);
  if (asked.ok || asked.failure.code !== "invalid_format") return asked;
  unbound.set(name, true);
  return askJudge(request, deps, meter, signal);
}
