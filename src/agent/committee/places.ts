import { within } from "./within.ts";
import type { TurnDeps, TurnInput } from "../turn-types.ts";
import type { Cast, Member } from "./cast.ts";

/** How long another server is waited for before the committee does without it, in milliseconds. */
const KNOWS_MS = 3_000;

/** A server: its address; empty for the first one. */
type Host = string;

const FIRST: Host = "";

/**
 * Gives each member a server where the settings name several: those that answer and have its model. Members of one
 * model stay together as long as no server has more than its share. Without other servers nothing changes.
 */
export async function spread(cast: Cast, input: TurnInput, deps: TurnDeps): Promise<Cast> {
  const others = [...new Set((input.settings.hosts ?? []).map((host) => host.trim()))].filter(
    (host) => host !== "",
  );
  if (others.length === 0) return cast;
  const hosts: readonly Host[] = [FIRST, ...others];
  const models = new Set([...cast.members, cast.synthesizer].map(({ model }) => model));
  const known = new Map<string, readonly Host[]>();
  const looks = [...models].map(async (model) => {
    const has = await Promise.all(hosts.map((host) => knows(model, host, deps)));
    known.set(
      model,
      hosts.filter((_, index) => has[index]),
    );
  });
  await Promise.all(looks);
  return place(cast, hosts.length, (model) => known.get(model) ?? []);
}

function place(cast: Cast, hosts: number, having: (model: string) => readonly Host[]): Cast {
  const share = Math.ceil(cast.members.length / hosts);
  const load = new Map<Host, number>();
  const models = new Map<Host, Set<string>>();
  const loadOf = (host: Host): number => load.get(host) ?? 0;
  const members = cast.members.map((member): Member => {
    const able = having(member.model);
    const [least] = [...able].sort((one, other) => loadOf(one) - loadOf(other));
    const held = able.find((host) => models.get(host)?.has(member.model) === true && loadOf(host) < share);
    const host = held ?? least;
    if (host === undefined) return member;
    load.set(host, loadOf(host) + 1);
    models.set(host, (models.get(host) ?? new Set()).add(member.model));
    return at(member, host);
  });
  const [host = FIRST] = having(cast.synthesizer.model);
  return { ...cast, members, synthesizer: at(cast.synthesizer, host) };
}

function at(member: Member, host: Host): Member {
  return host === FIRST ? member : { ...member, host };
}

async function knows(model: string, host: Host, deps: TurnDeps): Promise<boolean> {
  const found = deps.model(model, host === FIRST ? undefined : host);
  if ("code" in found) return false;
  const described = await within(KNOWS_MS, deps, (signal) => found.describe(signal));
  return described?.ok === true;
}

/**
 * Runs one piece of work for each member, at most `places` at once on each server, in the order of the members there.
 * Gives the results in that order, whoever was first.
 */
export async function inPlaces<T>(
  members: readonly Member[],
  places: number,
  work: (member: Member) => Promise<T>,
): Promise<readonly T[]> {
  const results = new Map<Member, T>();
  const lines = new Map<Host, Member[]>();
  for (const member of members) {
    const host = member.host ?? FIRST;
    const line = lines.get(host);
    if (line === undefined) lines.set(host, [member]);
    else line.push(member);
  }
  const workers = [...lines.values()].flatMap((line) => {
    const waiting = line.values();
    return Array.from({ length: Math.min(Math.max(1, places), line.length) }, async () => {
      for (const member of waiting) results.set(member, await work(member));
    });
  });
  await Promise.all(workers);
  return members.flatMap((member) => {
    const result = results.get(member);
    return result === undefined ? [] : [result];
  });
}
