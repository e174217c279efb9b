import type { TurnEvent } from "../../../agent/events.ts";
import type { TraceDraft } from "./draft.ts";
import { SPAN_EVENTS } from "./names.ts";
import { agentEnd, agentStart, generation, toolSchema } from "./project-agent.ts";
import { JUDGED } from "./project-judged.ts";
import { projectCard, projectIngested, projectLearned } from "./project-memory.ts";
import { modelEnd, modelStart, stepStart, toolRequest, toolResult } from "./project-step.ts";
import { dialog, query, turnEnd, turnStart } from "./project-turn.ts";
import { marked, workflow, workflowEnd } from "./project-work.ts";
import type { Projections } from "./projection.ts";

/** By type. States of agents and the ends of steps are told by the spans themselves; deltas are in no log. */
const PROJECTIONS: Projections = {
  "turn.start": turnStart,
  "query.received": query,
  "turn.end": turnEnd,
  "answer.dialog": dialog,
  "agent.start": agentStart,
  "agent.transition": () => undefined,
  "agent.end": agentEnd,
  "tool.schema": toolSchema,
  "response.generation": generation,
  "step.start": stepStart,
  "step.end": () => undefined,
  "model.start": modelStart,
  "model.delta": () => undefined,
  "model.end": modelEnd,
  "tool.request": toolRequest,
  "tool.result": toolResult,
  "model.check": marked(SPAN_EVENTS.check),
  warning: marked(SPAN_EVENTS.warning),
  "committee.start": workflow(() => "committee"),
  "committee.ranking": marked(SPAN_EVENTS.ranking),
  "committee.end": workflowEnd,
  "round.start": workflow((event) => (event.type === "round.start" ? `round ${event.data.index}` : "round")),
  "round.end": workflowEnd,
  "sandbox.start": workflow(() => "sandbox"),
  "sandbox.message": marked(SPAN_EVENTS.message),
  "sandbox.end": workflowEnd,
  "context.budget": marked(SPAN_EVENTS.budget),
  "context.compacted": marked(SPAN_EVENTS.compacted),
  "context.restored": marked(SPAN_EVENTS.restored),
  "output.structured": marked(SPAN_EVENTS.output),
  "memory.card": projectCard,
  "memory.ingested": projectIngested,
  "memory.learned": projectLearned,
  ...JUDGED,
};

/** Puts an event into the spans of its turn. Kinds that are not known are kept as events of their span. */
export function project(trace: TraceDraft, event: TurnEvent): void {
  trace.seen(event.time);
  if (event.type !== "turn.start") trace.root(event, {});
  if (event.forgotten !== undefined) trace.forgotten(event.forgotten);
  const known = Object.hasOwn(PROJECTIONS, event.type) ? PROJECTIONS[event.type] : undefined;
  if (known === undefined) marked(`conclave.${event.type}`)(trace, event);
  else (known as (trace: TraceDraft, event: TurnEvent) => void)(trace, event);
}
