import type { PairwiseOrder } from "../events-judged.ts";
import { success, type Result } from "../failure.ts";
import { tidyFeedback } from "./grade.ts";
import { readVerdict, type Verdict } from "./parse-verdict.ts";
import { readJudge, type Bench, type JudgeReading } from "./read-judge.ts";
import type { PairOutcome, PairRequest } from "./types.ts";

const ORDERS = ["A", "B"] as const;

/**
 * Compares two answers in both orders; one wins only when it wins in both. Answers that differ in nothing but spaces
 * are a tie, and nobody is asked. Fails when the judge could not be asked in one of the orders: half a comparison is none.
 */
export async function compareAnswers(
  request: PairRequest,
  bench: Bench,
  signal: AbortSignal,
): Promise<Result<PairOutcome>> {
  if (plain(request.a) === plain(request.b)) {
    return success({ ...outcomeOf([], bench), feedback: "The two answers are the same." });
  }
  const orders: PairwiseOrder[] = [];
  for (const first of ORDERS) {
    const read = await readJudge(askingOf(request, first), bench, signal);
    if (!read.ok) return read;
    orders.push(orderOf(first, read.value));
  }
  return success(outcomeOf(orders, bench));
}

function askingOf({ question, a, b, reference, rubric }: PairRequest, first: "A" | "B") {
  const whole = {
    question,
    answers: first === "A" ? [a, b] : [b, a],
    rubric,
    ...(reference !== undefined && reference.trim() !== "" && { reference }),
  };
  return { whole, prompt: "pair", read: readVerdict, sample: 0, samples: 1 } as const;
}

function plain(text: string): string {
  return text.normalize("NFC").replace(/\s+/gu, " ").trim();
}

function orderOf(first: "A" | "B", reading: JudgeReading<Verdict>): PairwiseOrder {
  if (reading.kind === "unread") {
    return { first, winner: null, feedback: "", raw: reading.raw ?? reading.why };
  }
  const { value } = reading;
  const other = first === "A" ? "B" : "A";
  const winner = value === "tie" ? null : value === "A" ? first : other;
  return { first, winner, feedback: tidyFeedback(reading.feedback) };
}

function outcomeOf(orders: readonly PairwiseOrder[], { form, meter }: Bench): PairOutcome {
  const [one, other] = orders;
  const agree = one !== undefined && one.winner === other?.winner;
  // Two different winners are the same place, as each stood first once.
  const orderBound = !agree && Boolean(one?.winner) && Boolean(other?.winner);
  const raw = orders.find((order) => order.raw !== undefined)?.raw;
  return {
    judge: form.kind,
    winner: agree ? one.winner : null,
    feedback: one?.feedback || (other?.feedback ?? ""),
    orders,
    orderBound,
    ...(raw !== undefined && { raw }),
    ...meter.cost(),
  };
}
