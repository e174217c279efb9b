import { z } from "zod";
import { ENTITY_TYPES, type Entity, type EntityType } from "../../agent/memory/types.ts";
import { nameKey } from "./names.ts";

/** The latest turns that are kept of those that taught one thing. */
const MAX_TURNS = 50;
/** Most things that are kept with their turns: every name an entity may have, and every kind. */
const MAX_TAUGHT = 40;

/** A name or a kind of an entity, and the turns that said so. */
export interface Taught {
  readonly what: "name" | "type";
  /** The name in the form in which names are compared, or the kind. */
  readonly of: string;
  readonly turns: readonly string[];
}

/** What is taught of, as far as it matters here. */
type Described = Pick<Entity, "name" | "aliases" | "type"> & { readonly taught: readonly Taught[] };

/** What turns taught of an entity, as it is kept. */
export const taughtSchema = z
  .array(
    z.object({
      what: z.enum(["name", "type"]),
      of: z.string().max(500),
      turns: z.array(z.string().max(500)).max(MAX_TURNS),
    }),
  )
  .max(MAX_TAUGHT);

/**
 * Notes that a turn used names for an entity, and took it for a kind. What the entity had before and no turn is noted
 * for stays so: the user gave it, or an older version did not note who taught it. `before` is undefined for a new one.
 */
export function taughtBy(
  turnId: string,
  said: { readonly names: readonly string[]; readonly type?: EntityType },
  before: Described | undefined,
): readonly Taught[] {
  let taught = before?.taught ?? [];
  const known = new Set(before === undefined ? [] : keysOf(before));
  for (const key of new Set(said.names.map(nameKey))) {
    taught = noted(taught, { what: "name", of: key }, known.has(key), turnId);
  }
  if (said.type === undefined) return taught;
  return noted(taught, { what: "type", of: said.type }, before?.type === said.type, turnId);
}

/** What was taught of two entities that are one: what one of them had from nobody in particular stays so. */
export function taughtOfBoth(one: Described, other: Described): readonly Taught[] {
  const free = (entity: Described, { what, of }: Taught): boolean =>
    (what === "name" ? keysOf(entity).includes(of) : entity.type === of) &&
    !entity.taught.some((each) => isOf(each, { what, of }));
  const others = other.taught.filter((each) => !one.taught.some((own) => isOf(own, each)));
  const own = one.taught.map((each) => {
    const more = other.taught.find((its) => isOf(its, each));
    return more === undefined ? each : { ...each, turns: latest([...more.turns, ...each.turns]) };
  });
  return [...own, ...others].filter((each) => !free(one, each) && !free(other, each)).slice(-MAX_TAUGHT);
}

/** What is taught still, once the user gave names and a kind: those are theirs, and names that are gone need no turns. */
export function taughtStill(
  entity: Described,
  given: { readonly name?: string | undefined; readonly type?: EntityType | undefined },
): readonly Taught[] {
  const keys = new Set(keysOf(entity));
  const name = given.name === undefined ? undefined : nameKey(given.name);
  return entity.taught.filter(({ what, of }) =>
    what === "name" ? keys.has(of) && of !== name : given.type === undefined,
  );
}

/**
 * The entity without what only some turns taught: other names, its name when another is left, its kind. What no turn
 * is noted for stays.
 */
export function untaught<T extends Described>(entity: T, gone: (turnId: string) => boolean): T {
  const lost = (what: Taught["what"], of: string): boolean =>
    entity.taught.some((each) => isOf(each, { what, of }) && each.turns.every(gone));
  const [name = entity.name, ...aliases] = [entity.name, ...entity.aliases].filter(
    (each) => !lost("name", nameKey(each)),
  );
  const taught = entity.taught
    .map((each) => ({ ...each, turns: each.turns.filter((turnId) => !gone(turnId)) }))
    .filter(({ turns }) => turns.length > 0);
  const types = taught.flatMap(({ what, of }) =>
    what === "type" ? ENTITY_TYPES.filter((t) => t === of) : [],
  );
  const fallback = types.find((type) => type !== "thing") ?? "thing";
  return { ...entity, name, aliases, taught, type: lost("type", entity.type) ? fallback : entity.type };
}

function noted(
  taught: readonly Taught[],
  thing: Pick<Taught, "what" | "of">,
  isKnown: boolean,
  turnId: string,
): readonly Taught[] {
  const there = taught.find((each) => isOf(each, thing));
  if (there === undefined && isKnown) return taught;
  const others = taught.filter((each) => each !== there);
  // A turn without an id can't be forgotten.
  if (turnId === "") return there === undefined ? taught : others;
  if (there?.turns.includes(turnId) === true) return taught;
  return [...others, { ...thing, turns: latest([...(there?.turns ?? []), turnId]) }].slice(-MAX_TAUGHT);
}

function keysOf({ name, aliases }: Pick<Entity, "name" | "aliases">): string[] {
  return [name, ...aliases].map(nameKey);
}

function isOf(one: Pick<Taught, "what" | "of">, other: Pick<Taught, "what" | "of">): boolean {
  return one.what === other.what && one.of === other.of;
}

function latest(turns: readonly string[]): string[] {
  return [...new Set(turns)].slice(-MAX_TURNS);
}
