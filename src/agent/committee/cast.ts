import { BUILT_IN_AGENTS } from "../agents/built-in/index.ts";
import { findAgent, findUnusable, type AgentCatalog, type AgentDefinition } from "../agents/definition.ts";
import type { CommitteeTape } from "../fork/committee-tape.ts";
import { nearestName } from "../nearest-name.ts";
import type { TurnInput } from "../turn-types.ts";
import { SELF, type CommitteeSettings } from "./settings.ts";

/** Members that a committee may have: there is a letter for each. */
export const MAX_MEMBERS = 26;

/** One who speaks in a committee. */
export interface Member {
  readonly name: string;
  readonly definition: AgentDefinition;
  readonly model: string;
  /** Address of its server; left out: the first one. */
  readonly host?: string;
  /** Its file is gone since it spoke: it is heard, and asked no more. */
  readonly isGone?: true;
}

/** A name for which there is no agent. */
export interface UnknownName {
  readonly name: string;
  /** The most similar name that there is. */
  readonly near?: string;
  /** The file that was to define it and can't be used. */
  readonly broken?: string;
  readonly isSynthesizer: boolean;
}

/** Who takes part in a committee. */
export interface Cast {
  /** In the order in which they speak. */
  readonly members: readonly Member[];
  readonly synthesizer: Member;
  /** Personas, or a synthesizer, that are not there. */
  readonly unknown: readonly UnknownName[];
  /** Members that were left out because there are more than `MAX_MEMBERS`. */
  readonly tooMany: readonly string[];
}

/**
 * Finds personas and synthesizer by their names, whatever the case; a persona that is named twice speaks once. Those
 * with the same model speak one after the other, so that the server does not load a model twice in a round.
 */
export function castOf(input: TurnInput, settings: CommitteeSettings): Cast {
  const unknown: UnknownName[] = [];
  const found = new Map<string, Member>();
  for (const name of settings.personas) {
    const definition = find(input.agents, name);
    if (definition === undefined) unknown.push(unknownName(input.agents, name, false));
    else found.set(definition.name, memberOf(definition, input, settings));
  }
  const all = [...found.values()];
  return {
    members: groupedByModel(all.slice(0, MAX_MEMBERS)),
    synthesizer: memberOf(synthesizerOf(input, settings, unknown), input, settings),
    unknown,
    tooMany: all.slice(MAX_MEMBERS).map(({ name }) => name),
  };
}

/** A cast with those who spoke in the committee that is branched off, also where their files are gone meanwhile. */
export function withSpeakers(cast: Cast, tape: CommitteeTape | undefined): Cast {
  if (tape === undefined) return cast;
  const spoke = tape.rounds.flatMap(({ members }) =>
    members.flatMap(({ name, said }) => (said ? [name] : [])),
  );
  const gone = [...new Set(spoke)].filter((name) => !cast.members.some((member) => member.name === name));
  const standIns = gone.map((name): Member => ({ ...cast.synthesizer, name, isGone: true }));
  return { ...cast, members: [...cast.members, ...standIns] };
}

/** Members in their order, but those of one model together, where the first of them stands. */
export function groupedByModel(members: readonly Member[]): readonly Member[] {
  const groups = new Map<string, Member[]>();
  for (const member of members) {
    const group = groups.get(member.model);
    if (group === undefined) groups.set(member.model, [member]);
    else group.push(member);
  }
  return [...groups.values()].flat();
}

function synthesizerOf(
  { agents }: TurnInput,
  { synthesizer }: CommitteeSettings,
  unknown: UnknownName[],
): AgentDefinition {
  const named = find(agents, synthesizer);
  if (named !== undefined) return named;
  if (synthesizer.trim() !== "") unknown.push(unknownName(agents, synthesizer, true));
  const self = findAgent({ ...agents, agents: BUILT_IN_AGENTS }, SELF);
  if (self === undefined) throw new Error("the product's own synthesizer is missing");
  return self;
}

/** The models per persona come first, then its file: the turn's own wish is for those that say nothing. */
function memberOf(
  definition: AgentDefinition,
  { request, settings: { model } }: TurnInput,
  { models }: CommitteeSettings,
): Member {
  const { name } = definition;
  const wanted = Object.entries(models).find(([key]) => key.trim().toLowerCase() === name.toLowerCase())?.[1];
  const own = wanted?.trim() === "" ? undefined : wanted;
  return { name, definition, model: own ?? definition.model ?? request.options?.model ?? model };
}

/**
 * The product's own agents are there whether or not the catalogue lists them, but never in the place of a file that
 * can't be used: that would be another agent than the one that was written.
 */
function find(agents: AgentCatalog, name: string): AgentDefinition | undefined {
  const listed = findAgent(agents, name);
  if (listed !== undefined || findUnusable(agents, name) !== undefined) return listed;
  return findAgent({ ...agents, agents: BUILT_IN_AGENTS }, name);
}

function unknownName(catalog: AgentCatalog, name: string, isSynthesizer: boolean): UnknownName {
  const broken = findUnusable(catalog, name)?.path;
  if (broken !== undefined) return { name, isSynthesizer, broken };
  const known = [...catalog.agents, ...BUILT_IN_AGENTS].map((agent) => agent.name);
  const near = nearestName(name, known);
  return { name, isSynthesizer, ...(near !== undefined && { near }) };
}
