import { wellFormed } from "../text.ts";
import type { TurnAnswer, TurnDeps, TurnInput } from "../turn-types.ts";
import { broke, ended, type Ending } from "./conclude.ts";
import type { Sitting } from "./deliberation.ts";
import { begin } from "./sitting.ts";

/**
 * Holds a committee from `committee.start` to `committee.end`, whatever happens in `work`. Never throws: what breaks is
 * a failure of the turn.
 */
export async function hold(
  input: TurnInput,
  deps: TurnDeps,
  seat: () => Promise<Sitting>,
  work: (sitting: Sitting) => Promise<Ending>,
): Promise<TurnAnswer> {
  const began = deps.identity.now();
  let sitting: Sitting | undefined;
  try {
    sitting = await seat();
    begin(sitting);
    return ended(await work(sitting), sitting, began);
  } catch (error) {
    const ending = broke(error);
    if (sitting !== undefined) return ended(ending, sitting, began);
    const question = { role: "user" as const, content: wellFormed(input.request.question) };
    return { ...ending.synthesis, sources: [], usage: {}, steps: 0, question };
  }
}
