import { z } from "zod";
import type { MemoryPort } from "../agent/memory/port.ts";
import { memoryLineText } from "../agent/memory/text.ts";
import { USER, type Fact, type Learned } from "../agent/memory/types.ts";
import { saidIn } from "../agent/remember/said.ts";
import type { Tool, ToolContext, ToolOutcome } from "../agent/tool.ts";
import { failedOutcome, refusedAsPrivate, timedTool, type MemoryToolOptions } from "./memory-access.ts";

/** A value in the user's own words is that sure. */
const CONFIDENCE = 0.9;
/** So much of a value's words must be the user's. */
const MOSTLY = 0.6;
/** Older values that are looked at. */
const MAX_OLDER = 100;

const parameters = z.object({
  key: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .regex(/[\p{L}\p{N}]/u, "must be a name such as timezone or preferred language")
    .describe("Such as name, timezone, preferred language"),
  value: z.string().trim().min(1).max(300).describe("In the user's words"),
});

type MetadataArguments = z.infer<typeof parameters>;

/**
 * The tool `update_user_metadata`: one value for each key of the user's profile, kept as a fact about the user. A new
 * value closes the old one. Only what the user says in the turn is taken, nothing out of pages or results of tools.
 */
export function updateUserMetadata(options: MemoryToolOptions): Tool<MetadataArguments> {
  return timedTool(
    options,
    {
      name: "update_user_metadata",
      aliases: ["set_user_metadata", "update_profile", "update_user_profile"],
      description: "Sets an entry of the user's profile when the user states it.",
      parameters,
      readOnly: false,
    },
    run,
  );
}

async function run(
  options: MemoryToolOptions,
  args: MetadataArguments,
  context: ToolContext,
): Promise<ToolOutcome> {
  const refused = refusedAsPrivate(options, context);
  if (refused !== undefined) return refused;
  const now = options.now();
  const key = plainKey(args.key);
  const said = saidIn(context.question);
  const value = memoryLineText(args.value, 300).replace(/[.!\s]+$/, "");
  if (!isSaid(value, said)) {
    return notSaved(key, `the user did not say "${memoryLineText(value, 80)}" in this turn`);
  }
  const scope = options.scope?.() ?? "";
  const older = await valuesOf(options.memory, key, scope, context.signal);
  if (!older.ok) return failedOutcome(older.failure);
  const text = `The user's ${key} is ${value}`;
  const before = older.value.find((fact) => fact.text !== text);
  const learned = await options.memory.learn(
    {
      source: { sessionId: context.sessionId, turnId: context.turnId, time: now },
      ...{ agent: context.agent, scope, by: "tool", said, recalled: [], entities: [], edges: [] },
      facts: [
        {
          ...{ kind: "fact", text, subject: USER, owner: USER, quote: "", confidence: CONFIDENCE },
          ...(before !== undefined && { contradicts: before.text }),
        },
      ],
    },
    context.signal,
  );
  if (!learned.ok) return failedOutcome(learned.failure);
  const { added, repeated, rejected } = learned.value;
  if (added.length + repeated.length === 0)
    return notSaved(key, rejected[0]?.reason ?? "there was nothing in it to keep");
  const closed = await closeOthers(options.memory, older.value, learned.value, context.signal);
  if (!closed.ok) return failedOutcome(closed.failure);
  return saved(key, value, learned.value, closed.value);
}

/** "preferred_Language" and "Preferred language" are one key. */
function plainKey(key: string): string {
  return (
    memoryLineText(key, 60)
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu)
      ?.join(" ") ?? ""
  );
}

/** What holds of a key now, the latest first. */
async function valuesOf(memory: MemoryPort, key: string, scope: string, signal: AbortSignal) {
  const scopes = [...new Set(["", scope])];
  const listed = await memory.list(
    { table: "facts", offset: 0, limit: MAX_OLDER, filter: key, onlyCurrent: true, scopes },
    signal,
  );
  if (!listed.ok) return listed;
  const beginning = `the user's ${key} is `;
  const own = listed.value.rows.filter(
    ({ owner, text }) => owner === USER && text.toLowerCase().startsWith(beginning),
  );
  return { ok: true as const, value: own };
}

/** Closes what memory did not see as contradicted: a key has one value. Gives all values that no longer hold. */
async function closeOthers(
  memory: MemoryPort,
  older: readonly Fact[],
  { added, repeated, closed }: Learned,
  signal: AbortSignal,
) {
  const settled = new Set([...added, ...repeated, ...closed].map(({ id }) => id));
  const gone: { readonly id: string; readonly text: string }[] = [...closed];
  for (const { id, text } of older) {
    if (settled.has(id)) continue;
    const done = await memory.edit({ table: "facts", id, holds: false }, signal);
    if (!done.ok) return done;
    gone.push({ id, text });
  }
  return { ok: true as const, value: gone };
}

/** Whether a value is made of the user's words: all its numbers, and most of its words. */
function isSaid(value: string, said: string): boolean {
  if (said.toLowerCase().includes(value.toLowerCase())) return true;
  const heard = new Set(wordsOf(said));
  const words = wordsOf(value);
  const there = words.filter((word) => heard.has(word)).length;
  const numbers = words.every((word) => !/\d/.test(word) || heard.has(word));
  return numbers && words.length > 0 && there / words.length >= MOSTLY;
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

function notSaved(key: string, reason: string): ToolOutcome {
  return {
    ok: true,
    content: `Not saved: ${reason}.`,
    details: { summary: "not saved", data: { key, saved: false, reason } },
  };
}

function saved(
  key: string,
  value: string,
  { added, repeated }: Learned,
  closed: Learned["closed"],
): ToolOutcome {
  const shown = [...added, ...repeated];
  const lines = [
    ...shown.map(
      ({ text }) => `${added.length > 0 ? "Saved" : "Known already"}: ${memoryLineText(text, 400)}`,
    ),
    ...closed.map(({ text }) => `No longer holds: ${memoryLineText(text, 400)}`),
  ];
  return {
    ok: true,
    content: lines.join("\n"),
    details: {
      summary: `${key}: ${memoryLineText(value, 60)}`,
      sources: shown.map(({ id, text }) => ({ uri: `memory:${id}`, title: memoryLineText(text, 80) })),
      data: { key, saved: true, closed: closed.map(({ id, text }) => ({ id, text })) },
    },
  };
}
