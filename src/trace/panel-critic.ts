import { z } from "zod";
import type { CriticMode } from "../agent/critic/settings.ts";
import type { JudgedFor } from "../agent/events-judged.ts";
import { MAX_REFERENCE } from "./panel-limits.ts";

const id = z.string().min(1).max(200);
const name = z.string().trim().min(1).max(300);

/** The messages by which the panel asks for judgements; `turnRef` checks a turn's name. */
export function criticMessages<Ref extends z.ZodRawShape>(turnRef: Ref) {
  return [
    /** Has an answer graded: the turn's, or with `agentId` (the id of its span) that of one agent in it. */
    z.strictObject({
      type: z.literal("critic.grade"),
      ...turnRef,
      agentId: id.exactOptional(),
      rubric: name.exactOptional(),
      /** An answer that is known to be good. */
      reference: z.string().trim().min(1).max(MAX_REFERENCE).exactOptional(),
    }),
    /** Has respondent B answer the turn's question too, and both answers compared. What is left out is as it was for A. */
    z.strictObject({
      type: z.literal("critic.compare"),
      ...turnRef,
      model: name.exactOptional(),
      agent: name.exactOptional(),
      temperature: z.number().min(0).max(2).exactOptional(),
    }),
    /** Takes respondent B's answer: memory recalls it from then on. */
    z.strictObject({ type: z.literal("critic.take"), ...turnRef }),
  ] as const;
}

/** A judgement that waits or is being made. */
export interface CriticJobView {
  readonly kind: "grade" | "compare";
  readonly sessionId: string;
  readonly turnId: string;
  /** The agent whose own answer is meant; left out: the turn's. */
  readonly agentId?: string;
  readonly askedBy: JudgedFor;
}

/** What the critic is at in this window. */
export interface CriticState {
  readonly mode: CriticMode;
  /** Which answers a second respondent gives one of its own to. */
  readonly shadow: CriticMode;
  /** The judge, as it would be asked now; empty where no model is chosen. */
  readonly judge: string;
  /** Names of the rubrics there are. */
  readonly rubrics: readonly string[];
  readonly running: CriticJobView | null;
  /** In the order in which they are made, as far as nothing new comes. */
  readonly waiting: readonly CriticJobView[];
  /** Judgements that gave way to newer ones since the window opened: they are not made. */
  readonly dropped: number;
}

/** What the host says to the panel about the critic: when the panel is there, and whenever something of it changes. */
export interface CriticHostMessage {
  readonly type: "critic.state";
  readonly state: CriticState;
}
