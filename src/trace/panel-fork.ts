import { z } from "zod";
import type { Failure } from "../agent/failure.ts";

/** The longest text that is edited in the panel, in UTF-16 units. */
export const LONGEST_EDIT = 200_000;

const PARTS = ["question", "system", "recalled", "tail", "answer", "tool_result", "tool_arguments"] as const;

const id = z.string().min(1).max(200);
const part = z.enum(PARTS);
const edit = z.strictObject({ part, eventId: id.exactOptional(), text: z.string().max(LONGEST_EDIT) });
const chosen = z.strictObject({
  model: z.string().min(1).max(300).exactOptional(),
  temperature: z.number().min(0).max(2).exactOptional(),
  think: z.boolean().exactOptional(),
  committee: z.boolean().exactOptional(),
});

/** The messages of the panel about forks; `turnRef` is how it names a turn. */
export function forkMessages<Ref extends z.ZodRawShape>(turnRef: Ref) {
  return [
    /** Branches off a turn, and runs on from there. */
    z.strictObject({
      type: z.literal("fork"),
      ...turnRef,
      eventId: id.exactOptional(),
      edits: z.array(edit).max(10).readonly(),
      options: chosen,
    }),
    /** Asks for the exact text of a part, to change it or to show what was changed. */
    z.strictObject({
      type: z.literal("fork_text"),
      request: z.number().int().nonnegative(),
      ...turnRef,
      part,
      eventId: id.exactOptional(),
    }),
    /** Asks which models there are. */
    z.strictObject({ type: z.literal("models") }),
  ] as const;
}

/** What the host says to the panel about forks. */
export type ForkHostMessage =
  | {
      readonly type: "fork_text";
      readonly request: number;
      /** Null where there is no such text; `failure` says why. */
      readonly text: string | null;
      readonly failure?: Failure;
    }
  | { readonly type: "models"; readonly names: readonly string[] };
