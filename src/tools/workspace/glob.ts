/** Alternatives that the braces of one glob may stand for. */
const MAX_ALTERNATIVES = 100;
/** Longest glob that is read, in UTF-16 units. */
const MAX_GLOB = 500;

/** Tells whether a path matches: relative, parts parted by `/`. */
export type PathTest = (path: string) => boolean;

/**
 * A test for a glob as editors write them: `*` and `?` within a part of a path, `**` for any parts, `[a-z]`, and
 * `{a,b}`. Its time grows with the length of path and glob only, whatever they are.
 */
export function globTest(glob: string): PathTest {
  const alternatives = expand(glob.slice(0, MAX_GLOB)).map((one) =>
    one.split("/").filter((part) => part !== "" && part !== "."),
  );
  return (path) => {
    const parts = path.split("/").filter((part) => part !== "");
    return alternatives.some((pattern) => matchesParts(pattern, parts));
  };
}

/** A test for any of some globs that holds for all that is in a folder that matches, too. */
export function coveredBy(globs: readonly string[]): PathTest {
  const tests = globs.map(globTest);
  return (path) => {
    const parts = path.split("/").filter((part) => part !== "");
    return parts.some((_, index) => {
      const above = parts.slice(0, index + 1).join("/");
      return tests.some((test) => test(above));
    });
  };
}

/** `{a,b}` written out; a brace without its end stands for itself. */
function expand(glob: string): string[] {
  const done: string[] = [];
  const open = [glob];
  while (open.length > 0 && done.length + open.length <= MAX_ALTERNATIVES) {
    const one = open.shift() ?? "";
    const braces = innermost(one);
    if (braces === undefined) done.push(one);
    else {
      const { start, end } = braces;
      const [before, after] = [one.slice(0, start), one.slice(end + 1)];
      open.push(
        ...one
          .slice(start + 1, end)
          .split(",")
          .map((part) => before + part + after),
      );
    }
  }
  return done;
}

function innermost(glob: string): { readonly start: number; readonly end: number } | undefined {
  let start: number | undefined;
  for (let at = 0; at < glob.length; at += 1) {
    if (glob[at] === "{") start = at;
    else if (glob[at] === "}" && start !== undefined) return { start, end: at };
  }
  return undefined;
}

/** Which places of the pattern are reached is kept for each part of the path: no place is tried twice. */
function matchesParts(pattern: readonly string[], parts: readonly string[]): boolean {
  let reached = skipping(new Set([0]), pattern);
  for (const part of parts) {
    const next = new Set<number>();
    for (const at of reached) {
      const wanted = pattern[at];
      if (wanted === "**") next.add(at);
      else if (wanted !== undefined && matchesPart(wanted, part)) next.add(at + 1);
    }
    if (next.size === 0) return false;
    reached = skipping(next, pattern);
  }
  return reached.has(pattern.length);
}

/** `**` may stand for no part at all. */
function skipping(places: ReadonlySet<number>, pattern: readonly string[]): ReadonlySet<number> {
  const all = new Set(places);
  for (const at of all) if (pattern[at] === "**") all.add(at + 1);
  return all;
}

function matchesPart(wanted: string, part: string): boolean {
  const signs = signsOf(wanted);
  let [at, sign] = [0, 0];
  let [backAt, backSign] = [0, -1];
  while (at < part.length) {
    const one = signs[sign];
    if (one === "*") {
      [backAt, backSign] = [at, sign];
      sign += 1;
    } else if (one?.(part[at] ?? "") === true) {
      at += 1;
      sign += 1;
    } else if (backSign >= 0) {
      backAt += 1;
      [at, sign] = [backAt, backSign + 1];
    } else return false;
  }
  while (signs[sign] === "*") sign += 1;
  return sign === signs.length;
}

type Sign = "*" | ((sign: string) => boolean);

function signsOf(wanted: string): readonly Sign[] {
  const signs: Sign[] = [];
  for (let at = 0; at < wanted.length; at += 1) {
    const one = wanted[at] ?? "";
    const end = one === "[" ? wanted.indexOf("]", at + 2) : -1;
    if (one === "*") signs.push("*");
    else if (one === "?") signs.push(() => true);
    else if (end > 0) {
      signs.push(classOf(wanted.slice(at + 1, end)));
      at = end;
    } else signs.push((sign) => sign === one);
  }
  return signs;
}

/** `a-z` and `!a-z`. */
function classOf(inner: string): (sign: string) => boolean {
  const negative = inner.startsWith("!") || inner.startsWith("^");
  const ranges: [string, string][] = [];
  const signs = (negative ? inner.slice(1) : inner).match(/[^]/g) ?? [];
  for (let at = 0; at < signs.length; at += 1) {
    const first = signs[at] ?? "";
    const last = signs[at + 1] === "-" ? signs[at + 2] : undefined;
    ranges.push([first, last ?? first]);
    if (last !== undefined) at += 2;
  }
  return (sign) => ranges.some(([first, last]) => sign >= first && sign <= last) !== negative;
}
