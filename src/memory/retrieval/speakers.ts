import type { Turn } from "./candidates.ts";

/** A line of a transcript: the speaker's name and a colon. */
const LABEL = /^\s*(\p{L}[\p{L}\p{N} .'’_-]{0,39}):\s/u;

/** Fewest letters by which a name may be shortened. */
const SHORTEST = 3;

/** The name and the colon that a text begins with, as a line of a transcript does; empty when it has none. */
export function labelOf(text: string): string {
  return LABEL.exec(text)?.[0] ?? "";
}

/** Who said a turn: the name that its text begins with, as in a transcript, else the agent that answered. */
export function speakerOf({ head, agent }: Pick<Turn, "head" | "agent">): string {
  return head === "" ? agent : (LABEL.exec(head)?.[1]?.trim() ?? agent);
}

/** Whether a turn was said by someone, whatever the case of the name. */
export function saidBy(turn: Pick<Turn, "head" | "agent">, speaker: string): boolean {
  const own = speakerOf(turn);
  return own === speaker || own.toLowerCase() === speaker.toLowerCase();
}

/**
 * The one speaker that a question names, in full or by the beginning of the name. Undefined when it names none, or
 * more than one: then what either said counts alike.
 *
 * @param names the names of the question, as written
 */
export function namedSpeaker(names: readonly string[], turns: Iterable<Turn>): string | undefined {
  const speakers = new Set<string>();
  for (const turn of turns) speakers.add(speakerOf(turn));
  const named = [...speakers].filter((speaker) =>
    names.some((name) => {
      const [long, short] = [speaker.toLowerCase(), name.toLowerCase()];
      return (
        long === short ||
        (short.length >= SHORTEST && long.startsWith(short)) ||
        long.split(/\s+/).includes(short)
      );
    }),
  );
  return named.length === 1 ? named[0] : undefined;
}
