import { describeError } from "../failure.ts";
import { within } from "../committee/within.ts";
import type { MemoryPort } from "../memory/port.ts";
import type { MemoryCard } from "../memory/types.ts";
import { makeCard, personaText, type Card } from "../remember/card.ts";
import { memorySettings, type EngineSettings } from "../settings.ts";
import type { TurnDeps } from "../turn-types.ts";
import type { SandboxSettings } from "./settings.ts";
import type { Speaker } from "./types.ts";

/** A speaker does not wait longer than this for memory, in milliseconds. */
const MEMORY_MS = 10_000;

/** What a card is asked of. */
export interface RecallDeps extends Pick<TurnDeps, "signal" | "timer"> {
  readonly memory: MemoryPort | undefined;
  readonly settings: EngineSettings;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** A speaker's card, and in words why memory gave nothing to it. */
export interface SpeakerCard {
  readonly card?: Card;
  /** Memories on it; what its file says does not count. */
  readonly retrieved: number;
  readonly problem?: string;
}

/** The card of a persona for what it is about to answer: who it is, and what it knows of its own. Never throws. */
export async function speakerCard(
  { name, definition }: Speaker,
  heard: string,
  { memories, recents }: Pick<SandboxSettings, "memories" | "recents">,
  deps: RecallDeps,
): Promise<SpeakerCard> {
  const { enabled, scopes, minConfidence } = memorySettings(deps.settings);
  const wanted = enabled && memories + recents > 0 ? deps.memory : undefined;
  const query = {
    ...{ question: heard, agent: name, minConfidence, owners: [name] },
    facts: { fitting: memories, latest: recents },
    ...(scopes && { scopes }),
  };
  const { memory, problem } = wanted === undefined ? {} : await askMemory(wanted, query, deps);
  const card = makeCard({
    persona: definition.persona,
    memory: memory && ownCard(memory, name),
    now: deps.now(),
    facts: memories + recents,
  });
  const retrieved = (card?.parts ?? []).filter(({ kind, id }) => kind !== "persona" && id !== undefined);
  return {
    ...(card && { card }),
    retrieved: retrieved.length,
    ...(problem !== undefined && { problem }),
  };
}

/** What the card says of a persona's file: what only restates it teaches nothing. */
export function speakerPersona({ name, definition }: Speaker): string {
  const told = personaText(definition.persona);
  return told === "" ? `You are ${name}.` : told;
}

async function askMemory(
  memory: MemoryPort,
  query: Parameters<MemoryPort["card"]>[0],
  deps: RecallDeps,
): Promise<{ readonly memory?: MemoryCard; readonly problem?: string }> {
  const asked = await within(MEMORY_MS, deps, async (signal) => {
    try {
      return await memory.card(query, signal);
    } catch (error) {
      return { ok: false as const, failure: { message: describeError(error) } };
    }
  });
  if (asked === undefined) return { problem: `It gave nothing within ${MEMORY_MS / 1_000} s.` };
  return asked.ok ? { memory: asked.value } : { problem: asked.failure.message };
}

/** What others know is not this persona's: memories that don't heed the owners asked for are left out here. */
function ownCard(memory: MemoryCard, name: string): MemoryCard {
  const isOwn = ({ owner }: { readonly owner: string }): boolean =>
    owner.toLowerCase() === name.toLowerCase();
  return {
    ...memory,
    facts: memory.facts.filter(isOwn),
    pinned: memory.pinned.filter(isOwn),
    relationships: memory.relationships.filter(isOwn),
  };
}
