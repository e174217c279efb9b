import { z } from "zod";
import type { CommitteeRanking } from "../events-committee.ts";
import { asTask, fromOthers } from "./behind.ts";
import { inPlaces } from "./places.ts";
import type { Member } from "./cast.ts";
import { isCancelled, type Sitting } from "./deliberation.ts";
import type { Speech } from "./speeches.ts";
import { judge } from "./judge.ts";
import { byLetter, positionsBlock } from "./material.ts";
import { ownPart, rankingTask } from "./words.ts";

/** Ballots and result of a ranking, best first. */
export type Ranking = CommitteeRanking["data"];

const Ballot = z.object({ ranking: z.array(z.string()) });

/**
 * Lets those who answered rank all answers without being told whose they are. Only ballots that name every answer once
 * count; nothing when there are fewer than two of them, or fewer than two answers.
 */
export async function rank(
  positions: readonly Speech[],
  earlier: readonly string[],
  sitting: Sitting,
): Promise<Ranking | undefined> {
  if (positions.length < 2) return undefined;
  const { letters, emitter, input, rooms } = sitting;
  const ordered = byLetter(positions, letters);
  const shown = ordered.map(({ member }) => letters.get(member.name) ?? "?");
  const names = new Map(ordered.map(({ member }, index) => [shown[index] ?? "?", member.name]));
  const vote = async (member: Member): Promise<Ranking["ballots"][number] | undefined> => {
    if (isCancelled(sitting)) return undefined;
    const block = positionsBlock(positions, letters, rooms.positions(member));
    const own = ownPart(member.name, member.definition.prompt);
    const behind = [
      ...fromOthers([...earlier, block]),
      asTask(rankingTask(shown)),
      { source: "persona" as const, text: own },
    ];
    const items = { type: "string", enum: shown };
    const size = { minItems: shown.length, maxItems: shown.length };
    const ranking = { type: "array", description: "The letters, best first.", items, ...size };
    const outcome = await judge({ member, behind, properties: { ranking } }, sitting);
    const order = readBallot(outcome.output?.value, names);
    if (order !== undefined) return { voter: member.name, order };
    if (!isCancelled(sitting)) {
      const cause = outcome.error?.message ?? "it does not name every answer once.";
      emitter.warn("agent_failed", `The ranking of ${member.name} is not counted: ${cause}`, {
        agent: member.name,
      });
    }
    return undefined;
  };
  const voters = positions.map(({ member }) => member);
  const cast = await inPlaces(voters, input.settings.parallelRequests, vote);
  const ballots = cast.flatMap((ballot) => ballot ?? []);
  if (isCancelled(sitting)) return undefined;
  const ranking = { ballots, result: ballots.length < 2 ? [] : meanPlaces(ballots) };
  emitter.emit("committee.ranking", { parentId: emitter.agentId }, ranking);
  return ranking.result.length === 0 ? undefined : ranking;
}

/** The order of a ballot with the names restored; nothing unless it names each letter exactly once. */
function readBallot(value: unknown, names: ReadonlyMap<string, string>): readonly string[] | undefined {
  const read = Ballot.safeParse(value);
  if (!read.success) return undefined;
  const order = read.data.ranking.map((letter) =>
    names.get(
      letter
        .trim()
        .toUpperCase()
        .replace(/^MEMBER\s+/u, ""),
    ),
  );
  const known = order.filter((name) => name !== undefined);
  return known.length === names.size && new Set(known).size === names.size && order.length === names.size
    ? known
    : undefined;
}

function meanPlaces(ballots: Ranking["ballots"]): Ranking["result"] {
  const places = new Map<string, number[]>();
  for (const { order } of ballots) {
    for (const [index, agent] of order.entries())
      places.set(agent, [...(places.get(agent) ?? []), index + 1]);
  }
  return [...places]
    .map(([agent, got]) => ({
      agent,
      mean: got.reduce((sum, at) => sum + at, 0) / got.length,
      votes: got.length,
    }))
    .sort((one, other) => one.mean - other.mean);
}
