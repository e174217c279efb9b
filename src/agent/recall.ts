import type { Emitter } from "./emitter.ts";
import type { CardPart } from "./events-after.ts";
import type { Recalled } from "./loop/types.ts";
import { describeError, type Result } from "./failure.ts";
import type { MemoryHit, MemoryPort, MemoryQuery } from "./memory/port.ts";
import { memoryLines } from "./memory/text.ts";
import type { MemoryCard, MemoryCardQuery } from "./memory/types.ts";
import { madeOf } from "./message-parts.ts";
import type { ChatMessage } from "./models/types.ts";
import { memoryMessage, toldNote } from "./prompt.ts";
import type { Persona } from "./persona.ts";
import { makeCard, type Card } from "./remember/card.ts";
import { memorySettings, type EngineSettings } from "./settings.ts";
import { raceAbort, type Timer } from "./timer.ts";

/** The answer does not wait longer than this for memory, in milliseconds. */
const MEMORY_TIMEOUT_MS = 20_000;

/** A small model is given so many more: in the user's words alone they take less room than whole notes. */
const MORE_TOLD = 2;
/** So many more are looked at, since old questions of the user, found for their likeness, tell nothing. */
const LOOKED_AT = 4;

/** What `recall` works with. */
export interface RecallDeps {
  readonly memory: MemoryPort | undefined;
  readonly settings: EngineSettings;
  readonly emitter: Emitter;
  readonly signal: AbortSignal;
  readonly timer: Timer;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** For which question something is recalled, and how. */
export interface RecallWanted {
  readonly question: string;
  readonly excludeTurnIds: readonly string[];
  /** Memory is searched with the question before the model is asked. */
  readonly first: boolean;
  /** The model gets no tools, so it can't look for itself later. */
  readonly isBlind: boolean;
  /** The model is asked whether it needs this, and whether this proves its answer. */
  readonly checked: boolean;
}

/**
 * What is recalled for the question, as one message for the prompt: the context card, where the settings want one, and
 * what memory finds, where it is searched first. Nothing, at once, where neither is wanted. When memory fails, a warning
 * says so and the turn goes on. Never throws.
 */
export function recall(wanted: RecallWanted, deps: RecallDeps): Promise<Recalled | undefined> | undefined {
  const { question, excludeTurnIds, first, isBlind } = wanted;
  const { enabled, card, scopes, minConfidence, retrieval } = memorySettings(deps.settings);
  const memory = enabled ? deps.memory : undefined;
  const wantsSearch = first && memory !== undefined;
  const wantsCard = card === "always" || (card === "auto" && isBlind);
  // What a small model is told of the user it is told in their own words, and once.
  const wantsFacts = wantsCard && !(wanted.checked && wantsSearch && card === "auto");
  if (!wantsSearch && !(wantsCard && (memory ?? deps.settings.persona))) return undefined;
  const where = { excludeTurnIds, ...(scopes && { scopes }) };
  const told = wanted.checked ? retrieval.given + MORE_TOLD : undefined;
  const limit = told === undefined ? retrieval.given : told * LOOKED_AT;
  return find(
    {
      ...(wantsSearch && {
        search: {
          ...{ query: question, limit, settings: retrieval, asAsked: true, ...where },
          ...(wanted.checked && { unjudged: true }),
        },
      }),
      ...(wantsSearch && told !== undefined && { told }),
      ...(wantsCard && { persona: deps.settings.persona }),
      ...(wantsFacts && { card: { question, agent: deps.settings.agent, minConfidence, ...where } }),
    },
    memory,
    deps,
  );
}

interface Wanted {
  readonly search?: MemoryQuery;
  readonly card?: MemoryCardQuery;
  readonly persona?: Persona | undefined;
  /** At most so many of what the user told are given, and nothing else. */
  readonly told?: number;
}

async function find(
  { search, card, persona, told }: Wanted,
  memory: MemoryPort | undefined,
  deps: RecallDeps,
): Promise<Recalled | undefined> {
  const { emitter, signal } = deps;
  const [known, found] = await Promise.all([
    card && memory ? inTime(deps, (own) => memory.card(card, own)) : undefined,
    search && memory ? inTime(deps, (own) => memory.search(search, own)) : undefined,
  ]);
  if (signal.aborted) return undefined;
  const problem = [known, found].find((given) => given?.problem !== undefined)?.problem;
  if (problem !== undefined) emitter.warn("memory_unavailable", `The answer does without memory. ${problem}`);
  const hits = found?.value?.hits ?? [];
  const made = makeCard({ persona, memory: known?.value, now: deps.now() });
  const notes = hits.flatMap((hit) => toldNote(hit) ?? []).slice(0, told);
  const ids = new Set(notes.map(({ id }) => id));
  const given = told === undefined ? hits : hits.filter(({ episode }) => ids.has(episode.id));
  if (made !== undefined || given.length > 0) tell(emitter, made, given);
  const message = messageOf([made?.text, told === undefined ? memoryMessage(given)?.content : undefined]);
  // Of a memory that could not be searched nobody can say that it holds nothing.
  const isSearched = told !== undefined && found?.problem === undefined;
  if (message === undefined && !isSearched) return undefined;
  return { ...(message && { message }), ...(isSearched && { told: notes }) };
}

/** What memory gave, or in words why it gave nothing. */
interface Given<T> {
  readonly value?: T;
  readonly problem?: string;
}

async function inTime<T extends MemoryCard | { readonly hits: readonly MemoryHit[] }>(
  { signal, timer }: RecallDeps,
  work: (signal: AbortSignal) => Promise<Result<T>>,
): Promise<Given<T>> {
  const own = new AbortController();
  const stop = (): void => own.abort();
  signal.addEventListener("abort", stop, { once: true });
  const cancelTimer = timer(MEMORY_TIMEOUT_MS, stop);
  const raced = await raceAbort(own.signal, () => work(own.signal));
  cancelTimer();
  signal.removeEventListener("abort", stop);
  if (raced.kind === "thrown") return { problem: describeError(raced.error) };
  if (raced.kind === "aborted") return { problem: `It gave nothing within ${MEMORY_TIMEOUT_MS / 1000} s.` };
  return raced.value.ok ? { value: raced.value.value } : { problem: raced.value.failure.message };
}

/** Tells of what was found: what stands in it is no news to whoever learns from the turn. */
function tell(emitter: Emitter, card: Card | undefined, hits: readonly MemoryHit[]): void {
  const lines = memoryLines(hits);
  const found = hits.map(({ episode: { id } }, at): CardPart => ({
    kind: "memory",
    text: lines[at] ?? "",
    id,
  }));
  const { text = "", tokens = 0, parts = [] } = card ?? {};
  emitter.emit("memory.card", { parentId: emitter.agentId }, { text, tokens, parts: [...parts, ...found] });
}

function messageOf(texts: readonly (string | undefined)[]): ChatMessage | undefined {
  const text = texts.filter((one) => one !== undefined).join("\n\n");
  return text === "" ? undefined : madeOf("user", "memory", text);
}
