import type { Critic } from "../../agent/critic/critic.ts";
import type { TurnPlace } from "../../agent/critic/jobs.ts";
import type { EventSink } from "../../agent/events.ts";
import { failed, success, type Result } from "../../agent/failure.ts";
import type { Identity } from "../../agent/ids.ts";
import type { MemoryPort } from "../../agent/memory/port.ts";

/** What taking an answer works with. */
export interface TakingDeps {
  readonly critic: Pick<Critic, "material">;
  readonly memory: Pick<MemoryPort, "annotate">;
  readonly identity: Identity;
  /** Takes `shadow.taken`, so that the trace says it too. */
  readonly publish: EventSink;
}

/**
 * Takes respondent B's answer to the question of a turn: memory recalls it from then on. Gives the answer; fails in words
 * where there is none, or memory does not hold it.
 */
export async function takeAnswer(
  turn: TurnPlace,
  { critic, memory, identity, publish }: TakingDeps,
  signal: AbortSignal,
): Promise<Result<string>> {
  const found = await critic.material(turn);
  if (!found.ok) return found;
  const { shadow } = found.value;
  if (shadow === undefined)
    return failed("bad_input", "Nobody gave a second answer to this question. Compare it first.");
  const { episodeId, answer } = shadow;
  if (episodeId === undefined)
    return failed("bad_input", "Memory does not hold the second answer, so it can't be recalled later.");
  const taken = { kind: "taken" as const, value: true, by: "user" as const, episodeId };
  const noted = await memory.annotate([{ ...taken, id: identity.uuid(), time: identity.now() }], signal);
  if (!noted.ok) return noted;
  publish({
    type: "shadow.taken",
    ...{ id: identity.spanId(), parentId: turn.turnId, time: identity.now(), ...turn },
    ...{ agent: "user", respondent: shadow.respondent },
    data: { "conclave.episode_ids": [episodeId] },
  });
  return success(answer);
}
