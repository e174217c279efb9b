import type { EventOf } from "../events.ts";
import type { Verdict } from "../events-committee.ts";
import { CANCELLED, failure, type Failure } from "../failure.ts";
import { endOf } from "../run-agent.ts";
import { aheadOfTime } from "../spare-time.ts";
import { wellFormed } from "../text.ts";
import type { TurnAnswer } from "../turn-types.ts";
import { isCancelled, type Deliberation, type Sitting } from "./deliberation.ts";
import { lastPositions, type Speech } from "./speeches.ts";
import { rank, type Ranking } from "./ranking.ts";
import { heardBlocks } from "./hearing.ts";
import { synthesize, type Synthesis } from "./synthesis.ts";
import { verdictOf } from "./verdict.ts";

/** How a committee's turn ended, for its last event. */
export interface Ending {
  readonly rounds: number;
  readonly stopped: EventOf<"committee.end">["data"]["conclave.stopped"];
  readonly verdict: Verdict;
  readonly synthesis: Synthesis;
}

/** What follows the rounds: the ranking of a council, the verdict without a model, the synthesis. */
export async function conclude(deliberation: Deliberation, sitting: Sitting): Promise<Ending> {
  const { rounds, stopped } = deliberation;
  const { settings } = sitting;
  const positions = lastPositions(rounds);
  const had = rounds.length;
  const early = (synthesis: Synthesis, why: Ending["stopped"]): Ending => ({
    rounds: had,
    stopped: why,
    verdict: verdictOf(positions.map(counted)),
    synthesis,
  });
  if (isCancelled(sitting)) return early(unsaid(CANCELLED), "cancelled");
  if (positions.length === 0) return early(unsaid(nobody(rounds.flat())), "failed");
  // What the last round said stands in full further down.
  const earlier = heardBlocks(rounds.slice(0, -1), sitting);
  const ranking = settings.strategy === "council" ? await ranked(positions, earlier, sitting) : undefined;
  const agreed = stopped === "agreed" ? (rounds.at(-1) ?? []) : [];
  const inAgreement = agreed.filter(({ error }) => error === undefined).map(({ member }) => member.name);
  const verdict = aheadOfTime(() => verdictOf(positions.map(counted), ranking, new Set(inAgreement)));
  if (isCancelled(sitting))
    return { rounds: had, stopped: "cancelled", verdict: verdict(), synthesis: unsaid(CANCELLED) };
  const synthesis = await synthesize(positions, earlier, verdict, sitting);
  return {
    rounds: had,
    stopped: synthesis.outcome === "cancelled" ? "cancelled" : stopped,
    verdict: verdict(),
    synthesis,
  };
}

/** The ranking of the members, or in a fork that only sums up the one of then. */
async function ranked(
  positions: readonly Speech[],
  earlier: readonly string[],
  sitting: Sitting,
): Promise<Ranking | undefined> {
  const { tape, emitter } = sitting;
  const kept = tape?.conclusion?.ranking;
  if (tape === undefined || kept === undefined) return await rank(positions, earlier, sitting);
  emitter.repeat(kept.events, new Map([[tape.id, emitter.agentId]]));
  return kept.data.result.length === 0 ? undefined : kept.data;
}

/** How a committee ended that broke inside. */
export function broke(error: unknown): Ending {
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const problem = failure("internal", "Something broke inside the committee; the trace has the details.", {
    cause,
  });
  return { rounds: 0, stopped: "failed", verdict: { minority: [] }, synthesis: unsaid(problem) };
}

/** Tells that the committee is done, and gives what it answers the turn with. */
export function ended(ending: Ending, sitting: Sitting, began: number): TurnAnswer {
  const { input, deps, emitter, letters, ledger, question } = sitting;
  const { synthesis, verdict, stopped, rounds } = ending;
  const usage = ledger.usage();
  emitter.emit(
    "committee.end",
    { id: emitter.agentId, parentId: input.turnId },
    {
      outcome: synthesis.outcome,
      rounds,
      "conclave.stopped": stopped,
      "conclave.verdict": verdict,
      "conclave.shown_as": [...letters].map(([agent, letter]) => ({ letter, agent })),
      ...endOf({ usage }, deps.identity.now() - began),
    },
  );
  return {
    outcome: synthesis.outcome,
    answer: synthesis.answer,
    messages: synthesis.messages,
    sources: ledger.sources(),
    usage,
    steps: ledger.steps(),
    question: question ?? { role: "user", content: wellFormed(input.request.question) },
    ...(synthesis.error && { error: synthesis.error }),
    ...(synthesis.output && { output: synthesis.output }),
    ...(synthesis.chained && { chained: synthesis.chained }),
  };
}

function counted({ member, answer, view }: Speech) {
  return { agent: member.name, answer, view };
}

/** What a committee answers that has nothing to say. */
export function unsaid(error: Failure): Synthesis {
  const outcome = error.code === "cancelled" ? "cancelled" : "failed";
  return { outcome, answer: "", messages: [], error };
}

/** Nobody answered: the first cause with what to do about it, and each member's own. */
export function nobody(speeches: readonly Speech[]): Failure {
  const failures = speeches.flatMap(({ member, error }) => (error === undefined ? [] : [{ member, error }]));
  const [first] = failures;
  if (first === undefined) return failure("empty_answer", "No member of the committee gave an answer.");
  const all = failures.map(({ member, error }) => `${member.name}: ${error.message}`).join(" ");
  const same = new Set(failures.map(({ error }) => error.message)).size === 1;
  const message = `No member of the committee gave an answer. ${same ? first.error.message : all}`;
  return { ...first.error, message };
}
