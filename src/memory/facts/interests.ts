import { Schema } from "apache-arrow";
import { z } from "zod";
import type { Result } from "../../agent/failure.ts";
import { success } from "../../agent/failure.ts";
import type { InterestProposal, Learnt } from "../../agent/memory/types.ts";
import { cleanName, nameKey } from "../graph/names.ts";
import type { KnowledgeDeps } from "../knowledge-deps.ts";
import { numberField, textField } from "../store/rows.ts";
import type { StoredRow, TableSpec } from "../store/spec.ts";
import { isOneOf, literal } from "../store/sql.ts";
import type { StoreTable } from "../store/table.ts";
import { ForgottenTurns } from "./forgotten-turns.ts";
import { plainWords, stem } from "./words.ts";

/** Most interests that one turn may move. */
const MAX_MOVES = 20;
/** Most turns that are kept of those that moved an interest: the latest. */
const MAX_SOURCES = 50;

/** The table of agents' interests. */
export const interestsSpec: TableSpec = {
  name: "interests",
  version: 1,
  schema: () =>
    new Schema([
      ...["id", "agent", "name", "key", "sources"].map((name) => textField(name)),
      ...["score", "older", "updated_at"].map((name) => numberField(name)),
    ]),
  migrations: [],
};

const sourceSchema = z.object({ sessionId: z.string(), turnId: z.string(), delta: z.number() });

/** An agent's interest with the turns that moved it. */
export const interestSchema = z.object({
  id: z.uuid(),
  agent: z.string().max(500),
  name: z.string().min(1).max(500),
  /** 0..1. */
  score: z.number().min(0).max(1),
  sources: z.array(sourceSchema).max(MAX_SOURCES),
  /** How many turns moved it before those in `sources`. */
  older: z.number().min(0),
  updatedAt: z.number(),
});
/** An agent's interest with the turns that moved it. */
export type Interest = z.infer<typeof interestSchema>;

/** An interest as a row. */
export function interestRow(interest: Interest): StoredRow {
  const { id, agent, name, score, older, sources, updatedAt } = interest;
  return {
    ...{ id, agent, name, score, older, key: nameKey(name) },
    sources: JSON.stringify(sources),
    updated_at: updatedAt,
  };
}

const rowSchema = z
  .object({ sources: z.string(), updated_at: z.number() })
  .loose()
  .transform(({ sources, updated_at, ...rest }, context): unknown => {
    try {
      return { ...rest, sources: JSON.parse(sources) as unknown, updatedAt: updated_at };
    } catch {
      context.addIssue("The turns of an interest can't be read.");
      return z.NEVER;
    }
  })
  .pipe(interestSchema);

/** Reads interests back; a row that is none is left out. */
export function readInterests(rows: readonly unknown[]): Interest[] {
  return rows.map((row) => rowSchema.safeParse(row)).flatMap((read) => (read.success ? [read.data] : []));
}

/** The interest moved by a turn. */
export function moved(
  interest: Interest,
  delta: number,
  { source }: Pick<Learnt, "source">,
  now: number,
): Interest {
  const sources = [...interest.sources, { sessionId: source.sessionId, turnId: source.turnId, delta }];
  const dropped = Math.max(0, sources.length - MAX_SOURCES);
  return {
    ...interest,
    score: bounded(interest.score + delta),
    sources: sources.slice(dropped),
    older: interest.older + dropped,
    updatedAt: now,
  };
}

/** The interest as if some turns had not been; undefined when no other turn moved it. */
export function unmoved(interest: Interest, gone: (turnId: string) => boolean): Interest | undefined {
  const sources = interest.sources.filter(({ turnId }) => !gone(turnId));
  const taken = interest.sources
    .filter(({ turnId }) => gone(turnId))
    .reduce((sum, { delta }) => sum + delta, 0);
  if (sources.length === 0 && interest.older === 0) return undefined;
  return { ...interest, sources, score: bounded(interest.score - taken) };
}

function bounded(score: number): number {
  return Math.round(Math.min(1, Math.max(0, score)) * 1_000) / 1_000;
}

/** What agents come to be interested in. Nothing here throws. */
export class Interests {
  readonly table: StoreTable;
  readonly #deps: Pick<KnowledgeDeps, "now" | "newId">;
  readonly #forgotten: ForgottenTurns;

  constructor(deps: KnowledgeDeps) {
    this.#forgotten = new ForgottenTurns(deps.database);
    this.table = deps.database.table(interestsSpec);
    this.#deps = deps;
  }

  /** Moves the scores of what the user spoke of, unless the turn was forgotten. */
  async learn(learnt: Learnt, signal: AbortSignal): Promise<Result<void>> {
    const heard = new Set(plainWords(learnt.said).map(stem));
    const moves = mergeMoves(learnt.interests ?? []).filter(({ name }) =>
      plainWords(name).every((word) => heard.has(stem(word))),
    );
    if (moves.length === 0) return success(undefined);
    return this.table.change(async (table) => {
      if (await this.#forgotten.has(learnt.source.turnId, signal)) return;
      const keys = moves.map(({ name }) => nameKey(name));
      const rows: unknown[] = await table
        .query()
        .where(`agent = ${literal(learnt.agent)} AND ${isOneOf("key", keys)}`)
        .toArray();
      const known = new Map(readInterests(rows).map((interest) => [nameKey(interest.name), interest]));
      const now = this.#deps.now();
      const changed = moves.flatMap(({ name, delta }) => {
        const interest = known.get(nameKey(name));
        if (interest === undefined && delta <= 0) return [];
        return moved(interest ?? this.#fresh(learnt.agent, name), delta, learnt, now);
      });
      if (changed.length === 0) return;
      const written = changed.map((interest) => ({ ...interestRow(interest) }));
      await table.mergeInsert("id").whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(written);
    }, signal);
  }

  /** An agent's interests, the strongest first. */
  async of(
    agent: string,
    limit: number,
    signal: AbortSignal,
  ): Promise<Result<readonly { readonly name: string; readonly score: number }[]>> {
    return this.table.read<readonly { readonly name: string; readonly score: number }[]>(
      [],
      async (table) => {
        const rows: unknown[] = await table
          .query()
          .where(`agent = ${literal(agent)} AND score > 0`)
          .orderBy([
            { columnName: "score", ascending: false },
            { columnName: "key", ascending: true },
          ])
          .limit(limit)
          .toArray();
        return readInterests(rows).map(({ name, score }) => ({ name, score }));
      },
      signal,
    );
  }

  #fresh(agent: string, name: string): Interest {
    const id = this.#deps.newId().toLowerCase();
    return { id, agent, name, score: 0, sources: [], older: 0, updatedAt: 0 };
  }
}

/** Clean names, each once, with all that moves it. */
function mergeMoves(proposals: readonly InterestProposal[]): readonly InterestProposal[] {
  const merged = new Map<string, InterestProposal>();
  for (const { name, delta } of proposals.slice(0, MAX_MOVES)) {
    const clean = cleanName(name);
    if (clean === "" || !Number.isFinite(delta)) continue;
    const known = merged.get(nameKey(clean));
    merged.set(nameKey(clean), { name: known?.name ?? clean, delta: (known?.delta ?? 0) + delta });
  }
  return [...merged.values()];
}
