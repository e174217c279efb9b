import type { GradeRecord } from "../../trace/activity/records.ts";
import { when } from "../format.ts";

/** What the critic gave, who put it right, when and why: `4 by the critic, corrected by you, 12 Mar, 14:02: The date is wrong`. */
export function correctedWords(
  { by, reason, time, given }: NonNullable<GradeRecord["corrected"]>,
  now: number,
): string {
  const before = given === undefined ? "graded" : `${given ?? "no grade"} by the critic, corrected`;
  return `${before} by ${by}, ${when(time, now)}${reason === "" ? "" : `: ${reason}`}`;
}
