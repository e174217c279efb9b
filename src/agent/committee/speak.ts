import { runAgent } from "../run-agent.ts";
import type { AgentRole } from "../events.ts";
import type { AgentTape } from "../fork/tapes.ts";
import type { SourcedText } from "../message-parts.ts";
import type { AgentJob, AgentOutcome } from "../turn-types.ts";
import type { Member } from "./cast.ts";
import type { Sitting } from "./deliberation.ts";

/** What one speaker is to do. */
export interface Part {
  readonly role: AgentRole;
  /** What it stands under. */
  readonly parentId: string;
  /** What stands behind the question: material first, then the rule; its own instruction is put behind them. */
  readonly behind: readonly SourcedText[];
  /** In a fork: what it did before it goes on by itself. */
  readonly tape?: AgentTape;
}

/** Lets one member speak; what it used goes into the ledger. Never throws. */
export async function speak(member: Member, part: Part, sitting: Sitting): Promise<AgentOutcome> {
  const { input, deps, settings, ledger, named } = sitting;
  const { definition, name, model, host } = member;
  const seat = sitting.seatOf(member);
  const left = tokensLeft(sitting);
  const own = definition.limits.tokens;
  const tokens = own === undefined || left === undefined ? (own ?? left) : Math.min(own, left);
  const job: AgentJob = {
    name,
    definition,
    role: part.role,
    parentId: part.parentId,
    tail: [...part.behind, ...seat.own],
    model,
    ...(host !== undefined && { host }),
    tools: seat.tools,
    ...(part.tape && { tape: part.tape }),
    named,
    limits: {
      steps: definition.limits.steps ?? settings.steps,
      seconds: definition.limits.seconds ?? settings.seconds,
      ...(tokens !== undefined && { tokens }),
    },
  };
  const outcome = await runAgent(job, input, deps);
  ledger.add(outcome);
  sitting.question ??= outcome.question;
  return outcome;
}

/** What is left of the turn's token budget; nothing where it has none. */
export function tokensLeft({ input, ledger }: Sitting): number | undefined {
  const { tokenBudget } = input.settings;
  return tokenBudget > 0 ? Math.max(1, tokenBudget - ledger.tokens()) : undefined;
}
