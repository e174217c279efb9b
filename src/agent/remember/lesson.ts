import type { Identity } from "../ids.ts";
import type { Annotation, AnnotationValue, Episode } from "../memory/port.ts";
import type { Learnt } from "../memory/types.ts";
import type { EngineSettings, MemorySettings } from "../settings.ts";
import type { Extraction } from "./extraction-schema.ts";
import type { LearningTurn, Proposal } from "./propose.ts";
import { sentimentOf } from "./rules/classify.ts";

/** What a remembered turn brings to be learnt from. */
export interface Lesson {
  readonly episode: Episode;
  /** The user's own words. */
  readonly said: string;
  readonly recalled: readonly string[];
  readonly settings: EngineSettings;
  readonly memory: MemorySettings;
  /** The card of the agent's own persona. */
  readonly persona: string;
}

/** The turn of a lesson, as it is read. */
export function turnOf({ said, episode, recalled, memory: { timeZone } }: Lesson): LearningTurn {
  return {
    ...{ said, agent: episode.agent, time: episode.time, hasRecalled: recalled.length > 0 },
    ...(timeZone !== undefined && { timeZone }),
  };
}

/** What memory is to learn of a lesson; nothing when there is nothing to hand over. */
export function learntOf(
  { episode, said, recalled, persona, memory }: Lesson,
  { learnt }: Proposal,
): Learnt | undefined {
  const { facts, entities, edges, interests = [] } = learnt;
  if (facts.length + entities.length + edges.length + interests.length === 0) return undefined;
  const { sessionId, turnId, time, agent } = episode;
  return {
    source: { sessionId, turnId, time },
    ...{ agent, said, recalled },
    scope: memory.scope,
    ...(persona !== "" && { persona }),
    ...learnt,
  };
}

/** How a lesson is classified: its sentiment always, intent and names when a model read it. */
export function annotationsOf(
  { episode, said }: Lesson,
  extraction: Extraction | undefined,
  identity: Identity,
): readonly Annotation[] {
  const values: AnnotationValue[] = [
    { kind: "sentiment", value: extraction?.sentiment ?? sentimentOf(said) },
  ];
  if (extraction !== undefined) {
    const entities = extraction.entities.map(({ name }) => name);
    values.push({ kind: "class", value: { intent: extraction.intent, entities } });
  }
  const time = Math.round(identity.now());
  return values.map((value) => ({
    ...value,
    id: identity.uuid(),
    episodeId: episode.id,
    by: "classifier",
    time,
  }));
}
