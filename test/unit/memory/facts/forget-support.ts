import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { join, sep } from "node:path";
import type { Episode } from "../../../../src/agent/memory/port.ts";
import type { ForgetWhat, Learnt } from "../../../../src/agent/memory/types.ts";
import { Forgetting } from "../../../../src/memory/facts/forgetting.ts";
import { Transfer } from "../../../../src/memory/facts/transfer.ts";
import { Graph } from "../../../../src/memory/graph/graph.ts";
import { Resources } from "../../../../src/memory/graph/resources.ts";
import { AnnotationTable } from "../../../../src/memory/store/annotations.ts";
import { EpisodeTable } from "../../../../src/memory/store/episodes.ts";
import { episode, never, valueOf } from "../support.ts";
import { START, learnt, proposal, type Window } from "./support.ts";

/** Nothing of any table. */
export const NONE = { episodes: 0, facts: 0, people: 0, relationships: 0, resources: 0 };

/** What forgets in a window. */
export function forgetting({ deps }: Window): Forgetting {
  return new Forgetting({ deps });
}

/** Forgets, after a look that must have said the same. */
export async function forget(window: Window, what: ForgetWhat) {
  const preview = valueOf(await forgetting(window).preview(what, never));
  for (const { text } of preview.samples) assert.match(text, /[^\s:]$/u, "it names what goes");
  const before = await everyLine(window);
  const forgotten = valueOf(await forgetting(window).forget(what, never));
  assert.deepEqual(forgotten.counts, preview.counts);
  assert.equal(
    forgotten.removed,
    Object.values(forgotten.counts).reduce((sum, count) => sum + count, 0),
  );
  if (forgotten.removed === 0) assert.deepEqual(await everyLine(window), before);
  return { ...forgotten, samples: preview.samples };
}

/** All that an export holds, as text. */
export async function everyLine(window: Window): Promise<string[]> {
  const transfer = new Transfer(window.deps);
  const lines: string[] = [];
  let cursor: string | undefined;
  do {
    const page = valueOf(await transfer.exportPage(cursor, never));
    lines.push(...page.lines);
    cursor = page.next;
  } while (cursor !== undefined);
  return lines;
}

/** The tables in whose files a text stands, whatever its case. */
export async function onDisk(folder: string, text: string): Promise<string[]> {
  const found = new Set<string>();
  for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const path = join(file.parentPath, file.name);
    const bytes = (await readFile(path)).toString("latin1").toLowerCase();
    if (bytes.includes(text.toLowerCase())) found.add(path.slice(folder.length + 1).split(sep)[0]!);
  }
  return [...found].sort();
}

/** Keeps a turn as an episode, with the facts and the graph of it. */
export async function remember(
  window: Window,
  turn: Learnt,
  fields: Partial<Episode> = {},
): Promise<Episode> {
  const told = episode({ ...turn.source, question: turn.said, answer: "I see.", ...fields });
  valueOf(await new EpisodeTable(window.deps.database).append([told], never));
  valueOf(await window.facts.learn(turn, never));
  valueOf(await new Graph(window.deps).learn(turn, never));
  return told;
}

/** A turn that tells of a sister, with an edge. */
export function ofSister(name: string, place: string, fields: Partial<Learnt> = {}): Learnt {
  const text = `${name} lives in ${place}`;
  return learnt(`My sister ${text}`, {
    facts: [proposal(`User's sister ${text}`)],
    entities: [
      { name, type: "person" },
      { name: place, type: "place" },
    ],
    edges: [{ from: name, to: place, type: "lives_in", text, strength: 0.5, holds: true, quote: text }],
    ...fields,
  });
}

/** Keeps a page that a turn fetched. */
export async function keepPage(
  window: Window,
  uri: string,
  text: string,
  turn: Learnt,
  title = "A page",
): Promise<void> {
  const page = { id: randomUUID(), uri, title, text, scope: "", indexedAt: START };
  const { sessionId, turnId } = turn.source;
  valueOf(await new Resources(window.deps).keep([{ ...page, sessionId, turnId }], never));
}

/** Has the user write over an answer. */
export async function note(window: Window, episodeId: string, answer: string): Promise<void> {
  const edit = {
    id: randomUUID(),
    episodeId,
    by: "user",
    time: START,
    kind: "edit",
    value: { answer },
  } as const;
  valueOf(await new AnnotationTable(window.deps.database).append([edit], never));
}
