import { whyRecalled } from "../../agent/memory/explain-hit.ts";
import type { Identity } from "../../agent/ids.ts";
import type { AnyHit, Episode, MemoryHit, MemorySearch } from "../../agent/memory/port.ts";
import { plainMarkdown, shorten } from "./words.ts";

/** Characters of an answer that a listing shows. */
const EXCERPT = 300;

/** The day and time of a memory, in the reader's own zone: `2026-11-27 14:05`. */
function when(time: number): string {
  const date = new Date(time);
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** A memory on one line of plain text: its question, or what it says where nothing was asked. */
export function memoryTitle(episode: Pick<Episode, "question" | "answer">, most = 100): string {
  return shorten(episode.question === "" ? episode.answer : episode.question, most);
}

/** The start of an answer on one line, without the marks of its Markdown: it is shown as text. */
function excerpt(answer: string): string {
  const marks = /(\*{1,3}|_{2,3}|`{1,2})(?=\S)([^*_`]+?)(?<=\S)\1|^[ \t]*(?:#{1,6}|>|```\w*)[ \t]*/gm;
  const start = answer.slice(0, 4 * EXCERPT);
  return shorten(
    start.replace(marks, (_all, _mark, inner: string | undefined) => inner ?? ""),
    EXCERPT,
  );
}

function hitLine({ episode, notes, score, parts }: MemoryHit, now: number | undefined): string {
  const head = `**${plainMarkdown(memoryTitle(episode, 160))}** (${when(episode.time)}, ${score.toFixed(2)})`;
  const answer = episode.question === "" ? "" : plainMarkdown(excerpt(episode.answer));
  const lines = [head, answer, `*${whyRecalled(parts, { notes, now })}*`].filter((line) => line !== "");
  return `1. ${lines.join("  \n   ")}`;
}

function otherLine({ text, time, parts }: AnyHit): string {
  const head = `- ${plainMarkdown(shorten(text, 300))} (${when(time)})`;
  return parts === undefined ? head : `${head}  \n  *${whyRecalled(parts)}*`;
}

/** What a search of memory found. */
export interface Recalled {
  readonly turns: MemorySearch;
  /** Facts, relationships, pages and files. */
  readonly others: readonly AnyHit[];
}

/**
 * What was found, as Markdown in which remembered text stays text.
 *
 * @param now milliseconds since the epoch; left out: nothing is told of how long ago somebody judged it
 */
export function recallList(
  { turns: { hits, searched, note, dropped = 0 }, others }: Recalled,
  now?: number,
): string {
  const parts: string[] = [];
  if (others.length > 0) {
    const lines = others.map(otherLine);
    parts.push(`Known:\n\n${lines.join("\n")}`);
  }
  if (hits.length > 0)
    parts.push(
      `${hits.length} of ${searched} memories:\n\n${hits.map((hit) => hitLine(hit, now)).join("\n")}`,
    );
  else if (others.length === 0) parts.push(`Nothing in memory fits (${searched} searched).`);
  if (dropped > 0)
    parts.push(`*${dropped}${hits.length > 0 ? " more" : ""} came near and did not fit well enough.*`);
  if (note !== undefined) parts.push(`*${plainMarkdown(note)}*`);
  return parts.join("\n\n");
}

/** A note of the user's own as an episode. */
export function noteEpisode(text: string, sessionId: string, scope: string, identity: Identity): Episode {
  return {
    id: identity.uuid(),
    sessionId,
    turnId: identity.turnId(),
    question: "",
    answer: text,
    agent: "user",
    respondent: "A",
    model: "",
    time: Math.round(identity.now()),
    kind: "note",
    scope,
  };
}
