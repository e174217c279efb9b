import { NO_AGENTS } from "./agents/definition.ts";
import { withDelegation } from "./delegate.ts";
import type { EngineDeps } from "./engine-deps.ts";
import type { AskRequest } from "./ask-types.ts";
import type { EventOf } from "./events.ts";
import { success, type Result } from "./failure.ts";
import { planFork, withNewPast, type ForkPlan } from "./fork/plan.ts";
import { selectTools, withoutWriters } from "./select-tools.ts";
import type { Branch } from "./sessions/sessions.ts";
import { answeringAgent, missingAgent } from "./single.ts";
import type { TurnInput } from "./turn-types.ts";

/** What a turn works on, as far as the question alone decides it. */
export type AskedTurn = Omit<TurnInput, "sessionId" | "turnId" | "conversation">;

/**
 * What a question asks for, by the settings, agents and tools there are now. A failure says which agent or tool there
 * is not, or why nothing can branch off where the question wants to.
 */
export function askedTurn(
  request: AskRequest,
  deps: Pick<EngineDeps, "settings" | "agents" | "tools">,
): Result<AskedTurn> {
  const settings = deps.settings();
  const agents = deps.agents?.() ?? NO_AGENTS;
  const missing = missingAgent(request, settings, agents);
  if (missing !== undefined) return { ok: false, failure: missing };
  const allTools = deps.tools();
  const { name } = answeringAgent({ request, settings, agents });
  const self = request.options?.committee === undefined ? name : undefined;
  const offered = withDelegation(allTools, agents, self);
  const tools = selectTools(
    request.private === true ? withoutWriters(offered) : offered,
    request.options?.tools,
  );
  if (!tools.ok) return tools;
  const planned = planOf(request);
  if (!planned.ok) return planned;
  return success({ request, settings, agents, allTools, tools: tools.value, ...planned.value });
}

/** What a fork takes over; nothing of a turn that is none. */
function planOf({ fork }: AskRequest): Result<{ readonly fork?: ForkPlan }> {
  if (fork === undefined) return success({});
  const { events, newPast, ...rest } = fork;
  const planned = planFork(rest, events);
  if (!planned.ok) return planned;
  return success({ fork: newPast === true ? withNewPast(planned.value) : planned.value });
}

/** Where in its session a turn goes on, where that is not the newest turn. */
export function branchOf({ fork, parentTurnId }: AskRequest): Branch | undefined {
  if (fork === undefined) return parentTurnId === undefined ? undefined : { parentTurnId };
  const start = fork.events.find((event): event is EventOf<"turn.start"> => event.type === "turn.start");
  const parent = start?.data["conclave.parent_turn_id"] ?? null;
  return { parentTurnId: parent, beside: fork.turnId };
}
