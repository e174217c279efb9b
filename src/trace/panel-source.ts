import { z } from "zod";

/** What can be done with a file that is shown. */
export const SOURCE_ACTIONS = ["import", "open_text", "export"] as const;

/** What can be done with a file that is shown: take it into one's own log, look at it as text, or export a session of it. */
export type SourceAction = (typeof SOURCE_ACTIONS)[number];

/** The messages of the panel about the file that it shows. */
export const sourceMessages = [
  z.strictObject({
    type: z.literal("source"),
    action: z.enum(SOURCE_ACTIONS),
    /** Which session is meant, where the action is about one. */
    sessionId: z.string().min(1).max(200).optional(),
  }),
] as const;

/** A file whose turns are shown in place of this machine's own. Nothing can be asked, changed or remembered in it. */
export interface PanelSource {
  readonly kind: "file";
  /** The file's name without its folder. */
  readonly name: string;
  /**
   * `reading`: more comes. `foreign`: it was read, and holds nothing of a trace. `gone`: it can't be read (any more); what
   * was read of it is still listed.
   */
  readonly state: "reading" | "read" | "foreign" | "gone";
  /** How much of it was read, 0 to 1. */
  readonly progress: number;
  /** In sentences, what could not be taken of it; few. */
  readonly notes: readonly string[];
}
