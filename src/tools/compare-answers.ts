import { z } from "zod";
import type { Judged } from "../agent/critic/judging.ts";
import type { PairOutcome, PairRequest } from "../agent/critic/types.ts";
import { failure, type Failure } from "../agent/failure.ts";
import type { Tool, ToolContext, ToolOutcome } from "../agent/tool.ts";
import { failedOutcome, timedTool } from "./memory-access.ts";
import { visibleLine } from "./web/untrusted.ts";

/** Longest text that is compared, in UTF-16 units. */
const MAX_TEXT = 32_000;

/** Who compares answers. */
export interface AnswerJudge {
  /** Whether anything is judged now. */
  readonly isOn: () => boolean;
  /** Compares two answers in both orders. Must not throw. */
  compare(
    request: Pick<PairRequest, "question" | "a" | "b">,
    signal: AbortSignal,
  ): Promise<Judged<PairOutcome>>;
}

/** What the tool works with. */
export interface CompareOptions {
  readonly answers: AnswerJudge;
  readonly timeoutMs: () => number;
}

const text = z.string().trim().min(1).max(MAX_TEXT);

const parameters = z.object({
  question: text,
  a: text,
  b: text,
});

type CompareArguments = z.infer<typeof parameters>;

/**
 * The tool `compare_answers`: a judge says which of two answers is better, and why. It is asked in both orders: what it
 * says only for the sake of the place is a tie.
 */
export function compareAnswers(options: CompareOptions): Tool<CompareArguments> {
  return timedTool(
    options,
    {
      name: "compare_answers",
      aliases: ["compare_responses", "judge_answers"],
      description: "Has a judge say which of two answers is better, and why.",
      parameters,
      readOnly: true,
    },
    run,
  );
}

/** Why the tool is off; nothing when it is on. */
export function comparingOff({ isOn }: Pick<AnswerJudge, "isOn">): Failure | undefined {
  if (isOn()) return undefined;
  return failure("tool_disabled", "Comparing answers is off. Turn on conclave.critic.mode to use it.", {
    action: "open_settings",
    target: "conclave.critic.mode",
  });
}

async function run(
  { answers }: CompareOptions,
  { question, a, b }: CompareArguments,
  { signal }: ToolContext,
): Promise<ToolOutcome> {
  const judged = await answers.compare({ question, a, b }, signal);
  return judged.outcome.ok ? outcome(judged, judged.outcome.value) : failedOutcome(judged.outcome.failure);
}

function outcome({ model, rubric }: Judged<PairOutcome>, compared: PairOutcome): ToolOutcome {
  const { winner, feedback, orders, orderBound, attempts, durationMs, raw } = compared;
  const verdict = verdictWords(compared);
  const why = visibleLine(feedback);
  return {
    ok: true,
    content: why === "" ? verdict : `${verdict}\nThe judge's reasons: ${why}`,
    details: {
      summary: verdict,
      data: {
        ...{ winner, feedback, order_bound: orderBound, model, rubric, attempts, duration_ms: durationMs },
        orders: orders.map((order) => ({ ...order })),
        ...(raw !== undefined && { raw }),
      },
    },
  };
}

function verdictWords({ winner, orders, orderBound }: PairOutcome): string {
  if (winner !== null) return `Answer ${winner.toLowerCase()} is better, whichever stands first.`;
  if (orderBound) return "A tie: the judge went by the place where the answers stood.";
  if (orders.length === 0) return "A tie: the answers are the same.";
  return "A tie: neither answer was found better in both orders.";
}
