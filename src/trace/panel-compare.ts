import { z } from "zod";
import type { PostedEvent } from "./posted.ts";

/*
 * What the panel's comparison and its host say to each other: two turns, each posted as its events, as the turn that is
 * shown is.
 */

/** A turn, named. */
interface ComparedTurn {
  readonly sessionId: string;
  readonly turnId: string;
}

/** Which of the two turns. */
export type Side = "left" | "right";

/** The messages of the comparison; `turnRef` checks a turn's name. */
export function compareMessages<Ref extends z.ZodRawShape>(turnRef: Ref) {
  const turn = z.strictObject(turnRef);
  return [
    z.strictObject({
      type: z.literal("compare"),
      request: z.number().int().nonnegative(),
      left: turn,
      right: turn,
    }),
  ] as const;
}

/** The host's messages to the comparison. `request` is that of the turns that were asked for. */
export type CompareHostMessage =
  | {
      readonly type: "compare.events";
      readonly request: number;
      readonly side: Side;
      readonly events: readonly PostedEvent[];
    }
  /** All that the log holds of one of the turns was posted. `ended`: it has ended, or it runs in this window. */
  | {
      readonly type: "compare.loaded";
      readonly request: number;
      readonly side: Side;
      readonly ended: boolean;
    }
  /** The user asked elsewhere to compare these. */
  | { readonly type: "compare.show"; readonly left: ComparedTurn; readonly right: ComparedTurn };
