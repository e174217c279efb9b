import { CallEnd } from "./call-end.ts";
import { CANCELLED, describeError, failure, type Failure } from "../failure.ts";
import { delay, type Timer } from "../timer.ts";
import type { Tool, ToolContext, ToolDetails, ToolOutcome } from "../tool.ts";

/** Attempts of a read-only tool whose failure may pass; a tool that writes gets one. */
const MAX_ATTEMPTS = 3;

/** Wait before the second attempt, in milliseconds; doubled before the third. */
const FIRST_BACKOFF_MS = 250;

/** What became of a tool's call. */
export interface ToolRun {
  /** What the model is given, a failure's sentence included. */
  readonly content: string;
  readonly details?: ToolDetails;
  readonly failure?: Failure;
  readonly attempts: number;
  readonly timedOut: boolean;
}

/**
 * Runs a tool with a time-out and a signal of its own. Never throws or rejects, and ends within a moment of the turn's
 * signal or the time-out, also when the tool heeds neither: what it gives later is dropped. The time-out holds for all
 * attempts together.
 */
export async function runTool(
  tool: Tool,
  args: unknown,
  context: ToolContext,
  timer: Timer,
): Promise<ToolRun> {
  const end = new CallEnd();
  const onTurnAbort = (): void => end.come(context.signal.reason);
  context.signal.addEventListener("abort", onTurnAbort, { once: true });
  if (context.signal.aborted) onTurnAbort();
  let timedOut = false;
  const cancelTimer = timer(tool.timeoutMs, () => {
    timedOut = true;
    end.come(new DOMException("the tool's time is up", "TimeoutError"));
  });
  const told: ToolContext = {
    ...context,
    get signal() {
      return end.signal;
    },
  };
  try {
    return await attempt({ tool, end, timer, timedOut: () => timedOut }, () => tool.run(args, told));
  } finally {
    cancelTimer();
    context.signal.removeEventListener("abort", onTurnAbort);
    // Whatever the tool still has open belongs to a call that has ended.
    end.come("the call has ended");
  }
}

interface Attempt {
  readonly tool: Tool;
  readonly end: CallEnd;
  readonly timer: Timer;
  readonly timedOut: () => boolean;
}

async function attempt(
  { tool, end, timer, timedOut }: Attempt,
  run: () => Promise<ToolOutcome>,
): Promise<ToolRun> {
  for (let attempts = 1; ; attempts += 1) {
    const raced = await end.race(run);
    if (end.hasCome) return stopped(tool, attempts, timedOut());
    const outcome =
      raced.kind === "value"
        ? checked(raced.value)
        : broken(raced.kind === "thrown" ? raced.error : "", true);
    if (outcome.ok) return { content: outcome.content, details: outcome.details, attempts, timedOut: false };
    const again = outcome.retryable && tool.readOnly && attempts < MAX_ATTEMPTS;
    if (!again) return failedRun(tool, outcome.failure, attempts);
    const waited = await delay(FIRST_BACKOFF_MS * 2 ** (attempts - 1), end.signal, timer);
    if (!waited) return stopped(tool, attempts, timedOut());
  }
}

function stopped(tool: Tool, attempts: number, timedOut: boolean): ToolRun {
  if (!timedOut) return { content: "[cancelled]", failure: CANCELLED, attempts, timedOut };
  const seconds = tool.timeoutMs / 1000;
  const late = failure(
    "timeout",
    `The tool ${tool.name} gave no result within ${seconds} s and was stopped.`,
  );
  return { content: unavailable(late), failure: late, attempts, timedOut };
}

function failedRun(tool: Tool, problem: Failure, attempts: number): ToolRun {
  const tries = attempts > 1 ? ` (tried ${attempts} times)` : "";
  const content = UNAVAILABLE.has(problem.code)
    ? unavailable(problem)
    : `[error] ${tool.name}: ${problem.message}${tries}`;
  return { content, failure: problem, attempts, timedOut: false };
}

const UNAVAILABLE: ReadonlySet<Failure["code"]> = new Set([
  "internal",
  "memory_unavailable",
  "server_unreachable",
  "timeout",
  "tool_disabled",
]);

function unavailable(problem: Failure): string {
  return `[tool unavailable] ${problem.message}`;
}

type Failed = Extract<ToolOutcome, { ok: false }>;

function broken(why: unknown, retryable: boolean): Failed {
  const cause = describeError(why);
  return {
    ok: false,
    failure: failure("internal", "The tool broke down while it ran.", { cause }),
    retryable,
  };
}

/** Tools come from anywhere at run time; one that gives no proper outcome is treated as broken. */
function checked(outcome: ToolOutcome | undefined): ToolOutcome {
  const given: unknown = outcome;
  if (typeof given === "object" && given !== null && "ok" in given) {
    if (given.ok === true && "content" in given && typeof given.content === "string" && "details" in given) {
      return outcome as ToolOutcome;
    }
    if (given.ok === false && "failure" in given && typeof given.failure === "object")
      return outcome as ToolOutcome;
  }
  return broken("its result has the wrong shape", false);
}
