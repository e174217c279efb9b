import { z } from "zod";
import { FORMATS, type ExportFormat } from "../../trace/export/formats.ts";
import {
  DEFAULT_CLEANING,
  LEAVE_OUT,
  type CleanOptions,
  type LeaveOutName,
} from "../../trace/export/redact/options.ts";

export { LEAVE_OUT, type LeaveOutName };

const id = z.string().min(1).max(200);

/** What the commands to export take when code or a menu runs them; every part may be left out. */
export const ExportArgs = z.object({
  sessionId: id.optional(),
  turnId: id.optional(),
  /** The address of a trace file; left out: the one that one looks at, else this machine's own log. */
  file: z.string().min(1).max(10_000).optional(),
  format: z.enum(Object.keys(FORMATS) as [ExportFormat, ...ExportFormat[]]).optional(),
  /** Secrets go unless this is false. */
  secrets: z.boolean().optional(),
  leaveOut: z.array(z.enum(LEAVE_OUT)).max(LEAVE_OUT.length).optional(),
});
/** What the commands to export take when code or a menu runs them. */
export type ExportArgs = z.infer<typeof ExportArgs>;

/** What is taken out, of a list of names. */
export function cleaningOf(secrets: boolean, leaveOut: readonly LeaveOutName[]): CleanOptions {
  const names = new Set<string>(leaveOut);
  const chosen = Object.fromEntries(LEAVE_OUT.map((name) => [name, names.has(name)]));
  return { ...DEFAULT_CLEANING, ...chosen, secrets };
}
