import { z } from "zod";

/** What `conclave.ask` takes when code runs it; every part may be left out. */
export const AskArgs = z.object({
  /** Left out: the user is asked. */
  question: z.string().trim().min(1).max(1_000_000).optional(),
  /** Left out: the session goes on that this door had, or a new one begins. */
  sessionId: z.string().min(1).max(200).optional(),
  /** Whether the committee answers; left out: as the settings say. */
  committee: z.boolean().optional(),
  /** Whether the trace panel is opened on the turn; true unless said otherwise. */
  open: z.boolean().optional(),
});
/** What `conclave.ask` takes when code runs it. */
export type AskArgs = z.infer<typeof AskArgs>;

/** What `conclave.openTracePanel` takes: the turn to show. */
export const TurnPlace = z.object({
  sessionId: z.string().min(1).max(200),
  turnId: z.string().min(1).max(200),
});
/** What `conclave.openTracePanel` takes. */
export type TurnPlace = z.infer<typeof TurnPlace>;

/** Reads what a command was run with; a menu passes things of VS Code's own, which count as nothing. */
export function readArgs<T>(schema: z.ZodType<T>, args: unknown): T | undefined {
  const parsed = schema.safeParse(args);
  return parsed.success ? parsed.data : undefined;
}
