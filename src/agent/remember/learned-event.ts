import type { MemoryLearned } from "../events-after.ts";
import type { Failure } from "../failure.ts";
import type { Identity } from "../ids.ts";
import type { Episode } from "../memory/port.ts";
import type { Learned } from "../memory/types.ts";
import type { ModelUsage } from "../models/types.ts";
import type { Extraction } from "./extraction-schema.ts";
import type { Proposal } from "./propose.ts";
import { usageData } from "../usage-data.ts";

/** What reading a turn gave. */
export interface Reading {
  readonly extraction?: Extraction;
  /** Why no model read it. */
  readonly reason?: string;
  readonly model?: string;
  readonly usage?: ModelUsage;
}

/** What became of a turn that was to be learnt from. */
export interface Outcome extends Reading {
  readonly proposal?: Proposal;
  readonly learned?: Learned;
  readonly error?: Failure;
  readonly began: number;
}

const NOTHING_LEARNED: Learned = { added: [], repeated: [], closed: [], rejected: [], entities: 0, edges: 0 };

/** The event that tells of it. */
export function learnedEvent(episode: Episode, identity: Identity, outcome: Outcome): MemoryLearned {
  const { proposal, error, reason, model, usage, began } = outcome;
  const stored = outcome.learned ?? NOTHING_LEARNED;
  const learned = { ...stored, rejected: [...(proposal?.rejected ?? []), ...stored.rejected] };
  const { sessionId, turnId, agent, respondent } = episode;
  const now = identity.now();
  return {
    type: "memory.learned",
    id: identity.spanId(),
    parentId: turnId,
    time: now,
    ...{ sessionId, turnId, agent, respondent },
    data: {
      "conclave.episode_ids": [episode.id],
      "conclave.extracted": learned.added.length,
      "conclave.updated": learned.repeated.length + learned.closed.length,
      ...(proposal && { "conclave.by": proposal.learnt.by, "conclave.learned": learned }),
      ...(model !== undefined && { "gen_ai.request.model": model }),
      ...usageData(usage ?? {}),
      ...(reason !== undefined && { "conclave.skipped": reason }),
      "conclave.duration_ms": now - began,
      ...(error && { error }),
    },
  };
}
