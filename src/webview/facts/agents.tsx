import type { VNode } from "preact";
import type { AgentState } from "../../agent/events.ts";
import type { AgentCell } from "../../trace/cells.ts";
import { agentName, cellsInOrder, type TurnModel } from "../../trace/model.ts";
import { Section } from "../fact-lines.tsx";
import { elapsed } from "../format.ts";
import { useClock } from "../hooks.ts";
import { Icon } from "../icon.tsx";
import type { Store } from "../store.ts";

/** Agents that are listed; a committee has fewer. */
const MAX_AGENTS = 16;

/** What an agent does, in words. */
export const STATE_WORDS: Readonly<Record<AgentState, string>> = {
  idle: "idle",
  receiving: "receiving the question",
  generating: "generating",
  dispatching_tool: "calling a tool",
  waiting_for_tool: "waiting for a tool",
  publishing: "publishing its answer",
};

/** The cell that an agent works at just now: its model's thinking or text, or its tool. */
function workOf(turn: TurnModel, ids: readonly string[]): string | undefined {
  for (const id of ids.toReversed()) {
    const cell = turn.cells.get(id);
    if (cell === undefined || cell.status !== "running") continue;
    if (cell.kind === "tool") return `waiting for ${cell.name}`;
    if (cell.kind === "thinking") return "thinking";
    if (cell.kind === "answer" || cell.kind === "remark") return "writing";
    if (cell.kind === "model" && cell.children.length === 0) return `waiting for ${cell.model}`;
    if (cell.kind === "step" || cell.kind === "model") return workOf(turn, cell.children);
  }
  return undefined;
}

/** How an agent stands, in words: its state, and more exactly what it does where that is known. */
export function stateWords(turn: TurnModel, agent: AgentCell): string {
  if (agent.status === "done") return "done";
  if (agent.status !== "running") return agent.status;
  return workOf(turn, agent.children) ?? STATE_WORDS[agent.state];
}

function iconOf({ status, state }: AgentCell): string {
  if (status === "done") return "check";
  if (status !== "running") return status === "failed" ? "error" : "circle-slash";
  return state === "idle" ? "circle" : "pulse";
}

/** What each agent does just now, in words; nothing once the turn is over, when all that is said elsewhere. */
export function Agents({ store, turn }: { readonly store: Store; readonly turn: TurnModel }): VNode | null {
  const now = useClock(store, store.running);
  if (turn.status !== "running") return null;
  const agents = cellsInOrder(turn)
    .filter((cell): cell is AgentCell => cell.kind === "agent")
    .slice(-MAX_AGENTS);
  if (agents.length === 0) return null;
  return (
    <Section title="Agents">
      <ul class="agents">
        {agents.map((agent) => (
          <li key={agent.id} title={agent.state}>
            <Icon name={iconOf(agent)} />
            <span class="ellipsis">{agentName(agent)}</span>
            <span class="agent-state">{stateWords(turn, agent)}</span>
            <span class="num">{elapsed((agent.end ?? now) - agent.start)}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
