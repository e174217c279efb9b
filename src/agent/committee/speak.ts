import { messageTokens } from "../context.ts";
import { runAgent } from "../run-agent.ts";
import type { AgentRole } from "../events.ts";
import type { AgentTape } from "../fork/tapes.ts";
import type { SourcedText } from "../message-parts.ts";
import type { ChatMessage, ChatModel } from "../models/types.ts";
import { withTail } from "../prompt.ts";
import { formOf } from "../structured/form.ts";
import type { AgentJob, AgentOutcome } from "../turn-types.ts";
import type { Member } from "./cast.ts";
import type { Sitting } from "./deliberation.ts";

/** What one speaker is to do. */
export interface Part {
  readonly role: AgentRole;
  /** What it stands under. */
  readonly parentId: string;
  /** What stands behind the question: material first, then the rule, then its own instruction. */
  readonly tail: readonly SourcedText[];
  /** Done while its first answer is awaited. */
  readonly meanwhile?: AgentJob["meanwhile"];
  /** In a fork: what it did before it goes on by itself. */
  readonly tape?: AgentTape;
}

/** Lets one member speak; what it used goes into the ledger. Never throws. */
export async function speak(member: Member, part: Part, sitting: Sitting): Promise<AgentOutcome> {
  const { input, deps, settings, ledger, company } = sitting;
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
    tail: part.tail,
    ...(part.meanwhile && { meanwhile: part.meanwhile }),
    model,
    ...(host !== undefined && { host }),
    tools: seat.tools,
    ...(part.tape && { tape: part.tape }),
    company,
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

/** Makes ready what a member will be asked, so that it need not be done when nothing else is awaited any more. */
export function readyToAsk(
  { definition }: Member,
  tail: readonly SourcedText[],
  question: ChatMessage,
  model: ChatModel,
): void {
  const message = withTail(question, tail, formOf(definition));
  messageTokens(message);
  model.ready?.(message);
}

/** What is left of the turn's token budget; nothing where it has none. */
export function tokensLeft({ input, ledger }: Sitting): number | undefined {
  const { tokenBudget } = input.settings;
  return tokenBudget > 0 ? Math.max(1, tokenBudget - ledger.tokens()) : undefined;
}
