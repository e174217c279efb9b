import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

const SAID = z.object({
  id: z.string(),
  sessionId: z.string(),
  ended: z.enum(["answered", "failed", "cancelled"]),
  error: z.string().exactOptional(),
  /** Memory holds the turn. */
  stored: z.boolean(),
  /** Who read it for what it teaches; absent where nobody did in time. */
  learntBy: z.string().exactOptional(),
  /** What was read in it: facts that were new, and those that rose or no longer hold. */
  facts: z.int().min(0),
  seconds: z.number().min(0),
});

const TOLD = z.object({
  /** When the telling began: days ago are counted from here. Milliseconds since the epoch. */
  begun: z.number(),
  /** Git commit of the product that was told. */
  commit: z.string(),
  said: z.array(SAID),
  /** What memory holds after all of it: what the model had saved by a tool is among the facts. */
  holds: z.object({ episodes: z.int().min(0), facts: z.int().min(0) }).exactOptional(),
  /** All was told. */
  whole: z.boolean(),
});

/** What became of one thing that was said. */
export type Said = z.output<typeof SAID>;
/** What a folder of data was told so far. */
export type Told = z.output<typeof TOLD>;

/** A folder of data that is told, with a note of how far. */
export class ToldFolder {
  /** Of the product. */
  readonly data: string;
  readonly #note: string;

  constructor(folder: string) {
    this.data = join(folder, "data");
    this.#note = join(folder, "told.json");
  }

  /** What it was told so far; a note of nothing where that is nothing. */
  async begin(commit: string, now: number): Promise<Told> {
    const there = await this.read();
    if (there !== undefined) return there;
    await this.empty();
    await mkdir(this.data, { recursive: true });
    const told = { begun: now, commit, said: [], whole: false };
    await this.write(told);
    return told;
  }

  /** Forgets what it was told. */
  async empty(): Promise<void> {
    await rm(this.#note, { force: true });
    await rm(this.data, { recursive: true, force: true });
  }

  /** Notes what it was told. */
  async write(told: Told): Promise<void> {
    await writeFile(`${this.#note}.tmp`, `${JSON.stringify(told, null, 1)}\n`);
    await rename(`${this.#note}.tmp`, this.#note);
  }

  /** What it was told; undefined where that is nothing, or can't be read. */
  async read(): Promise<Told | undefined> {
    try {
      const read = TOLD.safeParse(JSON.parse(await readFile(this.#note, "utf8")));
      return read.data;
    } catch {
      return undefined;
    }
  }
}
