import type { Outcome } from "../events.ts";
import type { Failure } from "../failure.ts";
import type { LoopOutcome, Run } from "./types.ts";
import { wellFormed } from "../text.ts";

/** What a run came to, with an answer or with what there is of one. */
export function endLoop(run: Run, outcome: Outcome, answer: string, error?: Failure): LoopOutcome {
  // Blank lines around it are left over from what stood there: thinking, a call.
  const text = wellFormed(answer)
    .replace(/^(?:[^\S\n]*\n)+/, "")
    .trimEnd();
  const messages = text === "" ? run.kept : [...run.kept, { role: "assistant" as const, content: text }];
  return {
    outcome,
    answer: text,
    thinking: wellFormed(run.thoughts.join("\n\n")),
    calls: run.answered,
    messages,
    sources: [...run.sources.values()],
    usage: {
      ...(run.inputTokens !== undefined && { inputTokens: run.inputTokens }),
      ...(run.outputTokens !== undefined && { outputTokens: run.outputTokens }),
    },
    steps: run.index,
    ran: run.ran,
    ...(error && { error }),
  };
}
