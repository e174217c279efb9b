import { z } from "zod";
import { CANCELLED, success, type Result } from "../agent/failure.ts";
import type { AnyHit } from "../agent/memory/port.ts";
import { memoryLineText } from "../agent/memory/text.ts";
import type { ForgetCounts, ForgetTable, ForgetWhat } from "../agent/memory/types.ts";
import { raceAbort } from "../agent/timer.ts";
import type { Tool, ToolContext, ToolOutcome } from "../agent/tool.ts";
import {
  failedOutcome,
  recalledText,
  searchSettings,
  timed,
  type MemoryToolOptions,
} from "./memory-access.ts";

/** The user may think about it for this long, in milliseconds, beside the time that memory itself may take. */
export const ANSWER_TIME_MS = 10 * 60 * 1_000;
/** Nothing that only sounds like what was asked for is proposed: hits below this are left out. */
const SURE = 0.5;
const MAX_HITS = 5;
const SAMPLES = 8;

const TABLES: readonly { readonly table: ForgetTable; readonly one: string; readonly many: string }[] = [
  { table: "episodes", one: "turn", many: "turns" },
  { table: "facts", one: "fact", many: "facts" },
  { table: "people", one: "person or thing", many: "people and things" },
  { table: "relationships", one: "relationship", many: "relationships" },
  { table: "resources", one: "page or file", many: "pages and files" },
  { table: "moments", one: "moment", many: "moments" },
];

const NOTHING = { episodes: 0, facts: 0, people: 0, relationships: 0, resources: 0, moments: 0 };

const TABLE_OF: Readonly<Record<AnyHit["type"], ForgetTable>> = {
  episode: "episodes",
  moment: "moments",
  fact: "facts",
  relationship: "relationships",
  resource: "resources",
};

const parameters = z.object({
  query: z.string().trim().min(1).max(500).describe("Name, place, or words of the memory"),
});

type ForgetArguments = z.infer<typeof parameters>;

/** What is to go, and what that comes to. */
interface Proposal {
  readonly what: readonly ForgetWhat[];
  readonly counts: ForgetCounts;
  readonly samples: readonly string[];
}

/**
 * The tool `forget_memory`: says what would be forgotten and asks the user; only their yes removes it. Where nobody
 * can be asked, it removes nothing and says how the user can do it.
 */
export function forgetMemory(options: MemoryToolOptions): Tool<ForgetArguments> {
  return timed(
    {
      name: "forget_memory",
      aliases: ["forget", "delete_memory", "remove_memory", "delete_memories"],
      description: "Forgets what is remembered of someone or something. Only when the user asks for it.",
      parameters,
      readOnly: false,
      run: (args, context) => run(options, args, context),
    },
    () => options.timeoutMs() + (options.confirm === undefined ? 0 : ANSWER_TIME_MS),
  );
}

async function run(
  options: MemoryToolOptions,
  { query }: ForgetArguments,
  context: ToolContext,
): Promise<ToolOutcome> {
  const about = subjectOf(query);
  const proposed = await propose(options, about, context);
  if (!proposed.ok) return failedOutcome(proposed.failure);
  const { counts, samples, what } = proposed.value;
  if (sizeOf(counts) === 0)
    return said("Nothing is remembered of it.", "nothing to forget", { counts: { ...counts } });
  const named = namedCounts(counts);
  if (options.confirm === undefined) {
    const lines = recalledText(samples, "");
    return said(
      `Nothing was forgotten yet. This would go: ${named}.\n${lines}\nOnly the user can do it: by /forget ${about} in the chat, or in the memory view. Tell them.`,
      `proposed: ${named}`,
      { counts: { ...counts }, forgotten: false },
    );
  }
  const answered = await ask(options.confirm, about, proposed.value, context.signal);
  if (!answered.ok) return failedOutcome(answered.failure);
  if (!answered.value) {
    return said("The user declined. Nothing was forgotten.", "declined", {
      counts: { ...counts },
      forgotten: false,
    });
  }
  return remove(options, what, context.signal);
}

/** What mentions it; where nothing does, what is found by it and surely meant. */
async function propose(
  options: MemoryToolOptions,
  about: string,
  context: ToolContext,
): Promise<Result<Proposal>> {
  const scopes = options.scopes?.();
  const whole: ForgetWhat = { by: "about", about, ...(scopes !== undefined && { scopes }) };
  const mentioned = await previewOf(options, [whole], context.signal);
  if (!mentioned.ok || sizeOf(mentioned.value.counts) > 0) return mentioned;
  const found = await options.memory.searchAll(
    { query: about, limit: MAX_HITS, ...searchSettings(options, context) },
    context.signal,
  );
  if (!found.ok) return found;
  const hits = found.value.hits.filter(({ score }) => score >= SURE).slice(0, MAX_HITS);
  const what = TABLES.flatMap(({ table }): ForgetWhat[] => {
    const ids = hits.filter(({ type }) => TABLE_OF[type] === table).map(({ id }) => id);
    return ids.length === 0 ? [] : [{ by: "ids", table, ids }];
  });
  return previewOf(options, what, context.signal);
}

async function previewOf(
  { memory }: MemoryToolOptions,
  what: readonly ForgetWhat[],
  signal: AbortSignal,
): Promise<Result<Proposal>> {
  const counts: Record<ForgetTable, number> = { ...NOTHING };
  const samples: string[] = [];
  for (const each of what) {
    const preview = await memory.previewForget(each, signal);
    if (!preview.ok) return preview;
    for (const { table } of TABLES) counts[table] += preview.value.counts[table] ?? 0;
    samples.push(...preview.value.samples.map(({ text }) => memoryLineText(text, 160)));
  }
  return success({ what, counts, samples: samples.slice(0, SAMPLES) });
}

/** The user's answer. One that comes after the turn was stopped or the time is up counts for nothing. */
async function ask(
  confirm: NonNullable<MemoryToolOptions["confirm"]>,
  about: string,
  { counts, samples }: Proposal,
  signal: AbortSignal,
): Promise<Result<boolean>> {
  const rest = sizeOf(counts) - samples.length;
  const question = {
    title: `Forget what is remembered of "${memoryLineText(about, 80)}"?`,
    detail: [
      `This removes ${namedCounts(counts)}, from the disk too. It can't be undone.`,
      ...samples.map((text) => `- ${text}`),
      ...(rest > 0 && samples.length > 0 ? [`- and ${rest} more`] : []),
    ].join("\n"),
    yes: "Forget",
  };
  const raced = await raceAbort(signal, () => confirm(question, signal));
  if (raced.kind === "aborted" || signal.aborted) return { ok: false, failure: CANCELLED };
  // A question that could not be put is not a yes.
  return success(raced.kind === "value" && raced.value);
}

/** What went is told in numbers only: the text must not live on in the trace. */
async function remove(
  { memory }: MemoryToolOptions,
  what: readonly ForgetWhat[],
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const counts: Record<ForgetTable, number> = { ...NOTHING };
  let turns = 0;
  for (const each of what) {
    const gone = await memory.forget(each, signal);
    if (!gone.ok) return failedOutcome(gone.failure);
    for (const { table } of TABLES) counts[table] += gone.value.counts[table] ?? 0;
    turns += gone.value.turns.length;
  }
  const named = sizeOf(counts) === 0 ? "nothing: it was gone already" : namedCounts(counts);
  return said(`Forgotten: ${named}.`, `forgotten: ${named}`, { counts, turns, forgotten: true });
}

function said(
  content: string,
  summary: string,
  data: NonNullable<Extract<ToolOutcome, { ok: true }>["details"]["data"]>,
): ToolOutcome {
  return { ok: true, content, details: { summary, data } };
}

/** "everything about Anna" is about Anna. */
function subjectOf(query: string): string {
  const named = query
    .replace(/^(?:please )?(?:forget|delete|remove|erase)\s+/i, "")
    .replace(
      /^(?:(?:all|everything|anything|what(?:ever)? (?:you|i|we) (?:know|said|told you|remember(?:ed)?))\s+)?(?:of|about|on)\s+/i,
      "",
    )
    .replace(/^["'“”]+|["'“”.!?]+$/g, "")
    .trim();
  return named === "" ? query : named;
}

function sizeOf(counts: ForgetCounts): number {
  return TABLES.reduce((sum, { table }) => sum + (counts[table] ?? 0), 0);
}

function namedCounts(counts: ForgetCounts): string {
  const parts = TABLES.flatMap(({ table, one, many }) => {
    const rows = counts[table] ?? 0;
    return rows === 0 ? [] : [`${rows} ${rows === 1 ? one : many}`];
  });
  const last = parts.pop() ?? "nothing";
  return parts.length === 0 ? last : `${parts.join(", ")} and ${last}`;
}
