import { z } from "zod";
import type { EvalHead, EvalRunRow, EvalView } from "./eval/view.ts";

/*
 * What the panel and its host say to each other of reports of evaluations. A report is named by the id that the host
 * gave it: the panel never names a path.
 */

const request = z.number().int().nonnegative();
/** The id of a report. */
const report = z.string().min(1).max(200);

/** The panel's messages about reports. */
export const evalMessages = [
  /** Which reports there are. */
  z.strictObject({ type: z.literal("eval.list"), request }),
  /** Opens a report; null: one that the user chooses as a file. */
  z.strictObject({ type: z.literal("eval.open"), request, report: report.nullable() }),
  /** Its runs from one on; or only those that did not pass. */
  z.strictObject({
    type: z.literal("eval.runs"),
    request,
    report,
    from: z.number().int().nonnegative(),
    failed: z.boolean(),
  }),
  /** Shows the trace of a run, by its place among the runs that were asked for. */
  z.strictObject({
    type: z.literal("eval.trace"),
    report,
    at: z.number().int().nonnegative(),
    failed: z.boolean(),
  }),
] as const;

/** The host's messages about reports; each answer carries the number of what it answers. */
export type EvalHostMessage =
  | { readonly type: "eval.list"; readonly request: number; readonly reports: readonly EvalHead[] }
  | {
      readonly type: "eval.report";
      readonly request: number;
      /** Without these the report could not be read: `problem` says why; neither: the user chose none. */
      readonly id?: string;
      readonly view?: EvalView;
      readonly problem?: string;
    }
  | {
      readonly type: "eval.runs";
      readonly request: number;
      readonly from: number;
      readonly total: number;
      readonly rows: readonly EvalRunRow[];
    };
