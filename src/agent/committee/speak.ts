import { namedTools, restrictTools } from "../select-tools.ts";
import { runAgent } from "../run-agent.ts";
import type { AgentDefinition } from "../agents/definition.ts";
import type { AgentRole } from "../events.ts";
import type { AgentTape } from "../fork/tapes.ts";
import type { SourcedText } from "../message-parts.ts";
import type { ToolSet } from "../tool.ts";
import type { AgentJob, AgentOutcome, TurnInput } from "../turn-types.ts";
import type { Cast, Member } from "./cast.ts";
import type { Sitting } from "./deliberation.ts";
import { ownPart, toolsPart } from "./words.ts";

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

/**
 * The tools that all speakers of a committee are told of: what any of them may use, in the turn's own order. Those that
 * are only for who names them stand at the end.
 */
export function sharedTools({ tools }: TurnInput, { members, synthesizer }: Cast): ToolSet {
  const lists = [...members, synthesizer].map(({ definition }) => definition.tools);
  const free = lists.includes(undefined) ? namesOf(tools.schemas) : [];
  return namedTools(tools, [...free, ...lists.flatMap((list) => namesOf(list ?? []))]);
}

/** The names of tools in the files of all speakers: whatever is left out for want of room, it is none of these. */
export function namedBySpeakers({ members, synthesizer }: Cast): readonly string[] {
  const lists = [...members, synthesizer].map(({ definition }) => definition.tools);
  return [...new Set(lists.flatMap((list) => namesOf(list ?? [])))];
}

function namesOf(list: readonly { readonly name: string }[]): readonly string[] {
  return list.map(({ name }) => name);
}

/** Lets one member speak; what it used goes into the ledger. Never throws. */
export async function speak(member: Member, part: Part, sitting: Sitting): Promise<AgentOutcome> {
  const { input, deps, settings, rooms, ledger, cast } = sitting;
  const { definition, name, model, host } = member;
  const allowed = namesOf(definition.tools ?? input.tools.schemas);
  const left = tokensLeft(sitting);
  const own = definition.limits.tokens;
  const tokens = own === undefined || left === undefined ? (own ?? left) : Math.min(own, left);
  const job: AgentJob = {
    name,
    definition,
    role: part.role,
    parentId: part.parentId,
    tail: [
      ...part.behind,
      { source: "persona", text: ownPart(name, definition.prompt) },
      { source: "persona", text: ownTools(definition, rooms.tools) },
    ],
    model,
    ...(host !== undefined && { host }),
    tools: restrictTools(rooms.tools, allowed, name),
    ...(part.tape && { tape: part.tape }),
    named: namedBySpeakers(cast),
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

/** What a member's file says of its tools: the list that all share tells of them in their own words. */
function ownTools({ tools: listed = [] }: AgentDefinition, tools: ToolSet): string {
  const described = listed.flatMap(({ name, description }) => {
    const tool = tools.find(name);
    return tool === undefined || description === undefined ? [] : [{ name: tool.name, description }];
  });
  return toolsPart(described);
}

/** What is left of the turn's token budget; nothing where it has none. */
export function tokensLeft({ input, ledger }: Sitting): number | undefined {
  const { tokenBudget } = input.settings;
  return tokenBudget > 0 ? Math.max(1, tokenBudget - ledger.tokens()) : undefined;
}
