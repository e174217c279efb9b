import { restrictTools } from "../select-tools.ts";
import { runAgent } from "../run-agent.ts";
import type { AgentRole } from "../events.ts";
import type { ToolSet } from "../tool.ts";
import type { AgentJob, AgentOutcome, TurnInput } from "../turn-types.ts";
import type { Cast, Member } from "./cast.ts";
import type { Sitting } from "./deliberation.ts";
import { ownPart } from "./words.ts";

/** What one speaker is to do. */
export interface Part {
  readonly role: AgentRole;
  /** What it stands under. */
  readonly parentId: string;
  /** What stands behind the question: material first, then the rule; its own instruction is put behind them. */
  readonly behind: readonly string[];
}

/** The tools that all speakers of a committee are told of: what any of them may use, in the turn's own order. */
export function sharedTools({ tools }: TurnInput, { members, synthesizer }: Cast): ToolSet {
  const lists = [...members, synthesizer].map(({ definition }) => definition.tools);
  if (lists.includes(undefined)) return tools;
  const wanted = new Set(lists.flatMap((list) => list ?? []).map(({ name }) => tools.find(name)?.name));
  return {
    schemas: tools.schemas.filter(({ name }) => wanted.has(name)),
    find: (name) => {
      const tool = tools.find(name);
      return tool !== undefined && wanted.has(tool.name) ? tool : undefined;
    },
  };
}

/** Lets one member speak; what it used goes into the ledger. Never throws. */
export async function speak(member: Member, part: Part, sitting: Sitting): Promise<AgentOutcome> {
  const { input, deps, settings, rooms, ledger } = sitting;
  const { definition, name, model, host } = member;
  const allowed = definition.tools?.map((tool) => tool.name);
  const left = tokensLeft(sitting);
  const own = definition.limits.tokens;
  const tokens = own === undefined || left === undefined ? (own ?? left) : Math.min(own, left);
  const job: AgentJob = {
    name,
    definition,
    role: part.role,
    parentId: part.parentId,
    tail: [...part.behind, ownPart(name, definition.prompt)].filter((text) => text !== "").join("\n\n"),
    model,
    ...(host !== undefined && { host }),
    tools: restrictTools(rooms.tools, allowed, name),
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
