import { randomUUID } from "node:crypto";
import { writeSync } from "node:fs";
import type { Table } from "@lancedb/lancedb";
import { z } from "zod";
import type { Result } from "../../../../src/agent/failure.ts";
import type { Episode } from "../../../../src/agent/memory/port.ts";
import { AnnotationTable } from "../../../../src/memory/store/annotations.ts";
import { Database } from "../../../../src/memory/store/database.ts";
import { EpisodeTable } from "../../../../src/memory/store/episodes.ts";
import { Maintenance } from "../../../../src/memory/store/maintenance.ts";
import { Vectors } from "../../../../src/memory/store/vectors.ts";
import type { doneSchema } from "./told.ts";
import { COUNTERS } from "./told.ts";

const never = new AbortController().signal;

function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.failure.message} ${result.failure.cause ?? ""}`);
  return result.value;
}

/** Numbers from 0 to below 1, the same for the same seed. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function say(done: z.infer<typeof doneSchema>): void {
  writeSync(1, `${JSON.stringify(done)}\n`);
}

function said(question: string): Episode {
  return {
    id: randomUUID(),
    sessionId: `session-${process.pid}`,
    turnId: randomUUID(),
    question,
    answer: "An answer about the boat.",
    agent: "conclave",
    respondent: "A",
    model: "model",
    time: Date.now(),
    kind: "turn",
    scope: "",
  };
}

async function raise(table: Table): Promise<void> {
  const [row] = z.array(z.object({ count: z.number() })).parse(await table.query().toArray());
  if (row === undefined) await table.add([{ id: "one", count: 1 }]);
  else await table.update({ where: "id = 'one'", values: { count: row.count + 1 } });
}

/** One window at work: what it does next is chosen by the seed. */
async function work(uri: string, seed: number, until: () => boolean): Promise<void> {
  const database = new Database({ uri });
  const [episodes, annotations, vectors] = [
    new EpisodeTable(database),
    new AnnotationTable(database),
    new Vectors(database),
  ];
  const maintenance = new Maintenance(database);
  const random = numbers(seed);
  const own: Episode[] = [];
  while (!until()) {
    const choice = random();
    if (choice < 0.35 || own.length === 0) {
      const one = said(`Where is boat ${Math.floor(random() * 1_000)}?`);
      must(await episodes.append([one], never));
      own.push(one);
      say({ did: "add", id: one.id });
      const embedding = Float32Array.from({ length: 8 }, random);
      must(await vectors.put("worker", [{ ...one, kind: "episode", scope: "", embedding }], never));
    } else if (choice < 0.55) {
      const episodeId = own[Math.floor(random() * own.length)]!.id;
      const grade = {
        kind: "score",
        value: 3,
        id: randomUUID(),
        episodeId,
        by: "critic",
        time: Date.now(),
      } as const;
      must(await annotations.append([grade], never));
      say({ did: "grade", id: episodeId });
    } else if (choice < 0.7) {
      must(await database.table(COUNTERS).change(raise, never));
      say({ did: "count" });
    } else if (choice < 0.75) {
      const [gone] = own.splice(Math.floor(random() * own.length), 1);
      must(await episodes.forget([gone!.id], never));
      must(await vectors.wipe([gone!.id], never));
      say({ did: "forget", id: gone!.id });
    } else if (choice < 0.8) {
      must(await maintenance.run(never));
    } else {
      must(await episodes.matching(["boat"], { limit: 20 }, never));
      must(await episodes.list({ offset: 0, limit: 20 }, never));
      must(await vectors.near("worker", "episode", new Float32Array(8).fill(1), { limit: 5 }, never));
    }
  }
  database.close();
}

const [, , folder, seed, amount] = process.argv;
if (folder !== undefined && amount !== undefined) {
  // Rounds, or seconds when so said.
  let rounds = 0;
  const end = amount.endsWith("s") ? performance.now() + Number(amount.slice(0, -1)) * 1_000 : undefined;
  const until = (): boolean => (end === undefined ? (rounds += 1) > Number(amount) : performance.now() > end);
  void work(folder, Number(seed), until).then(() => say({ did: "end" }));
}
