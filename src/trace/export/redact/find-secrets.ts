import { secretsOfAddresses } from "./addresses.ts";
import { assignedSecrets } from "./assigned.ts";
import { unescaped } from "./escapes.ts";
import { secretsOfKnownForm } from "./known-formats.ts";
import { secretsNearWords } from "./near-words.ts";
import { privateKeys } from "./private-keys.ts";
import type { FoundSecret } from "./secret.ts";

/** How many times over a text may be JSON within JSON. */
const MAX_LEVELS = 3;

/** Each looks for one sort of secret. The first that finds a place names what stands there. */
const FINDERS: readonly ((text: string) => readonly FoundSecret[])[] = [
  privateKeys,
  secretsOfKnownForm,
  secretsOfAddresses,
  assignedSecrets,
  secretsNearWords,
];

/**
 * The secrets of a text, in order, without overlaps. A text that holds JSON is also looked at with its escapes
 * resolved. In time proportional to the text, whatever it says.
 */
export function findSecrets(text: string): readonly FoundSecret[] {
  const found = FINDERS.flatMap((find) => find(text));
  let places: Uint32Array | undefined;
  let inner = text;
  for (let level = 0; level < MAX_LEVELS; level += 1) {
    const view = unescaped(inner);
    if (view === undefined) break;
    const outer = places;
    const back = (at: number): number => placeIn(outer, view.places[at] ?? 0);
    for (const { start, end, kind } of FINDERS.flatMap((find) => find(view.text)))
      found.push({ start: back(start), end: back(end), kind });
    places = composed(places, view.places);
    inner = view.text;
  }
  return merged(found);
}

function placeIn(places: Uint32Array | undefined, at: number): number {
  return places === undefined ? at : (places[at] ?? 0);
}

function composed(outer: Uint32Array | undefined, inner: Uint32Array): Uint32Array {
  return outer === undefined ? inner : inner.map((at) => outer[at] ?? 0);
}

/** Overlapping places become one, which is called after the longest of them. */
export function merged(found: readonly FoundSecret[]): readonly FoundSecret[] {
  const sorted = found
    .filter(({ start, end }) => end > start)
    .sort((a, b) => a.start - b.start || b.end - a.end);
  const places: FoundSecret[] = [];
  for (const one of sorted) {
    const last = places.at(-1);
    if (last === undefined || one.start >= last.end) places.push(one);
    else if (one.end > last.end) {
      const isLonger = one.end - one.start > last.end - last.start;
      places[places.length - 1] = {
        start: last.start,
        end: one.end,
        kind: isLonger ? one.kind : last.kind,
      };
    }
  }
  return places;
}
