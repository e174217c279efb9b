import type { YamlReading } from "./yaml-read.ts";
import type { Path, Range } from "./yaml-tree.ts";

/** Where a value or a name stands; where it is not there itself, what holds it. */
export function placeOf(
  reading: Pick<YamlReading, "keyAt" | "valueAt">,
  path: Path,
  about: "key" | "value",
): Range | undefined {
  const exact = about === "key" ? reading.keyAt(path) : reading.valueAt(path);
  if (exact !== undefined) return exact;
  for (let length = path.length; length > 0; length -= 1) {
    const above = path.slice(0, length);
    const range = reading.keyAt(above) ?? (length < path.length ? reading.valueAt(above) : undefined);
    if (range !== undefined) return range;
  }
  return undefined;
}

/** The length of a text's first line. */
export function firstLine(text: string): number {
  return /^[^\r\n]*/u.exec(text)?.[0].length ?? 0;
}
