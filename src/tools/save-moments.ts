import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { MemoryPort } from "../agent/memory/port.ts";
import { momentLine } from "../agent/memory/text.ts";
import type { Moment, TurnId } from "../agent/memory/types.ts";
import type { Tool, ToolContext, ToolOutcome } from "../agent/tool.ts";
import { failedOutcome, refusedAsPrivate, timedTool, type MemoryToolOptions } from "./memory-access.ts";
import { readTime } from "./memory-dates.ts";
import { shorten } from "./web/page.ts";
import { visibleLine, visibleText } from "./web/untrusted.ts";

const MAX_MOMENTS = 20;
/** Turns that a moment may have been drawn from and that are looked at. */
const CANDIDATES = 10;
/** So much of a moment's telling words stands in a turn that it was drawn from. */
const DRAWN = 0.5;

const moment = z.object({
  title: z.string().trim().min(1).max(200),
  text: z.string().trim().min(1).max(5_000),
  when: z.string().trim().max(100).optional().describe("Such as 2026-05-08; left out: now"),
});

const parameters = z.object({
  moments: z.array(moment).max(MAX_MOMENTS),
});

type SaveMomentsArguments = z.infer<typeof parameters>;

/** The tool `save_moments`: keeps excerpts on purpose, each with its time, its turn, and the turns it was drawn from. */
export function saveMoments(options: MemoryToolOptions): Tool<SaveMomentsArguments> {
  return timedTool(
    options,
    {
      name: "save_moments",
      aliases: ["save_moment", "keep_moments", "add_moments"],
      description: "Keeps excerpts of what was said or decided, with their time.",
      parameters,
      readOnly: false,
    },
    run,
  );
}

async function run(
  options: MemoryToolOptions,
  { moments }: SaveMomentsArguments,
  context: ToolContext,
): Promise<ToolOutcome> {
  const refused = refusedAsPrivate(options, context);
  if (refused !== undefined) return refused;
  if (moments.length === 0) return given("There was nothing to keep.", [], 0, 0);
  const now = options.now();
  const made: Moment[] = [];
  let undated = 0;
  for (const { title, text, when } of moments) {
    const time = when === undefined || when === "" ? undefined : readTime(when, now);
    if (time === undefined && when !== undefined && when !== "") undated += 1;
    const told = { title: visibleLine(title), text: visibleText(text).trim() };
    made.push({
      ...{ id: randomUUID(), ...told, scope: options.scope?.() ?? "", agent: context.agent },
      ...{ from: time?.from ?? now, to: time?.to ?? now },
      source: { sessionId: context.sessionId, turnId: context.turnId, time: now },
      turns: await drawnFrom(options.memory, told, context),
    });
  }
  const saved = await options.memory.saveMoments(made, context.signal);
  if (!saved.ok) return failedOutcome(saved.failure);
  const { saved: fresh } = saved.value;
  const lines = [
    fresh === made.length ? `Kept ${count(fresh)}:` : `Kept ${count(fresh)}; the others are kept already:`,
    ...made.map((one) => `- ${shorten(visibleLine(momentLine(one)), 300)}`),
    ...(undated === 0 ? [] : [`The time of ${undated} could not be read: it has today's date.`]),
  ];
  return given(lines.join("\n"), made, fresh, undated);
}

/** The turns whose words a moment holds: when one of them is forgotten, the moment goes with it. */
async function drawnFrom(
  memory: Pick<MemoryPort, "search">,
  { title, text }: Pick<Moment, "title" | "text">,
  { turnId, signal }: ToolContext,
): Promise<readonly TurnId[]> {
  const query = `${title}\n${text}`.slice(0, 2_000);
  const found = await memory.search({ query, limit: CANDIDATES, excludeTurnIds: [turnId] }, signal);
  if (!found.ok) return [];
  const words = tellingWords(text);
  const turns = found.value.hits
    .filter(({ episode, notes }) => {
      const held = [episode.question, episode.answer, notes?.edit?.question, notes?.edit?.answer];
      const there = tellingWords(held.join("\n"));
      const shared = [...words].filter((word) => there.has(word)).length;
      return words.size > 0 && shared / words.size >= DRAWN;
    })
    .map(({ episode }) => ({ sessionId: episode.sessionId, turnId: episode.turnId }));
  return [...new Map(turns.map((turn) => [turn.turnId, turn])).values()];
}

function tellingWords(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => word.length > 3 || /\d/.test(word)));
}

function count(moments: number): string {
  return moments === 1 ? "1 moment" : `${moments} moments`;
}

function given(content: string, made: readonly Moment[], saved: number, undated: number): ToolOutcome {
  return {
    ok: true,
    content,
    details: {
      summary: `${count(saved)} kept`,
      sources: made.map(({ id, title }) => ({ uri: `memory:${id}`, title: shorten(title, 80) })),
      data: {
        saved,
        undated,
        moments: made.map(({ id, title, text, from, to }) => ({ id, title, text, from, to })),
      },
    },
  };
}
