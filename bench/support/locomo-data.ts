import { existsSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { ROOT } from "./build.ts";

/** One thing that someone said. */
export interface LocomoTurn {
  /** Such as `D3:11`. */
  readonly id: string;
  /** Number of its session, from 1. */
  readonly session: number;
  /** Milliseconds since the epoch, the written time taken as UTC; turns of a session are a second apart. */
  readonly time: number;
  /** `speaker: text` and the caption of a picture where there is one. */
  readonly text: string;
}

/** A question about a conversation. */
export interface LocomoQuestion {
  /** 1 several turns, 2 time, 3 open inference, 4 one turn, 5 unanswerable. */
  readonly category: number;
  readonly text: string;
  /** Ids of the turns that hold the evidence. */
  readonly gold: readonly string[];
}

/** A long conversation of two people and the questions about it. */
export interface LocomoConversation {
  readonly id: string;
  readonly turns: readonly LocomoTurn[];
  readonly questions: readonly LocomoQuestion[];
}

const turnSchema = z.object({
  speaker: z.string(),
  dia_id: z.string(),
  text: z.string(),
  blip_caption: z.string().optional(),
});

const fileSchema = z.array(
  z.object({
    sample_id: z.string(),
    conversation: z.record(z.string(), z.unknown()),
    qa: z.array(
      z.object({
        question: z.coerce.string(),
        category: z.int(),
        evidence: z.array(z.string()).optional(),
      }),
    ),
  }),
);

/** Where the conversations lie: the given file or folder, else a folder beside the checkout; undefined when not there. */
export function findLocomo(data: string | undefined): string | undefined {
  // Other figures read files of another form.
  const given = data?.endsWith(".jsonl") === true ? undefined : data;
  const path = given ?? join(ROOT, "..", "shared", "data", "locomo-dev");
  if (!existsSync(path)) return undefined;
  return statSync(path).isDirectory() ? join(path, "locomo-dev.json") : path;
}

/** Reads a file of LoCoMo. Evidence is repaired; a question whose evidence is nowhere is left out. */
export async function readLocomo(file: string): Promise<LocomoConversation[]> {
  const parsed = fileSchema.parse(JSON.parse(await readFile(file, "utf8")));
  return parsed.map(({ sample_id, conversation, qa }) => {
    const turns = turnsOf(conversation);
    const known = new Set(turns.map(({ id }) => id));
    const questions = qa.map(({ question, category, evidence }) => ({
      category,
      text: question,
      gold: repaired(evidence ?? []).filter((id) => known.has(id)),
    }));
    return { id: sample_id, turns, questions: questions.filter(({ gold }) => gold.length > 0) };
  });
}

function turnsOf(conversation: Readonly<Record<string, unknown>>): LocomoTurn[] {
  const turns: LocomoTurn[] = [];
  for (let session = 1; conversation[`session_${session}`] !== undefined; session += 1) {
    const began = timeOf(z.string().parse(conversation[`session_${session}_date_time`]));
    const said = z.array(turnSchema).parse(conversation[`session_${session}`]);
    said.forEach(({ speaker, dia_id, text, blip_caption }, index) => {
      const caption = blip_caption === undefined ? "" : ` ${blip_caption}`;
      turns.push({ id: dia_id, session, time: began + 1_000 * index, text: `${speaker}: ${text}${caption}` });
    });
  }
  return turns;
}

/** `1:56 pm on 8 May, 2023` as a time. */
function timeOf(written: string): number {
  const [, hour, minute, half, day, month, year] =
    /^(\d+):(\d+) (am|pm) on (\d+) (\w+),? (\d+)$/.exec(written.trim()) ?? [];
  const time = Date.parse(`${day} ${month} ${year} 00:00 UTC`);
  if (Number.isNaN(time)) throw new Error(`A session has a time that can't be read: ${written}`);
  return time + (((Number(hour) % 12) + (half === "pm" ? 12 : 0)) * 60 + Number(minute)) * 60_000;
}

/** Several ids in one string, `D:11:26` and `D30:05`, brought into the form that turns have. */
function repaired(evidence: readonly string[]): string[] {
  const ids = evidence
    .flatMap((text) => text.split(/[;\s]+/))
    .map((id) => id.replace(/^D:/, "D").replace(/:0+(?=\d)/, ":"));
  return [...new Set(ids)];
}
