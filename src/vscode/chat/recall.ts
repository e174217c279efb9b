import type { Identity } from "../../agent/ids.ts";
import type { Episode, MemoryHit, MemorySearch } from "../../agent/memory-port.ts";
import { plainMarkdown, shorten } from "./words.ts";

/** The day and time of a memory, in the reader's own zone: `2026-11-27 14:05`. */
function when(time: number): string {
  const date = new Date(time);
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** A memory on one line of plain text: its question, or what it says where nothing was asked. */
export function memoryTitle(episode: Episode, most = 100): string {
  return shorten(episode.question === "" ? episode.answer : episode.question, most);
}

function hitLine({ episode, score }: MemoryHit): string {
  const head = `**${plainMarkdown(memoryTitle(episode, 160))}** (${when(episode.time)}, score ${score.toFixed(2)})`;
  const text = episode.question === "" ? "" : `  \n${plainMarkdown(shorten(episode.answer, 400))}`;
  return `1. ${head}${text}`;
}

/** What a search of memory found, as Markdown in which remembered text stays text. */
export function recallList({ hits, searched, note }: MemorySearch): string {
  const lines = hits.map(hitLine);
  const head =
    hits.length === 0
      ? `Nothing in memory fits (${searched} searched).`
      : `${hits.length} of ${searched} memories:\n\n${lines.join("\n")}`;
  return note === undefined ? head : `${head}\n\n*${plainMarkdown(note)}*`;
}

/** A note of the user's own as an episode. */
export function noteEpisode(text: string, sessionId: string, identity: Identity): Episode {
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
  };
}
