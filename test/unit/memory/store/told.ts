import { Field, Float64, Schema, Utf8 } from "apache-arrow";
import { z } from "zod";
import type { TableSpec } from "../../../../src/memory/store/spec.ts";

/** A table whose one row is read, changed and written again and again, as facts are. */
export const COUNTERS: TableSpec = {
  name: "counters",
  version: 1,
  schema: () => new Schema([new Field("id", new Utf8(), false), new Field("count", new Float64(), false)]),
  migrations: [],
};

/** What a worker says it has done, one line each, after it was done. */
export const doneSchema = z.discriminatedUnion("did", [
  z.object({ did: z.literal("add"), id: z.string() }),
  z.object({ did: z.literal("grade"), id: z.string() }),
  z.object({ did: z.literal("count") }),
  z.object({ did: z.literal("forget"), id: z.string() }),
  z.object({ did: z.literal("end") }),
]);

/** What windows said they had done. */
export class Told {
  readonly added = new Set<string>();
  readonly graded = new Set<string>();
  readonly forgotten = new Set<string>();
  counted = 0;
  ended = 0;

  /** Takes a line of a worker. */
  take(line: string): void {
    const done = doneSchema.parse(JSON.parse(line));
    if (done.did === "add") this.added.add(done.id);
    if (done.did === "grade") this.graded.add(done.id);
    if (done.did === "forget") this.forgotten.add(done.id);
    if (done.did === "count") this.counted += 1;
    if (done.did === "end") this.ended += 1;
  }
}
