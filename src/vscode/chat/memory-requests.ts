import type { Result } from "../../agent/failure.ts";
import type { AnyHit } from "../../agent/memory/port.ts";
import type { Forgotten } from "../../agent/memory/types.ts";
import { COMMANDS } from "../contributions.ts";
import { confirmForget } from "../editor.ts";
import { forget as forgetAsked } from "../memory/forget.ts";
import { learnedInWords, learntFromNote } from "../memory/note.ts";
import { memoryScopes } from "../memory/scope.ts";
import { forgottenInWords } from "../panel/memory/words.ts";
import { retrievalSettings } from "../settings-schema.ts";
import { refuse, result, type Asked, type ChatResult } from "./asked.ts";
import { noteEpisode, recallList } from "./recall.ts";
import { plainMarkdown, shorten } from "./words.ts";

/** Memories that `/recall` lists at most. */
const RECALL_LIMIT = 10;

function noWords(asked: Asked, message: string, sessionId: string | undefined): ChatResult {
  return refuse(asked, { code: "bad_input", message }, sessionId);
}

function done(asked: Asked, sessionId: string | undefined): ChatResult {
  return result(asked, { outcome: "answered", ...(sessionId === undefined ? {} : { sessionId }) });
}

function scopesOf({ services }: Asked) {
  return memoryScopes(services.scopes.current(), services.settings().settings);
}

/** `/recall WORDS`: lists what memory holds of it, and why each was found. */
export async function recall(asked: Asked, sessionId: string | undefined): Promise<ChatResult> {
  const { services, stream, signal } = asked;
  const query = asked.prompt.trim();
  if (query === "") return noWords(asked, "Say what to look for: /recall cache", sessionId);
  stream.progress("Searching memory");
  const { scopes } = scopesOf(asked);
  const settings = { ...retrievalSettings(services.settings().settings), given: RECALL_LIMIT };
  const wanted = { query, limit: RECALL_LIMIT, settings, ...(scopes === undefined ? {} : { scopes }) };
  const turns = await services.memory.search(wanted, signal);
  if (!turns.ok) return refuse(asked, turns.failure, sessionId);
  const others = await services.memory.searchAll(wanted, signal);
  const found = { turns: turns.value, others: othersOf(others) };
  stream.markdown(recallList(found, services.identity.now()));
  stream.button({ command: COMMANDS.showMemory, title: "Show memory", arguments: [{ query }] });
  return done(asked, sessionId);
}

/** Facts, relationships, moments and pages; turns are listed apart, with their parts. */
function othersOf(found: Result<{ readonly hits: readonly AnyHit[] }>): readonly AnyHit[] {
  if (!found.ok) return [];
  return found.value.hits.filter(({ type }) => type !== "episode");
}

/** `/remember TEXT`: keeps it as a note, and as a fact with the note as its source. */
export async function remember(asked: Asked, sessionId: string | undefined): Promise<ChatResult> {
  const { services, stream, signal } = asked;
  const text = asked.prompt.trim();
  if (text === "") {
    const what = "Say what to remember: /remember we keep the cache in SQLite";
    return noWords(asked, what, sessionId);
  }
  if (sessionId !== undefined && services.log.isPrivate(sessionId)) {
    const message =
      "This session is private: nothing of it is remembered. Save the session, or use another chat.";
    return refuse(asked, { code: "tool_disabled", message }, sessionId);
  }
  const { scope } = scopesOf(asked);
  const note = noteEpisode(text, sessionId ?? services.identity.uuid(), scope, services.identity);
  const added = await services.memory.add([note], signal);
  if (!added.ok) return refuse(asked, added.failure, sessionId);
  const learned = await services.memory.learn(learntFromNote(note), signal);
  stream.markdown(`Remembered: ${plainMarkdown(shorten(text, 300))}`);
  const words = learned.ok ? learnedInWords(learned.value) : learned.failure.message;
  if (words !== "") stream.markdown(`\n\n*${plainMarkdown(shorten(words, 600))}*`);
  return done(asked, sessionId);
}

/** `/forget WORDS`: forgets all that mentions it in memory and traces, once the user has seen it and said yes. */
export async function forget(asked: Asked, sessionId: string | undefined): Promise<ChatResult> {
  const { services, stream, signal } = asked;
  const about = asked.prompt.trim();
  if (about === "") return noWords(asked, "Say what to forget: /forget the staging password", sessionId);
  const { scopes } = scopesOf(asked);
  stream.progress("Looking for what is to be forgotten");
  const what = { by: "about" as const, about, ...(scopes === undefined ? {} : { scopes }) };
  const gone = await forgetAsked(services.memory, what, signal, confirmForget);
  if (!gone.ok && gone.failure.code === "cancelled") {
    stream.markdown("Nothing was forgotten.");
    return done(asked, sessionId);
  }
  if (!gone.ok) return refuse(asked, gone.failure, sessionId);
  stream.markdown(plainMarkdown(forgottenOf(gone.value, shorten(about, 100))));
  return done(asked, sessionId);
}

function forgottenOf(gone: Forgotten, about: string): string {
  const { removed, turns } = gone;
  if (removed === 0 && turns.length === 0) return `Nothing is remembered about ${about}.`;
  const memory = removed === 0 ? [] : [forgottenInWords(gone)];
  const traces =
    turns.length === 0
      ? []
      : [`The trace has a note in place of ${turns.length === 1 ? "1 turn" : `${turns.length} turns`}.`];
  return [...memory, ...traces].join(" ");
}
