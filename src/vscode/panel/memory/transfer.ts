import { open, rename, rm } from "node:fs/promises";
import { CANCELLED, describeError, failed, success, type Result } from "../../../agent/failure.ts";
import type { MemoryPort } from "../../../agent/memory/port.ts";
import type { Imported } from "../../../agent/memory/types.ts";
import { readLines } from "../../../trace/lines.ts";

/** Lines of an import go to the store in parts of at most so many lines and characters. */
const BATCH_LINES = 200;
const BATCH_CHARACTERS = 4 * 1024 * 1024;
/** A longer line is no row of ours. */
const MAX_LINE = 3_000_000;
/** Bad lines that are remembered; the rest is only counted. */
const MAX_BAD = 20;

/** Called with the number of rows dealt with so far. */
export type OnProgress = (done: number) => void;

/** What an import came to. */
export interface ImportReport {
  readonly added: number;
  readonly known: number;
  readonly badCount: number;
  /** The first of the bad lines, numbered as in the file. */
  readonly bad: Imported["bad"];
}

/**
 * Writes everything that is remembered to a file, page by page. The file appears when it is complete: a cancelled or
 * failed export leaves nothing, and a file that was there stays as it was. With `keep` only some lines are written.
 */
export async function exportTo(
  path: string,
  memory: Pick<MemoryPort, "exportPage">,
  onProgress: OnProgress,
  signal: AbortSignal,
  keep: (line: string) => boolean = () => true,
): Promise<Result<number>> {
  const part = `${path}.part`;
  try {
    const written = await writePages(part, memory, onProgress, signal, keep);
    if (written.ok) await rename(part, path);
    else await rm(part, { force: true });
    return written;
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    return failed("internal", `The export could not be written to ${path}.`, { cause: describeError(error) });
  }
}

async function writePages(
  path: string,
  memory: Pick<MemoryPort, "exportPage">,
  onProgress: OnProgress,
  signal: AbortSignal,
  keep: (line: string) => boolean,
): Promise<Result<number>> {
  const file = await open(path, "w");
  try {
    let done = 0;
    let cursor: string | undefined;
    do {
      const page = await memory.exportPage(cursor, signal);
      if (signal.aborted) return { ok: false, failure: CANCELLED };
      if (!page.ok) return page;
      const { next } = page.value;
      const lines = page.value.lines.filter(keep);
      if (lines.length > 0) await file.writeFile(`${lines.join("\n")}\n`);
      done += lines.length;
      onProgress(done);
      cursor = next;
    } while (cursor !== undefined);
    return success(done);
  } finally {
    await file.close();
  }
}

/** Gathers the lines of a file until they are worth a request. */
class Batch {
  readonly lines: string[] = [];
  readonly numbers: number[] = [];
  private characters = 0;

  add(text: string, number: number): void {
    this.lines.push(text);
    this.numbers.push(number);
    this.characters += text.length;
  }

  get full(): boolean {
    return this.lines.length >= BATCH_LINES || this.characters >= BATCH_CHARACTERS;
  }
}

/** Adds the lines of an export, part by part. A bad line costs itself only; what was added before a cancel stays. */
export async function importFrom(
  path: string,
  memory: Pick<MemoryPort, "importLines">,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Result<ImportReport>> {
  const importing = new Importing(memory, onProgress, signal);
  try {
    let number = 0;
    for await (const { text } of readLines(path)) {
      if (signal.aborted) return { ok: false, failure: CANCELLED };
      number += 1;
      const sent = await importing.take(text, number);
      if (!sent.ok) return sent;
    }
    return await importing.end();
  } catch (error) {
    return failed("internal", `${path} could not be read.`, { cause: describeError(error) });
  }
}

class Importing {
  private readonly memory: Pick<MemoryPort, "importLines">;
  private readonly onProgress: OnProgress;
  private readonly signal: AbortSignal;
  private batch = new Batch();
  private added = 0;
  private known = 0;
  private badCount = 0;
  private readonly bad: { readonly line: number; readonly reason: string }[] = [];

  constructor(memory: Pick<MemoryPort, "importLines">, onProgress: OnProgress, signal: AbortSignal) {
    this.memory = memory;
    this.onProgress = onProgress;
    this.signal = signal;
  }

  async take(text: string | undefined, number: number): Promise<Result<void>> {
    if (text === undefined || text.length > MAX_LINE) this.refuse(number, "too long");
    else if (text.trim() !== "") this.batch.add(text, number);
    return this.batch.full ? await this.send() : success(undefined);
  }

  async end(): Promise<Result<ImportReport>> {
    const sent = await this.send();
    if (!sent.ok) return sent;
    const { added, known, badCount, bad } = this;
    return success({ added, known, badCount, bad });
  }

  private refuse(line: number, reason: string): void {
    this.badCount += 1;
    if (this.bad.length < MAX_BAD) this.bad.push({ line, reason });
  }

  private async send(): Promise<Result<void>> {
    const { lines, numbers } = this.batch;
    this.batch = new Batch();
    if (lines.length === 0) return success(undefined);
    const done = await this.memory.importLines(lines, this.signal);
    if (!done.ok) return done;
    this.added += done.value.added;
    this.known += done.value.known;
    for (const { line, reason } of done.value.bad) this.refuse(numbers[line - 1] ?? line, reason);
    this.onProgress(this.added + this.known + this.badCount);
    return success(undefined);
  }
}

/** What an import came to, in a sentence or two. */
export function importedInWords({ added, known, badCount, bad }: ImportReport): string {
  const n = (value: number) => value.toLocaleString("en-US");
  const told = [`Imported ${n(added)} ${added === 1 ? "row" : "rows"}`];
  if (known > 0) told.push(`${n(known)} were there already`);
  if (badCount === 0) return `${told.join(", ")}.`;
  const first = bad[0];
  const named = first === undefined ? "" : ` (line ${n(first.line)}: ${first.reason})`;
  return `${told.join(", ")}, ${n(badCount)} could not be read${named}.`;
}
