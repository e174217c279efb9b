import { LRUCache } from "lru-cache";
import { labelLine } from "../committee/words.ts";
import { SHADOW_RESPONDENT } from "../event-base.ts";
import type { EventOf, Reference, TurnEvent } from "../events.ts";
import { isJsonObject } from "../json.ts";
import type { Source } from "../tool.ts";

/** Turns that are followed at a time; more don't run at once. */
const MAX_TURNS = 500;

/** Recalled texts that are kept of one turn, and how much of each (UTF-16 units). */
const MAX_RECALLED = 60;
const MAX_RECALLED_TEXT = 4_000;

/** Pages that are kept of one turn. */
const MAX_PAGES = 20;

/** Sources that are kept of one turn. */
const MAX_SOURCES = 50;

/** Tools that give what is remembered: what they say is known already. */
const MEMORY_TOOLS = new Set(["search_memory", "search_knowledge_graph", "search"]);

/** The tool that removes what is remembered. */
const FORGET_TOOL = "forget_memory";

/** The tool whose results are pages. */
const PAGE_TOOL = "web_fetch";

/** A page that a tool read in a turn. */
export interface PageNote {
  readonly uri: string;
  readonly title: string;
  readonly text: string;
  /** Where in the page the text begins; 0 for its beginning. */
  readonly start: number;
}

/** What is worth knowing of a turn once it has ended. */
export interface TurnNote {
  /** When it began; milliseconds since the epoch. */
  time?: number;
  /** Nothing of it is remembered: it is private, or nobody asked for it. */
  isPrivate?: boolean;
  /** Something was forgotten in it: its own words name what that was. */
  hasForgotten?: boolean;
  question?: string;
  references: readonly Reference[];
  model?: string;
  answer?: string;
  /** Why nobody summed a committee up, as its answer begins. */
  label?: string;
  readonly sources: Map<string, Source>;
  /** Texts from memory that the turn's models were given, cards included. */
  readonly recalled: string[];
  /** How many memories those were. */
  retrieved: number;
  readonly pages: PageNote[];
}

/** Gathers what is worth knowing of running turns from their events. */
export interface TurnNotes {
  take(event: TurnEvent): void;
  /** The note of a turn that ended; it is forgotten here. */
  finish(turnId: string): TurnNote | undefined;
}

/** Notes of no turn yet; bounded. */
export function createTurnNotes(): TurnNotes {
  const notes = new LRUCache<string, TurnNote>({ max: MAX_TURNS });
  const noteOf = (turnId: string): TurnNote => {
    let note = notes.get(turnId);
    if (note === undefined) {
      note = { references: [], sources: new Map(), recalled: [], retrieved: 0, pages: [] };
      notes.set(turnId, note);
    }
    return note;
  };
  return {
    take: (event) => {
      // What a second respondent does comes after the turn, and is no part of it.
      if (event.respondent === SHADOW_RESPONDENT) return;
      switch (event.type) {
        case "turn.start": {
          const note = noteOf(event.turnId);
          note.time = event.time;
          note.isPrivate =
            event.data["conclave.private"] === true || event.data["conclave.background"] === true;
          break;
        }
        case "query.received": {
          const note = noteOf(event.turnId);
          note.question = event.data.query;
          note.references = event.data.references ?? [];
          break;
        }
        case "model.end":
          noteOf(event.turnId).model = event.data["gen_ai.response.model"];
          break;
        case "memory.card":
          noteCard(noteOf(event.turnId), event);
          break;
        case "tool.result":
          noteResult(noteOf(event.turnId), event);
          break;
        case "warning":
          if (event.data.code === "no_synthesis") noteOf(event.turnId).label = labelLine(event.data.message);
          break;
        case "answer.dialog": {
          const note = noteOf(event.turnId);
          const { answer } = event.data;
          const { label = "" } = note;
          // What went wrong with a server that day is nothing to remember of an answer.
          note.answer = answer.startsWith(label) ? answer.slice(label.length) : answer;
          for (const source of event.data["conclave.sources"] ?? []) addSource(note, source);
          break;
        }
        default:
      }
    },
    finish: (turnId) => {
      const note = notes.get(turnId);
      notes.delete(turnId);
      return note;
    },
  };
}

function addSource({ sources }: TurnNote, source: Source): void {
  if (sources.size < MAX_SOURCES) sources.set(source.uri, { uri: source.uri, title: source.title });
}

function noteCard(note: TurnNote, { data }: EventOf<"memory.card">): void {
  const given = data.parts.filter(({ kind }) => kind !== "persona");
  for (const { text } of given) recall(note, text);
  note.retrieved += given.length;
}

function noteResult(note: TurnNote, { data }: EventOf<"tool.result">): void {
  const { name, result = "", details, error } = data;
  if (error !== undefined) return;
  if (name === FORGET_TOOL && details?.data?.["forgotten"] === true) note.hasForgotten = true;
  const sources = details?.sources ?? [];
  for (const source of sources) addSource(note, source);
  if (MEMORY_TOOLS.has(name)) {
    // Line by line: a user's sentence may restate one of them.
    for (const line of result.split("\n")) recall(note, line);
    note.retrieved += countOf(details?.data) ?? sources.length;
  } else if (name === PAGE_TOOL) notePage(note, data, sources[0]);
}

function recall({ recalled }: TurnNote, text: string): void {
  const line = text.trim().slice(0, MAX_RECALLED_TEXT);
  if (line !== "" && recalled.length < MAX_RECALLED) recalled.push(line);
}

/** How many memories a tool gave, by what it says for people. */
function countOf(data: { readonly [key: string]: unknown } | undefined): number | undefined {
  for (const key of ["hits", "lines", "facts"]) {
    const list = data?.[key];
    if (Array.isArray(list)) return list.length;
  }
  return undefined;
}

/** The wrapping in which tools hand over what others wrote; a text that was cut has lost its end. */
const WRAPPED = /<(\w{1,40}) source="[^"\n]*">\n([\s\S]*?)(?:\n<\/\1>|$)/u;

function notePage(note: TurnNote, data: EventOf<"tool.result">["data"], source: Source | undefined): void {
  const text = WRAPPED.exec(data.result ?? "")?.[2] ?? data.result ?? "";
  if (source === undefined || text.trim() === "" || note.pages.length >= MAX_PAGES) return;
  const told = isJsonObject(data.details?.data) ? data.details.data["start"] : undefined;
  note.pages.push({ uri: source.uri, title: source.title, text, start: typeof told === "number" ? told : 0 });
}
