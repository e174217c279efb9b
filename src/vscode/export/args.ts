import { z } from "zod";
import { FORMATS, type ExportFormat } from "../../trace/export/formats.ts";
import { DEFAULT_CLEANING, type CleanOptions } from "../../trace/export/redact/options.ts";

/** What can be taken out of an export beside secrets. */
export const LEAVE_OUT = ["files", "home", "memory", "thinking"] as const;
/** What can be taken out of an export beside secrets. */
export type LeaveOutName = (typeof LEAVE_OUT)[number];

const id = z.string().min(1).max(200);

/** What the commands to export take when code or a menu runs them; every part may be left out. */
export const ExportArgs = z.object({
  sessionId: id.optional(),
  turnId: id.optional(),
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
