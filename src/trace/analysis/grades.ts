import type { TurnEvent } from "../../agent/events.ts";

/** The critic's grades, 1-5, of a synthesis and of the best among the members' last answers. */
export interface SynthesisGrades {
  readonly synthesis?: number;
  readonly best?: number;
  /** Absent where one of the two has no grade. */
  readonly against?: "better" | "same" | "worse";
}

/**
 * Reads how the critic graded a committee: the synthesis under its agent or under the turn, the members' last answers
 * under theirs (`agentIds`). A person's correction goes before the critic's grade. Undefined where none has a grade.
 */
export function gradesOf(
  events: readonly TurnEvent[],
  agentIds: readonly string[],
): SynthesisGrades | undefined {
  const scores = scoresByParent(events);
  const first = events[0];
  const synthesizer = events.findLast(
    (event) => event.type === "agent.start" && event.data["conclave.role"] === "synthesizer",
  );
  const synthesis = scores.get(synthesizer?.id ?? "") ?? scores.get(first?.turnId ?? "");
  const members = agentIds.flatMap((id) => scores.get(id) ?? []);
  const best = members.length === 0 ? undefined : Math.max(...members);
  if (synthesis === undefined && best === undefined) return undefined;
  return {
    ...(synthesis !== undefined && { synthesis }),
    ...(best !== undefined && { best }),
    ...(synthesis !== undefined && best !== undefined && { against: compared(synthesis, best) }),
  };
}

function compared(synthesis: number, best: number): "better" | "same" | "worse" {
  if (synthesis === best) return "same";
  return synthesis > best ? "better" : "worse";
}

/** The grades that count, by what they stand under; those of respondent B are not meant. */
function scoresByParent(events: readonly TurnEvent[]): ReadonlyMap<string, number> {
  const scores = new Map<string, number | null>();
  const corrected = new Set<string>();
  for (const event of events) {
    if (event.respondent !== "A" || event.parentId === null) continue;
    if (event.type === "critique.corrected") {
      corrected.add(event.parentId);
      scores.set(event.parentId, event.data.score);
    } else if (event.type === "critique.result" && !corrected.has(event.parentId)) {
      scores.set(event.parentId, event.data.score);
    }
  }
  return new Map([...scores].flatMap(([id, score]) => (score === null ? [] : [[id, score]])));
}
