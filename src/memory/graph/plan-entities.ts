import type { EntityProposal, EntityType, Learnt } from "../../agent/memory/types.ts";
import { USER } from "../../agent/memory/types.ts";
import { cleanName, nameKey, nameWords, namesIn } from "./names.ts";
import { endTypes, relationType } from "./relations.ts";
import { keysOf, withTurn, type StoredEntity } from "./tables.ts";
import { taughtBy, taughtOfBoth } from "./taught.ts";

/** Most other names that an entity keeps. */
export const MAX_ALIASES = 20;

/** Someone or something that a turn named, before it is known who that is. */
export interface Candidate {
  readonly name: string;
  readonly key: string;
  readonly type: EntityType;
  /** Whether the type was told or only guessed. */
  readonly sure: boolean;
  /** Other names that the turn gave for it. */
  readonly aliases: readonly string[];
}

/** What becomes of the entities of a turn. */
export interface EntityPlan {
  /** Rows to be written, new and changed ones. */
  readonly changed: readonly StoredEntity[];
  /** Rows that another one takes the place of: old id to the one that stays. */
  readonly merged: ReadonlyMap<string, StoredEntity>;
  /** Rows that have another name than before. */
  readonly renamed: ReadonlyMap<string, StoredEntity>;
  /** Who each name of the turn is. */
  readonly byKey: ReadonlyMap<string, StoredEntity>;
  /** New rows that were named only as the end of a relation: without the relation they are nothing. */
  readonly loose: ReadonlySet<string>;
}

/** What a plan is made with. */
export interface PlanContext {
  readonly learnt: Learnt;
  readonly now: number;
  readonly newId: () => string;
  /** Known things that mean the same as a name, by the name's key; found by embedding and checked by spelling. */
  readonly alike: ReadonlyMap<string, string>;
}

/** Who and what a turn named: the proposed entities and the ends of relations, each name once. */
export function candidatesOf(learnt: Learnt): Candidate[] {
  const said = nameWords(learnt.said);
  const trusted = learnt.by === "user";
  const found = new Map<string, Candidate>();
  const add = (proposal: EntityProposal, sure: boolean): void => {
    const name = cleanName(proposal.name);
    const key = nameKey(name);
    if (key === "" || (found.has(key) && !sure)) return;
    const aliases = (proposal.aliases ?? [])
      .map(cleanName)
      .filter((alias) => isAlias(alias, key, said, trusted))
      .slice(0, MAX_ALIASES);
    const earlier = found.get(key);
    found.set(key, {
      name,
      key,
      type: proposal.type,
      sure,
      aliases: [...(earlier?.aliases ?? []), ...aliases],
    });
  };
  for (const entity of learnt.entities) add(entity, true);
  for (const { from, to, type } of learnt.edges) {
    const ends = endTypes(relationType(type));
    add({ name: from, type: ends.from }, false);
    add({ name: to, type: ends.to }, false);
  }
  return [...found.values()];
}

/** Names by which people say who they are. */
const INTRODUCTIONS = ["my name is", "i am", "im", "call me", "this is"];

/** Another name counts only when the user used it: models make up nicknames. For the user it must be an introduction. */
function isAlias(alias: string, key: string, said: readonly string[], trusted: boolean): boolean {
  const other = nameKey(alias);
  if (other === "" || other === key || other === USER) return false;
  if (key === USER) return INTRODUCTIONS.some((words) => namesIn(said, `${words} ${other}`));
  return trusted || namesIn(said, other);
}

/** Every name that known rows must be looked up by. */
export function candidateKeys(candidates: readonly Candidate[]): string[] {
  return [...new Set(candidates.flatMap(({ key, aliases }) => [key, ...aliases.map(nameKey)]))];
}

/**
 * Says who each name is: known by name or by another name, or new when the user named it. A name that is in nothing
 * the user said and is not known is left out. Rows of one name, and rows that a told alias shows to be one, are merged.
 */
export function planEntities(
  known: readonly StoredEntity[],
  candidates: readonly Candidate[],
  context: PlanContext,
): EntityPlan {
  const plan = new Planner(known, context);
  for (const candidate of candidates) plan.take(candidate);
  return plan.result();
}

class Planner {
  readonly #context: PlanContext;
  readonly #said: readonly string[];
  readonly #agent: string;
  readonly #entities: Map<string, StoredEntity>;
  readonly #changed = new Set<string>();
  readonly #merged = new Map<string, string>();
  readonly #renamed = new Set<string>();
  readonly #byKey = new Map<string, string>();
  readonly #loose = new Set<string>();

  constructor(known: readonly StoredEntity[], context: PlanContext) {
    this.#context = context;
    this.#said = nameWords(context.learnt.said);
    this.#agent = nameKey(context.learnt.agent);
    this.#entities = new Map(known.map((entity) => [entity.id, entity]));
  }

  take(candidate: Candidate): void {
    const matches = this.#matches(candidate);
    const first = matches[0];
    if (first === undefined && !this.#isGrounded(candidate)) return;
    const entity = first === undefined ? this.#create(candidate) : this.#update(first, candidate);
    for (const other of matches.slice(1)) this.#merge(other, entity.id);
    // A name that the row had beside its own was set aside by the user.
    if (first !== undefined && !keysOf(first).includes(candidate.key)) this.#rename(entity.id, candidate);
    for (const key of [candidate.key, ...candidate.aliases.map(nameKey)]) this.#byKey.set(key, entity.id);
  }

  result(): EntityPlan {
    const of = (id: string): StoredEntity | undefined => this.#entities.get(this.#survivor(id));
    const known = <K>(entries: Iterable<readonly [K, string]>): Map<K, StoredEntity> =>
      new Map(
        [...entries].flatMap(([key, id]) => {
          const entity = of(id);
          return entity === undefined ? [] : [[key, entity] as const];
        }),
      );
    return {
      changed: [...this.#changed].flatMap((id) => this.#entities.get(id) ?? []),
      merged: known(this.#merged),
      renamed: known([...this.#renamed].map((id) => [id, id] as const)),
      byKey: known(this.#byKey),
      loose: this.#loose,
    };
  }

  /** Those of this name, or of a name that the turn gave for it, the oldest first; else the only one called so too. */
  #matches({ key, aliases, type }: Candidate): StoredEntity[] {
    const { scope } = this.#context.learnt;
    const all = [...this.#entities.values()];
    const own = all.filter((entity) => entity.scope === scope);
    const others = scope === "" ? [] : all.filter((entity) => entity.scope === "");
    const names = new Set([key, ...aliases.map(nameKey)]);
    for (const group of [own, others]) {
      const named = group.filter((entity) => names.has(nameKey(entity.name)));
      if (named.length > 0) return named.sort(oldestFirst);
      const called = group.filter((entity) => keysOf(entity).includes(key));
      // Two of them have this nickname: who is meant can't be known.
      if (called.length === 1) return called;
    }
    const alike = this.#entities.get(this.#context.alike.get(key) ?? "");
    return alike !== undefined && alike.type !== "person" && type !== "person" ? [alike] : [];
  }

  #isGrounded({ key, aliases }: Candidate): boolean {
    const { by } = this.#context.learnt;
    if (by === "user" || key === USER || key === this.#agent) return true;
    return [key, ...aliases.map(nameKey)].some((name) => namesIn(this.#said, name));
  }

  #create({ name, key, type, sure, aliases }: Candidate): StoredEntity {
    const { learnt, now, newId } = this.#context;
    const isParty = key === USER || key === this.#agent;
    const { turnId } = learnt.source;
    const entity: StoredEntity = {
      id: newId().toLowerCase(),
      name,
      type: isParty ? "person" : type,
      aliases: distinct(aliases, name),
      scope: learnt.scope,
      mentions: 1,
      pinned: false,
      turns: withTurn([], turnId),
      taught: taughtBy(turnId, { names: [name, ...aliases], ...(isParty ? {} : { type }) }, undefined),
      createdAt: now,
      updatedAt: now,
    };
    if ((!sure || isParty) && learnt.by !== "user" && aliases.length === 0) this.#loose.add(entity.id);
    return this.#keep(entity);
  }

  #update(entity: StoredEntity, { name, key, type, sure, aliases }: Candidate): StoredEntity {
    const { learnt, now } = this.#context;
    const { turnId } = learnt.source;
    const better = entity.type === "thing" && sure ? type : entity.type;
    // The user's own name for it stays; what a turn called it is another name of it.
    const others = distinct(
      [...entity.aliases, ...(nameKey(entity.name) === key ? [] : [name]), ...aliases],
      entity.name,
    );
    const heard = entity.turns.includes(turnId);
    const taught = taughtBy(turnId, { names: [name, ...aliases], ...(sure ? { type: better } : {}) }, entity);
    const isKnown = better === entity.type && others.length === entity.aliases.length;
    if (heard && isKnown && taught === entity.taught) return entity;
    return this.#keep({
      ...entity,
      type: better,
      aliases: others,
      taught,
      mentions: heard ? entity.mentions : entity.mentions + 1,
      turns: withTurn(entity.turns, turnId),
      updatedAt: Math.max(now, entity.updatedAt),
    });
  }

  #merge(other: StoredEntity, into: string): void {
    const entity = this.#entities.get(into);
    if (entity === undefined || other.id === into) return;
    this.#keep(mergeEntities(entity, other));
    this.#entities.delete(other.id);
    this.#changed.delete(other.id);
    this.#merged.set(other.id, into);
  }

  /** Of two names that a turn says are one's, the fuller is the name: "Robert Smith", also called "Bob". */
  #rename(id: string, { name, aliases }: Candidate): void {
    const entity = this.#entities.get(id);
    if (entity === undefined || nameKey(entity.name) === USER) return;
    const isTold = aliases.some((alias) => nameKey(alias) === nameKey(entity.name));
    if (!isTold || nameWords(name).length <= nameWords(entity.name).length) return;
    this.#keep({ ...entity, name, aliases: distinct([...entity.aliases, entity.name], name) });
    this.#renamed.add(id);
  }

  #keep(entity: StoredEntity): StoredEntity {
    this.#entities.set(entity.id, entity);
    this.#changed.add(entity.id);
    return entity;
  }

  #survivor(id: string): string {
    const into = this.#merged.get(id);
    return into === undefined ? id : this.#survivor(into);
  }
}

/** One entity in place of two: the first keeps its name, the other's becomes another name of it. */
export function mergeEntities(entity: StoredEntity, other: StoredEntity): StoredEntity {
  return {
    ...entity,
    type: entity.type === "thing" ? other.type : entity.type,
    aliases: distinct([...entity.aliases, other.name, ...other.aliases], entity.name),
    mentions: entity.mentions + other.mentions,
    pinned: entity.pinned || other.pinned,
    turns: withTurn(other.turns, ...entity.turns),
    taught: taughtOfBoth(entity, other),
    createdAt: Math.min(entity.createdAt, other.createdAt),
    updatedAt: Math.max(entity.updatedAt, other.updatedAt),
  };
}

/** Other names than `name`, each once however it is written; the latest ones when there are too many. */
export function distinct(aliases: readonly string[], name: string): string[] {
  const own = nameKey(name);
  const byKey = new Map<string, string>();
  for (const alias of aliases) {
    const key = nameKey(alias);
    if (key !== "" && key !== own && !byKey.has(key)) byKey.set(key, alias);
  }
  return [...byKey.values()].slice(-MAX_ALIASES);
}

function oldestFirst(one: StoredEntity, other: StoredEntity): number {
  return one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1);
}
