import { z } from "zod";
import type { ActivityFigures, ActivityRecord, ToolLine } from "./activity/records.ts";

/*
 * What the panel and its host say to each other of activity: of all tools, of one tool (`tool:NAME`), of the critic
 * (or only of what has a grade, has none, or was compared: `critic:compared`), of memory.
 */

const request = z.number().int().nonnegative();

/** The panel's messages about activity. */
export const activityMessages = [
  /** This is shown from now on, in place of what was shown before; the host keeps it up to date. */
  z.strictObject({
    type: z.literal("activity.watch"),
    request,
    of: z.string().regex(/^(tools|critic|critic:(graded|ungraded|compared)|memory|tool:.{1,200})$/su),
    /** Words that all must occur. */
    filter: z.string().max(400),
    /** Calls that failed only; grades that were corrected only. */
    only: z.boolean(),
  }),
  z.strictObject({ type: z.literal("activity.page"), request, from: z.number().int().nonnegative() }),
  /** Nothing of it is shown any more. */
  z.strictObject({ type: z.literal("activity.leave") }),
] as const;

/** How far the logs have been read. */
export interface ActivityStanding {
  readonly reading: boolean;
  /** There are older sessions that are not counted. */
  readonly older: boolean;
}

/** The host's messages about activity. `request` is that of `activity.watch`. */
export type ActivityHostMessage =
  | {
      readonly type: "activity.tools";
      readonly request: number;
      readonly tools: readonly ToolLine[];
      readonly standing: ActivityStanding;
    }
  /** What there is changed: pages that were given are out of date. */
  | {
      readonly type: "activity.summary";
      readonly request: number;
      /** Records that fit the filter. */
      readonly total: number;
      /** Over all of them, whether they fit the filter or not. */
      readonly figures: ActivityFigures;
      readonly standing: ActivityStanding;
      /** The tool that it is about. */
      readonly tool?: ToolLine;
    }
  | {
      readonly type: "activity.page";
      readonly request: number;
      readonly from: number;
      readonly rows: readonly ActivityRecord[];
    };
