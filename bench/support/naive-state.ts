import { readFile } from "node:fs/promises";
import type { TurnEvent } from "../../src/agent/events.ts";

/** The whole state, as the naive panel is posted it. */
export interface NaiveState {
  readonly rows: readonly { readonly question: string; readonly answer: string }[];
  readonly cells: readonly { readonly head: string; readonly text: string }[];
}

/** Reads a log as it is first thought of: all of it, split and parsed in one go. */
export async function readNaively(path: string): Promise<readonly TurnEvent[]> {
  const text = await readFile(path, "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as TurnEvent);
}

/** The state that events come to. */
export function naiveState(events: readonly TurnEvent[]): NaiveState {
  const asked = events.flatMap((event) => (event.type === "query.received" ? [event.data.query] : []));
  return {
    rows: asked.map((question) => ({ question, answer: "" })),
    cells: events.map((event) => ({ head: event.type, text: JSON.stringify(event) })),
  };
}
