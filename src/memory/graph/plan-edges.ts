import type { EdgeProposal, Learnt } from "../../agent/memory/types.ts";
import { USER } from "../../agent/memory/types.ts";
import { tellsOfMove } from "./countries.ts";
import { notToldIn } from "../facts/grounding.ts";
import { excludes } from "./exclusive.ts";
import { nameKey, nameWords, namesIn } from "./names.ts";
import { isExclusive, isSymmetric, relationType } from "./relations.ts";
import { keysOf, withTurn, type StoredEdge, type StoredEntity } from "./tables.ts";
import { stronger, withTelling, type Telling } from "./told.ts";

/** Longest sentence or quote of a relation, in UTF-16 units. */
const MAX_TEXT = 500;

/** A relation of a turn whose ends are known. */
interface Told {
  readonly from: StoredEntity;
  readonly to: StoredEntity;
  readonly type: string;
  readonly owner: string;
  readonly proposal: EdgeProposal;
}

/** What relations of a turn are planned with. */
export interface EdgeContext {
  readonly learnt: Learnt;
  readonly byKey: ReadonlyMap<string, StoredEntity>;
  readonly now: number;
  readonly newId: () => string;
}

/** The relations of a turn that can be told: both ends known, and grounded in what the user said. */
export function toldOf({ learnt, byKey }: EdgeContext): Told[] {
  const said = nameWords(learnt.said);
  const agent = nameKey(learnt.agent);
  return learnt.edges.flatMap((proposal) => {
    const from = byKey.get(nameKey(proposal.from));
    const to = byKey.get(nameKey(proposal.to));
    const type = relationType(proposal.type);
    if (from === undefined || to === undefined || from.id === to.id || type === "") return [];
    const isAgent = (entity: StoredEntity): boolean =>
      entity.type === "person" && agent !== USER && nameKey(entity.name) === agent;
    const strangers = [from, to].filter((entity) => nameKey(entity.name) !== USER && !isAgent(entity));
    if (learnt.by !== "user" && !isGrounded(proposal, strangers, said)) return [];
    if (learnt.by !== "user" && notToldIn(learnt.said, wordsOf(proposal, strangers)) !== undefined) return [];
    const owner = isAgent(from) || isAgent(to) ? learnt.agent : USER;
    return [{ from, to, type, owner, proposal }];
  });
}

/** What a relation was told with: its quote, else the names of its ends. */
function wordsOf({ quote }: EdgeProposal, strangers: readonly StoredEntity[]): string {
  return quote.trim() === "" ? strangers.map(({ name }) => name).join(" ") : quote;
}

/**
 * A relation counts when the user's turn names one of its ends, or holds the words it is said to rest on; between the
 * user and the agent alone only the words count, and more than two of them.
 */
function isGrounded(
  { quote }: EdgeProposal,
  strangers: readonly StoredEntity[],
  said: readonly string[],
): boolean {
  if (strangers.some((entity) => keysOf(entity).some((key) => namesIn(said, key)))) return true;
  const words = nameWords(quote);
  return words.length > 2 && namesIn(said, words.join(" "));
}

/**
 * Relations after a turn: those that are new or changed. A repeat makes one stronger, one told as over is closed, and
 * of an exclusive kind the later one closes the earlier. The order in which turns arrive does not matter.
 */
export function planEdges(
  known: readonly StoredEdge[],
  told: readonly Told[],
  context: EdgeContext,
): StoredEdge[] {
  const edges = new Map(known.map((edge) => [edge.id, edge]));
  for (const one of told) {
    for (const edge of tell([...edges.values()], one, context)) edges.set(edge.id, edge);
  }
  const before = new Map(known.map((edge) => [edge.id, edge]));
  return [...edges.values()].filter((edge) => before.get(edge.id) !== edge);
}

function tell(edges: readonly StoredEdge[], told: Told, context: EdgeContext): StoredEdge[] {
  const { time } = context.learnt.source;
  const { holds, validTo } = told.proposal;
  const same = edges.filter((edge) => isSame(edge, told, context.learnt.scope));
  return holds && (validTo === undefined || validTo > time)
    ? tellCurrent(edges, same, told, context)
    : tellPast(same, told, context);
}

function tellCurrent(
  edges: readonly StoredEdge[],
  same: readonly StoredEdge[],
  told: Told,
  context: EdgeContext,
): StoredEdge[] {
  const { time } = context.learnt.source;
  const holding =
    same.find((edge) => edge.validTo === null || edge.validTo > time) ??
    same.find((edge) => edge.source.turnId === context.learnt.source.turnId);
  if (holding !== undefined) {
    const validFrom = told.proposal.validFrom ?? Math.min(holding.validFrom, time);
    return [
      mentioned(holding, told, context, { validFrom: Math.min(validFrom, holding.validTo ?? validFrom) }),
    ];
  }
  const made = create(told, told.proposal.validFrom ?? time, told.proposal.validTo ?? null, context);
  if (!isExclusive(told.type)) return [made];
  const { type, text, quote } = told.proposal;
  const isMove = tellsOfMove(`${type} ${text} ${quote}`);
  const { turnId } = context.learnt.source;
  const rivals = edges.filter((edge) => excludes(made, edge, { beside: edges, turnId, isMove }));
  const earlier = rivals.filter(
    ({ validFrom, validTo }) => validFrom <= made.validFrom && ends(validTo) > made.validFrom,
  );
  const later = rivals
    .filter(({ validFrom }) => validFrom > made.validFrom)
    .map(({ validFrom }) => validFrom);
  const closes = Math.min(ends(made.validTo), ...later);
  return [
    ...earlier.map((edge) => ({
      ...edge,
      validTo: made.validFrom,
      updatedAt: Math.max(context.now, edge.updatedAt),
    })),
    { ...made, validTo: Number.isFinite(closes) ? closes : null },
  ];
}

function tellPast(same: readonly StoredEdge[], told: Told, context: EdgeContext): StoredEdge[] {
  const { time } = context.learnt.source;
  const end = told.proposal.validTo ?? time;
  const open = same.find(({ validTo }) => validTo === null || validTo > time);
  if (open !== undefined) {
    const validFrom = Math.min(told.proposal.validFrom ?? open.validFrom, end);
    return [mentioned(open, told, context, { validFrom, validTo: end })];
  }
  const known = same.find((edge) => told.proposal.validTo === undefined || edge.validFrom <= end);
  if (known !== undefined) return [mentioned(known, told, context, {})];
  return [create(told, Math.min(told.proposal.validFrom ?? end, end), end, context)];
}

function isSame(edge: StoredEdge, { from, to, type, owner }: Told, scope: string): boolean {
  if (edge.type !== type || edge.scope !== scope || edge.owner !== owner) return false;
  const straight = edge.fromId === from.id && edge.toId === to.id;
  return straight || (isSymmetric(type) && edge.fromId === to.id && edge.toId === from.id);
}

/** The same turn told again is no further mention. */
function mentioned(
  edge: StoredEdge,
  told: Told,
  context: EdgeContext,
  validity: { readonly validFrom?: number; readonly validTo?: number },
): StoredEdge {
  const { turnId } = context.learnt.source;
  const heard = edge.turns.includes(turnId);
  const same = Object.entries(validity).every(([name, value]) => edge[name as keyof StoredEdge] === value);
  if (heard && same) return edge;
  return {
    ...edge,
    ...validity,
    strength: heard ? edge.strength : stronger(edge.strength),
    mentions: heard ? edge.mentions : edge.mentions + 1,
    turns: withTurn(edge.turns, turnId),
    // Of one that an older version wrote it is not known who told what.
    told: edge.told.length === 0 ? [] : withTelling(edge.told, telling(told, context, validity.validTo)),
    updatedAt: Math.max(context.now, edge.updatedAt),
  };
}

/** What a turn says of a relation; `end` is since when it says that it is over. */
function telling({ proposal }: Told, { learnt }: EdgeContext, end: number | null = null): Telling {
  const { sessionId, turnId, time } = learnt.source;
  return {
    ...{ turnId, sessionId, time },
    text: shortened(proposal.text),
    quote: shortened(proposal.quote),
    strength: bounded(proposal.strength),
    validFrom: proposal.validFrom ?? null,
    validTo: end,
  };
}

function create(told: Told, validFrom: number, validTo: number | null, context: EdgeContext): StoredEdge {
  const { learnt, now, newId } = context;
  const { from, to, type, owner, proposal } = told;
  return {
    ...{ id: newId().toLowerCase(), type, owner, validFrom, validTo, mentions: 1, scope: learnt.scope },
    ...{ from: from.name, to: to.name, fromId: from.id, toId: to.id },
    text: shortened(proposal.text),
    quote: shortened(proposal.quote),
    strength: bounded(proposal.strength),
    source: learnt.source,
    turns: withTurn([], learnt.source.turnId),
    told: withTelling([], telling(told, context, validTo)),
    createdAt: now,
    updatedAt: now,
  };
}

function bounded(strength: number): number {
  return Math.min(1, Math.max(0, strength));
}

function ends(validTo: number | null): number {
  return validTo ?? Number.POSITIVE_INFINITY;
}

function shortened(text: string): string {
  return text.toWellFormed().replace(/\s+/g, " ").trim().slice(0, MAX_TEXT).toWellFormed();
}
