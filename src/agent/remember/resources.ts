import type { Identity } from "../ids.ts";
import type { Resource } from "../memory/types.ts";
import { cutAtGrapheme, wellFormed } from "../text.ts";
import type { PageNote, TurnNote } from "./turn-notes.ts";

/** Resources that are kept of one turn, and how much of each (UTF-16 units). */
const MAX_RESOURCES = 20;
const MAX_TEXT = 200_000;

/** Where and when a turn was. */
export interface ResourcePlace {
  readonly sessionId: string;
  readonly turnId: string;
  readonly scope: string;
}

/** The pages and files of a turn, as memory keeps them: one for each address, at most 20. */
export function resourcesOf(note: TurnNote, place: ResourcePlace, identity: Identity): readonly Resource[] {
  const found = new Map<string, { readonly title: string; readonly text: string }>();
  for (const { uri, label, text } of note.references) {
    if (uri !== "" && text.trim() !== "") found.set(uri, { title: label, text });
  }
  for (const [uri, page] of wholePages(note.pages)) found.set(uri, page);
  return [...found].slice(0, MAX_RESOURCES).map(([uri, { title, text }]) => ({
    id: identity.uuid(),
    uri,
    title: wellFormed(title),
    text: cutAtGrapheme(wellFormed(text), MAX_TEXT),
    ...place,
    indexedAt: Math.round(identity.now()),
  }));
}

/** Pages with the parts that were read of them, in order. A later part alone would replace the beginning: it is left. */
function wholePages(
  pages: readonly PageNote[],
): ReadonlyMap<string, { readonly title: string; readonly text: string }> {
  const byUri = new Map<string, Map<number, PageNote>>();
  for (const page of pages) {
    const parts = byUri.get(page.uri) ?? new Map<number, PageNote>();
    parts.set(page.start, page);
    byUri.set(page.uri, parts);
  }
  const whole = new Map<string, { readonly title: string; readonly text: string }>();
  for (const [uri, parts] of byUri) {
    const inOrder = [...parts.values()].sort((one, other) => one.start - other.start);
    const [first] = inOrder;
    if (first?.start !== 0) continue;
    whole.set(uri, { title: first.title, text: inOrder.map(({ text }) => text).join("\n") });
  }
  return whole;
}
