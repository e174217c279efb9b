import type { Result } from "../../agent/failure.ts";
import { success } from "../../agent/failure.ts";
import { relationText } from "../../agent/memory/text.ts";
import type { Forgotten, ForgetPreview, ForgetTable, ForgetWhat } from "../../agent/memory/types.ts";
import type { KnowledgeDeps } from "../knowledge-deps.ts";
import { WINDOW_TURNS } from "../retrieval/texts.ts";
import { ANNOTATIONS } from "../store/annotations.ts";
import { EPISODES } from "../store/episodes.ts";
import type { Row } from "../store/spec.ts";
import type { Doom } from "./doom.ts";
import { ForgottenTurns } from "./forgotten-turns.ts";
import { interestsSpec } from "./interests.ts";
import { nameDoom } from "./name-doom.ts";
import { Removal } from "./removal.ts";
import type { Going } from "./samples.ts";
import { MAX_SAMPLES, previewOf } from "./samples.ts";
import { filtersFor, pickRows, rowsOf, textOf } from "./scan.ts";
import { SHOWN } from "./shown.ts";

type Turn = Forgotten["turns"][number];

const TABLES = Object.keys(SHOWN) as ForgetTable[];

const NO_ROWS = { episodes: 0, facts: 0, people: 0, relationships: 0, resources: 0, moments: 0 };

/** What is on its way from a turn arrives within this time, in milliseconds. */
const UNDERWAY_MS = 24 * 60 * 60 * 1_000;

/**
 * Removes what the user wants forgotten, and all that was drawn from it, for good: rows, embeddings, and what indexes
 * and old versions still hold on the disk. Nothing here throws.
 */
export class Forgetting {
  readonly #deps: KnowledgeDeps;
  readonly #turns: ForgottenTurns;

  constructor({ deps }: { readonly deps: KnowledgeDeps }) {
    this.#deps = deps;
    this.#turns = new ForgottenTurns(deps.database);
  }

  /** Which of these turns and episodes were forgotten: nothing that comes from them later is to be kept. */
  forgotten(ids: readonly string[], signal: AbortSignal): Promise<Result<ReadonlySet<string>>> {
    return this.#turns.among(ids, signal);
  }

  /** What would go. Changes nothing. */
  async preview(what: ForgetWhat, signal: AbortSignal): Promise<Result<ForgetPreview>> {
    if (what.by === "everything") return this.#previewAll(signal);
    const doom = await nameDoom(this.#deps.database, what, signal);
    if (!doom.ok) return doom;
    const removal = new Removal(this.#deps.database, doom.value, signal);
    const facts = await removal.facts("look");
    if (!facts.ok) return facts;
    const graph = await removal.graph("look");
    if (!graph.ok) return graph;
    const resources = await removal.resources("look");
    if (!resources.ok) return resources;
    const moments = await removal.moments("look");
    if (!moments.ok) return moments;
    const episodes = await this.#lines(doom.value, signal);
    if (!episodes.ok) return episodes;
    return success(
      previewOf({
        episodes: going(episodes.value, (text) => text),
        facts: going(facts.value.gone, ({ text }) => text),
        people: going(graph.value.entities.gone, ({ name }) => name),
        relationships: going(graph.value.edges.gone, relationText),
        resources: going(resources.value.gone, ({ title, uri }) => (title.trim() === "" ? uri : title)),
        moments: going(moments.value.gone, ({ title, text }) => (title === "" ? text : title)),
      }),
    );
  }

  /**
   * Removes it. When it fails in the middle, what is left is found again by asking for the same: the turns' own rows
   * go last.
   */
  async forget(what: ForgetWhat, signal: AbortSignal): Promise<Result<Forgotten>> {
    if (what.by === "everything") return this.#forgetAll(signal);
    const doom = await nameDoom(this.#deps.database, what, signal);
    if (!doom.ok) return doom;
    const { turns, rows } = doom.value;
    const ids = [...turns.keys(), ...rows.episodes];
    const noted = await this.#turns.add(ids, this.#deps.now(), signal);
    if (!noted.ok) return noted;
    const removal = new Removal(this.#deps.database, doom.value, signal);
    const facts = await removal.facts("remove");
    if (!facts.ok) return facts;
    const interests = await removal.interests("remove");
    if (!interests.ok) return interests;
    const graph = await removal.graph("remove");
    if (!graph.ok) return graph;
    const resources = await removal.resources("remove");
    if (!resources.ok) return resources;
    const moments = await removal.moments("remove");
    if (!moments.ok) return moments;
    const { edges, entities } = graph.value;
    const episodes = [...rows.episodes];
    const beside = await this.#beside(doom.value, signal);
    if (!beside.ok) return beside;
    const embedded = [
      ...episodes,
      ...beside.value,
      ...entities.renamed.keys(),
      ...[...facts.value.gone, ...facts.value.kept, ...entities.gone].map(({ id }) => id),
      ...[...resources.value.gone, ...moments.value.gone].map(({ id }) => id),
    ];
    const removed = await this.#removeEpisodes(episodes, [...rows.annotations], embedded, signal);
    if (!removed.ok) return removed;
    const counts = {
      episodes: removed.value,
      facts: facts.value.gone.length,
      people: entities.gone.length,
      relationships: edges.gone.length,
      resources: resources.value.gone.length,
      ...(moments.value.gone.length > 0 && { moments: moments.value.gone.length }),
    };
    const sources = [
      ...facts.value.gone.flatMap((fact) => fact.sources),
      ...edges.gone.map(({ source }) => source),
      ...resources.value.gone,
      ...moments.value.gone.map(({ source }) => source),
    ];
    return success({ removed: sum(counts), counts, turns: turnsOf(doom.value, sources) });
  }

  async #previewAll(signal: AbortSignal): Promise<Result<ForgetPreview>> {
    const all = new Map<ForgetTable, Going>();
    for (const name of TABLES) {
      const { spec, columns, line } = SHOWN[name];
      const table = this.#deps.database.table(spec);
      const count = await table.count(undefined, signal);
      if (!count.ok) return count;
      const texts = await table.read<readonly string[]>(
        [],
        async (opened) => {
          const rows = await opened
            .query()
            .select([...columns])
            .limit(MAX_SAMPLES)
            .toArray();
          return (rows as Row[]).map((row) => line(row));
        },
        signal,
      );
      if (!texts.ok) return texts;
      all.set(name, { count: count.value, texts: texts.value });
    }
    const none: Going = { count: 0, texts: [] };
    const of = (name: ForgetTable): Going => all.get(name) ?? none;
    return success(
      previewOf({
        episodes: of("episodes"),
        facts: of("facts"),
        people: of("people"),
        relationships: of("relationships"),
        resources: of("resources"),
        moments: of("moments"),
      }),
    );
  }

  async #forgetAll(signal: AbortSignal): Promise<Result<Forgotten>> {
    const { database, vectors, now } = this.#deps;
    const turns = await this.#allTurns(signal);
    if (!turns.ok) return turns;
    const underway = turns.value.filter(({ time }) => time > now() - UNDERWAY_MS).map(({ turnId }) => turnId);
    const noted = await this.#turns.add(underway, now(), signal);
    if (!noted.ok) return noted;
    for (const spec of [interestsSpec, ANNOTATIONS]) {
      const wiped = await database.table(spec).wipe("true", signal);
      if (!wiped.ok) return wiped;
    }
    const all: Record<ForgetTable, number> = { ...NO_ROWS };
    for (const name of [...TABLES].reverse()) {
      const wiped = await database.table(SHOWN[name].spec).wipe("true", signal);
      if (!wiped.ok) return wiped;
      all[name] = wiped.value;
    }
    const models = await vectors.models(signal);
    if (!models.ok) return models;
    for (const { model } of models.value) {
      const dropped = await vectors.drop(model, signal);
      if (!dropped.ok) return dropped;
    }
    const { moments, ...rest } = all;
    const counts = { ...rest, ...(moments > 0 && { moments }) };
    const distinct = new Map(turns.value.map(({ turnId, sessionId }) => [turnId, { sessionId, turnId }]));
    return success({ removed: sum(counts), counts, turns: [...distinct.values()] });
  }

  #allTurns(signal: AbortSignal): Promise<Result<readonly (Turn & { readonly time: number })[]>> {
    return pickRows(
      this.#deps.database.table(EPISODES),
      ["session_id", "turn_id", "time"],
      undefined,
      (row) => ({
        sessionId: textOf(row, "session_id"),
        turnId: textOf(row, "turn_id"),
        time: Number(row.time),
      }),
      signal,
    );
  }

  /** One line for each episode that goes. */
  #lines({ rows }: Doom, signal: AbortSignal): Promise<Result<readonly string[]>> {
    return rowsOf(
      this.#deps.database.table(EPISODES),
      "id",
      [...rows.episodes],
      SHOWN.episodes.columns,
      (row) => SHOWN.episodes.line(row),
      signal,
    );
  }

  /**
   * Annotations first: without its episode none of them would be found again. Embeddings after what they are of, so
   * that none is written meanwhile; then the files of all of these tables are cleaned at once.
   */
  async #removeEpisodes(
    episodes: readonly string[],
    annotations: readonly string[],
    embedded: readonly string[],
    signal: AbortSignal,
  ): Promise<Result<number>> {
    const { database } = this.#deps;
    const notes = [...filtersFor("episode_id", episodes), ...filtersFor("id", annotations)];
    const wiped = await database.table(ANNOTATIONS).wipe(notes, signal);
    if (!wiped.ok) return wiped;
    const table = database.table(EPISODES);
    const removed = await table.remove(filtersFor("id", episodes), signal);
    if (!removed.ok) return removed;
    const [cleaned, vectors] = await Promise.all([
      removed.value > 0 ? table.clean(signal) : success(undefined),
      this.#deps.vectors.wipe(embedded, signal),
    ]);
    if (!cleaned.ok) return cleaned;
    return vectors.ok ? removed : vectors;
  }

  /** The turns beside those that go: what is embedded of them with their neighbours holds words of these. */
  async #beside({ rows, turns }: Doom, signal: AbortSignal): Promise<Result<readonly string[]>> {
    const places = await rowsOf(
      this.#deps.database.table(EPISODES),
      "session_id",
      [...turns.values()],
      ["id", "session_id", "time"],
      (row) => ({ id: textOf(row, "id"), session: textOf(row, "session_id"), time: Number(row.time) }),
      signal,
    );
    if (!places.ok) return places;
    const sessions = new Map<string, (typeof places.value)[number][]>();
    for (const place of [...places.value].sort((one, other) => one.time - other.time)) {
      const session = sessions.get(place.session);
      if (session === undefined) sessions.set(place.session, [place]);
      else session.push(place);
    }
    const beside = [...sessions.values()].flatMap((session) =>
      session.filter((_, index) =>
        session
          .slice(Math.max(0, index - WINDOW_TURNS), index + WINDOW_TURNS + 1)
          .some(({ id }) => rows.episodes.has(id)),
      ),
    );
    return success(beside.map(({ id }) => id));
  }
}

function going<T>(rows: readonly T[], text: (row: T) => string): Going {
  return { count: rows.length, texts: rows.slice(0, MAX_SAMPLES).map(text) };
}

function sum(counts: Forgotten["counts"]): number {
  return TABLES.reduce((total, name) => total + (counts[name] ?? 0), 0);
}

/** The turns with their sessions: of a turn without an episode what was drawn from it knows the session. */
function turnsOf({ turns }: Doom, sources: readonly Turn[]): readonly Turn[] {
  const sessions = new Map(sources.map(({ turnId, sessionId }) => [turnId, sessionId]));
  return [...turns].map(([turnId, sessionId]) => ({
    sessionId: sessionId === "" ? (sessions.get(turnId) ?? "") : sessionId,
    turnId,
  }));
}
