import type { Result } from "../../agent/failure.ts";
import { success } from "../../agent/failure.ts";
import type { ForgetWhat } from "../../agent/memory/types.ts";
import { USER } from "../../agent/memory/types.ts";
import { edgesSpec, entitiesSpec, resourcesSpec } from "../graph/tables.ts";
import { momentsSpec } from "../moments/table.ts";
import { ANNOTATIONS } from "../store/annotations.ts";
import type { Database } from "../store/database.ts";
import { EPISODES } from "../store/episodes.ts";
import type { Row, TableSpec } from "../store/spec.ts";
import { all, inScopes, literal, validIds } from "../store/sql.ts";
import { Mention, meansUser, otherNames } from "./about.ts";
import type { Doom } from "./doom.ts";
import { interestsSpec } from "./interests.ts";
import { Unread, pickRows, rowsOf, textOf, textsIn } from "./scan.ts";
import { factsSpec } from "./table.ts";

type TableName = keyof Doom["rows"];

/** Finds what is to be forgotten: the turns whose text goes, and rows that go for themselves. Nothing is changed. */
export async function nameDoom(
  database: Database,
  what: Exclude<ForgetWhat, { by: "everything" }>,
  signal: AbortSignal,
): Promise<Result<Doom>> {
  const naming = new Naming(database, signal);
  try {
    await naming.name(what);
    return success(naming.doom());
  } catch (error) {
    if (error instanceof Unread) return error.result;
    throw error;
  }
}

class Naming {
  readonly #database: Database;
  readonly #signal: AbortSignal;
  readonly #turns = new Map<string, string>();
  readonly #rows: Record<TableName, Set<string>> = {
    episodes: new Set(),
    facts: new Set(),
    people: new Set(),
    relationships: new Set(),
    resources: new Set(),
    moments: new Set(),
    interests: new Set(),
    annotations: new Set(),
  };

  constructor(database: Database, signal: AbortSignal) {
    this.#database = database;
    this.#signal = signal;
  }

  doom(): Doom {
    return { turns: this.#turns, rows: this.#rows };
  }

  async name(what: Exclude<ForgetWhat, { by: "everything" }>): Promise<void> {
    switch (what.by) {
      case "ids":
        validIds(what.ids).forEach((id) => this.#rows[what.table].add(id));
        return this.#turnsOfEpisodes();
      case "turns":
        what.turnIds.forEach((turnId) => this.#turn(turnId, ""));
        return this.#sessionsOfTurns();
      case "session":
        return this.#session(what.sessionId);
      case "about":
        await this.#about(what.about, what.scopes);
        return this.#turnsOfEpisodes();
    }
  }

  /** A turn without an id can't be told from others like it. */
  #turn(turnId: string, sessionId: string): void {
    if (turnId !== "" && (this.#turns.get(turnId) ?? "") === "") this.#turns.set(turnId, sessionId);
  }

  async #session(sessionId: string): Promise<void> {
    const own = `session_id = ${literal(sessionId)}`;
    const turn = (row: Row): void => this.#turn(textOf(row, "turn_id"), sessionId);
    for (const spec of [EPISODES, edgesSpec, resourcesSpec, momentsSpec])
      await this.#each(spec, ["turn_id"], own, turn);
    const inside = `contains(sources, ${literal(JSON.stringify(sessionId))})`;
    for (const spec of [factsSpec, interestsSpec]) {
      await this.#each(spec, ["sources"], inside, (row) => {
        sourcesIn(row)
          .filter((source) => source.sessionId === sessionId)
          .forEach(({ turnId }) => this.#turn(turnId, sessionId));
      });
    }
    await this.#each(EPISODES, ["id"], own, (row) => this.#rows.episodes.add(textOf(row, "id")));
  }

  async #turnsOfEpisodes(): Promise<void> {
    await this.#of(EPISODES, "id", [...this.#rows.episodes], (row) =>
      this.#turn(textOf(row, "turn_id"), textOf(row, "session_id")),
    );
    await this.#sessionsOfTurns();
  }

  async #sessionsOfTurns(): Promise<void> {
    await this.#of(EPISODES, "turn_id", [...this.#turns.keys()], (row) => {
      this.#turn(textOf(row, "turn_id"), textOf(row, "session_id"));
      this.#rows.episodes.add(textOf(row, "id"));
    });
  }

  async #about(about: string, scopes: readonly string[] | undefined): Promise<void> {
    const scoped = inScopes(scopes);
    if (meansUser(about)) return this.#ofUser(scoped);
    const names = new Set([about]);
    await this.#each(entitiesSpec, ["name", "aliases"], scoped, (row) => {
      otherNames(about, entityNames(row)).forEach((name) => names.add(name));
    });
    const mention = new Mention([...names]);
    if (mention.empty) return;
    await this.#mentions(EPISODES, "episodes", EPISODE_TEXTS, scoped, mention);
    await this.#mentions(entitiesSpec, "people", ["name", "aliases"], scoped, mention);
    await this.#mentions(resourcesSpec, "resources", ["title", "uri", "body"], scoped, mention);
    await this.#mentions(momentsSpec, "moments", ["title", "body"], scoped, mention);
    if (scopes === undefined || scopes.includes("")) {
      await this.#mentions(interestsSpec, "interests", ["name"], undefined, mention);
    }
    await this.#statements(scoped, (row, columns) =>
      mention.inAny(...columns.flatMap((column) => wordsOf(row, column)), ...saidIn(row)),
    );
    await this.#annotated(scoped, mention);
  }

  /** What is known of the user is all that is theirs, and the turns that say it. */
  async #ofUser(scoped: string | undefined): Promise<void> {
    await this.#statements(
      scoped,
      (row) => textOf(row, "owner") === USER || meansUser(textOf(row, "subject")),
    );
    await this.#each(entitiesSpec, ["id", "name"], scoped, (row) => {
      if (meansUser(textOf(row, "name"))) this.#rows.people.add(textOf(row, "id"));
    });
  }

  /** Facts and relations, and the turns that say them: those may mean it by a word such as "she". */
  async #statements(
    scoped: string | undefined,
    isMeant: (row: Row, columns: readonly string[]) => boolean,
  ): Promise<void> {
    const ofFact = ["text", "subject", "quote"];
    await this.#each(factsSpec, ["id", "owner", "sources", ...ofFact], scoped, (row) => {
      if (!isMeant(row, ofFact)) return;
      this.#rows.facts.add(textOf(row, "id"));
      sourcesIn(row).forEach(({ turnId, sessionId }) => this.#turn(turnId, sessionId));
    });
    const ofEdge = ["from_name", "to_name", "text", "quote"];
    await this.#each(
      edgesSpec,
      ["id", "owner", "turn_id", "session_id", "turns", ...ofEdge],
      scoped,
      (row) => {
        if (!isMeant(row, ofEdge)) return;
        this.#rows.relationships.add(textOf(row, "id"));
        this.#turn(textOf(row, "turn_id"), textOf(row, "session_id"));
        textsIn(textOf(row, "turns")).forEach((turnId) => this.#turn(turnId, ""));
      },
    );
  }

  /** What a user or a model noted of an episode counts as its text. */
  async #annotated(scoped: string | undefined, mention: Mention): Promise<void> {
    const episodes = new Map<string, string>();
    await this.#each(ANNOTATIONS, ["id", "episode_id", "value"], `kind IN ('edit', 'class')`, (row) => {
      if (mention.inAny(...textsIn(textOf(row, "value")))) {
        episodes.set(textOf(row, "id"), textOf(row, "episode_id"));
      }
    });
    const owned = new Set<string>();
    await this.#of(
      EPISODES,
      "id",
      [...episodes.values()],
      (row) => {
        owned.add(textOf(row, "id"));
        this.#rows.episodes.add(textOf(row, "id"));
      },
      scoped,
    );
    for (const [id, episodeId] of episodes) {
      // Of an episode that is not there the scope is not known; its annotations go with any.
      if (owned.has(episodeId) || scoped === undefined) this.#rows.annotations.add(id);
    }
  }

  async #mentions(
    spec: TableSpec,
    table: TableName,
    columns: readonly string[],
    where: string | undefined,
    mention: Mention,
  ): Promise<void> {
    await this.#each(spec, ["id", ...columns], all(where, mention.filter(columns)), (row) => {
      const texts = columns.flatMap((column) => wordsOf(row, column));
      if (mention.inAny(...texts)) this.#rows[table].add(textOf(row, "id"));
    });
  }

  async #each(
    spec: TableSpec,
    columns: readonly string[],
    where: string | undefined,
    visit: (row: Row) => void,
  ): Promise<void> {
    const visitOne = (row: Row): undefined => {
      visit(row);
      return undefined;
    };
    const done = await pickRows(this.#database.table(spec), columns, where, visitOne, this.#signal);
    if (!done.ok) throw new Unread(done);
  }

  async #of(
    spec: TableSpec,
    column: string,
    values: readonly string[],
    visit: (row: Row) => void,
    where?: string,
  ): Promise<void> {
    const visitOne = (row: Row): undefined => {
      visit(row);
      return undefined;
    };
    const columns = ["id", "turn_id", "session_id"];
    const table = this.#database.table(spec);
    const done = await rowsOf(table, column, values, columns, visitOne, this.#signal, where);
    if (!done.ok) throw new Unread(done);
  }
}

const EPISODE_TEXTS = ["question", "answer", "entities", "refs", "sources"];
/** Columns that hold texts as JSON. */
const AS_JSON = new Set(["entities", "refs", "aliases", "sources"]);

/** What the turns of a fact say, in the user's words and as it was worded from each. */
function saidIn(row: Row): string[] {
  return sourcesIn(row).flatMap(({ quote, text }) => [quote, text]);
}

function wordsOf(row: Row, column: string): string[] {
  const text = textOf(row, column);
  return AS_JSON.has(column) ? textsIn(text) : [text];
}

function entityNames(row: Row): string[] {
  return [textOf(row, "name"), ...textsIn(textOf(row, "aliases"))];
}

/** The turns of a fact or an interest. */
function sourcesIn(row: Row): Readonly<Record<"turnId" | "sessionId" | "quote" | "text", string>>[] {
  try {
    const list: unknown = JSON.parse(textOf(row, "sources"));
    if (!Array.isArray(list)) return [];
    return list.map((source: Readonly<Record<string, unknown>>) => ({
      turnId: textOf(source, "turnId"),
      sessionId: textOf(source, "sessionId"),
      quote: textOf(source, "quote"),
      text: textOf(source, "text"),
    }));
  } catch {
    return [];
  }
}
