import { z } from "zod";

const uuid = z.uuid();

/**
 * A text as a literal of the store's filter language: quotes doubled, nothing else is special. Half characters are
 * replaced, since the native side only takes whole ones.
 */
export function literal(text: string): string {
  return `'${text.toWellFormed().replaceAll("'", "''")}'`;
}

/** A filter for rows whose column is one of the values; none of them for an empty list. */
export function isOneOf(column: string, values: readonly string[]): string {
  return values.length === 0 ? "false" : `${column} IN (${values.map(literal).join(", ")})`;
}

/**
 * A filter for rows of these scopes; undefined, so all rows, when no scopes are given. A row without a scope, as older
 * versions wrote it, is of the global scope, whose id is empty.
 */
export function inScopes(scopes: readonly string[] | undefined): string | undefined {
  if (scopes === undefined) return undefined;
  const listed = isOneOf("scope", scopes);
  return scopes.includes("") ? `(${listed} OR scope IS NULL)` : listed;
}

/** All of the filters together; undefined when there is none. */
export function all(...filters: readonly (string | undefined)[]): string | undefined {
  const given = filters.filter((filter) => filter !== undefined);
  return given.length === 0 ? undefined : given.map((filter) => `(${filter})`).join(" AND ");
}

/** A filter for rows that hold the words in question or answer, whatever their case. */
export function mentions(words: string): string {
  const wanted = literal(words.toLowerCase());
  return `(contains(lower(question), ${wanted}) OR contains(lower(answer), ${wanted}))`;
}

/** The ids that are UUIDs, in the form they are stored in, each once. Anything else can't be the id of a row. */
export function validIds(ids: readonly string[]): string[] {
  return [...new Set(ids.filter((id) => uuid.safeParse(id).success).map((id) => id.toLowerCase()))];
}
