import { z } from "zod";
import { memoryLineText } from "../agent/memory/text.ts";
import { FACT_KINDS, USER, type FactProposal, type Learned } from "../agent/memory/types.ts";
import type { JsonObject } from "../agent/models/types.ts";
import { saidIn } from "../agent/remember/said.ts";
import { resolveTimeWords } from "../agent/time/time-words.ts";
import type { Source, Tool, ToolContext, ToolOutcome } from "../agent/tool.ts";
import { failedOutcome, refusedAsPrivate, timedTool, type MemoryToolOptions } from "./memory-access.ts";

const MAX_TEXT = 1_000;
/** A statement in the user's own words is surer than one that the model worded. */
const OWN_WORDS = 0.85;
const MODEL_WORDS = 0.65;
/** So much of a statement's words must be the user's for it to be in their own words. */
const MOSTLY = 0.6;

const parameters = z.object({
  text: z.string().trim().min(1).max(MAX_TEXT).describe("A short statement that makes sense on its own"),
  kind: z.enum(FACT_KINDS).default("fact"),
  about: z.string().trim().max(200).optional().describe("Whom or what; left out: the user"),
});

type SaveMemoryArguments = z.infer<typeof parameters>;

/**
 * The tool `save_memory`: stores a statement as a fact, with the turn it was said in as its source. The memory checks
 * it against what the user said in that turn: what the user neither said nor asked to keep is refused, with the reason.
 */
export function saveMemory(options: MemoryToolOptions): Tool<SaveMemoryArguments> {
  return timedTool(
    options,
    {
      name: "save_memory",
      aliases: ["remember", "add_memory", "store_memory", "save_fact"],
      description:
        "Saves one statement for later conversations: what the user asks to remember, or a lasting preference, fact or decision of theirs. Nothing that the user did not say.",
      parameters,
      readOnly: false,
    },
    run,
  );
}

async function run(
  options: MemoryToolOptions,
  args: SaveMemoryArguments,
  context: ToolContext,
): Promise<ToolOutcome> {
  const refused = refusedAsPrivate(options, context);
  if (refused !== undefined) return refused;
  const now = options.now();
  const said = saidIn(context.question);
  const learned = await options.memory.learn(
    {
      source: { sessionId: context.sessionId, turnId: context.turnId, time: now },
      agent: context.agent,
      scope: options.scope?.() ?? "",
      by: "tool",
      said,
      recalled: [],
      facts: [proposal(args, said, now, context.agent)],
      entities: [],
      edges: [],
    },
    context.signal,
  );
  return learned.ok ? outcome(args.kind, learned.value) : failedOutcome(learned.failure);
}

/** The text stays as it was said; the days that its "tomorrow" stands for are kept beside it. */
function proposal(
  { text, kind, about }: SaveMemoryArguments,
  said: string,
  now: number,
  agent: string,
): FactProposal {
  const statement = memoryLineText(text, MAX_TEXT);
  const subject = about === undefined || /^(?:(?:the )?user|me|i|myself)?$/i.test(about) ? USER : about;
  const day = kind === "event" ? resolveTimeWords(statement, now)[0] : undefined;
  return {
    ...{ kind, text: statement, subject, quote: "" },
    confidence: shareOfWords(text, said) >= MOSTLY ? OWN_WORDS : MODEL_WORDS,
    owner: subject.toLowerCase() === agent.toLowerCase() ? agent : USER,
    ...(day !== undefined && { eventFrom: day.from, eventTo: day.to }),
  };
}

/** Which part of a statement's longer words stand in what the user said, 0..1. */
function shareOfWords(text: string, said: string): number {
  const words = wordsOf(text).filter((word) => word.length > 3 && word !== "user");
  const heard = new Set(wordsOf(said).map(stem));
  return words.length === 0 ? 0 : words.filter((word) => heard.has(stem(word))).length / words.length;
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

function stem(word: string): string {
  return word.length > 4 ? word.replace(/(?:ing|es|ed|s)$/, "") : word;
}

function outcome(kind: string, learned: Learned): ToolOutcome {
  const { added, repeated, closed, rejected } = learned;
  const lines = [
    ...added.map(({ text }) => `Saved as ${kind === "event" ? "an" : "a"} ${kind}: ${shown(text)}`),
    ...repeated.map(({ text }) => `Known already: ${shown(text)}`),
    ...closed.map(({ text }) => `No longer holds: ${shown(text)}`),
    ...rejected.map(({ reason }) => `Not saved: ${shown(reason)}.`),
  ];
  const refused = added.length + repeated.length === 0;
  return {
    ok: true,
    content: lines.length === 0 ? "Not saved: there was nothing in it to keep." : lines.join("\n"),
    details: {
      summary: refused ? "not saved" : added.length > 0 ? `saved: ${kind}` : "known already",
      ...(!refused && { answer: lines.join("\n") }),
      sources: [...added, ...repeated].map(sourceOf),
      data: {
        kind,
        added: rows(added),
        repeated: rows(repeated),
        closed: rows(closed),
        rejected: reasons(learned),
      },
    },
  };
}

function shown(text: string): string {
  return memoryLineText(text, 300);
}

function sourceOf({ id, text }: Learned["added"][number]): Source {
  return { uri: `memory:${id}`, title: memoryLineText(text, 80) };
}

function rows(facts: Learned["added"]): JsonObject[] {
  return facts.map(({ id, text }) => ({ id, text }));
}

function reasons({ rejected }: Learned): JsonObject[] {
  return rejected.map(({ text, reason }) => ({ text, reason }));
}
