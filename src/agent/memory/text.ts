import type { MemoryHit } from "./port.ts";
import type { Fact, GraphLine, Moment, Relationship } from "./types.ts";
import { cutAtGrapheme, wellFormed } from "../text.ts";

/** What the model reads when a search of memory found nothing. */
export const NO_MEMORIES = "No relevant memories found.";
/** What the model reads when the knowledge graph has nothing. */
export const NO_GRAPH_FACTS = "No facts found in the knowledge graph.";

/** How much of one memory a model is given, in UTF-16 units. */
const MAX_QUESTION = 300;
const MAX_ANSWER = 700;
/** How much of one statement a model is given, in UTF-16 units. */
const MAX_STATEMENT = 300;

/** Signs that a reader can't see but a model reads; joiners stay, since emoji and several scripts need them. */
const INVISIBLE = /(?![\n\t\r\u200c\u200d])[\p{Cc}\p{Cf}]/gu;

/** When a statement holds; milliseconds since the epoch, null: it still holds. */
export type Validity = Pick<Fact, "validFrom" | "validTo">;

/** When a statement's event takes place; left out or null: it tells of none. */
type EventTime = { readonly [end in "eventFrom" | "eventTo"]?: number | null };

/** A day of this machine's time zone, such as `2026-01-02`; `unknown date` for a time that is none. */
export function dayOf(time: number): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return "unknown date";
  return `${monthOf(time)}-${pad(date.getDate())}`;
}

/** Text from memory on one line, without signs that nobody sees, cut to `limit` UTF-16 units; an ellipsis says so. */
export function memoryLineText(text: string, limit: number): string {
  const line = wellFormed(text).replace(INVISIBLE, "").replace(/\s+/g, " ").trim();
  return line.length <= limit ? line : `${cutAtGrapheme(line, limit - 1).trimEnd()}…`;
}

/** One line for each memory, `[date] [session] text`, in their order. The user's own edit takes the text's place. */
export function memoryLines(hits: readonly Pick<MemoryHit, "episode" | "notes">[]): string[] {
  return hits.map(({ episode, notes }) => {
    const question = memoryLineText(notes?.edit?.question ?? episode.question, MAX_QUESTION);
    const answer = memoryLineText(notes?.edit?.answer ?? episode.answer, MAX_ANSWER);
    const text =
      episode.kind === "turn" && question !== ""
        ? `Asked: ${question} Answered: ${answer}`
        : `Noted (${memoryLineText(episode.kind, 40)}): ${answer}`;
    return `[${dayOf(episode.time)}] [${memoryLineText(episode.sessionId.slice(0, 8), 8)}] ${text}`;
  });
}

/** A moment on one line: `[2026-05-08] [moment] Title: text`, its last day too when it lasted longer than one. */
export function momentLine({
  title,
  text,
  from,
  to,
}: Pick<Moment, "title" | "text" | "from" | "to">): string {
  const [first, last] = [dayOf(from), dayOf(to)];
  const told = memoryLineText(text, MAX_ANSWER);
  const named = title.trim() === "" ? told : `${memoryLineText(title, MAX_STATEMENT)}: ${told}`;
  return `[${first === last ? first : `${first} to ${last}`}] [moment] ${named}`;
}

/** One line for each fact: `IS ... (current, since 2026-05)` or `WAS ... (past, until 2026-05)`, as of `now`. */
export function factLines(
  facts: readonly (Pick<Fact, "text" | keyof Validity> & EventTime)[],
  now: number,
): string[] {
  return facts.map((fact) => statementLine(fact.text, fact, now));
}

/** The time that a statement's words stand for, behind them: ` [2026-05-08]`, ` [2026-05-08 15:00]`; else nothing. */
function eventText({ eventFrom = null, eventTo = null }: EventTime): string {
  if (eventFrom === null) return "";
  const first = dayOf(eventFrom);
  if (eventFrom === eventTo) {
    const date = new Date(eventFrom);
    return ` [${first} ${pad(date.getHours())}:${pad(date.getMinutes())}]`;
  }
  const last = dayOf(eventTo ?? eventFrom);
  return first === last ? ` [${first}]` : ` [${first} to ${last}]`;
}

/** What the knowledge graph tells, in the same form. */
export function graphLines(lines: readonly Pick<GraphLine, "relationship">[], now: number): string[] {
  return lines.map(({ relationship }) => statementLine(relationText(relationship), relationship, now));
}

/** A relation as a sentence: the one it was told with, or one made of its names. */
export function relationText({
  text,
  from,
  type,
  to,
}: Pick<Relationship, "text" | "from" | "type" | "to">): string {
  return text.trim() === "" ? `${from} ${type.replaceAll("_", " ")} ${to}` : text;
}

/** One statement as `IS ... (current ...)` or `WAS ... (past ...)`; one that only begins later as `WILL BE`. */
export function statementLine(text: string, statement: Validity & EventTime, now: number): string {
  const { validFrom, validTo } = statement;
  const said = memoryLineText(text, MAX_STATEMENT).replace(/[.!\s]+$/, "") + eventText(statement);
  if (validTo !== null && validTo <= now) return `WAS ${said} (past, until ${monthOf(validTo)})`;
  if (validFrom > now) return `WILL BE ${said} (planned, from ${monthOf(validFrom)})`;
  return `IS ${said} (current, since ${monthOf(validFrom)})`;
}

function monthOf(time: number): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return "unknown";
  return `${String(date.getFullYear()).padStart(4, "0")}-${pad(date.getMonth() + 1)}`;
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}
