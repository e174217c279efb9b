import { z } from "zod";
import { ASK_AGENT } from "../agent/delegate.ts";
import { failure } from "../agent/failure.ts";
import type { Tool } from "../agent/tool.ts";

/** The longest time a timer takes, in milliseconds: the agent that is asked has limits of its own. */
const NO_LIMIT_MS = 2 ** 31 - 1;

const parameters = z.object({
  agent: z.string().trim().min(1).max(200),
  question: z
    .string()
    .trim()
    .min(1)
    .max(20_000)
    .describe("With all it has to know: it does not see this conversation"),
});

/**
 * The tool `ask_agent`: another agent answers a question of its own, as a part of this call. Not read-only: what the
 * agent does with its tools may change things, so that questions of one message are asked one after the other.
 */
export function askAgent(): Tool<z.infer<typeof parameters>> {
  return {
    name: ASK_AGENT,
    aliases: ["delegate", "delegate_to_agent", "call_agent"],
    description: "Asks another agent to do what it is made for. Do the rest yourself.",
    parameters,
    readOnly: false,
    timeoutMs: NO_LIMIT_MS,
    run: ({ agent, question }, { delegate, signal }) =>
      delegate === undefined
        ? Promise.resolve({
            ok: false,
            failure: failure("bad_input", "There is no other agent that could be asked here."),
            retryable: false,
          })
        : delegate({ agent, question, signal }),
  };
}
